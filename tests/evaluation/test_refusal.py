from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from credo.errors import BadParameter, BadShape
from credo.evaluation import bootstrap, risk_coverage

RNG = np.random.default_rng(0)


def area_in_order(losses):
    return np.mean([np.mean(losses[: k + 1]) for k in range(len(losses))])


def area_over_orders(confidence, losses):
    """The mean area over all orders that agree with the confidence."""
    areas = [
        area_in_order([losses[i] for i in order])
        for order in itertools.permutations(range(len(losses)))
        if all(confidence[a] >= confidence[b] for a, b in itertools.pairwise(order))
    ]
    return np.mean(areas)


@settings(max_examples=40, deadline=None, derandomize=True)
@given(st.lists(st.tuples(st.integers(0, 2), st.integers(0, 3)), min_size=1, max_size=5))
def test_the_area_is_the_mean_over_all_orders_of_ties(rows):
    confidence, losses = zip(*rows, strict=True)
    found = risk_coverage(confidence, losses)
    assert found.area.value == pytest.approx(area_over_orders(confidence, losses))
    assert found.best == pytest.approx(area_in_order(sorted(losses)))
    assert found.excess >= -1e-12
    assert found.random == found.risk[-1] == pytest.approx(np.mean(losses))


@settings(max_examples=40, deadline=None, derandomize=True)
@given(st.lists(st.tuples(st.integers(0, 4), st.floats(-1, 1)), min_size=1, max_size=20))
def test_points_are_the_means_of_the_rows_decided(rows):
    confidence, losses = map(np.array, zip(*rows, strict=True))
    found = risk_coverage(confidence, losses)
    for coverage, risk, needed in zip(found.coverage, found.risk, found.confidence, strict=True):
        decided = confidence >= needed
        assert coverage == pytest.approx(decided.mean())
        assert risk == pytest.approx(losses[decided].mean())
        assert found.at(coverage) == risk


@pytest.mark.parametrize("places", [8, 1], ids=["no ties", "ties"])
def test_the_interval_is_near_the_bootstrap(places):
    confidence = RNG.random(400).round(places)
    losses = (RNG.random(400) > confidence).astype(float)
    found = risk_coverage(confidence, losses).area
    other = bootstrap(lambda rows: risk_coverage(confidence[rows], losses[rows]).area.value, 400, rng=0, draws=600)
    assert found.half_width == pytest.approx(other.half_width, rel=0.12)


def test_confidence_without_meaning_gains_nothing():
    losses = (RNG.random(4000) < 0.3).astype(float)
    found = risk_coverage(RNG.random(4000), losses)
    assert found.area.low < found.random < found.area.high
    same = risk_coverage(np.ones(4000), losses)
    assert same.area.value == pytest.approx(same.random)
    assert same.coverage.tolist() == [1.0]


def test_what_can_be_decided_at_a_risk():
    found = risk_coverage([0.9, 0.8, 0.7, 0.6], [0, 1, 0, 1])
    assert found.within(0.4) == (0.75, 0.7)
    assert found.within(0.0) == (0.25, 0.9)
    assert found.within(-1.0) == (0.0, math.inf)
    assert found.at(0.6) == pytest.approx(1 / 3)
    assert math.isnan(found.at(0.0))


def test_bad_input_is_refused():
    with pytest.raises(BadShape):
        risk_coverage([1.0], [0.0, 1.0])
    with pytest.raises(BadParameter, match="rows"):
        risk_coverage([], [])
    assert not risk_coverage([0.5], [1.0]).area.bounded
