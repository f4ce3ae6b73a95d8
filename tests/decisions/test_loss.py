from itertools import pairwise

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from credo.beliefs import Categorical
from credo.decisions import Loss, decide
from credo.errors import BadParameter, BadShape, InvalidInput, UnknownName

small = st.floats(0, 10).map(lambda x: round(x, 3))


def test_every_way_of_making_a_loss_gives_the_same():
    plain = Loss([[0, 9], [1, 1]], actions=["wait", "treat"], states=["well", "ill"])
    mapping = Loss.from_mapping({"wait": {"well": 0, "ill": 9}, "treat": {"ill": 1, "well": 1}})
    function = Loss.from_function(
        lambda action, state: 1 if action == "treat" else 9 * (state == "ill"),
        actions=["wait", "treat"],
        states=["well", "ill"],
    )
    utility = Loss.from_utility([[0, -9], [-1, -1]], actions=["wait", "treat"], states=["well", "ill"])
    for other in (mapping, function, utility):
        assert (other.actions, other.states) == (plain.actions, plain.states)
        assert (other.matrix == plain.matrix).all()


def test_zero_one_risk_is_the_chance_of_error():
    belief = Categorical([[0.2, 0.5, 0.3], [0.6, 0.1, 0.3]], states=["a", "b", "c"])
    made = decide(belief, Loss.zero_one(["a", "b", "c"]))
    assert made.action.tolist() == ["b", "a"]
    np.testing.assert_allclose(made.risk, [0.5, 0.4], rtol=1e-14)


def test_a_loss_is_a_copy_that_cannot_change():
    given_matrix = np.ones((1, 2))
    loss = Loss(given_matrix, actions=["a"], states=["s", "t"])
    given_matrix[0, 0] = 7
    assert loss["a", "s"] == 1
    with pytest.raises(ValueError, match="read-only"):
        loss.matrix[0, 0] = 7
    with pytest.raises(AttributeError):
        loss.matrix = given_matrix


def test_states_are_matched_by_name_in_any_order_and_text_to_number():
    loss = Loss([[0, 1, 2]], actions=["go"], states=["2", "0", "1.5"])
    assert loss.over([0, 1.5, 2]).matrix.tolist() == [[1, 2, 0]]
    assert loss.over([0.0, 1.5, 2.0]).matrix.tolist() == [[1, 2, 0]]
    assert Loss([[3, 4]], actions=["go"], states=["true", "false"]).over([False, True]).matrix.tolist() == [[4, 3]]
    assert Loss([[3, 4]], actions=["go"], states=["TRUE", "False"]).over([False, True]).matrix.tolist() == [[4, 3]]
    assert Loss([[3, 4]], actions=["go"], states=["1", "0"]).over([False, True]).matrix.tolist() == [[4, 3]]
    assert Loss([[3, 4]], actions=["go"], states=["true", "1"]).over(["1", "true"]).matrix.tolist() == [[4, 3]]
    assert Loss([[3, 4]], actions=["go"], states=[1, "1"]).over(["1", 1]).matrix.tolist() == [[4, 3]]


def test_states_that_do_not_match_are_refused_with_a_suggestion():
    loss = Loss.zero_one(["well", "ill"])
    with pytest.raises(UnknownName, match=r"no state 'wel', which the belief has\. Did you mean 'well'"):
        loss.over(["wel", "ill"])
    with pytest.raises(UnknownName, match="no state '1', which the belief has"):
        Loss.zero_one([1]).over([1, "1"])
    with pytest.raises(InvalidInput, match="states must be a list of names; got the single text"):
        loss.over("well")
    with pytest.raises(InvalidInput, match="states must be a list of names"):
        loss.over(None)
    with pytest.raises(UnknownName, match="belief has no state 'ill', which the loss has"):
        loss.over(["well"])
    with pytest.raises(UnknownName, match="the loss has no state"):
        decide(Categorical({"well": 0.5, "ill": 0.25, "dead": 0.25}), loss)


