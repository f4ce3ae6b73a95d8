from __future__ import annotations

import json
import math

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from scipy import stats

from credo.errors import BadShape, InvalidInput
from credo.evaluation import rank

# The areas under the curve of four versions of C4.5 on fourteen data sets, with the mean ranks and the critical
# difference printed for them: Demšar, Statistical comparisons of classifiers over multiple data sets, 2006.
AREAS = [
    [0.763, 0.768, 0.771, 0.798],
    [0.599, 0.591, 0.590, 0.569],
    [0.954, 0.971, 0.968, 0.967],
    [0.628, 0.661, 0.654, 0.657],
    [0.882, 0.888, 0.886, 0.898],
    [0.936, 0.931, 0.916, 0.931],
    [0.661, 0.668, 0.609, 0.685],
    [0.583, 0.583, 0.563, 0.625],
    [0.775, 0.838, 0.866, 0.875],
    [1.000, 1.000, 1.000, 1.000],
    [0.940, 0.962, 0.965, 0.962],
    [0.619, 0.666, 0.614, 0.669],
    [0.972, 0.981, 0.9751, 0.975],  # printed as equal, and ranked 2 and 3
    [0.957, 0.978, 0.946, 0.970],
]
VERSIONS = ("C4.5", "C4.5+m", "C4.5+cf", "C4.5+m+cf")


def test_the_published_ranks():
    found = rank(AREAS, names=VERSIONS)
    assert found.names == ("C4.5+m+cf", "C4.5+m", "C4.5+cf", "C4.5")
    assert found.mean_ranks == pytest.approx((1.964, 2.000, 2.893, 3.143), abs=5e-4)
    assert found.critical_difference == pytest.approx(1.25, abs=0.01)
    # Printed without the correction for ties: 9.28.
    assert 12 * 14 / 20 * (np.square(found.mean_ranks).sum() - 4 * 25 / 4) == pytest.approx(9.28, abs=0.005)
    assert found.friedman.statistic == pytest.approx(stats.friedmanchisquare(*np.transpose(AREAS)).statistic)


@pytest.mark.parametrize(("k", "printed"), [(3, 2.343), (4, 2.569), (5, 2.728), (10, 3.164)])
def test_the_printed_critical_values(k, printed):
    table = np.random.default_rng(0).normal(size=(6, k))
    found = rank(table, names=[str(i) for i in range(k)])
    assert found.critical_difference == pytest.approx(printed * math.sqrt(k * (k + 1) / 36), abs=1e-3)


TABLES = st.integers(3, 5).flatmap(
    lambda k: st.lists(st.lists(st.integers(0, 6), min_size=k, max_size=k), min_size=2, max_size=9)
)


@settings(max_examples=20, deadline=None)
@given(TABLES)
def test_friedman_is_scipys_and_the_f_is_that_of_a_two_way_table_of_ranks(table):
    scores = np.array(table)
    names = [f"a{i}" for i in range(scores.shape[1])]
    found = rank(scores, names=names)
    assert found.mean_ranks == tuple(sorted(found.mean_ranks))
    if any(len(set(row)) > 1 for row in table):
        reference = stats.friedmanchisquare(*scores.T)
        assert (found.friedman.statistic, found.friedman.p) == pytest.approx((reference.statistic, reference.pvalue))
    else:
        assert math.isnan(found.friedman.p)
        assert math.isnan(found.iman_davenport.p)
        assert "not defined" in str(found)
        return
    ranks = stats.rankdata(-scores, axis=1)
    fitted = ranks.mean(axis=0)
    rest = np.square(ranks - fitted).sum()
    assume(rest > 1e-9)
    n, k = scores.shape
    f = n * np.square(fitted - (k + 1) / 2).sum() * (n - 1) / rest
    assert found.iman_davenport.statistic == pytest.approx(f)
    assert found.iman_davenport.p == pytest.approx(stats.f.sf(f, k - 1, (k - 1) * (n - 1)))


@settings(max_examples=15, deadline=None)
@given(TABLES)
def test_pairs_differ_where_p_is_small_and_groups_are_the_rest(table):
    scores = np.array(table)
    found = rank(scores, names=[f"a{i}" for i in range(scores.shape[1])])
    place = {name: i for i, name in enumerate(found.names)}
    gaps = np.abs(np.subtract.outer(found.mean_ranks, found.mean_ranks))
    assert np.array_equal(found.p < 0.05, gaps > found.critical_difference)
    together = {(a, b) for group in found.groups for a in group for b in group if place[a] < place[b]}
    alike = {(a, b) for a in found.names for b in found.names if place[a] < place[b]}
    assert together == {(a, b) for a, b in alike if gaps[place[a], place[b]] <= found.critical_difference}
    losses = rank(-scores, names=[f"a{i}" for i in range(scores.shape[1])], higher_is_better=False)
    assert losses.to_dict() == found.to_dict()


def test_every_data_set_agrees():
    found = rank([[3, 2, 1]] * 10, names="ABC")
    assert found.iman_davenport.statistic == math.inf
    assert found.iman_davenport.p == 0
    assert found.groups == (("A", "B"), ("B", "C"))
    assert found.sentence == "A and C differ; A and B, B and C are not told apart (Nemenyi, 5 %, over 10 data sets)"


def test_the_picture_and_the_page():
    found = rank(AREAS, names=VERSIONS)
    picture = found.picture().splitlines()
    marks = [line.index("●") for line in picture if "●" in line]
    assert marks == sorted(marks)
    assert picture[-1] == "critical difference 1.254"
    assert str(found).startswith("no two differ by more than chance explains (Nemenyi, 5 %, over 14 data sets)")
    assert "<th>p against C4.5+m</th>" in found._repr_html_()
    content = json.loads(json.dumps(found.to_dict(), allow_nan=False))
    assert content["mean_ranks"] == list(found.mean_ranks)


def test_what_cannot_be_ranked_is_refused():
    with pytest.raises(BadShape, match="compared by signed_rank"):
        rank([[1, 2], [2, 1]], names="AB")
    with pytest.raises(BadShape, match="each of the 3 columns"):
        rank([[1, 2, 3], [2, 1, 3]], names="AB")
    with pytest.raises(InvalidInput, match="'A' stands twice"):
        rank([[1, 2, 3], [2, 1, 3]], names="ABA")


def test_scores_that_are_equal_on_paper_are_tied():
    found = rank([[0.1 + 0.2, 0.3, 0.1]] * 2, names="ABC")
    assert dict(zip(found.names, found.mean_ranks, strict=True)) == {"A": 1.5, "B": 1.5, "C": 3.0}
