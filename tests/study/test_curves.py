from __future__ import annotations

import xml.etree.ElementTree as ET

import numpy as np
import pytest

from credo.beliefs import Normal
from credo.evaluation import (
    Interval,
    coverage_by_level,
    pit,
    precision_recall_curve,
    reliability,
    risk_coverage,
    roc_curve,
    wilson,
)
from credo.study import curves
from credo.study.record import CurvePoint, Decided, LearningCurve

RNG = np.random.default_rng(0)
TRUE = RNG.random(200) < 0.3
SAID = np.clip(0.3 + 0.3 * TRUE + 0.2 * RNG.normal(size=200), 0, 1)
LONG = "a name that is much too long to stand beside anything & <odd>"


def lines(root, kind):
    found = next(line for line in root.iter("polyline") if kind in line.get("class"))
    return np.array([[float(x) for x in place.split(",")] for place in found.get("points").split()])


def drawn(svg):
    root = ET.fromstring(svg)
    width, height = (float(x) for x in root.get("viewBox").split()[2:])
    assert root.get("class") == "small"
    assert len([words for words in root.iter("text") if words.get("class") == "label"]) == 2
    for part in root.iter():
        for name, most in (("cx", width), ("cy", height), ("x1", width), ("y2", height)):
            assert 0 <= float(part.get(name, 0)) <= most
    return root


def test_the_curve_of_a_perfect_score_follows_the_edges():
    curve = roc_curve([0.1, 0.2, 0.8, 0.9], [0, 0, 1, 1])
    root = drawn(curves.roc(curve, "ill", (0.0, 1.0)))
    places = lines(root, "candidate")
    assert places[0].tolist() == [curves.LEFT, curves.BOTTOM]
    assert [curves.LEFT, curves.TOP] in places.tolist()
    assert places[-1].tolist() == [curves.RIGHT, curves.TOP]
    assert "recognises 1.00 and takes 0.00 of the others for it" in root.get("aria-label")


@pytest.mark.parametrize("state", ["ill", LONG])
def test_curves_of_two_classes(state):
    roc, precise = roc_curve(SAID, TRUE), precision_recall_curve(SAID, TRUE)
    assert "Area under the curve" in drawn(curves.roc(roc, state, None)).get("aria-label")
    root = drawn(curves.precision_recall(precise, state, (0.5, 0.5)))
    assert f"a guess has {TRUE.mean():.2f}" in root.get("aria-label")


def test_precision_is_drawn_in_steps():
    places = lines(drawn(curves.precision_recall(precision_recall_curve(SAID, TRUE), "ill", None)), "candidate")
    moved = np.abs(np.diff(places, axis=0)) > 0
    assert not (moved[:, 0] & moved[:, 1]).any()


def test_calibration_counts_its_rows():
    root = drawn(curves.calibration(reliability([0.1, 0.1, 0.9], [0, 1, 1]), LONG))
    assert "said 0.10, came true 0.50 in 2 rows; said 0.90, came true 1.00 in 1 row." in root.get("aria-label")


def test_refusing():
    right = np.arange(100) % 10 > 0
    curve = risk_coverage(np.linspace(0.5, 1, 100), ~right)
    steps = (Decided(1.0, 100, 0.5, wilson(10, 100)), Decided(0.5, 50, 0.75, wilson(5, 50)))
    assert "100 % decided, wrong in 0.10 (0.06 to 0.17)" in drawn(curves.refusing(curve, steps)).get("aria-label")


def test_a_group_that_is_too_full_says_how_full():
    found = pit(Normal(np.zeros(300), 1.0), np.concatenate([np.full(100, 3.0), RNG.normal(size=200)]))
    root = drawn(curves.spread(found))
    marked = [box for box in root.iter("rect") if "missed" in box.get("class")]
    outside = (found.counts < found.low) | (found.counts > found.high)
    assert len(marked) == outside.sum() > 0
    words = [text.text for text in root.iter("text")]
    assert str(found.counts[-1]) in words


def test_coverage_has_a_dot_for_each_level():
    found = coverage_by_level(Normal(np.zeros(50), 1.0), RNG.normal(size=50))
    assert len(list(drawn(curves.covered(found)).iter("circle"))) == len(found.levels)


@pytest.mark.parametrize("bounded", [True, False])
def test_learning(bounded):
    end = 0.1 if bounded else np.inf
    points = tuple(CurvePoint(n, Interval(-1 / n, -1 / n - end, -1 / n + end, 0.95, "t")) for n in (10, 100, 123_456))
    curve = LearningCurve("naive Bayes", points, None, "more rows are worth little")
    root = drawn(curves.learning(curve, "log score (higher is better)", -0.5))
    assert len(list(root.iter("circle"))) == 3
    assert "123,456 rows" in root.get("aria-label")
    assert "The guess has −0.500" in root.get("aria-label")


@pytest.mark.parametrize("rows", [943, 14_400, 94_000, 1_900_000])
def test_the_numbers_of_rows_stand_within_the_picture(rows):
    points = tuple(CurvePoint(n, Interval(-1 / n, -2 / n, 0.0, 0.95, "t")) for n in (rows // 2, rows))
    root = drawn(curves.learning(LearningCurve("a rule", points, None, "…"), "log score", None))
    width = float(root.get("viewBox").split()[2])
    last = max((float(tick.get("x")), len(tick.text)) for tick in root.iter("text") if tick.get("class") == "tick")
    assert last[0] + 3.5 * last[1] < width  # about seven units a letter