@pytest.mark.parametrize(
    ("make", "error", "match"),
    [
        (lambda: Loss([[0, np.nan]], actions=["a"], states=["s", "t"]), InvalidInput, "finite"),
        (lambda: Loss([[0, np.inf]], actions=["a"], states=["s", "t"]), InvalidInput, "finite"),
        (lambda: Loss([["x", 1]], actions=["a"], states=["s", "t"]), InvalidInput, "numbers"),
        (lambda: Loss([[0, 1]], actions=["a", "b"], states=["s", "t"]), BadShape, "2 actions"),
        (lambda: Loss(np.ones((0, 2)), actions=[], states=["s", "t"]), BadShape, "at least one"),
        (lambda: Loss([0, 1], actions=["a"], states=["s", "t"]), BadShape, "table"),
        (lambda: Loss([[0, 1]], actions=["a"], states=["s", "s"]), InvalidInput, "'s' stands twice"),
        (lambda: Loss([[0, 1]], actions=["a"], states="st"), InvalidInput, "list of names"),
        (lambda: Loss.zero_one([]), BadShape, "at least one"),
        (lambda: Loss.zero_one(["a"]).with_reject(-1), BadParameter, "cost"),
        (lambda: Loss.zero_one(["a"]).with_reject(np.nan), InvalidInput, "cost"),
        (lambda: Loss.zero_one(["a"]).with_reject([0.1, 0.2]), BadShape, "cost"),
        (lambda: Loss.zero_one(["refuse", "go"]).with_reject(0.1), InvalidInput, "'refuse' stands twice"),
        (
            lambda: Loss.asymmetric(positive="a", negative="a", false_negative=1, false_positive=1),
            InvalidInput,
            "stands twice",
        ),
        (
            lambda: Loss.asymmetric(positive="a", negative="b", false_negative=-1, false_positive=1),
            BadParameter,
            "false_negative",
        ),
        (lambda: Loss.from_mapping({}), InvalidInput, "mapping of mappings"),
        (lambda: Loss.from_mapping({"a": 3}), InvalidInput, "mapping of mappings"),
        (lambda: Loss.from_mapping({"a": {"s": 1}, "b": {"s": 1, "t": 2}}), UnknownName, "'t'"),
        (lambda: Loss.from_mapping({"a": {"s": 1, "t": 2}, "b": {"s": 1}}), InvalidInput, "nothing about 't'"),
        (lambda: Loss.zero_one(["a", "b"])["c", "a"], UnknownName, "no action 'c'"),
        (lambda: Loss.zero_one(["a", "b"])["a", "c"], UnknownName, "no state 'c'"),
        (lambda: Loss.zero_one(["a", "b"])["a"], InvalidInput, "action, state"),
        (lambda: Loss.zero_one(["a", "b", "c"]).threshold(), InvalidInput, "two states"),
        (lambda: Loss.zero_one(["a", "b"]).threshold("c"), UnknownName, "no state 'c'"),
        (lambda: Loss.zero_one(["a", "b"]).with_reject(0.2).threshold(), InvalidInput, "3 are best"),
        (lambda: Loss([[0, 0], [1, 1]], actions=[1, 2], states=["s", "t"]).threshold(), InvalidInput, "1 are best"),
    ],
)
def test_what_is_refused(make, error, match):
    with pytest.raises(error, match=match):
        make()


def test_names_are_escaped_in_a_notebook():
    html = Loss.zero_one(["<b>", "&"])._repr_html_()
    assert "&lt;b&gt;" in html
    assert "<b>" not in html
    assert "&amp;" in html


@settings(max_examples=60, deadline=None, derandomize=True)
@given(
    st.lists(st.tuples(small, small), min_size=1, max_size=5),
    st.lists(st.floats(0, 1), min_size=1, max_size=10),
    st.sampled_from(["no", "yes"]),
)
def test_regions_agree_with_decide(rows, chances, positive):
    loss = Loss(np.array(rows), actions=range(len(rows)), states=["no", "yes"])
    found = loss.regions(positive)
    assert found[0].low == 0
    assert found[-1].high == 1
    assert all(left.high == right.low and left.action != right.action for left, right in pairwise(found))
    for p in chances:
        inside = [region for region in found if region.low <= p <= region.high]
        belief = Categorical([1 - p, p] if positive == "yes" else [p, 1 - p], states=["no", "yes"])
        made = decide(belief, loss)
        for region in inside:
            assert made.risks[region.action] <= made.risk + 1e-9


def test_the_threshold_of_two_costs_and_its_complement():
    loss = Loss.asymmetric(positive="ill", negative="well", false_negative=5, false_positive=1)
    assert loss.threshold() == pytest.approx(1 / 6)
    assert loss.threshold("well") == pytest.approx(5 / 6)
    for p, action in [(1 / 6 - 1e-9, "well"), (1 / 6 + 1e-9, "ill")]:
        assert decide(Categorical({"well": 1 - p, "ill": p}), loss).action == action


@settings(max_examples=60, deadline=None, derandomize=True)
@given(st.lists(st.floats(0.01, 1), min_size=2, max_size=6), st.floats(0.001, 0.999))
@example([0.0625, 0.125, 0.46875, 0.46875], 0.75)  # two risks that are equal but for rounding
def test_chows_rule(weights, cost):
    # Chow: name the most probable class unless its probability is below 1 − cost; then refuse.
    probs = np.array(weights) / sum(weights)
    if abs(probs.max() - (1 - cost)) < 1e-9:
        return
    names = [f"c{i}" for i in range(len(probs))]
    made = decide(Categorical(probs, states=names), Loss.zero_one(names).with_reject(cost))
    assert made.action == ("refuse" if probs.max() < 1 - cost else names[int(probs.argmax())])
    assert made.risk == pytest.approx(min(cost, 1 - probs.max()))
