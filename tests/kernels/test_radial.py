"""Kernels of the distance: their formulas entry by entry, and scikit-learn's."""

from __future__ import annotations

from collections.abc import Callable
from math import exp, sqrt

import numpy as np
import pytest
from sklearn.gaussian_process import kernels as theirs

from credo.errors import BadParameter, BadShape, NumericalFailure
from credo.kernels import (
    SE,
    Exponential,
    GammaExponential,
    Kernel,
    Matern12,
    Matern32,
    Matern52,
    RationalQuadratic,
)
from credo.testing import check_kernel

LENGTHS = [0.7, 1.9]

FORMULAS: list[tuple[Callable[..., Kernel], Callable[[float], float]]] = [
    (SE, lambda r: exp(-(r**2) / 2)),
    (Exponential, lambda r: exp(-r)),
    (Matern32, lambda r: (1 + sqrt(3) * r) * exp(-sqrt(3) * r)),
    (Matern52, lambda r: (1 + sqrt(5) * r + 5 * r**2 / 3) * exp(-sqrt(5) * r)),
    (lambda length: GammaExponential(length, 0.3), lambda r: exp(-(r**0.3))),
    (lambda length: GammaExponential(length, 1.7), lambda r: exp(-(r**1.7))),
    (lambda length: GammaExponential(length, 2), lambda r: exp(-(r**2))),
    (lambda length: RationalQuadratic(length, 0.6), lambda r: (1 + r**2 / 1.2) ** -0.6),
    (lambda length: RationalQuadratic(length, 30), lambda r: (1 + r**2 / 60) ** -30),
]


@pytest.mark.parametrize("length", [1.3, LENGTHS], ids=["one length", "one a column"])
@pytest.mark.parametrize(("make", "formula"), FORMULAS)
def test_every_entry_is_the_formula(make, formula, length, X, rng) -> None:
    kernel, Z = make(length), rng.normal(size=(5, 2))
    expected = [[formula(sqrt((((x - z) / length) ** 2).sum())) for z in Z] for x in X]
    np.testing.assert_allclose(kernel(X, Z), expected, rtol=1e-13)
    check_kernel(kernel, X)


PEERS: list[tuple[Kernel, theirs.Kernel]] = [
    (SE(LENGTHS), theirs.RBF(LENGTHS)),
    (Exponential(LENGTHS), theirs.Matern(LENGTHS, nu=0.5)),
    (Matern32(LENGTHS), theirs.Matern(LENGTHS, nu=1.5)),
    (Matern52(LENGTHS), theirs.Matern(LENGTHS, nu=2.5)),
    (RationalQuadratic(1.3, 0.6), theirs.RationalQuadratic(length_scale=1.3, alpha=0.6)),
]


@pytest.mark.parametrize(("ours", "peer"), PEERS, ids=lambda kernel: type(kernel).__name__)
def test_scikit_learn_agrees(ours: Kernel, peer: theirs.Kernel, X, rng) -> None:
    W = rng.normal(size=(len(X), len(X)))
    matrix, slopes = peer(X, eval_gradient=True)
    np.testing.assert_allclose(ours(X), matrix, rtol=1e-12)
    names = [p.name for p in peer.hyperparameters]
    expected = np.einsum("ij,ijp->p", W, slopes)
    if names == ["alpha", "length_scale"]:
        expected = expected[::-1]
    np.testing.assert_allclose(ours.pullback(X, W), expected, rtol=1e-10)


def test_rows_that_are_the_same_are_wholly_alike_and_those_far_apart_not_at_all() -> None:
    X = np.array([[1e6], [1e6], [1e9], [-1e140]])
    for make, _ in FORMULAS[:5]:
        K = make(1e-2)(X)
        assert K[0, 1] == 1.0
        assert (K[[0, 0, 2], [2, 3, 3]] == 0.0).all()
        assert np.isfinite(make(1e-2).pullback(X, np.ones((4, 4)))).all()


def test_many_rows_are_compared_as_few_are(rng) -> None:
    X = rng.normal(size=(200, 3))  # several tiles, the last one not full
    for make, formula in FORMULAS:
        K = make(2.0)(X)
        for i, j in ((0, 199), (63, 64), (128, 130), (199, 199), (150, 3)):
            assert K[i, j] == pytest.approx(formula(np.linalg.norm(X[i] - X[j]) / 2), rel=1e-13)


def test_matern12_is_the_exponential() -> None:
    assert Matern12(2.0) == Exponential(2.0)


def test_what_is_refused() -> None:
    with pytest.raises(BadParameter, match=r"length must be positive; got -1"):
        SE(-1.0)
    with pytest.raises(BadParameter, match="length must be positive"):
        SE([1.0, 0.0])
    with pytest.raises(BadShape, match="length must be a number or a list of them"):
        SE([[1.0, 2.0]])
    with pytest.raises(BadParameter, match="gamma must be at most 2"):
        GammaExponential(1.0, 2.1)
    with pytest.raises(BadParameter, match="alpha must be positive"):
        RationalQuadratic(1.0, 0.0)
    with pytest.raises(BadShape, match=r"X must have 2 columns, one for each length of SE.*got 3"):
        SE(LENGTHS)(np.ones((4, 3)))
    with pytest.raises(NumericalFailure, match="too large for a length of 1e-200"):
        SE(1e-200)([[1.0]])
