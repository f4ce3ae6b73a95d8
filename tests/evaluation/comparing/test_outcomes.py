from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from credo.errors import BadParameter, BadShape
from credo.evaluation import IndependentOutcomes, PairedOutcomes

COUNTS = st.integers(0, 300)
TABLES = st.tuples(*[COUNTS] * 4).filter(sum)
PUBLISHED = PairedOutcomes(101, 121, 59, 33)  # from the tests of the mlxtend package, and R's mcnemar.test


def test_the_published_mcnemar_tests():
    corrected, plain, exact = (PUBLISHED.mcnemar(method) for method in ("corrected", "chi2", "exact"))
    assert (corrected.statistic, corrected.p) == pytest.approx((20.67222222222222, 5.450094825427117e-06))
    assert (plain.statistic, plain.p) == pytest.approx((21.355555555555554, 3.815135865112594e-06))
    assert exact.p == pytest.approx(4.43444926375551e-06)


@given(COUNTS, COUNTS)
def test_the_exact_test_counts_tails_of_a_fair_coin(b, c):
    reference = stats.binomtest(b, b + c).pvalue if b + c else 1.0
    assert PairedOutcomes(5, b, c, 5).mcnemar().p == pytest.approx(reference)


def test_counting_what_was_right():
    truth, first, second = list("aabbcc"), list("aabbaa"), list("abbacc")
    assert PairedOutcomes.of(truth, first, second) == PairedOutcomes(2, 2, 2, 0)
    with pytest.raises(BadShape, match="truth and second must have the same number of rows"):
        PairedOutcomes.of(truth, first, ["a"])


def test_no_row_tells_them_apart():
    outcomes = PairedOutcomes(5, 0, 0, 3)
    assert outcomes.mcnemar().p == 1
    assert math.isnan(outcomes.mcnemar("chi2").p)
    assert "not defined, because" in str(outcomes.mcnemar("corrected"))
    assert math.isnan(outcomes.one_sided().p)
    assert outcomes.verdict().first_better == pytest.approx(0.5)


def test_the_textbook_interval_of_paired_rows():
    found = PairedOutcomes(20, 12, 2, 16).interval(method="normal")
    differences = np.repeat([0.0, -1.0, 1.0, 0.0], [20, 12, 2, 16])
    half = 1.959963984540054 * differences.std() / math.sqrt(50)
    assert (found.value, found.half_width) == pytest.approx((differences.mean(), half))
    test = PairedOutcomes(20, 12, 2, 16).one_sided()
    assert test.p == pytest.approx(stats.norm.sf(0.2 / (differences.std() / math.sqrt(50))))


def test_the_textbook_interval_of_two_test_sets():
    found = IndependentOutcomes(18, 100, 30, 120).interval(method="normal")
    sd = math.sqrt(0.18 * 0.82 / 100 + 0.25 * 0.75 / 120)
    assert (found.value, found.half_width) == pytest.approx((-0.07, 1.959963984540054 * sd))
    test = IndependentOutcomes(18, 100, 30, 120).one_sided()
    assert test.p == pytest.approx(stats.norm.sf(0.07 / sd))


def test_the_score_interval_holds_the_truth_as_often_as_it_says():
    """Every table of 15 rows, with its probability, under a few truths; the normal interval falls short."""
    n = 15
    tables = [t for t in itertools.product(range(n + 1), repeat=4) if sum(t) == n]
    intervals = [PairedOutcomes(*t).interval() for t in tables]
    normal = [PairedOutcomes(*t).interval(method="normal") for t in tables]
    for p in ([0.5, 0.1, 0.1, 0.3], [0.7, 0.2, 0.05, 0.05], [0.85, 0.1, 0.03, 0.02]):
        weight = stats.multinomial.pmf(tables, n, p)
        truth = p[2] - p[1]
        held, plain = (
            weight @ np.array([one.low <= truth <= one.high for one in found]) for found in (intervals, normal)
        )
        assert 0.93 < held <= 1
        assert plain < held


def test_so_it_does_for_two_test_sets():
    rows = (12, 18)
    tables = [(i, rows[0], j, rows[1]) for i in range(rows[0] + 1) for j in range(rows[1] + 1)]
    intervals = [IndependentOutcomes(*t).interval() for t in tables]
    for p, q in ((0.1, 0.1), (0.05, 0.3), (0.5, 0.2)):
        weight = [stats.binom.pmf(t[0], rows[0], p) * stats.binom.pmf(t[2], rows[1], q) for t in tables]
        assert 0.93 < np.dot(weight, [one.low <= p - q <= one.high for one in intervals]) <= 1


