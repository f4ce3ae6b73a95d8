import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from credo.beliefs import Categorical, MultivariateNormal, Normal, Samples
from credo.decisions import Loss, SquaredLoss, bayes_risk, conditional_risk, decide
from credo.errors import BadShape, InvalidInput


@st.composite
def problems(draw):
    """A batch of beliefs and a loss over their states."""
    rows, states, actions = draw(st.integers(1, 4)), draw(st.integers(1, 4)), draw(st.integers(1, 5))
    rng = np.random.default_rng(draw(st.integers(0, 10**6)))
    probs = rng.dirichlet(np.full(states, 0.5), size=rows)
    return Categorical(probs, states=range(states)), Loss(
        rng.normal(size=(actions, states)) * 5, actions=range(actions), states=range(states)
    )


@settings(max_examples=60, deadline=None, derandomize=True)
@given(problems())
def test_against_brute_force(problem):
    beliefs, loss = problem
    made = decide(beliefs, loss)
    for i, belief in enumerate(beliefs):
        risks = [sum(loss[a, s] * belief.prob(s) for s in loss.states) for a in loss.actions]
        np.testing.assert_allclose(made.risks[i], risks, atol=1e-12)
        assert made.risk[i] == made.risks[i].min()
        assert made.action[i] == int(made.risks[i].argmin())
        alone = decide(belief, loss)
        assert alone.risk == pytest.approx(made.risk[i], abs=1e-12)
    assert bayes_risk(beliefs, loss) == pytest.approx(made.risk.mean())


@settings(max_examples=60, deadline=None, derandomize=True)
@given(problems(), st.floats(0, 10))
def test_another_action_never_raises_the_bayes_risk(problem, cost):
    beliefs, loss = problem
    assert bayes_risk(beliefs, loss.with_reject(cost)) <= bayes_risk(beliefs, loss) + 1e-12


@settings(max_examples=30, deadline=None, derandomize=True)
@given(problems())
def test_no_rule_does_better_on_average(problem):
    # The mean loss over worlds drawn from the beliefs, computed exactly, of a rule that chooses anything.
    beliefs, loss = problem
    other = np.random.default_rng(3).integers(0, len(loss.actions), size=len(beliefs))
    mean = (beliefs.probs * loss.matrix[other]).sum() / len(beliefs)
    assert bayes_risk(beliefs, loss) <= mean + 1e-12


def test_the_first_of_equally_good_actions_is_taken():
    belief = Categorical([[0.5, 0.5], [0.25, 0.75]], states=["a", "b"])
    loss = Loss.zero_one(["a", "b"])
    assert decide(belief[0], loss).action == "a"
    assert decide(belief[0], Loss(loss.matrix[::-1], actions=["b", "a"], states=["a", "b"])).action == "b"
    assert decide(belief, loss.with_reject(0.25)).action.tolist() == ["refuse", "b"]


def test_the_parts_of_a_decision():
    belief = Categorical({"well": 0.8, "ill": 0.2})
    one = decide(belief, Loss([[0, 9], [1, 1]], actions=["wait", "treat"], states=["well", "ill"]))
    assert (one.action, one.risk, one.actions) == ("treat", 1.0, ("wait", "treat"))
    assert isinstance(one.risk, float)
    assert list(one.table()) == ["treat", "wait"]
    assert "treat" in repr(one)
    assert "<table>" in one._repr_html_()
    many = decide(Categorical([[0.8, 0.2], [1, 0]], states=["well", "ill"]), Loss.zero_one(["ill", "well"]))
    assert many.action.tolist() == ["well", "well"]
    np.testing.assert_allclose(many.table()["ill"], [0.8, 1.0])
    assert repr(many) == "Decision(2 rows, mean risk 0.1)"
    assert "2 rows" in many._repr_html_()
    with pytest.raises(AttributeError):
        one.action = "wait"


def test_names_keep_their_types():
    loss = Loss.zero_one([0, 1])
    assert decide(Categorical([[0.2, 0.8]], states=[0, 1]), loss).action.dtype.kind == "i"
    mixed = decide(Categorical([[0.5, 0.5], [1, 0]], states=[0, 1]), loss.with_reject(0.1)).action
    assert mixed.tolist() == ["refuse", 0]


def test_an_empty_batch_and_a_large_one():
    loss = Loss.zero_one(range(3))
    none = decide(Categorical(np.ones((2, 3)) / 3, states=range(3))[:0], loss)
    assert none.action.shape == none.risk.shape == (0,)
    rng = np.random.default_rng(0)
    probs = rng.dirichlet(np.ones(3), size=100_000)
    assert (decide(Categorical(probs, states=range(3)), loss).action == probs.argmax(axis=1)).all()


def test_a_function_over_states_is_asked_one_state_at_a_time():
    belief = Categorical({"rain": 0.3, "sun": 0.7})
    made = decide(
        belief,
        lambda action, state: 4.0 if (action, state) == ("walk", "rain") else 1.0 * (action == "bus"),
        actions=["walk", "bus"],
    )
    assert (made.action, made.risk) == ("bus", pytest.approx(1.0))
    assert conditional_risk(belief, Loss([[4, 0]], actions=["walk"], states=["rain", "sun"])) == pytest.approx(1.2)


@pytest.mark.parametrize(
    ("call", "error", "match"),
    [
        (lambda: decide([0.5, 0.5], Loss.zero_one(["a", "b"])), InvalidInput, "must be a belief"),
        (lambda: decide(Normal(0, 1), Loss.zero_one(["a", "b"])), InvalidInput, "Categorical belief"),
        (lambda: decide(Normal(0, 1), "squared"), InvalidInput, "loss must be a Loss"),
        (lambda: decide(Normal(0, 1), np.subtract), InvalidInput, "together with its actions"),
        (lambda: decide(Normal(0, 1), np.subtract, actions=[]), InvalidInput, "at least one action"),
        (lambda: decide(Normal(0, 1), SquaredLoss(), actions=[1]), InvalidInput, "Leave them out"),
        (lambda: decide(Normal(0, 1), lambda a, x: 1.0, actions=[1]), BadShape, "numpy.vectorize"),
        (lambda: decide(Categorical({"a": 1.0}), Loss.zero_one(["a"]), actions=["a"]), InvalidInput, "Leave them out"),
        (lambda: decide(Categorical({"a": 1.0}), SquaredLoss()), InvalidInput, "numbers"),
        (lambda: decide(MultivariateNormal([0, 0], np.eye(2)), SquaredLoss()), InvalidInput, "one number"),
        (lambda: bayes_risk(Categorical({"a": 1.0}), SquaredLoss()), InvalidInput, "must be a Loss"),
        (lambda: bayes_risk(Categorical([[1.0]], states=["a"])[:0], Loss.zero_one(["a"])), InvalidInput, "no rows"),
        (lambda: bayes_risk(Samples([1.0, 2.0]), Loss.zero_one([1, 2])), InvalidInput, "Categorical belief"),
    ],
)
def test_what_is_refused(call, error, match):
    with pytest.raises(error, match=match):
        call()
