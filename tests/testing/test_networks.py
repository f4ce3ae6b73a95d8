"""The contract of inference refuses what breaks it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import pytest

from credo.beliefs import Categorical
from credo.networks import BayesianNetwork, Node
from credo.networks.inference.posteriors import Posteriors
from credo.networks.model import MostProbable
from credo.testing import check_inference


def network() -> BayesianNetwork:
    rain = Node.event("rain", 0.2)
    return BayesianNetwork([rain, Node.event("wet", {True: 0.9, False: 0.1}, given=[rain])])


class Wrong(BayesianNetwork):
    """A network of which one kind of answer can be replaced."""

    answers: dict[str, Any]

    def posterior(self, name: str, **options: Any) -> Categorical:
        return self.answers.get("posterior", BayesianNetwork.posterior)(self, name, **options)

    def posteriors(self, names: Any = None, **options: Any) -> Posteriors:
        return self.answers.get("posteriors", BayesianNetwork.posteriors)(self, names, **options)

    def log_evidence(self, **options: Any) -> float:
        return self.answers.get("log_evidence", BayesianNetwork.log_evidence)(self, **options)

    def most_probable(self, names: Any = None, **options: Any) -> Mapping[str, Any]:
        return self.answers.get("most_probable", BayesianNetwork.most_probable)(self, names, **options)


def wrong(**answers: Any) -> Wrong:
    made = Wrong(network().nodes.values())
    object.__setattr__(made, "answers", answers)
    return made


def test_the_right_answers_pass() -> None:
    check_inference(wrong())
    check_inference(wrong(), given={"wet": True})


def test_a_belief_that_is_another_one_alone_is_found() -> None:
    with pytest.raises(AssertionError, match="another way"):
        check_inference(wrong(posterior=lambda net, name, **_: Categorical({True: 0.3, False: 0.7})))


def test_evidence_that_breaks_the_chain_rule_is_found() -> None:
    with pytest.raises(AssertionError, match="chain rule"):
        check_inference(wrong(log_evidence=lambda net, **options: 0.5 * BayesianNetwork.log_evidence(net, **options)))


def test_states_that_are_not_the_most_probable_are_found() -> None:
    worst = MostProbable({"rain": True, "wet": False}, float(np.log(0.02)), float(np.log(0.02)))
    with pytest.raises(AssertionError, match="beats"):
        check_inference(wrong(most_probable=lambda net, names=None, **_: worst))


def test_a_variable_that_is_left_out_is_found() -> None:
    def some(net: BayesianNetwork, names: Any = None, **options: Any) -> Posteriors:
        return BayesianNetwork.posteriors(net, ["rain"], **options)

    with pytest.raises(AssertionError, match="all the rest"):
        check_inference(wrong(posteriors=some))
