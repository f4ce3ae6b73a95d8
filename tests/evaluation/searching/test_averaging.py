from __future__ import annotations

import numpy as np
import pytest
from scipy.optimize import minimize

from credo.beliefs import Categorical, Mixture, Normal
from credo.evaluation.searching.averaging import evidence_weights, stacking_weights, together


@pytest.mark.parametrize("seed", range(4))
def test_stacking_finds_the_best_mixture(seed):
    rng = np.random.default_rng(seed)
    worths = np.log(rng.dirichlet(np.ones(6), size=50)[:, :3])

    def loss(free):
        weights = np.exp(np.append(free, 0))
        return -np.log(np.exp(worths) @ (weights / weights.sum())).sum()

    best = minimize(loss, np.zeros(2), method="Nelder-Mead", options={"xatol": 1e-10, "fatol": 1e-12})
    weights = stacking_weights(worths)
    assert weights.sum() == pytest.approx(1)
    assert -np.log(np.exp(worths) @ weights).sum() <= best.fun + 0.02  # small weights were left out


def test_who_is_always_best_speaks_alone_and_impossible_rows_say_nothing():
    worths = np.log([[0.9, 0.1], [0.8, 0.3], [0.7, 0.2]])
    assert stacking_weights(worths).tolist() == [1.0, 0.0]
    with_impossible = np.vstack([worths, [-np.inf, -np.inf]])
    assert stacking_weights(with_impossible).tolist() == [1.0, 0.0]
    assert stacking_weights(np.vstack([worths, [-np.inf, -1.0]]))[1] > 0
    assert stacking_weights(np.full((2, 2), -np.inf)).tolist() == [0.5, 0.5]


def test_the_evidence_weighs_as_bayes_rule_does():
    weights = evidence_weights(np.array([-1000.0, -1001.0, -1002.0]))
    np.testing.assert_allclose(weights, np.exp([0, -1, -2]) / np.exp([0, -1, -2]).sum())


def test_together_they_say_the_mean_of_what_they_say():
    said = [Normal([0.0, 1.0], 1.0), Normal([2.0, 3.0], 2.0)]
    belief = together([0.25, 0.75], said)
    assert isinstance(belief, Mixture)
    np.testing.assert_allclose(belief.mean, [1.5, 2.5])
    classes = [Categorical([[0.5, 0.5]], ["a", "b"]), Categorical([[0.9, 0.1]], ["a", "b"])]
    np.testing.assert_allclose(together([0.25, 0.75], classes).probs, [[0.8, 0.2]])
    assert together([1.0], said[:1]) is said[0]
