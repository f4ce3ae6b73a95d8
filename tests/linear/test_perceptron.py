"""The perceptron: the algorithm against the plainest loop, the bound against what happens, and what cannot end."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from credo.errors import BadParameter, CredoWarning, InvalidInput, Outcome
from credo.linear import Perceptron
from credo.linear.mistakes import run
from credo.linear.planes import best_confidence
from credo.tables import Table
from credo.testing import check_estimator

modest = settings(max_examples=40, deadline=None, derandomize=True)
seeds = st.integers(0, 2**32 - 1)


def plainly(U: np.ndarray, passes: int, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray, list[int]]:
    """The algorithm as it is told: one row at a time; the weights, their mean over all looks, the mistakes."""
    w, total, looks, mistakes = np.zeros(U.shape[1]), np.zeros(U.shape[1]), 0, []
    for _ in range(passes):
        mistakes.append(0)
        for i in rng.permutation(len(U)):
            looks += 1
            if U[i] @ w <= 0:
                w = w + U[i]
                mistakes[-1] += 1
            total += w
        if not mistakes[-1]:
            break
    return w, total / looks, mistakes


@modest
@given(seeds, st.integers(1, 200), st.integers(1, 5))
def test_by_blocks_it_makes_the_mistakes_of_one_row_at_a_time(seed: int, n: int, d: int) -> None:
    rng = np.random.default_rng(seed)
    U = rng.integers(-9, 10, size=(n, d)).astype(float)  # whole numbers: no rounding decides a side
    found = run(U, passes=6, rng=np.random.default_rng(seed))
    last, mean, mistakes = plainly(U, 6, np.random.default_rng(seed))
    np.testing.assert_array_equal(found.last, last)
    # the mean counts a row that is added from the look at which it is
    np.testing.assert_allclose(found.mean, mean, rtol=1e-9, atol=1e-9)
    assert found.mistakes == tuple(mistakes)


@modest
@given(seeds)
def test_there_are_no_more_mistakes_than_the_bound_allows(seed: int) -> None:
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(40, 3)) * 2 + rng.normal(size=3)
    side = X @ rng.normal(size=3) + rng.normal()
    X, y = X[np.abs(side) > 0.4], side[np.abs(side) > 0.4] > 0
    if y.all() or not y.any():
        return
    model = Perceptron(passes=100_000, confidence=1.0, random_state=seed).fit(X, y)
    assert model.outcome_ is Outcome.CONVERGED
    assert model.separable_.all()
    assert (model.predict(X) == y).all()
    U = np.where(y, 1.0, -1.0)[:, None] * np.column_stack([X, np.ones(len(X))])
    w = np.append(model.coef_[0], model.intercept_)
    assert model.mistakes_[0] <= model.bound_[0]
    assert model.margin_[0] == pytest.approx((U @ w).min() / np.linalg.norm(w))
    assert 0 < model.margin_[0] <= model.best_margin_[0] * (1 + 1e-9)
    assert model.bound_[0] == pytest.approx((U**2).sum(axis=1).max() / model.best_margin_[0] ** 2)
    assert sum(model.trace_[0]) == model.mistakes_[0]
    assert model.trace_[0][-1] == 0


@pytest.mark.parametrize("n", [1, 2, 7])
def test_the_bound_is_reached_by_rows_at_right_angles(n: int) -> None:
    """No row helps with another: n mistakes, and R²/γ² = n."""
    X, y = np.vstack([np.eye(n), -np.eye(n)]), np.repeat([1, 0], n)
    model = Perceptron(fit_intercept=False, confidence=1.0).fit(X, y)
    assert model.best_margin_[0] == pytest.approx(n**-0.5)
    assert (model.mistakes_[0], model.bound_reached_[0]) == (n, True)
    one_helps = Perceptron(fit_intercept=False, confidence=1.0).fit(np.vstack([X, np.ones(n) / 9]), np.append(y, 1))
    assert one_helps.mistakes_[0] >= n


def test_rows_that_no_plane_separates_do_not_go_on_for_ever() -> None:
    X, y = [[0.0, 0.0], [1.0, 1.0], [0.0, 1.0], [1.0, 0.0]], ["same", "same", "other", "other"]
    with pytest.warns(CredoWarning, match="no plane separates 'same' from 'other'"):
        model = Perceptron(passes=10**9).fit(X, y)
    assert (model.outcome_, len(model.trace_[0])) == (Outcome.OUT_OF_STEPS, 10)
    assert (model.separable_[0], model.best_margin_[0], model.bound_[0]) == (False, 0.0, np.inf)
    assert not model.bound_reached_[0]


def test_too_few_passes_are_said_to_be() -> None:
    X, y = np.array([[5.0], [5.5], [6.0], [6.2], [9.0]]), [0, 0, 0, 1, 1]
    with pytest.warns(CredoWarning, match=r"a plane separates 1 from 0, but after 3 passes .* at most \d"):
        model = Perceptron(passes=3, confidence=1.0).fit(X, y)
    assert model.separable_[0]
    enough = Perceptron(passes=200_000, confidence=1.0).fit(X, y)
    assert enough.outcome_ is Outcome.CONVERGED
    assert (enough.predict(X) == y).all()


def test_rows_that_contradict_each_other_bring_the_weights_back_to_zero() -> None:
    with pytest.warns(CredoWarning, match="no plane"):
        model = Perceptron().fit([[1.0], [1.0]], [0, 1])
    assert np.isfinite(model.decision_function([[1.0], [5.0]])).all()
    np.testing.assert_allclose(model.predict_proba([[1.0]]), 0.5, atol=1e-6)


def test_many_classes_each_have_a_plane_against_the_rest() -> None:
    rng = np.random.default_rng(4)
    places = np.array([[0.0, 6.0], [6.0, 0.0], [-6.0, -6.0]])
    y = np.repeat([0, 1, 2], 30)
    X = places[y] + rng.normal(size=(90, 2))
    model = Perceptron().fit(X, y)
    assert model.coef_.shape == (3, 2)
    assert model.separable_.all()
    assert (model.predict(X) == y).all()
    assert model.decision_function(X).shape == (90, 3)
    for k in range(3):
        alone = Perceptron(confidence=1.0).fit(X, y == k)
        assert alone.best_margin_[0] == pytest.approx(model.best_margin_[k])


def test_the_belief_is_as_sure_as_rows_left_out_allow() -> None:
    rng = np.random.default_rng(2)
    X = rng.normal(size=(4000, 2))
    y = rng.random(4000) < 1 / (1 + np.exp(-2 * X @ [1.0, -1.0]))
    with pytest.warns(CredoWarning):
        model = Perceptron().fit(X[:2000], y[:2000])
    P = model.predict_proba(X[2000:])[:, 1]
    sure = P > 0.8
    assert 0.75 < y[2000:][sure].mean() < 0.97
    assert abs(P.mean() - y[2000:].mean()) < 0.03
    loss = -np.log(np.where(y[2000:], P, 1 - P)).mean()
    assert loss < 0.55  # 0.693 says nothing; the law that made them has about 0.43
    stated = Perceptron(confidence=1e-6)
    with pytest.warns(CredoWarning):
        stated.fit(X, y)
    np.testing.assert_allclose(stated.predict_proba(X[:9]), 0.5, atol=1e-5)
    assert (stated.predictive(X).mode == stated.predict(X)).all()


@modest
@given(seeds)
def test_the_best_confidence_is_where_the_likelihood_is_greatest(seed: int) -> None:
    rng = np.random.default_rng(seed)
    scores, codes = rng.normal(size=(30, 3)) * 5, rng.integers(0, 3, 30)
    scores[np.arange(30), codes] += rng.choice([0.0, 3.0])
    count = np.bincount(codes, minlength=3)[codes]
    target = np.repeat(1 / (count + 3), 3).reshape(30, 3)
    target[np.arange(30), codes] = (count + 1) / (count + 3)

    def likelihood(c: float) -> float:
        logs = c * scores - np.log(np.exp(c * scores).sum(axis=1))[:, None]
        return float((target * logs).sum())

    best = best_confidence(scores, codes)
    assert all(likelihood(best) >= likelihood(best * factor) - 1e-6 for factor in (0.5, 0.99, 1.01, 2))


def test_a_table_may_stand_for_the_rows() -> None:
    table = Table({"height": [1.0, 2.0, -1.0, -3.0], "age": [3.0, 1.0, -2.0, 0.0]})
    y = ["up", "up", "down", "down"]
    model = Perceptron().fit(table, y)
    assert list(model.feature_names_in_) == ["height", "age"]
    plain = Perceptron().fit(np.column_stack([table["height"], table["age"]]), y)
    np.testing.assert_array_equal(model.coef_, plain.coef_)
    assert (model.predict(table) == y).all()
    named = Table({"height": table["height"], "age": table["age"], "way": y})
    np.testing.assert_array_equal(Perceptron().fit(named, "way").coef_, plain.coef_)


@pytest.mark.parametrize(
    ("error", "options", "y"),
    [
        (BadParameter, {"passes": 0}, [0, 1]),
        (BadParameter, {"fit_intercept": "no"}, [0, 1]),
        (BadParameter, {"confidence": 0.0}, [0, 1]),
        (BadParameter, {"random_state": None}, [0, 1]),
        (InvalidInput, {}, [1, 1]),
        (InvalidInput, {}, [0, 1, 1]),
        (InvalidInput, {}, [0.5, 1.5]),
    ],
)
def test_refused(error: type[Exception], options: dict, y: list) -> None:
    with pytest.raises(error):
        Perceptron(**options).fit([[0.0], [1.0]], y)


@pytest.mark.filterwarnings("ignore::credo.errors.CredoWarning")  # one of the contract's classes lies between others
def test_keeps_the_contract() -> None:
    check_estimator(Perceptron())
