"""Linear separation: the answer, its proof, and the largest margin against a machine nobody here wrote."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.svm import SVC

from credo.errors import BadParameter, CredoWarning, InvalidInput
from credo.linear import Certificate, LinearSeparator
from credo.linear.certificate import separate
from credo.numerics import kkt_conditions
from credo.testing import check_estimator

modest = settings(max_examples=60, deadline=None, derandomize=True)
seeds = st.integers(0, 2**32 - 1)


def rows(seed: int) -> tuple[np.ndarray, np.ndarray]:
    """Rows that may be separable or not, on a grid or not, far from the origin or not, of any size."""
    rng = np.random.default_rng(seed)
    n, d = int(rng.integers(2, 50)), int(rng.integers(1, 6))
    mine = rng.random(n) < 0.5
    mine[:2] = True, False
    X = rng.normal(size=(n, d)) * 2 + np.outer(mine, rng.choice([0.0, 1.0, 4.0], size=d))
    X = X.round() if rng.random() < 0.3 else X
    return (X + rng.choice([0.0, 100.0])) * 10.0 ** rng.integers(-4, 5), mine


def proof_holds(found: Certificate, X: np.ndarray, mine: np.ndarray) -> None:
    """What is claimed follows from the rows by arithmetic alone."""
    if found.separable:
        sides = np.where(mine, 1, -1) * (X @ found.direction + found.offset)
        assert np.linalg.norm(found.direction) == pytest.approx(1)
        assert found.margin > 0
        assert sides.min() == pytest.approx(found.margin, abs=1e-12 * np.abs(X).max())
        return
    first, k = found.rows[: found.first], found.first
    assert mine[first].all()
    assert not mine[found.rows[k:]].any()
    assert (found.weights > 0).all()
    assert len(found.rows) <= 2 * (X.shape[1] + 1)
    a, b = found.weights[:k] @ X[first], found.weights[k:] @ X[found.rows[k:]]
    assert found.weights[:k].sum() == pytest.approx(1)
    assert found.weights[k:].sum() == pytest.approx(1)
    spread = X.max(axis=0) - X.min(axis=0)
    assert (np.abs(a - b) <= 1e-6 * spread + 1e-15 * np.abs(X).max(axis=0)).all()
    assert (np.abs(found.point - a) <= np.abs(a - b)).all()


@modest
@given(seeds)
def test_every_answer_comes_with_a_proof_that_holds(seed: int) -> None:
    X, mine = rows(seed)
    anyhow, widest = separate(X, mine), separate(X, mine, widest=True)
    assert anyhow.separable == widest.separable
    proof_holds(anyhow, X, mine)
    proof_holds(widest, X, mine)
    assert anyhow.margin <= widest.margin * (1 + 1e-9) or not anyhow.separable


@modest
@given(seeds)
def test_the_largest_margin_satisfies_its_conditions(seed: int) -> None:
    """The least |v|²/2 with u·v ≥ 1: v is direction/margin, and the multipliers are the weights over margin²/2."""
    X, mine = rows(seed)
    found = separate(X, mine, widest=True)
    if not found.separable:
        return
    sign = np.where(mine, 1.0, -1.0)
    alpha = np.zeros(len(X))
    alpha[found.rows] = found.weights / (2 * found.margin**2)
    v = found.direction / found.margin
    slope = np.append(v - (alpha * sign) @ X, -(alpha @ sign))
    above = sign * (X @ v + found.offset / found.margin) - 1
    conditions = kkt_conditions(
        np.append(slope[:-1] * found.margin, slope[-1] * found.margin**2),
        inequalities=above,
        multipliers=alpha * found.margin**2,
    )
    assert conditions.worst < 1e-6 * max(1.0, np.abs(X).max() / found.margin)


def test_the_largest_margin_is_that_of_a_hard_support_vector_machine() -> None:
    rng = np.random.default_rng(1)
    y = np.repeat([0, 1], 40)
    X = rng.normal(size=(80, 3)) + 5 * y[:, None]
    ours = LinearSeparator(maximum_margin=True).fit(X, y)
    theirs = SVC(kernel="linear", C=1e9, tol=1e-10).fit(X, y)
    length = np.linalg.norm(theirs.coef_)
    np.testing.assert_allclose(ours.coef_, theirs.coef_ / length, rtol=1e-6)
    np.testing.assert_allclose(ours.intercept_, theirs.intercept_ / length, rtol=1e-6)
    assert ours.margin_[0] == pytest.approx(1 / length, rel=1e-6)
    assert set(ours.certificates_[0].rows) == set(theirs.support_)


def test_classes_that_a_plane_cannot_separate_have_a_point_in_common() -> None:
    X, y = np.array([[0.0, 0.0], [1.0, 1.0], [0.0, 1.0], [1.0, 0.0]]), [0, 0, 1, 1]
    with pytest.warns(CredoWarning, match="no plane separates 1 from 0"):
        model = LinearSeparator().fit(X, y)
    proof = model.certificates_[0]
    np.testing.assert_allclose(proof.point, [0.5, 0.5], atol=1e-9)
    assert (proof.separable, len(proof.rows)) == (False, 4)
    assert model.margin_[0] <= 0
    assert repr(proof).endswith("(0.5, 0.5) is a mixture of 2 rows of the first set and of 2 rows of the second")


@pytest.mark.parametrize("widest", [False, True])
def test_sets_that_only_touch_are_not_separable(widest: bool) -> None:
    touching = np.array([[0.0, 0.0], [1.0, 0.0], [1.0, 0.0], [2.0, 5.0]])
    mine = np.array([True, True, False, False])
    assert not separate(touching, mine, widest=widest).separable
    np.testing.assert_allclose(separate(touching, mine, widest=widest).point, [1.0, 0.0], atol=1e-9)
    touching[2, 0] += 1e-6
    assert separate(touching, mine, widest=widest).separable


def test_columns_of_very_different_size() -> None:
    rng = np.random.default_rng(6)
    X = rng.normal(size=(60, 3)) * [1e-6, 1.0, 1e7]
    mine = X @ [1e6, 1.0, 1e-7] > 0.2
    apart = np.abs(X @ [1e6, 1.0, 1e-7] - 0.2) > 0.1
    found = separate(X[apart], mine[apart])
    assert found.separable
    assert ((X[apart] @ found.direction + found.offset > 0) == mine[apart]).all()


def test_rows_that_are_all_the_same() -> None:
    with pytest.warns(CredoWarning, match="no plane"):
        model = LinearSeparator().fit(np.ones((6, 2)), [0, 0, 1, 1, 1, 1])
    proof_holds(model.certificates_[0], np.ones((6, 2)), np.array([0, 0, 1, 1, 1, 1], dtype=bool))
    assert np.isfinite(model.predict_proba([[1.0, 1.0], [3.0, 3.0]])).all()


def test_many_classes_and_which_are_not_separable_is_said() -> None:
    X, y = np.array([[0.0], [1.0], [4.0], [5.0], [8.0], [9.0]]), ["a", "a", "b", "b", "c", "c"]
    with pytest.warns(CredoWarning, match=r"from the rest: \['b'\]"):
        model = LinearSeparator().fit(X, y)
    assert model.separable_.tolist() == [True, False, True]
    np.testing.assert_allclose(model.margin_[[0, 2]], 1.5)


def test_the_belief_goes_with_the_answer() -> None:
    rng = np.random.default_rng(3)
    y = rng.integers(0, 2, 60)
    X = rng.normal(size=(60, 2)) + 4 * y[:, None]
    model = LinearSeparator(maximum_margin=True).fit(X, y)
    belief = model.predictive(X)
    assert (belief.mode == model.predict(X)).all()
    assert belief.probs.max() < 1
    stated = LinearSeparator(maximum_margin=True, confidence=2.0).fit(X, y)
    z = 2 * 2.0 * stated.decision_function(X)
    np.testing.assert_allclose(stated.predict_proba(X)[:, 1], 1 / (1 + np.exp(-z)), rtol=1e-9)


@pytest.mark.parametrize(
    ("error", "options", "y"),
    [
        (BadParameter, {"maximum_margin": "yes"}, [0, 1]),
        (BadParameter, {"confidence": -1.0}, [0, 1]),
        (InvalidInput, {}, [1, 1]),
    ],
)
def test_refused(error: type[Exception], options: dict, y: list) -> None:
    with pytest.raises(error):
        LinearSeparator(**options).fit([[0.0], [1.0]], y)


@pytest.mark.filterwarnings("ignore::credo.errors.CredoWarning")  # one of the contract's classes lies between others
@pytest.mark.parametrize("maximum_margin", [False, True])
def test_keeps_the_contract(maximum_margin: bool) -> None:
    check_estimator(LinearSeparator(maximum_margin=maximum_margin))
