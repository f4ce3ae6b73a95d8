"""Count tables against scipy's tests of contingency tables."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import chi2, chi2_contingency

from credo.beliefs import CountTable
from credo.errors import BadParameter, BadShape, InvalidInput


def table_of(counts: np.ndarray) -> CountTable:
    names = ("a", "b", "c")[: counts.ndim]
    return CountTable(names, [range(size) for size in counts.shape], counts)


@settings(max_examples=40, deadline=None, derandomize=True)
@given(st.integers(0, 10_000), st.integers(2, 5), st.integers(2, 5))
def test_both_tests_are_those_of_scipy(seed: int, rows: int, columns: int) -> None:
    counts = np.random.default_rng(seed).integers(1, 30, (rows, columns))
    table = table_of(counts)
    for test, power in ((table.g_test, "log-likelihood"), (table.chi2_test, "pearson")):
        expected = chi2_contingency(counts, correction=False, lambda_=power)
        found = test("a", "b")
        assert found.statistic == pytest.approx(expected.statistic)
        assert found.dof == expected.dof
        assert found.p_value == pytest.approx(expected.pvalue)


def test_strata_add_up_and_empty_margins_are_no_degrees_of_freedom() -> None:
    counts = np.random.default_rng(0).integers(0, 9, (3, 4, 3))
    counts[:, 2, 0] = 0  # a column that never occurs in the first stratum
    counts[1:, :, 2] = 0  # a stratum with a single row: nothing to test
    for name, power in (("g_test", "log-likelihood"), ("chi2_test", "pearson")):
        statistic, dof = 0.0, 0
        for stratum in (counts[:, [0, 1, 3], 0], counts[:, :, 1]):
            part = chi2_contingency(stratum, correction=False, lambda_=power)
            statistic, dof = statistic + part.statistic, dof + part.dof
        found = getattr(table_of(counts), name)("a", "b", given="c")
        assert found.statistic == pytest.approx(statistic)
        assert found.dof == dof
        assert found.p_value == pytest.approx(chi2.sf(statistic, dof))


def test_g_is_the_mutual_information_of_the_frequencies() -> None:
    counts = np.random.default_rng(1).integers(0, 9, (3, 4, 2))
    table = table_of(counts)
    for given_ in ((), "c"):
        information = table.joint().mutual_information("a", "b", given=given_)
        assert table.g_test("a", "b", given=given_).statistic == pytest.approx(2 * table.total * information)
    together = table.g_test("a", ["b", "c"])
    assert together.dof == 2 * 7


def test_nothing_to_test_gives_a_p_value_of_one() -> None:
    for counts in (np.zeros((2, 2)), np.array([[5, 3], [0, 0]])):
        for test in (table_of(counts).g_test, table_of(counts).chi2_test):
            assert test("a", "b") == test("b", "a")
            assert (test("a", "b").dof, test("a", "b").p_value) == (0, 1.0)


def test_independent_data_give_small_p_values_as_rarely_as_they_should() -> None:
    rng = np.random.default_rng(3)
    counts = rng.multinomial(500, np.outer([0.3, 0.7], [0.2, 0.3, 0.5]).ravel(), size=400).reshape(400, 2, 3)
    low = np.mean([table_of(each).g_test("a", "b").p_value < 0.1 for each in counts])
    assert 0.05 < low < 0.16


def test_marginals_and_frequencies() -> None:
    counts = np.arange(24).reshape(2, 3, 4)
    table = table_of(counts)
    assert table.counts.dtype == np.int64
    np.testing.assert_array_equal(table.marginal(["c", "a"]).counts, counts.sum(axis=1).T)
    assert table.total == 276
    np.testing.assert_allclose(table.joint().probs, counts / 276)
    np.testing.assert_allclose(table.joint(pseudocount=0.5).probs, (counts + 0.5) / (276 + 12))
    weighted = table_of(counts * 0.5)
    assert weighted.counts.dtype == np.float64
    assert weighted.total == 138


def test_large_counts_do_not_overflow() -> None:
    found = table_of(np.full((2, 2), 2**61)).chi2_test("a", "b")
    assert found.p_value == 1.0


@pytest.mark.parametrize(
    ("counts", "error"),
    [
        ([[1, -1]], BadParameter),
        ([[1, np.nan]], InvalidInput),
        ([[1, np.inf]], InvalidInput),
        ([["1", "x"]], InvalidInput),
        ([[1, 2, 3]], BadShape),
        ([1, 2], BadShape),
        ([[1, 2], [3]], InvalidInput),
    ],
)
def test_bad_counts_are_refused(counts: object, error: type[Exception]) -> None:
    with pytest.raises(error):
        CountTable(["a", "b"], [[0], [0, 1]], counts)


def test_no_counts_have_no_frequencies() -> None:
    table = table_of(np.zeros((2, 2), dtype=int))
    with pytest.raises(InvalidInput, match="pseudocount"):
        table.joint()
    np.testing.assert_allclose(table.joint(pseudocount=1).probs, 0.25)
    with pytest.raises(BadParameter, match="pseudocount"):
        table.joint(pseudocount=-1)
    with pytest.raises(BadShape, match="pseudocount"):
        table.joint(pseudocount=[1, 2])


def test_counts_are_kept_apart_from_what_they_were_made_of() -> None:
    source = np.ones((2, 2), dtype=np.int64)
    table = table_of(source)
    source[0, 0] = 7
    assert table.total == 4
    with pytest.raises(ValueError, match="read-only"):
        table.counts[0, 0] = 1
    assert repr(table_of(np.array([[1000, 2]]))).splitlines() == ["a    b=0  b=1", "0  1,000    2"]
