from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from credo.errors import BadParameter, InvalidInput
from credo.evaluation.searching import Choice, Real, Whole
from credo.evaluation.searching.space import Space


@settings(max_examples=80, deadline=None, derandomize=True)
@given(st.integers(-20, 20), st.integers(1, 40), st.booleans())
def test_every_whole_number_has_a_place_and_comes_back(low, span, log):
    if log:
        low = abs(low) + 1
    axis = Whole(low, low + span, log=log)
    every = axis.places(span + 1)
    assert [axis.at(float(place)) for place in every] == list(range(low, low + span + 1))
    np.testing.assert_allclose(axis.snap(every), every, atol=1e-12)
    assert axis.at(0.0) == low
    assert axis.at(1.0) == low + span
    some = [axis.at(float(place)) for place in axis.places(3)]
    assert some[0] == low
    assert some[-1] == low + span
    assert some == sorted(set(some))


@settings(max_examples=80, deadline=None, derandomize=True)
@given(st.floats(0, 1), st.booleans())
def test_real_numbers_stay_within_their_ends(place, log):
    axis = Real(0.01, 100, log=log)
    assert 0.01 <= axis.at(place) <= 100
    assert Real(0.01, 100, log=True).at(place) == pytest.approx(10 ** (4 * place - 2))


def test_whole_numbers_are_even_over_the_cube():
    axis = Whole(1, 5)
    drawn = [axis.at(place) for place in np.linspace(0.0005, 0.9995, 1000)]
    assert np.unique(drawn, return_counts=True)[1].tolist() == [200] * 5


def test_options_are_equally_far_apart():
    axis = Choice(["a", "b", "c"])
    columns = axis.columns(axis.places(3))
    for one, other in itertools.combinations(columns, 2):
        assert np.linalg.norm(one - other) == pytest.approx(1)
    assert [axis.at(place) for place in (0.0, 0.34, 0.67, 1.0)] == ["a", "b", "c", "c"]


def test_a_grid_has_every_option_and_as_many_numbers_as_there_is_room_for():
    space = Space.of({"kind": ["a", "b"], "n": Whole(1, 3), "x": Real(1, 100, log=True)})
    points = [tuple(space.at(point).values()) for point in space.grid(20)]
    assert points == list(itertools.product("ab", (1, 2, 3), (1.0, 10.0, 100.0)))
    small = Space.of({"n": Whole(1, 3), "kind": ["a", "b"]})
    assert len(small.grid(100)) == small.size == 6
    assert len(Space.of({"kind": ["a", "b"]}).grid(100)) == 2
    with pytest.raises(BadParameter, match="12 settings at least, more than tries=10"):
        Space.of({"x": list(range(12)), "y": Real(0, 1)}).grid(10)


def test_every_point_of_a_space_without_real_numbers():
    space = Space.of({"n": Whole(1, 300, log=True), "kind": ["a", "b"]})
    every = np.array(list(space.every()))
    found = {tuple(space.at(point).values()) for point in every}
    assert found == set(itertools.product(range(1, 301), "ab"))
    np.testing.assert_allclose(space.snap(every), every, atol=1e-12)
    assert math.isinf(Space.of({"x": Real(0, 1)}).size)


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: Real(1, 1), "low must be below high"),
        (lambda: Real(0, 1, log=True), "low must be positive"),
        (lambda: Real(0, math.inf), "must be finite"),
        (lambda: Whole(1, 2.5), "high must be a whole number"),
        (lambda: Choice([]), "options must be a list"),
        (lambda: Choice("abc"), "options must be a list"),
        (lambda: Space.of({}), "space must say"),
        (lambda: Space.of([1, 2]), "space must say"),
        (lambda: Space.of({"x": 3}), "space.'x'. must be a Real"),
    ],
)
def test_what_is_no_range_is_refused(make, words):
    with pytest.raises(InvalidInput, match=words):
        make()
