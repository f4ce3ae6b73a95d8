"""ML, MAP and the whole posterior over finitely many hypotheses."""

from __future__ import annotations

import math

import numpy as np
import pytest

from credo.beliefs import Categorical, Hypotheses
from credo.errors import BadShape, ImpossibleEvidence, InvalidInput


def test_the_three_answers_can_all_differ() -> None:
    model = Hypotheses(Categorical({0.0: 0.6, 0.5: 0.3, 1.0: 0.1})).given({0.0: 0.3, 0.5: 0.5, 1.0: 0.9})
    assert model.map == 0.0
    assert model.ml == 1.0
    assert 0.0 < model.mean < 1.0
    np.testing.assert_allclose(model.posterior.unnormalised, [0.18, 0.15, 0.09])
    assert model.log_evidence == pytest.approx(math.log(0.42))


def test_one_observation_after_another_is_all_at_once() -> None:
    prior = Categorical({"fair": 0.5, "bent": 0.5})
    heads = {"fair": 0.5, "bent": 0.9}
    model = Hypotheses(prior)
    assert model.ml is None
    assert model.log_evidence == 0
    for _ in range(3):
        model = model.given(heads)
    at_once = Hypotheses(prior).given({k: 3 * math.log(v) for k, v in heads.items()}, log=True)
    np.testing.assert_allclose(model.posterior.probs, at_once.posterior.probs, rtol=1e-12)
    assert model.log_evidence == pytest.approx(at_once.log_evidence)
    np.testing.assert_allclose(model.posterior.probs, prior.given(heads).given(heads).given(heads).probs)


def test_the_evidence_so_far_is_kept_when_the_prior_is_a_posterior() -> None:
    prior = Categorical({"a": 0.5, "b": 0.5}).given([0.2, 0.4])
    assert Hypotheses(prior).given([0.1, 0.1]).log_evidence == pytest.approx(math.log(0.3 * 0.1))


def test_a_thousand_tosses_do_not_underflow() -> None:
    model = Hypotheses(Categorical({"fair": 0.5, "bent": 0.5}))
    for _ in range(2000):
        model = model.given({"fair": 0.5, "bent": 0.49})
    assert model.posterior["bent"] == pytest.approx(1 / (1 + (0.5 / 0.49) ** 2000), rel=1e-9)
    assert model.map == model.ml == "fair"


def test_bad_input_is_refused() -> None:
    with pytest.raises(InvalidInput, match="single Categorical"):
        Hypotheses({"a": 1.0})
    with pytest.raises(InvalidInput, match="single Categorical"):
        Hypotheses(Categorical([[1.0]]))
    model = Hypotheses(Categorical({"a": 1.0, "b": 0.0}))
    with pytest.raises(ImpossibleEvidence, match="'a'"):
        model.given([0.0, 1.0])
    with pytest.raises(BadShape, match="one number for each hypothesis"):
        model.given([[0.5, 0.5]])
    with pytest.raises(InvalidInput, match="numbers"):
        model.mean  # noqa: B018
