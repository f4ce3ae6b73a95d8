"""Beliefs over named states, and Bayes' rule."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from credo.beliefs import Bernoulli, Categorical, Mixture, Poisson
from credo.errors import BadParameter, BadProbability, BadShape, ImpossibleEvidence, InvalidInput, UnknownName
from credo.testing import check_belief

weights = hnp.arrays(np.float64, st.integers(1, 6), elements=st.floats(1e-3, 1.0))


def belief_of(array: np.ndarray) -> Categorical:
    return Categorical(array / array.sum())


@pytest.mark.parametrize(
    "belief",
    [
        Categorical({"a": 0.2, "b": 0.0, "c": 0.8}),
        Categorical({"a": 1.0}),
        Categorical(np.full(6, 1 / 6), range(1, 7)),
        Categorical([0.0, 0.5, 0.25, 0.25], [9, 2.5, -1, 3]),
        Categorical({False: 0.4, True: 0.6}),
        Categorical([[0.1, 0.2, 0.7], [1 / 3, 1 / 3, 1 / 3], [0.0, 1.0, 0.0]], [3, 1, 2]),
        Categorical([[0.1, 0.9], [0.6, 0.4]], ["x", ("y", 1)]),
        Categorical.from_log([-1e4, -1e4 - 1, -1e5], ["x", "y", "z"]),
    ],
    ids=repr,
)
def test_the_contract(belief: Categorical) -> None:
    check_belief(belief)


# ---------------------------------------------------------------- Bayes' rule


@settings(max_examples=40, deadline=None, derandomize=True)
@given(weights, st.data())
def test_given_is_the_product_divided_by_its_sum(prior: np.ndarray, data: st.DataObject) -> None:
    likelihood = data.draw(hnp.arrays(np.float64, prior.shape, elements=st.floats(1e-3, 5.0)))
    belief = belief_of(prior)
    after = belief.given(likelihood)
    joint = belief.probs * likelihood
    np.testing.assert_allclose(after.unnormalised, joint, rtol=1e-12)
    np.testing.assert_allclose(after.probs, joint / joint.sum(), rtol=1e-12)
    assert math.isclose(after.log_evidence, math.log(joint.sum()), abs_tol=1e-12)


@settings(max_examples=30, deadline=None, derandomize=True)
@given(weights, st.data())
def test_observations_in_any_order_or_all_at_once(prior: np.ndarray, data: st.DataObject) -> None:
    elements = hnp.arrays(np.float64, prior.shape, elements=st.floats(1e-3, 1.0))
    first, second = data.draw(elements), data.draw(elements)
    belief = belief_of(prior)
    one = belief.given(first).given(second)
    for other in (belief.given(second).given(first), belief.given(first * second)):
        np.testing.assert_allclose(one.probs, other.probs, rtol=1e-12)
        assert math.isclose(one.log_evidence, other.log_evidence, abs_tol=1e-12)


def test_mapping_function_array_and_logarithms_agree() -> None:
    belief = Categorical({"a": 0.2, "b": 0.8})
    numbers = {"b": 0.3, "a": 0.9}
    expected = belief.given([0.9, 0.3]).probs
    for after in (
        belief.given(numbers),
        belief.given(lambda state: numbers[state]),
        belief.given({k: math.log(v) for k, v in numbers.items()}, log=True),
        belief.given(np.log([0.9, 0.3]), log=True),
    ):
        np.testing.assert_allclose(after.probs, expected, rtol=1e-14)


def test_likelihoods_far_below_the_smallest_float_do_no_harm() -> None:
    belief = Categorical({"a": 0.5, "b": 0.5})
    tiny = belief.given([1e-300, 3e-300]).given([1e-300, 1e-300]).given([1e-300, 1e-300])
    np.testing.assert_allclose(tiny.probs, [0.25, 0.75], rtol=1e-12)
    assert tiny.log_evidence == pytest.approx(3 * math.log(1e-300) + math.log(2))
    far = belief.given([-5000.0, -5001.0], log=True)
    np.testing.assert_allclose(far.probs, [1 / (1 + math.exp(-1)), 1 / (1 + math.e)], rtol=1e-12)
    back = belief.given([0.0, -2000.0], log=True).given([-2000.0, 0.0], log=True)
    np.testing.assert_allclose(back.probs, [0.5, 0.5], rtol=1e-12)


def test_a_batch_is_conditioned_row_by_row() -> None:
    rng = np.random.default_rng(0)
    prior, likelihood = rng.dirichlet(np.ones(3), 5), rng.random((5, 3))
    batch = Categorical(prior, list("abc")).given(likelihood)
    assert batch.log_evidence.shape == (5,)
    for row in range(5):
        alone = Categorical(prior[row], list("abc")).given(likelihood[row])
        np.testing.assert_allclose(batch[row].probs, alone.probs, rtol=1e-14)
        assert batch[row].log_evidence == pytest.approx(alone.log_evidence)
    columns = Categorical(prior, list("abc")).given(dict(zip("cba", likelihood.T[::-1], strict=True)))
    np.testing.assert_array_equal(columns.probs, batch.probs)
    one_prior = Categorical(prior[0], list("abc")).given(likelihood)
    np.testing.assert_allclose(
        one_prior[3].probs, Categorical(prior[0], list("abc")).given(likelihood[3]).probs, rtol=1e-14
    )


def test_from_log_keeps_the_evidence() -> None:
    joint = np.log([[0.1, 0.3], [1e-200, 1e-200]])
    belief = Categorical.from_log(joint, ["x", "y"])
    np.testing.assert_allclose(belief.probs, [[0.25, 0.75], [0.5, 0.5]])
    np.testing.assert_allclose(belief.log_evidence, np.log([0.4, 2e-200]))


@pytest.mark.parametrize(
    ("likelihood", "log", "error", "message"),
    [
        ({"a": 1.0, "c": 1.0}, False, UnknownName, "'c'"),
        ({"a": 1.0}, False, InvalidInput, "missing: .'b'."),
        ({"a": -0.1, "b": 1.0}, False, BadParameter, "positive"),
        ({"a": float("nan"), "b": 1.0}, False, InvalidInput, "nan"),
        ({"a": float("inf"), "b": 1.0}, False, InvalidInput, "inf"),
        ({"a": float("nan"), "b": 1.0}, True, InvalidInput, "nan"),
        ({"a": float("inf"), "b": 1.0}, True, BadParameter, "inf"),
        ({"a": [1.0, 2.0], "b": [1.0, 2.0, 3.0]}, False, BadShape, "one for each row"),
        ([1.0, 1.0, 1.0], False, BadShape, "2 states"),
        (0.5, False, BadShape, "2 states"),
        ("ab", False, InvalidInput, "numbers"),
        (None, False, InvalidInput, "must be"),
        ([[[1.0, 1.0]]], False, BadShape, "2 states"),
    ],
)
def test_bad_likelihoods_are_refused(likelihood: object, log: bool, error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        Categorical({"a": 0.5, "b": 0.5}).given(likelihood, log=log)


def test_impossible_observations_name_the_states_that_were_possible() -> None:
    with pytest.raises(ImpossibleEvidence, match=r"'b', 'c'$"):
        Categorical({"a": 0.0, "b": 0.5, "c": 0.5}).given({"a": 1.0, "b": 0.0, "c": 0.0})
    batch = Categorical([[0.5, 0.5], [1.0, 0.0]], ["a", "b"])
    with pytest.raises(ImpossibleEvidence, match=r"row 1.*: 'a'$"):
        batch.given([[0.5, 0.5], [0.0, 1.0]])
    with pytest.raises(ImpossibleEvidence, match="row 0"):
        Categorical.from_log([[-math.inf, -math.inf], [0.0, 0.0]])
    with pytest.raises(BadShape, match="rows"):
        batch.given(np.ones((3, 2)))


def test_the_belief_itself_is_left_as_it_was() -> None:
    belief = Categorical({"a": 0.5, "b": 0.5})
    belief.given([0.1, 0.9])
    assert belief["a"] == 0.5
    assert belief.log_evidence == 0
    with pytest.raises(ValueError, match="read-only"):
        belief.probs[0] = 1.0
    source = np.array([0.5, 0.5])
    held = Categorical(source)
    source[0] = 9.0
    assert held[0] == 0.5


# ---------------------------------------------------------------- predictive


def test_predictive_averages_the_answers() -> None:
    rng = np.random.default_rng(1)
    posterior, answers = rng.dirichlet(np.ones(3), 4), rng.dirichlet(np.ones(2), (3, 4))
    batch = Categorical(posterior, list("xyz")).predictive(
        {name: Categorical(answers[i], ["-", "+"]) for i, name in enumerate("xyz")}
    )
    np.testing.assert_allclose(batch.probs, np.einsum("ns,sno->no", posterior, answers), rtol=1e-12)
    single = Categorical(posterior, list("xyz")).predictive(
        {
            name: Categorical({"-": 0.1, "+": 0.9}) if name == "x" else Categorical({"+": 0.2, "-": 0.8})
            for name in "xyz"
        }
    )
    np.testing.assert_allclose(single.prob("+"), posterior @ [0.9, 0.2, 0.2], rtol=1e-12)


def test_predictive_refuses_answers_that_do_not_fit() -> None:
    posterior = Categorical({"x": 0.5, "y": 0.5})
    plus = Categorical({"+": 1.0, "-": 0.0})
    with pytest.raises(InvalidInput, match="missing"):
        posterior.predictive({"x": plus})
    with pytest.raises(InvalidInput, match="same states"):
        posterior.predictive({"x": plus, "y": Categorical({"0": 1.0})})
    with pytest.raises(InvalidInput, match="Categorical"):
        posterior.predictive({"x": plus, "y": {"+": 1.0}})
    with pytest.raises(BadShape, match="one length"):
        posterior.predictive({"x": plus, "y": Categorical([[1.0, 0.0]], ["+", "-"])})


# ---------------------------------------------------------------- making one


@pytest.mark.parametrize(
    ("arguments", "error"),
    [
        (({"a": 0.5, "b": 0.6},), BadProbability),
        (({"a": -0.5, "b": 1.5},), BadProbability),
        (({"a": float("nan"), "b": 1.0},), InvalidInput),
        (({},), BadShape),
        (([],), BadShape),
        ((0.5,), BadShape),
        (([[[1.0]]],), BadShape),
        (([0.5, 0.5], ["a"]), BadShape),
        (([0.5, 0.5], ["a", "a"]), InvalidInput),
        (([0.5, 0.5], "a"), InvalidInput),
        (([0.5, 0.5], 3), InvalidInput),
        (([0.5, 0.5], [[1], [2]]), InvalidInput),
        (({"a": 1.0}, ["a"]), InvalidInput),
        ((["x", "y"],), InvalidInput),
        ((None,), InvalidInput),
    ],
)
def test_bad_beliefs_are_refused(arguments: tuple[object, ...], error: type[Exception]) -> None:
    with pytest.raises(error):
        Categorical(*arguments)


def test_a_text_of_single_letters_is_no_list_of_states_but_a_list_of_them_is() -> None:
    assert Categorical([0.5, 0.5], ["a", "b"]).states == ("a", "b")
    assert Categorical([0.5, 0.5], np.array(["a", "b"])).states == ("a", "b")
    assert Categorical([0.5, 0.5]).states == (0, 1)


def test_a_batch_of_no_rows_answers_with_no_rows() -> None:
    none = Categorical(np.zeros((0, 2)), ["a", "b"])
    assert none.batch_shape == (0,)
    assert none.given([0.1, 0.2]).log_evidence.shape == (0,)
    assert none.mode.shape == none.prob("a").shape == none.entropy().shape == (0,)
    assert none.sample(3, 0).shape == (3, 0)
    assert none.quantile([0.5, 0.9]).shape == (2, 0)
    assert "0 rows" in repr(none)


# ---------------------------------------------------------------- by state, by row


def test_states_are_found_by_name_alone_or_in_arrays() -> None:
    belief = Categorical({"a": 0.2, ("b", 1): 0.3, None: 0.5})
    assert belief[("b", 1)] == 0.3
    assert belief[None] == 0.5
    np.testing.assert_allclose(belief.prob(["a", None]), [0.2, 0.5])
    np.testing.assert_allclose(belief.log_prob(["a", None]), np.log([0.2, 0.5]))
    with pytest.raises(UnknownName, match="Did you mean 'healthy'"):
        Categorical({"healthy": 1.0})["heathy"]
    with pytest.raises(UnknownName, match="'z'"):
        belief.prob(["a", "z"])
    with pytest.raises(InvalidInput, match="one by one"):
        belief.prob([["a"], [None]])
    with pytest.raises(UnknownName):
        belief[0]


def test_a_batch_is_asked_by_row_and_by_state() -> None:
    batch = Categorical([[0.1, 0.9], [0.6, 0.4], [0.5, 0.5]], ["a", "b"])
    assert len(batch) == 3
    assert isinstance(batch[0], Categorical)
    assert batch[0]["b"] == 0.9
    np.testing.assert_array_equal(batch[1:].prob("a"), [0.6, 0.5])
    np.testing.assert_array_equal(batch[batch.prob("a") > 0.5].probs, [[0.6, 0.4]])
    assert batch.mode.tolist() == ["b", "a", "a"]
    np.testing.assert_allclose(batch.prob(np.array(["a", "b", "b"])), [0.1, 0.4, 0.5])
    np.testing.assert_allclose(batch.prob(np.array([["a"], ["b"]])), [[0.1, 0.6, 0.5], [0.9, 0.4, 0.5]])
    assert [row["a"] for row in batch] == [0.1, 0.6, 0.5]
    with pytest.raises(BadShape, match="3 rows"):
        batch.prob(["a", "b"])
    with pytest.raises(IndexError):
        batch[3]
    with pytest.raises(TypeError, match="one law"):
        len(batch[0])
    np.testing.assert_array_equal(batch.as_dict()["a"], [0.1, 0.6, 0.5])


def test_numbers_that_are_no_states_are_impossible_and_names_that_are_none_a_mistake() -> None:
    die = Categorical(np.full(6, 1 / 6), range(1, 7))
    assert die.log_prob(7) == -math.inf
    assert die.prob(0.5) == 0
    np.testing.assert_allclose(die.prob([1, 7, 2]), [1 / 6, 0, 1 / 6])
    with pytest.raises(UnknownName, match="state 7"):
        die[7]
    with pytest.raises(UnknownName, match="'six'"):
        die.prob("six")
    with pytest.raises(InvalidInput, match="nan"):
        die.log_prob([1.0, math.nan])


# ---------------------------------------------------------------- as a law


def test_numeric_states_have_moments_and_quantiles() -> None:
    die = Categorical(np.full(6, 1 / 6), range(1, 7))
    assert die.mean == pytest.approx(3.5)
    assert die.var == pytest.approx(35 / 12)
    assert [int(die.quantile(q)) for q in (0.0, 1 / 6, 0.17, 0.5, 1.0)] == [1, 1, 2, 3, 6]
    np.testing.assert_allclose(die.cdf([0.0, 1.0, 3.5, 9.0]), [0, 1 / 6, 0.5, 1])
    backwards = Categorical([0.5, 0.3, 0.2], [3, 2, 1])
    assert [int(q) for q in backwards.quantile([0.1, 0.4, 0.9])] == [1, 2, 3]
    assert Categorical({True: 0.3, False: 0.7}).mean == pytest.approx(0.3)
    batch = Categorical([[1.0, 0.0], [0.5, 0.5], [0.0, 1.0]], [0, 1])
    np.testing.assert_array_equal(batch.quantile([0.0, 0.5, 0.6, 1.0]), [[0, 0, 1], [0, 0, 1], [0, 1, 1], [0, 1, 1]])
    with pytest.raises(InvalidInput, match="numbers"):
        Categorical({"a": 1.0}).mean  # noqa: B018
    one = Categorical([[1.0], [1.0]], [7])
    np.testing.assert_array_equal(one.quantile([0.2, 0.9]), [[7, 7], [7, 7]])


def test_a_single_answer_is_the_state_itself() -> None:
    size = Categorical([0.2, 0.5, 0.3], ["small", "medium", "large"])
    low, high = size.interval(0.9)
    assert [type(state) for state in (size.mode, size.quantile(0.5), low, high)] == [str] * 4
    assert type(Categorical([0.2, 0.8], [1, 2]).quantile(0.5)) is int


def test_ordered_states_have_quantiles_in_their_order() -> None:
    size = Categorical({"small": 0.2, "medium": 0.5, "large": 0.3})
    assert [str(q) for q in size.quantile([0.1, 0.5, 0.9])] == ["small", "medium", "large"]


def test_entropy_and_divergence() -> None:
    p, q = Categorical({"a": 0.5, "b": 0.5}), Categorical({"b": 0.25, "a": 0.75})
    assert p.entropy() == pytest.approx(math.log(2))
    assert p.kl(q) == pytest.approx(0.5 * math.log(0.5 / 0.75) + 0.5 * math.log(0.5 / 0.25))
    assert p.kl(Categorical({"a": 1.0, "b": 0.0})) == math.inf
    assert Categorical({"a": 1.0, "b": 0.0}).kl(p) == pytest.approx(math.log(2))
    # q is too small for a float64, but not for its logarithm.
    far = Categorical.from_log([0.0, -1000.0], ["a", "b"])
    assert p.kl(far) == pytest.approx(0.5 * 1000 - math.log(2))
    with pytest.raises(InvalidInput, match="same states"):
        p.kl(Categorical({"a": 1.0}))
    with pytest.raises(InvalidInput, match="numbers"):
        p.kl(Poisson(1.5))
    with pytest.raises(InvalidInput, match="numbers"):
        Poisson(1.5).kl(p)
    assert Poisson(1.5).kl(Categorical({0: 0.5, 1: 0.5})) == math.inf
    both = Mixture([0.3, 0.7], [Categorical({0: 0.5, 1: 0.5}), Categorical({1: 0.5, 5: 0.5})])
    np.testing.assert_allclose(np.exp(both.log_prob([0.0, 1.0, 5.0])), [0.15, 0.5, 0.35])
    assert Categorical({0: 0.4, 1: 0.6}).kl(Bernoulli(0.3)) == pytest.approx(Bernoulli(0.6).kl(Bernoulli(0.3)))


def test_samples_have_the_right_frequencies_and_never_the_impossible() -> None:
    belief = Categorical({"never": 0.0, "a": 0.3, "b": 0.7, "nor this": 0.0})
    drawn = belief.sample(20_000, 0)
    assert set(drawn.tolist()) == {"a", "b"}
    assert abs((drawn == "a").mean() - 0.3) < 4 * math.sqrt(0.21 / 20_000)
    batch = Categorical([[0.0, 1.0, 0.0], [0.5, 0.0, 0.5]], [1, 2, 3]).sample(5000, 1)
    assert batch.shape == (5000, 2)
    assert (batch[:, 0] == 2).all()
    assert set(batch[:, 1].tolist()) == {1, 3}
    mixed = Categorical({"a": 0.5, 1: 0.5}).sample(50, 2)
    assert set(mixed.tolist()) == {"a", 1}


@settings(deadline=None, max_examples=40, derandomize=True)
@given(weights, st.floats(0.01, 20.0))
def test_a_tempered_belief_is_a_power_of_it(array: np.ndarray, confidence: float) -> None:
    belief = belief_of(array).given(np.full(len(array), 0.3))
    tempered = belief.tempered(confidence)
    np.testing.assert_allclose(tempered.probs, belief.probs**confidence / (belief.probs**confidence).sum(), rtol=1e-9)
    assert tempered.log_evidence == belief.log_evidence
    assert tempered.states == belief.states


def test_tempering_keeps_what_is_impossible_and_what_is_hardly_possible() -> None:
    batch = Categorical([[0.0, 1e-300, 1.0], [0.5, 0.5, 0.0]], ["a", "b", "c"])
    np.testing.assert_allclose(batch.tempered(0.01).probs[0], [0, 1e-3 / (1 + 1e-3), 1 / (1 + 1e-3)])
    np.testing.assert_allclose(batch.tempered(7).probs[1], [0.5, 0.5, 0])
    for confidence in (0, -1.0, math.nan, math.inf, [1.0, 2.0], "high"):
        with pytest.raises(InvalidInput, match="confidence must be"):
            batch.tempered(confidence)


def test_what_people_see() -> None:
    belief = Categorical({"<b>": 0.25, "c": 0.75})
    assert repr(belief) == "Categorical({'<b>': 0.25, 'c': 0.75})"
    assert "&lt;b&gt;" in belief._repr_html_()
    assert repr(Categorical(np.full(20, 0.05))).endswith("11: 0.05, …})")
    batch = Categorical(np.full((12, 2), 0.5), ["a", "b"])
    assert repr(batch) == "Categorical over ('a', 'b') × 12 rows"
    assert batch.table().splitlines()[-1].split() == ["…", "…", "…"]
    assert len(batch.table(rows=20).splitlines()) == 13
