"""Worked examples of the textbooks, to the digits they are printed with."""

from __future__ import annotations

import numpy as np
import pytest

from credo.beliefs import BetaBinomial, Categorical, Hypotheses, JointTable


def test_a_positive_laboratory_test_for_a_rare_cancer() -> None:
    prior = Categorical({"cancer": 0.008, "no cancer": 0.992})
    positive = {"cancer": 0.98, "no cancer": 0.03}
    posterior = prior.given(positive)
    assert posterior.unnormalised.round(4).tolist() == [0.0078, 0.0298]
    assert posterior.probs.round(2).tolist() == [0.21, 0.79]
    assert posterior.mode == "no cancer"
    assert np.exp(posterior.log_evidence) == pytest.approx(0.0376)
    assert Hypotheses(prior).given(positive).ml == "cancer"


def test_a_rare_disease_and_two_tests() -> None:
    prior = Categorical({"disease": 0.001, "healthy": 0.999})
    first = prior.given({"disease": 1.0, "healthy": 0.01})
    assert round(first["disease"], 3) == 0.091
    both = first.given({"disease": 0.9, "healthy": 0.05})
    assert round(both["disease"], 3) == 0.643
    assert np.exp(both.log_evidence) == pytest.approx(0.9 * 0.001 + 0.05 * 0.01 * 0.999)


def test_the_best_answer_is_not_that_of_the_most_probable_hypothesis() -> None:
    plus, minus = Categorical({"+": 1.0, "-": 0.0}), Categorical({"+": 0.0, "-": 1.0})
    answers = {"h1": plus, "h2": minus, "h3": minus}
    posterior = Categorical({"h1": 0.4, "h2": 0.3, "h3": 0.3})
    assert answers[posterior.mode].mode == "+"
    optimal = posterior.predictive(answers)
    assert optimal.mode == "-"
    assert optimal["-"] == pytest.approx(0.6)


def test_two_tails_and_no_heads() -> None:
    coin = BetaBinomial(a=0.5, b=0.5).given(successes=0, failures=2)
    assert coin.mean == pytest.approx(1 / 6)
    assert coin.ml == 0
    assert coin.predictive().p == pytest.approx(1 / 6)


def test_a_coin_and_a_die_are_twelve_numbers_made_of_eight() -> None:
    coin = Categorical({"H": 0.3, "T": 0.7})
    die = Categorical(np.arange(1, 7) / 21, range(1, 7))
    joint = JointTable.product({"coin": coin, "die": die})
    assert joint.probs.size == 12
    assert len(coin.states) + len(die.states) == 8
    expected = [[0.014, 0.028, 0.042, 0.057, 0.071, 0.086], [0.033, 0.067, 0.1, 0.133, 0.167, 0.2]]
    np.testing.assert_allclose(joint.probs, expected, atol=1e-3)  # two of them are printed cut off, not rounded
    np.testing.assert_allclose(joint.probs, np.multiply.outer([0.3, 0.7], np.arange(1, 7) / 21), rtol=1e-14)
    assert joint.independent("coin", "die")


def test_heart_disease_chest_pain_and_shortness_of_breath() -> None:
    table = JointTable(
        ["HD", "CP", "SB"],
        [[True, False]] * 3,
        [[[0.024, 0.006], [0.016, 0.004]], [[0.0019, 0.0076], [0.1881, 0.7524]]],
    )
    assert not table.independent("CP", "SB")
    assert table.independent("CP", "SB", given="HD")
    assert [str(each) for each in table.independencies()] == ["CP ⊥ SB | HD"]
    # P(HD | CP, SB) ∝ P(CP | HD) P(SB | HD) P(HD), because of that.
    rule = (
        table.belief("HD")
        .given(table.conditional("CP", given="HD").likelihood({"CP": True}))
        .given(table.conditional("SB", given="HD").likelihood({"SB": True}))
    )
    np.testing.assert_allclose(rule.probs, table.given({"CP": True, "SB": True}).belief("HD").probs, rtol=1e-12)
    assert np.exp(rule.log_evidence) == pytest.approx(0.024 + 0.0019)


def test_an_irrelevant_boat_race_needs_eleven_numbers_and_not_twenty_four() -> None:
    heart = JointTable(
        ["HD", "CP", "SB"],
        [[True, False]] * 3,
        [[[0.024, 0.006], [0.016, 0.004]], [[0.0019, 0.0076], [0.1881, 0.7524]]],
    )
    winner = Categorical({"Oxford": 0.5, "Cambridge": 0.3, "draw": 0.2})
    whole = JointTable(
        [*heart.names, "winner"], [*heart.states, winner.states], np.multiply.outer(heart.probs, winner.probs)
    )
    assert (whole.probs.size, heart.probs.size + winner.probs.size) == (24, 11)
    assert whole.independent("winner", ["HD", "CP", "SB"])
