"""The habits of the design that can be seen by looking at the code as it is loaded."""

from __future__ import annotations

import dataclasses
import importlib
import inspect
import pkgutil
import sys
from pathlib import Path

import pytest

import credo

MODULES = sorted(
    module.name for module in pkgutil.walk_packages(credo.__path__, "credo.") if not module.name.endswith("._core")
)


def classes() -> list[type]:
    return [
        thing
        for name in MODULES
        for thing in vars(importlib.import_module(name)).values()
        if inspect.isclass(thing) and thing.__module__ == name
    ]


CLASSES = classes()


@pytest.mark.parametrize("held", CLASSES, ids=lambda held: f"{held.__module__}.{held.__qualname__}")
def test_dataclasses_are_frozen(held: type) -> None:
    if dataclasses.is_dataclass(held):
        assert held.__dataclass_params__.frozen  # type: ignore[attr-defined]


@pytest.mark.parametrize("held", CLASSES, ids=lambda held: f"{held.__module__}.{held.__qualname__}")
def test_classes_are_abstract_or_final(held: type) -> None:
    if issubclass(held, Exception | Warning):
        return
    parents = [base for base in held.__mro__[1:] if base.__module__.split(".")[0] == "credo"]
    for parent in parents:
        assert inspect.isabstract(parent) or getattr(parent, "_is_protocol", False), f"{parent} is not abstract"
    assert len(parents) <= 1, "inheritance is one level deep"


@pytest.fixture
def limits():
    sys.path.insert(0, str(Path(__file__).parents[2] / "tools"))
    try:
        import limits
    finally:
        sys.path.pop(0)
    return limits


@pytest.mark.parametrize(
    ("source", "words"),
    [
        ("\n" * 401, "401 lines"),
        ("def f():\n" + "    a = 1\n" * 60, "61 lines"),
        ("def f(**options): ...", "name the options"),
        ("hasattr(a, 'b')", "hasattr"),
        ("eval('1')", "eval"),
        ("import pickle", "pickle"),
        ("from pickle import loads", "pickle"),
        ("import numpy as np\nnp.load('f', allow_pickle=True)", "allow_pickle"),
    ],
)
def test_the_limits_notice(limits, source: str, words: str) -> None:
    found = list(limits.complaints(Path("some.py"), source))
    assert len(found) == 1
    assert words in found[0]


def test_the_limits_leave_good_code_alone(limits) -> None:
    source = "def f(a, *, b=1):\n" + "    a = 1\n" * 59
    assert list(limits.complaints(Path("some.py"), source)) == []
