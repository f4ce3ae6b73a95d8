"""The tree of errors is the one its docstring draws, and outcomes say which answers can be relied on."""

from __future__ import annotations

import inspect
import re

import pytest
from sklearn.exceptions import NotFittedError

from credo import errors
from credo.errors import CredoError, FormatError, NotFitted, Outcome


def test_the_tree_is_drawn_as_it_is() -> None:
    tree = inspect.getdoc(errors) or ""
    drawn = set(re.findall(r"(?:├──|└──) (\w+)", tree)) | {"CredoError"}
    held = {name for name in errors.__all__ if issubclass(getattr(errors, name), Exception)} - {"CredoWarning"}
    assert drawn == held


@pytest.mark.parametrize("name", sorted(set(errors.__all__) - {"CredoWarning", "Outcome"}))
def test_every_error_is_caught_by_the_root(name: str) -> None:
    assert issubclass(getattr(errors, name), CredoError)


@pytest.mark.parametrize(
    ("name", "builtin"),
    [
        ("InvalidInput", ValueError),
        ("UnknownName", ValueError),
        ("BadShape", ValueError),
        ("BadProbability", ValueError),
        ("BadParameter", ValueError),
        ("TooLarge", MemoryError),
        ("NumericalFailure", ArithmeticError),
        ("FormatError", ValueError),
        ("NotFitted", NotFittedError),
    ],
)
def test_errors_are_also_the_builtin_a_caller_would_expect(name: str, builtin: type[Exception]) -> None:
    assert issubclass(getattr(errors, name), builtin)


def test_not_fitted_is_one_class() -> None:
    assert errors.NotFitted is NotFitted
    with pytest.raises(NotFittedError, match="call fit"):
        raise NotFitted("call fit first")


def test_an_unknown_name_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="NotFited"):
        _ = errors.NotFited


@pytest.mark.parametrize(
    ("place", "text"),
    [
        ({}, "bad"),
        ({"file": "a.csv"}, "a.csv: bad"),
        ({"file": "a.csv", "line": 3}, "a.csv, line 3: bad"),
        ({"file": "a.csv", "line": 3, "column": 7}, "a.csv, line 3, column 7: bad"),
    ],
)
def test_a_format_error_says_where(place: dict[str, object], text: str) -> None:
    error = FormatError("bad", **place)  # type: ignore[arg-type]
    assert str(error) == text
    assert (error.line, error.column) == (place.get("line"), place.get("column"))


def test_only_convergence_is_good() -> None:
    assert [outcome for outcome in Outcome if outcome.good] == [Outcome.CONVERGED]
