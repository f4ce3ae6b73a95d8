"""What is accepted comes back clean; what is refused is named, with the value, the rule and the remedy."""

from __future__ import annotations

import dataclasses
import json
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from credo import checks
from credo.errors import BadParameter, BadProbability, BadShape, InvalidInput, UnknownName


@given(st.text(), st.integers(5, 80))
@settings(max_examples=60, deadline=None, derandomize=True)
def test_what_is_shown_is_one_short_line(text: str, width: int) -> None:
    shown = checks.shown(text, width)
    assert len(shown) <= width
    assert "\n" not in shown


@pytest.mark.parametrize("value", ["a", [1, "b"], [[1], [2, 3]], 1j, None, {}, object(), np.datetime64("2020-01-01")])
def test_floats_refuses_what_is_no_number(value: object) -> None:
    with pytest.raises(InvalidInput, match="weights"):
        checks.floats("weights", value)  # type: ignore[arg-type]


@pytest.mark.parametrize("value", [[1, np.nan], [np.inf], [-np.inf, 2]])
def test_floats_refuses_what_is_not_finite_and_says_where(value: list[float]) -> None:
    bad = int(np.flatnonzero(~np.isfinite(value))[0])
    with pytest.raises(InvalidInput, match=rf"finite.*at \[{bad}\]"):
        checks.floats("x", value)


def test_floats_lets_through_what_it_is_told_to() -> None:
    assert np.isnan(checks.floats("x", [np.nan], missing=True)).all()
    with pytest.raises(InvalidInput, match="finite"):
        checks.floats("x", [np.inf], missing=True)


@pytest.mark.parametrize(("value", "ndim"), [(1.0, 1), ([1.0], 0), ([1.0], 2), ([[1.0]], 1)])
def test_floats_refuses_other_numbers_of_axes(value: object, ndim: int) -> None:
    with pytest.raises(BadShape, match="shape"):
        checks.floats("x", value, ndim=ndim)  # type: ignore[arg-type]


def test_floats_does_not_change_what_it_was_given() -> None:
    given_ = np.array([1, 2])
    assert checks.floats("x", given_).dtype == np.float64
    assert given_.dtype == int


@pytest.mark.parametrize("value", [0, -1, [1, 0]])
def test_positive_refuses_zero_and_less(value: object) -> None:
    with pytest.raises(BadParameter, match="sd must be positive"):
        checks.positive("sd", value)  # type: ignore[arg-type]


@pytest.mark.parametrize("value", [1.0, True, "1", None, np.bool_(1), 1.5])
def test_count_refuses_what_is_no_whole_number(value: object) -> None:
    with pytest.raises(BadParameter, match="folds must be a whole number"):
        checks.count("folds", value)


@pytest.mark.parametrize(("value", "rule"), [(1, "at least 2"), (-3, "at least 2")])
def test_count_refuses_too_few(value: int, rule: str) -> None:
    with pytest.raises(BadParameter, match=rule):
        checks.count("folds", value, least=2)


def test_count_refuses_too_many_and_takes_numpy_integers() -> None:
    with pytest.raises(BadParameter, match="between 2 and 5"):
        checks.count("folds", 6, least=2, most=5)
    assert checks.count("folds", np.int64(3)) == 3


@pytest.mark.parametrize("value", [0, 1, -0.1, 1.1, np.nan, "half", None])
def test_level_lies_strictly_inside(value: object) -> None:
    with pytest.raises(BadParameter, match="strictly between 0 and 1"):
        checks.level("level", value)


@given(st.lists(st.floats(1e-6, 1), min_size=1, max_size=20))
@settings(max_examples=60, deadline=None, derandomize=True)
def test_probabilities_sum_to_one_exactly_enough(weights: list[float]) -> None:
    p = np.array(weights) / np.sum(weights)
    held = checks.probabilities("p", p)
    np.testing.assert_allclose(held, p, rtol=1e-12)
    assert abs(held.sum() - 1) < 1e-15 * 4


@pytest.mark.parametrize(
    ("value", "words"),
    [([0.5, 0.4], "sum to 1.*0.9"), ([-0.1, 1.1], "between 0 and 1.*-0.1"), ([2.0], "between 0 and 1.*2")],
)
def test_probabilities_refuses(value: list[float], words: str) -> None:
    with pytest.raises(BadProbability, match=words):
        checks.probabilities("prior", value)


@pytest.mark.parametrize("value", [[], 0.5, np.empty((2, 0))])
def test_probabilities_refuses_nothing(value: object) -> None:
    with pytest.raises(BadShape):
        checks.probabilities("prior", value)  # type: ignore[arg-type]


def test_known_suggests_the_name_that_was_meant() -> None:
    with pytest.raises(UnknownName, match=r"no column 'aeg'. Did you mean 'age'"):
        checks.known("column", "aeg", ["age", "sex"])
    with pytest.raises(UnknownName, match="There are: 'age', 'sex'"):
        checks.known("column", "zzz", ["age", "sex"])
    with pytest.raises(UnknownName, match="There are none"):
        checks.known("column", "zzz", [])
    with pytest.raises(UnknownName):
        checks.known("column", ["unhashable"], {"age": 1})  # type: ignore[type-var,arg-type]
    with pytest.raises(UnknownName):
        checks.known("column", np.array([]), ["age"])


def test_choice_names_the_options() -> None:
    with pytest.raises(BadParameter, match=r"method must be one of 'newton', 'gradient'; got 'neton'. Did you mean"):
        checks.choice("method", "neton", ("newton", "gradient"))
    with pytest.raises(BadParameter, match=r"'newton', 'gradient'; got 'magic'$"):
        checks.choice("method", "magic", ("newton", "gradient"))
    with pytest.raises(BadParameter, match="method must be one of"):
        checks.choice("method", np.array([]), ("newton", "gradient"))


@pytest.mark.parametrize("value", ["abc", 3, ["a", "b", "a"], [["a"]]])
def test_unique_refuses(value: object) -> None:
    with pytest.raises(InvalidInput, match="states"):
        checks.unique("states", value)  # type: ignore[arg-type,type-var]


def test_rows_match() -> None:
    with pytest.raises(BadShape, match="X and y must have the same number of rows; got 3 and 4"):
        checks.rows_match("X", 3, "y", 4)


@pytest.mark.parametrize("rng", [None, -1, 1.5, True, "seed", np.random.RandomState(0)])
def test_generator_refuses_what_gives_no_repeatable_draws(rng: object) -> None:
    with pytest.raises(BadParameter, match="rng must be a seed"):
        checks.generator(rng)


def test_generator_passes_generators_on_and_seeds_repeat() -> None:
    rng = np.random.default_rng(3)
    assert checks.generator(rng) is rng
    assert checks.generator(3).random() == checks.generator(np.int64(3)).random()


def test_anything_becomes_plain_json():
    @dataclasses.dataclass(frozen=True)
    class Record:
        low: float
        model: object = dataclasses.field(metadata={"left_out": True})

    held = {
        "a": (np.float64(math.nan), np.int64(3), np.bool_(True)),
        1: np.array([[1.0, -math.inf]]),
        "record": [Record(0.5, object())],
        "text": np.array(["x", None], dtype=object),
        "time": np.datetime64("2020-01-02"),
        "nothing": None,
    }
    plain = checks.plain_json(held)
    assert plain == {
        "a": [None, 3, True],
        "1": [[1.0, None]],
        "record": [{"low": 0.5}],
        "text": ["x", None],
        "time": "2020-01-02",
        "nothing": None,
    }
    assert json.loads(json.dumps(plain, allow_nan=False)) == plain
