"""Kernels of what comes back."""

from __future__ import annotations

from math import cos, exp, pi, sin

import numpy as np
import pytest
from sklearn.gaussian_process import kernels as theirs

from credo.errors import BadShape, NumericalFailure
from credo.kernels import SE, Cosine, Periodic, SpectralMixture
from credo.testing import check_kernel

LENGTHS, PERIODS = [0.7, 1.9], [1.3, 0.6]


@pytest.mark.parametrize(("length", "period"), [(0.7, 1.3), (LENGTHS, 1.3), (0.7, PERIODS), (LENGTHS, PERIODS)])
def test_periodic(length, period, X, rng) -> None:
    kernel, Z = Periodic(length, period), rng.normal(size=(5, 2))

    def formula(x: np.ndarray, z: np.ndarray) -> float:
        return exp(-2 * (np.sin(pi * (x - z) / period) ** 2 / np.square(length)).sum())

    np.testing.assert_allclose(kernel(X, Z), [[formula(x, z) for z in Z] for x in X], rtol=1e-12)
    check_kernel(kernel, X)


def test_scikit_learn_agrees_on_one_column(X, rng) -> None:
    x, W = X[:, :1], rng.normal(size=(len(X), len(X)))
    matrix, slopes = theirs.ExpSineSquared(length_scale=0.7, periodicity=1.3)(x, eval_gradient=True)
    kernel = Periodic(length=0.7, period=1.3)
    np.testing.assert_allclose(kernel(x), matrix, rtol=1e-12)
    np.testing.assert_allclose(kernel.pullback(x, W), np.einsum("ij,ijp->p", W, slopes), rtol=1e-10)


def test_years_keep_their_digits(rng) -> None:
    # 60 years of months, far from zero: the slopes of a shift by two thousand whole years are the same.
    x, W = np.arange(720)[:, None] / 12, rng.normal(size=(720, 720))
    for kernel in (Periodic(1.2, 1.0), Cosine(1.0), SpectralMixture([1.0], [1.0], [0.01])):
        np.testing.assert_allclose(kernel(x + 2000), kernel(x), atol=1e-11)
        np.testing.assert_allclose(kernel.pullback(x + 2000, W), kernel.pullback(x, W), rtol=1e-7)


@pytest.mark.parametrize("period", [1.3, PERIODS])
def test_cosine(period, X, rng) -> None:
    kernel, Z = Cosine(period), rng.normal(size=(5, 2))
    expected = [[cos(2 * pi * ((x - z) / period).sum()) for z in Z] for x in X]
    np.testing.assert_allclose(kernel(X, Z), expected, atol=1e-13)
    check_kernel(kernel, X)


def test_spectral_mixture_of_one_column(X) -> None:
    x = X[:, 0]
    kernel = SpectralMixture([1.5, 0.3], [0.0, 0.8], [0.2, 0.05])

    def formula(t: float) -> float:
        slow = 1.5 * exp(-2 * (pi * 0.2 * t) ** 2)
        return slow + 0.3 * exp(-2 * (pi * 0.05 * t) ** 2) * cos(2 * pi * 0.8 * t)

    np.testing.assert_allclose(kernel(x[:, None]), [[formula(a - b) for b in x] for a in x], rtol=1e-12, atol=1e-13)
    check_kernel(kernel, x[:, None])
    assert "frequencies[0]" not in kernel.free  # a part without waves stays one
    assert "frequencies[1]" in kernel.free


def test_spectral_mixture_of_two_columns(X) -> None:
    means, widths = np.array([[0.3, 0.1], [0.5, 0.9]]), np.array([[0.1, 0.2], [0.3, 0.05]])
    kernel = SpectralMixture([1.5, 0.3], means, widths)

    def formula(t: np.ndarray) -> float:
        parts = zip((1.5, 0.3), means, widths, strict=True)
        return sum(w * exp(-2 * pi**2 * ((v * t) ** 2).sum()) * cos(2 * pi * (m @ t)) for w, m, v in parts)

    np.testing.assert_allclose(kernel(X), [[formula(a - b) for b in X] for a in X], rtol=1e-12, atol=1e-13)
    check_kernel(kernel, X)


def test_the_spectrum_of_a_squared_exponential_is_a_normal_law(X) -> None:
    mixture = SpectralMixture([1.0], [[0.0, 0.0]], [[1 / (2 * pi * 0.7)] * 2])
    np.testing.assert_allclose(mixture(X), SE(0.7)(X), rtol=1e-12)


def test_a_period_later_all_is_as_it_was() -> None:
    assert Periodic(0.5, 2.0)([[0.0]], [[4.0]])[0, 0] == pytest.approx(1.0, abs=1e-14)
    assert Cosine(2.0)([[0.0]], [[0.5]])[0, 0] == pytest.approx(0.0, abs=1e-15)
    assert Periodic(1.0, 2.0)([[0.0]], [[0.3]])[0, 0] == pytest.approx(exp(-2 * sin(0.15 * pi) ** 2))


def test_what_is_refused() -> None:
    for short in (Periodic(1.0, 1e-300), Cosine(1e-300), SpectralMixture([1.0], [1e300], [1.0])):
        with pytest.raises(NumericalFailure, match="too large for waves so short"):
            short([[1e10]])
    with pytest.raises(BadShape, match="weights must be a list"):
        SpectralMixture(1.0, [1.0], [1.0])
    with pytest.raises(BadShape, match="frequencies must have a row for each of 2 weights"):
        SpectralMixture([1.0, 2.0], [1.0], [1.0])
    with pytest.raises(BadShape, match="widths must have a row for each of 1 weights"):
        SpectralMixture([1.0], [1.0], [[1.0]])
    with pytest.raises(BadShape, match="X must have 1 columns"):
        SpectralMixture([1.0], [1.0], [1.0])(np.ones((3, 2)))
    with pytest.raises(BadShape, match="one for each period"):
        Periodic(1.0, PERIODS)(np.ones((3, 1)))
