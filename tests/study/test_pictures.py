from __future__ import annotations

import xml.etree.ElementTree as ET

import numpy as np
import pytest

from credo.decisions import Loss
from credo.evaluation import Interval, confusion
from credo.study import pictures
from credo.study.record import Actions, Criterion, Fit, Run

ONE = Interval(1.0, 0.5, 1.5, level=0.95, method="t")
LONG = "a name that is much too long to stand beside anything & <odd>"


def actions(matrix, names=("wait", "treat", "ask")):
    loss = Loss(matrix, actions=list(names)[: len(matrix)], states=["well", "ill"])
    return Actions(
        state="ill",
        states=("well", "ill"),
        names=loss.actions,
        losses=loss.matrix,
        counts=(1,) * len(matrix),
        loss=ONE,
        constant="wait",
        constant_loss=ONE,
        saving=ONE,
        ranges=loss.regions(),
        refusals=(),
        unrefused=None,
        probabilities=np.array([0.0, 0.5, 1.0]),
    )


def shapes(drawn):
    root = ET.fromstring(drawn)
    _, _, width, height = map(float, root.get("viewBox").split())
    for line in root.iter("line"):
        for name, limit in (("x1", width), ("x2", width), ("y1", height), ("y2", height)):
            assert -0.5 <= float(line.get(name)) <= limit + 0.5
    return root


@pytest.mark.parametrize(
    "matrix",
    [
        [[0, 9], [1, 0], [0.4, 0.4]],
        [[0, 9], [1, 0], [50, 60]],  # an action that is never near the best
        [[0, 0], [0, 0]],
        [[-5, 3], [2, -8]],
        [[1, 1]],
        [[1e9, 0], [0, 1e9]],
    ],
)
def test_every_loss_table_can_be_drawn(matrix):
    root = shapes(pictures.acting(actions(matrix)))
    assert "cheapest between" in root.get("aria-label")


def test_a_comparison_of_equal_and_of_failed_runs():
    flat = Interval(2.0, 2.0, 2.0, level=0.95, method="t")
    runs = (
        Run("guess", baseline=True, folds=(2.0, 2.0), mean=flat),
        Run("failed", baseline=False, error="no"),
        Run(LONG, baseline=False, folds=(1.0, 2.0), mean=ONE),
    )
    root = shapes(pictures.comparison(runs, Criterion("log score", higher_is_better=True, reason="")))
    assert "failed" not in root.get("aria-label")
    assert len([dot for dot in root.iter("circle") if "faint" in dot.get("class")]) == 4


@pytest.mark.parametrize("n", [1, 2, 300])
def test_a_fit_of_any_size(n):
    truth = np.linspace(0, 1, n)
    fit = Fit(truth, truth, truth - 1, truth + 1)
    root = shapes(pictures.fitted(fit, "y"))
    assert len(list(root.iter("circle"))) == n
    assert f"{n} of the {n} row" in root.get("aria-label")


def test_what_lies_outside_its_interval_is_told_by_its_shape():
    fit = Fit(np.array([0.0, 9.0]), np.zeros(2), np.full(2, -1.0), np.ones(2))
    root = shapes(pictures.fitted(fit, "y"))
    assert [len(list(root.iter(kind))) for kind in ("circle", "polygon")] == [1, 1]


def test_an_action_is_told_by_its_number():
    drawn = pictures.acting(actions([[0, 9], [1, 0], [0.4, 0.4]]))
    words = list(shapes(drawn).iter("text"))
    for kind in ("name", "on"):  # on its line and on its band
        assert sorted(found.text for found in words if found.get("class") == kind) == ["1", "2", "3"]
    assert "3  ask" in [found.text for found in words]


@pytest.mark.parametrize("n", [9, 26, 40, 150])
def test_a_confusion_of_many_classes_fits_the_picture(n):
    names = [f"class number {i:03}" if n != 26 else chr(65 + i) for i in range(n)]
    found = confusion([*names, names[0]], [*names, names[1]], tuple(names))
    root = shapes(pictures.confused(found))
    width = float(root.get("viewBox").split()[2])
    cells = [cell for cell in root.iter("rect") if cell.get("class") != "sheet"]
    assert len(cells) == n + 1
    assert max(float(cell.get("x")) + float(cell.get("width")) for cell in cells) <= width
    hints = [cell.find("title").text for cell in cells]
    assert f"truly {names[0]}, answered {names[1]}: 1 row, 50 %" in hints
