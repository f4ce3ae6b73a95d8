from __future__ import annotations

import numpy as np
import pytest
from scipy import stats
from scipy.special import stdtr

from credo.errors import BadParameter, BadShape, InvalidInput
from credo.evaluation import correlated_t, hierarchical

SHARE, RHO = 1 / 9, 0.1
WIDE = 0.4


def folds(means, spreads, n=10, seed=0):
    """Differences of folds with exactly these means and standard deviations."""
    noise = np.random.default_rng(seed).normal(size=(len(means), n))
    noise = (noise - noise.mean(axis=1, keepdims=True)) / noise.std(axis=1, ddof=1, keepdims=True)
    return np.asarray(means)[:, None] + np.asarray(spreads)[:, None] * noise


def _by_quadrature(differences, rope):
    """The share of the posterior in which each outcome is the most probable, and the probabilities on a next data set.

    Everything on grids: μ₀, log σ₀ and ν outside, and inside each mean μᵢ, whose t law is summed over cells exactly.
    """
    d = differences / differences.std(axis=1, ddof=1).mean()
    rope = rope / differences.std(axis=1, ddof=1).mean()
    n = d.shape[1]
    means, squares = d.mean(axis=1), (n - 1) * d.var(axis=1, ddof=1) / (1 - RHO)
    shrink = (1 + (n - 1) * RHO) / n
    reach = np.abs(d).max()
    step = reach / 40
    mu0 = np.arange(-40, 40) * step + step / 2
    mu = np.arange(-200, 200) * step + step / 2
    inside = (squares[:, None] + (means[:, None] - mu) ** 2 / shrink) ** (-(n - 1) / 2)
    inside /= inside.max()
    log_sigma = np.linspace(-5, np.log(1000 * means.std()), 50)
    nu = 1 + np.exp(np.linspace(-6, 6.5, 32))
    shape, rate = np.meshgrid(np.linspace(1, 2, 41), np.linspace(0.01, 0.1, 41))
    prior = np.array([stats.gamma.pdf(v - 1, shape, scale=1 / rate).mean() * (v - 1) for v in nu])
    offsets = np.arange(-240, 241) * step - step / 2
    won, expected, total = np.zeros(3), np.zeros(3), 0.0
    for sigma in np.exp(log_sigma):
        below = stdtr(nu[:, None], offsets / sigma)
        cells = np.diff(below, axis=1)  # P(μᵢ in a cell) by its distance from μ₀
        place = np.arange(len(mu))[None, :] - np.arange(len(mu0))[:, None] + 240 - 160
        likelihood = np.prod([cells[:, place] @ row for row in inside], axis=0)
        weight = likelihood * prior[:, None] * sigma
        left = 1 - stdtr(nu[:, None], (rope - mu0) / sigma)
        right = stdtr(nu[:, None], (-rope - mu0) / sigma)
        outcomes = np.stack([left, 1 - left - right, right])
        best = outcomes.argmax(axis=0)
        won += [weight[best == k].sum() for k in range(3)]
        expected += (outcomes * weight).sum(axis=(1, 2))
        total += weight.sum()
    return won / total, expected / total


@pytest.mark.parametrize(
    ("means", "spreads", "rope"),
    [([0.3, 1.2, -0.2, 0.8], [1.0, 1.5, 0.6, 0.9], 0.3), ([0.1, 0.0, 0.3], [0.5, 1.0, 0.8], WIDE)],
)
def test_three_outcomes_by_quadrature(means, spreads, rope):
    differences = folds(means, spreads)
    found = hierarchical(differences, np.zeros_like(differences), share=SHARE, rope=rope)
    won, expected = _by_quadrature(differences, rope)
    assert found.verdict.probabilities == pytest.approx(won, abs=0.025)
    assert found.next_data_set == pytest.approx(expected, abs=0.015)
    assert found.r_hat < 1.05
    assert 0 < found.verdict.error < 0.01


def test_it_does_not_depend_on_units_and_is_mirrored():
    first = folds([0.3, 1.2, -0.2, 0.8, 0.1], [1.0, 1.5, 0.6, 0.9, 0.2])
    second = np.random.default_rng(1).normal(size=first.shape)
    one = hierarchical(first + second, second, share=SHARE, rope=0.3)
    percent = hierarchical(100 * (first + second), 100 * second, share=SHARE, rope=30)
    assert percent.verdict.probabilities == pytest.approx(one.verdict.probabilities, abs=0.01)
    assert percent.each[1].value == pytest.approx(100 * one.each[1].value, rel=1e-2)
    other = hierarchical(second, first + second, share=SHARE, rope=0.3)
    assert other.verdict.probabilities == pytest.approx(one.verdict.probabilities[::-1], abs=0.03)
    assert other.verdict.difference.value == pytest.approx(-one.verdict.difference.value, abs=0.03)


def test_each_data_set_is_drawn_towards_the_others():
    differences = folds([0.0, 0.1, -0.1, 0.05, 2.0], [1.0] * 5)
    found = hierarchical(differences, np.zeros_like(differences), share=SHARE)
    alone = correlated_t(differences[4], np.zeros(10), share=SHARE).difference
    assert 0 < found.each[4].value < alone.value
    assert found.each[1].half_width < alone.half_width


def test_data_sets_may_have_different_folds_and_some_no_spread():
    first = [[0.9, 0.8, 0.85], [0.7, 0.8, 0.75, 0.9], [0.5, 0.5, 0.5]]
    second = [[0.8, 0.75, 0.8], [0.7, 0.75, 0.7, 0.8], [0.4, 0.4, 0.4]]
    found = hierarchical(first, second, share=0.5, names=("A", "B"))
    assert found.verdict.first_better > 0.8
    assert found.each[2].low < 0.1 < found.each[2].high
    assert str(found).splitlines()[1].startswith("On a further data set A is better with probability 0.")
    assert "equal" not in found.outlook  # without a region of equivalence there is none
    assert "<td>3</td>" in found._repr_html_()
    assert found.to_dict()["verdict"]["sentence"] == str(found.verdict)


def test_what_cannot_be_compared_is_refused():
    with pytest.raises(BadShape, match="two or more data sets"):
        hierarchical([[1.0, 2.0, 3.0]], [[1.0, 2.0, 4.0]], share=0.1)
    with pytest.raises(BadParameter, match=r"the number of folds in first\[1\]"):
        hierarchical([[1.0, 2.0, 3.0], [1.0]], [[1.0, 2.0, 4.0], [1.0]], share=0.1)
    with pytest.raises(InvalidInput, match="signed_rank"):
        hierarchical([[1.0] * 3, [2.0] * 3], [[0.0] * 3, [0.0] * 3], share=0.1)
    with pytest.raises(InvalidInput, match="share must be"):
        hierarchical([[1.0, 2.0, 3.0]] * 2, [[1.0, 2.0, 4.0]] * 2, share=-1)
