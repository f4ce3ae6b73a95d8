import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from credo.beliefs import Categorical, Normal
from credo.decisions import (
    Experiment,
    Loss,
    bayes_risk,
    decide,
    value_of_perfect_information,
    value_of_sample_information,
)
from credo.errors import BadProbability, InvalidInput, UnknownName


@st.composite
def problems(draw):
    states, actions, outcomes = draw(st.integers(1, 4)), draw(st.integers(1, 4)), draw(st.integers(1, 4))
    rng = np.random.default_rng(draw(st.integers(0, 10**6)))
    belief = Categorical(rng.dirichlet(np.ones(states)), states=range(states))
    loss = Loss(rng.normal(size=(actions, states)), actions=range(actions), states=range(states))
    chances = rng.dirichlet(np.full(outcomes, 0.5), size=states).T
    return belief, loss, Experiment(chances, outcomes=range(outcomes), states=range(states))


@settings(max_examples=60, deadline=None, derandomize=True)
@given(problems())
def test_against_deciding_after_every_outcome(problem):
    belief, loss, experiment = problem
    after = 0.0
    for row in experiment.matrix:
        chance = float(belief.probs @ row)
        if chance > 0:
            after += chance * decide(belief.given(dict(zip(belief.states, row, strict=True))), loss).risk
    value = value_of_sample_information(belief, loss, experiment)
    assert value == pytest.approx(bayes_risk(belief, loss) - after, abs=1e-12)
    perfect = value_of_perfect_information(belief, loss)
    assert perfect + 1e-12 >= value >= 0
    clairvoyant = Experiment(np.eye(len(belief.states)), outcomes=belief.states, states=belief.states)
    assert value_of_sample_information(belief, loss, clairvoyant) == pytest.approx(perfect, abs=1e-12)
    assert value_of_sample_information(belief, loss, experiment, cost=2.0) == pytest.approx(value - 2)


def test_what_tells_nothing_is_worth_nothing():
    belief, loss = Categorical({"a": 0.4, "b": 0.6}), Loss.zero_one(["b", "a"])
    deaf = Experiment([[0.3, 0.3], [0.7, 0.7]], outcomes=["x", "y"], states=["a", "b"])
    assert value_of_sample_information(belief, loss, deaf) == pytest.approx(0, abs=1e-15)
    assert value_of_perfect_information(belief, loss) == pytest.approx(0.4)


def test_a_batch_is_its_rows_and_names_may_come_in_any_order():
    batch = Categorical([[0.8, 0.2], [0.5, 0.5]], states=["well", "ill"])
    loss = Loss([[9, 0], [1, 1]], actions=["wait", "treat"], states=["ill", "well"])
    test = Experiment.from_mapping({"+": {"ill": 0.9, "well": 0.2}, "-": {"ill": 0.1, "well": 0.8}})
    for value in (value_of_perfect_information, lambda b, x: value_of_sample_information(b, x, test)):
        np.testing.assert_allclose(value(batch, loss), [value(row, loss) for row in batch], atol=1e-15)


def test_what_is_refused():
    belief, loss = Categorical({"a": 0.4, "b": 0.6}), Loss.zero_one(["b", "a"])
    with pytest.raises(BadProbability, match="sum to 1"):
        Experiment([[0.3, 0.3], [0.3, 0.7]], outcomes=["x", "y"], states=["a", "b"])
    with pytest.raises(UnknownName, match="experiment has no state 'b'"):
        value_of_sample_information(belief, loss, Experiment([[1, 1]], outcomes=["x"], states=["a", "c"]))
    with pytest.raises(InvalidInput, match=r"Try Experiment\.from_mapping"):
        value_of_sample_information(belief, loss, {"x": {"a": 1, "b": 1}})
    with pytest.raises(InvalidInput, match="Categorical belief"):
        value_of_perfect_information(Normal(0, 1), loss)
    with pytest.raises(InvalidInput, match="mapping of mappings"):
        Experiment.from_mapping({"+": 0.5})
    assert "0.5" in repr(Experiment([[0.5], [0.5]], outcomes=["x", "y"], states=["a"]))
    assert "<table>" in Experiment([[1.0]], outcomes=["x"], states=["a"])._repr_html_()
