from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from credo.errors import BadParameter, BadShape, InvalidInput
from credo.evaluation import signed_rank, wilcoxon
from credo.evaluation.comparing.signed_ranks import share_won

SCORES = st.lists(st.tuples(*[st.integers(0, 20)] * 2), min_size=2, max_size=6)


def _by_brute_force(z, rope):
    """Two data sets and the imagined one: the three outcomes over a fine grid of Dirichlet(½, 1, 1) weights."""
    cells = (np.arange(1500) + 0.5) / 1500
    zero = cells[:, None] ** 2  # the density of the square root of a beta(½, 2) variable is 1 − t² up to a factor
    w = np.stack([zero + 0 * cells, (1 - zero) * cells, (1 - zero) * (1 - cells)])
    density = (1 - zero) * np.ones_like(w[0])
    z = [0.0, *z]
    above = sum(w[i] * w[j] for i in range(3) for j in range(3) if z[i] + z[j] > 2 * rope)
    below = sum(w[i] * w[j] for i in range(3) for j in range(3) if z[i] + z[j] < -2 * rope)
    same = 1 - above - below
    won = np.stack(
        [(above > below) & (above > same), (same >= above) & (same >= below), (below > above) & (below > same)]
    )
    return (won * density).sum(axis=(1, 2)) / density.sum()


@pytest.mark.parametrize(("z", "rope"), [([3.0, 1.0], 1.2), ([4.0, -1.0], 0.4), ([-2.0, 0.3], 0.5)])
def test_two_data_sets_by_brute_force(z, rope):
    found = signed_rank(z, [0, 0], rope=rope)
    assert found.probabilities == pytest.approx(_by_brute_force(z, rope), abs=0.012)
    assert found.error == pytest.approx(0.0035, abs=0.003)


@settings(max_examples=25, deadline=None)
@given(SCORES, st.sampled_from([0, 1, 3]))
def test_exchanging_the_two_mirrors_the_verdict(scores, rope):
    first, second = zip(*scores, strict=True)
    one, other = signed_rank(first, second, rope=rope), signed_rank(second, first, rope=rope)
    assert one.probabilities == pytest.approx(other.probabilities[::-1], abs=1e-12)
    assert sum(one.probabilities) == pytest.approx(1)
    assert one.difference.value == pytest.approx(-other.difference.value)
    assert signed_rank(first, second, rope=rope, higher_is_better=False).probabilities == one.probabilities[::-1]


@settings(max_examples=25, deadline=None)
@given(SCORES)
def test_a_region_that_holds_every_difference_leaves_nothing_else(scores):
    first, second = zip(*scores, strict=True)
    assert signed_rank(first, second, rope=21).probabilities == (0, 1, 0)


def test_the_seed_decides():
    first, second = np.random.default_rng(0).normal(size=(2, 20))
    assert signed_rank(first, second, rng=1) == signed_rank(first, second, rng=1)
    one, other = signed_rank(first, second, rng=1), signed_rank(first, second, rng=2)
    assert one != other
    assert one.first_better == pytest.approx(other.first_better, abs=0.02)


def test_many_data_sets_say_what_wilcoxon_says():
    rng = np.random.default_rng(3)
    second = rng.normal(size=60)
    first = second + rng.normal(0.12, 0.5, size=60)
    found = signed_rank(first, second)
    one_sided = stats.wilcoxon(first - second, alternative="greater").pvalue
    assert found.second_better == pytest.approx(one_sided, abs=0.02)
    assert 0.02 < one_sided < 0.3


def test_the_difference_is_the_median_of_pairs():
    first, second = [5.0, 3.0, 9.0], [4.0, 1.0, 3.0]
    found = signed_rank(first, second).difference  # pairs of 1, 2, 6: 1, 1.5, 2, 3.5, 4, 6
    assert found.value == 2.75
    assert found.low <= 2 <= found.high


def test_what_no_draw_showed_is_not_called_impossible():
    found = signed_rank(np.arange(1, 30), np.zeros(29), names=("A", "B"))
    assert found.second_better == 0
    assert "A is better than B with probability > 0.999, worse with < 0.001" in str(found)


def test_wilcoxon_is_scipys():
    first, second = np.random.default_rng(0).normal(size=(2, 12))
    reference = stats.wilcoxon(first, second)
    assert (wilcoxon(first, second).statistic, wilcoxon(first, second).p) == pytest.approx(
        (reference.statistic, reference.pvalue)
    )
    assert math.isnan(wilcoxon([1, 2], [1, 2]).p)
    # 0.3 − 0.2 and 0.9 − 0.8 are not the same float; they are tied all the same.
    tied = wilcoxon([0.3, 0.9, 0.7, 0.2, 0.5], [0.2, 0.8, 0.8, 0.1, 0.3])
    assert tied.statistic == wilcoxon([3, 9, 7, 2, 5], [2, 8, 8, 1, 3]).statistic


def test_shares():
    draws = np.array([[0.6, 0.3, 0.1], [0.2, 0.7, 0.1], [0.2, 0.3, 0.5], [0.4, 0.2, 0.4]])
    assert share_won(draws, equivalence=True) == (0.375, 0.25, 0.375)
    assert share_won(draws, equivalence=False) == (0.625, 0.0, 0.375)


def test_bad_input_is_refused():
    with pytest.raises(BadShape, match="two or more data sets"):
        signed_rank([1.0], [2.0])
    with pytest.raises(BadParameter, match="rng"):
        signed_rank([1.0, 2.0], [2.0, 1.0], rng=None)
    with pytest.raises(InvalidInput, match="second must be finite"):
        signed_rank([1.0, 2.0], [2.0, math.nan])