def _by_brute_force(density, value, rope):
    """P(value < −rope), P(value > rope) by sums over a fine grid of two probabilities."""
    return (density * (value < -rope)).sum() / density.sum(), (density * (value > rope)).sum() / density.sum()


@pytest.mark.parametrize(("table", "rope"), [((50, 6, 2, 42), 0.02), ((3, 1, 0, 2), 0.1), ((0, 3, 2, 0), 0.2)])
def test_the_belief_about_paired_outcomes_by_brute_force(table, rope):
    both, b, c, neither = table
    cells = (np.arange(2500) + 0.5) / 2500
    # The substitution x = sin² makes the poles of the beta laws at 0 and 1 flat.
    x = np.sin(cells * math.pi / 2) ** 2
    s, u = x[:, None], x[None, :]
    logs = (b + c + 1) * np.log(s) + (both + neither + 1) * np.log1p(-s)
    logs = logs + (b + 0.5) * np.log(u) + (c + 0.5) * np.log1p(-u) - 0.5 * np.log(s * (1 - s) * u * (1 - u))
    found = PairedOutcomes(*table).verdict(rope=rope)
    reference = _by_brute_force(np.exp(logs), s * (1 - 2 * u), rope)
    assert (found.first_better, found.second_better) == pytest.approx(reference, abs=1e-3)


@pytest.mark.parametrize("given_rope", [0.0, 0.05])
def test_the_belief_about_two_test_sets_by_brute_force(given_rope):
    x = (np.arange(3000) + 0.5) / 3000
    density = stats.beta.pdf(x, 4.5, 16.5)[:, None] * stats.beta.pdf(x, 9.5, 21.5)[None, :]
    found = IndependentOutcomes(4, 20, 9, 30).verdict(rope=given_rope)
    reference = _by_brute_force(density, x[:, None] - x[None, :], given_rope + 1e-9)
    assert (found.first_better, found.second_better) == pytest.approx(reference, abs=1e-3)
    assert found.difference.low < found.difference.value < found.difference.high


@settings(max_examples=30)
@given(TABLES, st.sampled_from([0.0, 0.01, 0.2]))
def test_exchanging_the_two_mirrors_the_verdict(table, rope):
    both, b, c, neither = table
    one, other = PairedOutcomes(both, b, c, neither), PairedOutcomes(both, c, b, neither)
    mine, its = one.verdict(rope=rope), other.verdict(rope=rope)
    assert mine.probabilities == pytest.approx(its.probabilities[::-1], abs=1e-9)
    assert (mine.difference.low, mine.difference.high) == pytest.approx(
        (-its.difference.high, -its.difference.low), abs=1e-6
    )
    assert one.interval().low == pytest.approx(-other.interval().high)
    assert one.mcnemar() == other.mcnemar()


@given(TABLES)
def test_intervals_lie_within_bounds_and_around_the_value(table):
    outcomes = PairedOutcomes(*table)
    separate = IndependentOutcomes(table[0], table[0] + table[1] + 1, table[2], table[2] + table[3] + 1)
    for interval in (
        outcomes.interval(),
        outcomes.interval(method="normal"),
        separate.interval(),
        separate.interval(method="normal"),
    ):
        assert -1 - 1e-12 <= interval.low <= interval.value <= interval.high <= 1 + 1e-12


def test_with_many_rows_the_belief_is_the_normal_test():
    outcomes = PairedOutcomes(50_000, 5_100, 4_900, 40_000)
    assert outcomes.verdict().second_better == pytest.approx(outcomes.one_sided().p, abs=2e-4)
    separate = IndependentOutcomes(18_000, 100_000, 18_300, 100_000)
    assert separate.verdict().second_better == pytest.approx(separate.one_sided().p, abs=2e-4)


def test_counts_that_are_none_are_refused():
    with pytest.raises(BadParameter, match="the number of rows"):
        PairedOutcomes(0, 0, 0, 0)
    with pytest.raises(BadParameter, match="only_first must be at least 0"):
        PairedOutcomes(1, -1, 0, 0)
    with pytest.raises(BadParameter, match="errors_second must be between 0 and 5"):
        IndependentOutcomes(1, 5, 6, 5)


def test_columns_of_a_table_are_no_lists():
    with pytest.raises(BadShape, match="truth must be a list of classes"):
        PairedOutcomes.of(np.array([[1], [0], [1]]), [1, 0, 1], [1, 1, 1])
