from __future__ import annotations

import json
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn import metrics

from credo.evaluation import clopper_pearson, cost_curve, precision_recall_curve, roc_curve

RNG = np.random.default_rng(0)
POSITIVE = RNG.random(200) < 0.4
SCORES = (RNG.normal(size=200) + POSITIVE).round(1)
ROWS = st.lists(st.tuples(st.integers(0, 6), st.booleans()), min_size=2, max_size=30)


def counted(scores, positive, threshold):
    """Recall, false positive rate and precision when everything from the threshold up is taken for positive."""
    said = scores >= threshold
    hits = (said & positive).sum()
    return hits / positive.sum(), (said & ~positive).sum() / (~positive).sum(), hits / max(said.sum(), 1)


@settings(max_examples=60, deadline=None, derandomize=True)
@given(ROWS)
def test_every_point_is_what_its_threshold_gives(rows):
    scores, positive = map(np.array, zip(*rows, strict=True))
    if len(set(positive)) == 1:
        return
    roc, pr = roc_curve(scores, positive), precision_recall_curve(scores, positive)
    for wrongly, rightly, cut in zip(roc.false_positive_rate, roc.true_positive_rate, roc.thresholds, strict=True):
        assert counted(scores, positive, cut)[:2] == pytest.approx((rightly, wrongly))
    for recall, precision, cut in zip(pr.recall, pr.precision, pr.thresholds, strict=True):
        assert counted(scores, positive, cut)[::2] == pytest.approx((recall, precision))
    assert (np.diff(pr.recall) >= 0).all()
    assert sorted(pr.thresholds) == sorted(set(scores))
    assert np.trapezoid(roc.true_positive_rate, roc.false_positive_rate) == pytest.approx(roc.area.value)
    assert 0 <= pr.area.low <= pr.area.value <= pr.area.high <= 1


def test_areas_agree_with_scikit_learn():
    assert roc_curve(SCORES, POSITIVE).area.value == pytest.approx(metrics.roc_auc_score(POSITIVE, SCORES))
    found = precision_recall_curve(SCORES, POSITIVE)
    assert found.area.value == pytest.approx(metrics.average_precision_score(POSITIVE, SCORES))
    assert found.prevalence == POSITIVE.mean()


def test_the_published_interval_of_the_average_precision():
    area = precision_recall_curve(SCORES, POSITIVE, level=0.9).area
    odds, tau = math.log(area.value / (1 - area.value)), (POSITIVE.sum() * area.value * (1 - area.value)) ** -0.5
    ends = [1 / (1 + math.exp(-(odds + sign * 1.6448536 * tau))) for sign in (-1, 1)]
    assert (area.low, area.high) == pytest.approx(ends)


def test_a_perfect_score_has_a_perfect_curve_and_is_not_certain():
    found = precision_recall_curve([1, 2, 3], [0, 1, 1])
    assert found.precision.tolist() == [1, 1, 2 / 3]
    assert found.area.value == 1
    assert found.area.low == clopper_pearson(2, 2).low
    assert "log odds" in found.area.why


@settings(max_examples=60, deadline=None, derandomize=True)
@given(ROWS)
def test_the_cost_curve_is_the_least_of_all_thresholds(rows):
    scores, positive = map(np.array, zip(*rows, strict=True))
    if len(set(positive)) == 1:
        return
    found = cost_curve(scores, positive)
    balances = np.linspace(0, 1, 41)
    lines = [
        (1 - recall) * balances + alarms * (1 - balances)
        for recall, alarms, _ in (counted(scores, positive, cut) for cut in [*set(scores), math.inf])
    ]
    assert found.at(balances) == pytest.approx(np.min(lines, axis=0), abs=1e-12)
    assert found.area.value == pytest.approx(np.trapezoid(found.cost, found.probability_cost))
    assert (found.cost <= found.trivial + 1e-12).all()
    middles = (found.probability_cost[1:] + found.probability_cost[:-1]) / 2
    for middle, cut in zip(middles, found.thresholds, strict=True):
        recall, alarms, _ = counted(scores, positive, cut)
        assert (1 - recall) * middle + alarms * (1 - middle) == pytest.approx(found.at(middle))


def test_the_interval_of_the_cost_is_as_wide_as_the_cost_varies():
    widths, areas = [], []
    for _ in range(200):
        positive = RNG.random(300) < 0.4
        found = cost_curve(RNG.normal(size=300) + positive, positive).area
        widths.append(found.half_width)
        areas.append(found.value)
    assert np.mean(widths) == pytest.approx(1.96 * np.std(areas), rel=0.15)


def test_a_perfect_score_costs_nothing():
    found = cost_curve([1, 2, 3, 4], [0, 0, 1, 1])
    assert found.cost.tolist() == [0, 0]
    assert found.thresholds.tolist() == [3]
    assert not found.area.bounded


def test_one_class_gives_no_curve_and_the_reason():
    for positive, why in (([1, 1], "no row is negative"), ([0, 0], "no row is positive")):
        found = roc_curve([0.1, 0.2], positive)
        assert len(found.thresholds) == 0
        assert found.area.why == cost_curve([0.1, 0.2], positive).area.why == why
        assert np.isnan(cost_curve([0.1, 0.2], positive).at([0.5])).all()
    assert precision_recall_curve([0.1, 0.2], [0, 0]).area.why == "no row is positive"
    assert precision_recall_curve([], []).area.why == "there are no rows"
    assert precision_recall_curve([0.1, 0.2], [1, 1]).area.value == 1


def test_infinite_scores_are_scores():
    scores, positive = np.array([-math.inf, 0.0, 1.0, math.inf]), [0, 1, 0, 1]
    ranks = [0, 1, 2, 3]
    assert (
        roc_curve(scores, positive).true_positive_rate.tolist()
        == roc_curve(ranks, positive).true_positive_rate.tolist()
    )
    assert cost_curve(scores, positive).cost.tolist() == cost_curve(ranks, positive).cost.tolist()
    assert precision_recall_curve(scores, positive).thresholds.tolist() == [math.inf, 1, 0, -math.inf]


def test_curves_can_be_written_as_json():
    for make in (roc_curve, precision_recall_curve, cost_curve):
        curve = make(SCORES, POSITIVE)
        held = json.loads(json.dumps(curve.to_dict(), allow_nan=False))
        assert held["area"]["value"] == curve.area.value
        assert len(held["thresholds"]) == len(curve.thresholds)
