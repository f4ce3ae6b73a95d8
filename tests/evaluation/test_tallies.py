from __future__ import annotations

import math

import numpy as np
import pytest

from credo.evaluation import bootstrap, tallies
from credo.evaluation.tallies import resampled_counts

COUNTS = np.array([[30, 6, 0], [4, 25, 1], [2, 0, 12]])


def right(tables):
    return np.trace(tables, axis1=-2, axis2=-1) / tables.sum(axis=(-2, -1))


def one_recall(tables):
    with np.errstate(invalid="ignore"):
        return tables[..., 2, 2] / tables[..., 2, :].sum(axis=-1)


@pytest.mark.parametrize("statistic", [right, one_recall])
def test_drawing_counts_is_drawing_rows(statistic):
    cells = np.repeat(np.arange(9), COUNTS.ravel())

    def of_rows(rows):
        return float(statistic(np.bincount(cells[rows], minlength=9).reshape(3, 3).astype(float)))

    found = resampled_counts(statistic, COUNTS)
    reference = bootstrap(of_rows, len(cells), rng=0, draws=3000)
    assert found.value == reference.value
    assert (found.low, found.high) == pytest.approx((reference.low, reference.high), abs=0.02)


def test_pieces_and_rows_that_stand_for_all_change_little(monkeypatch):
    counts = np.random.default_rng(0).poisson(0.5, size=(20, 20)) + np.diag(np.arange(20))
    whole = resampled_counts(right, counts)
    monkeypatch.setattr(tallies, "ENTRIES", counts.size * 70)
    monkeypatch.setattr(tallies, "MOST", 0)
    monkeypatch.setattr(tallies, "FEW", 100)
    pieces = resampled_counts(right, counts)
    assert (pieces.low, pieces.high) == pytest.approx((whole.low, whole.high), abs=0.01)
    assert "BCa" in whole.method
    assert "BCa" in pieces.method


def test_what_hardly_ever_exists_has_no_interval():
    found = resampled_counts(lambda t: np.where(t[..., 0, 0] == 1, 1.0, math.nan), np.array([[1, 0], [0, 99]]))
    assert found.value == 1
    assert not found.bounded
    assert "resamples" in found.why


def test_a_number_that_never_changes_says_so():
    found = resampled_counts(lambda t: np.ones(t.shape[:-2]), COUNTS)
    assert (found.low, found.high) == (1, 1)
    assert "same number" in found.why
