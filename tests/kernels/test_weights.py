"""Kernels of weight space."""

from __future__ import annotations

from math import asin, pi, sqrt

import numpy as np
import pytest
from sklearn.gaussian_process import kernels as theirs

from credo.errors import BadParameter, BadShape, FormatError, InvalidInput, NumericalFailure
from credo.kernels import BasisKernel, Linear, NeuralNetwork, Polynomial, kernel
from credo.testing import check_kernel


def parabola(X: np.ndarray) -> np.ndarray:
    return np.hstack([np.ones((len(X), 1)), X, X**2])


@pytest.mark.parametrize("variance", [1.7, [0.4, 2.0], [0.0, 2.0]])
def test_linear(variance, X, rng) -> None:
    Z = rng.normal(size=(5, 2))
    np.testing.assert_allclose(Linear(variance)(X, Z), X @ np.diag(np.ones(2) * variance) @ Z.T, rtol=1e-12)
    check_kernel(Linear(variance), X)


def test_scikit_learn_agrees(X, rng) -> None:
    ours, peer, W = Linear(1.0).fixed() + 0.49, theirs.DotProduct(sigma_0=0.7), rng.normal(size=(len(X), len(X)))
    matrix, slopes = peer(X, eval_gradient=True)
    np.testing.assert_allclose(ours(X), matrix, rtol=1e-12)
    np.testing.assert_allclose(2 * ours.pullback(X, W), np.einsum("ij,ijp->p", W, slopes), rtol=1e-10)


@pytest.mark.parametrize("degree", [1, 2, 3, 5, 8])
@pytest.mark.parametrize("offset", [0.0, 0.8])
def test_polynomial(degree, offset, X, rng) -> None:
    Z = rng.normal(size=(5, 2))
    np.testing.assert_allclose(Polynomial(degree, offset)(X, Z), (offset + X @ Z.T) ** degree, rtol=1e-12, atol=1e-15)
    check_kernel(Polynomial(degree, offset), X)


def test_a_polynomial_is_a_power_of_a_line(X) -> None:
    np.testing.assert_allclose(Polynomial(3, 0.5)(X), ((Linear() + 0.5) ** 3)(X), rtol=1e-12)


FULL = [[1.0, 0.3, 0.1], [0.3, 2.0, 0.0], [0.1, 0.0, 0.5]]


@pytest.mark.parametrize("covariance", [1.7, [0.4, 2.0, 1.1], FULL])
def test_neural_network(covariance, X, rng) -> None:
    sigma, Z = np.asarray(covariance), rng.normal(size=(5, 2))
    sigma = sigma if sigma.ndim == 2 else np.diag(np.ones(3) * sigma)

    def formula(x: np.ndarray, z: np.ndarray) -> float:
        a, b = np.append(1, x), np.append(1, z)
        return 2 / pi * asin(2 * a @ sigma @ b / sqrt((1 + 2 * a @ sigma @ a) * (1 + 2 * b @ sigma @ b)))

    np.testing.assert_allclose(NeuralNetwork(covariance)(X, Z), [[formula(x, z) for z in Z] for x in X], rtol=1e-12)
    check_kernel(NeuralNetwork(covariance), X)


def test_a_network_of_steep_units_is_one_of_steps() -> None:
    X = np.array([[0.3, 1.0], [-2.0, 0.5], [0.3, 1.0]])
    steep = NeuralNetwork(1e20)
    angle = np.arccos((1 - 0.6 + 0.5) / (np.sqrt(2.09) * np.sqrt(5.25)))
    assert steep(X)[0, 1] == pytest.approx(1 - 2 * angle / pi, rel=1e-9)
    assert steep(X)[0, 2] == pytest.approx(1.0, abs=1e-9)
    assert np.isfinite(steep.pullback(X, np.ones((3, 3)))).all()


def test_the_network_is_the_covariance_of_random_hidden_units(rng) -> None:
    from scipy.special import erf

    weights = rng.normal(size=(400_000, 2)) * np.sqrt([0.5, 2.0])
    units = erf(weights @ np.array([[1.0, 1.0], [0.3, -0.8]]))
    assert NeuralNetwork([0.5, 2.0])([[0.3]], [[-0.8]])[0, 0] == pytest.approx(np.prod(units, axis=1).mean(), abs=0.005)


@pytest.mark.parametrize("covariance", [1.7, [0.4, 2.0, 1.1, 0.2, 0.9], np.eye(5) + 0.1])
def test_basis_kernel(covariance, X, rng) -> None:
    sigma, Z = np.asarray(covariance), rng.normal(size=(5, 2))
    sigma = sigma if sigma.ndim == 2 else np.diag(np.ones(5) * sigma)
    made = BasisKernel(parabola, covariance)
    np.testing.assert_allclose(made(X, Z), parabola(X) @ sigma @ parabola(Z).T, rtol=1e-12)
    check_kernel(made, X, functions={"parabola": parabola})


def test_function_space_is_weight_space(X, rng) -> None:
    # The mean of a process with this kernel is that of Bayesian regression on the same features.
    y, Z, sd = rng.normal(size=len(X)), rng.normal(size=(4, 2)), 0.3
    made = BasisKernel(parabola, [0.4, 2.0, 1.1, 0.2, 0.9])
    process = made(Z, X) @ np.linalg.solve(made(X) + sd**2 * np.eye(len(X)), y)
    features, precision = parabola(X), np.diag(1 / np.array([0.4, 2.0, 1.1, 0.2, 0.9]))
    weights = np.linalg.solve(features.T @ features / sd**2 + precision, features.T @ y / sd**2)
    np.testing.assert_allclose(process, parabola(Z) @ weights, rtol=1e-9)


def test_a_function_is_named_in_the_text() -> None:
    made = BasisKernel(parabola, 2.0)
    assert str(made) == "BasisKernel(function=parabola, covariance=2.0)"
    assert kernel(str(made), functions={"parabola": parabola}) == made
    with pytest.raises(FormatError, match="there is no 'parabola'"):
        kernel(str(made))


def test_what_is_refused() -> None:
    with pytest.raises(BadParameter, match="variance must be zero or positive"):
        Linear(-1.0)
    with pytest.raises(BadParameter, match="degree must be between 1 and 100; got 0"):
        Polynomial(0)
    with pytest.raises(BadParameter, match="degree must be a whole number"):
        Polynomial(2.0)  # type: ignore[arg-type]
    with pytest.raises(BadParameter, match="offset must be zero or positive"):
        Polynomial(2, -1.0)
    with pytest.raises(BadShape, match="symmetric"):
        NeuralNetwork([[1.0, 0.5], [0.0, 1.0]])
    with pytest.raises(NumericalFailure, match="covariance"):
        NeuralNetwork([[1.0, 2.0], [2.0, 1.0]])
    with pytest.raises(BadShape, match="must have 3 rows, one for the bias and each column of X; it has 2"):
        NeuralNetwork([1.0, 1.0])(np.ones((3, 2)))
    with pytest.raises(BadParameter, match="function must be a function"):
        BasisKernel("parabola")  # type: ignore[arg-type]
    with pytest.raises(BadShape, match="same number of rows"):
        BasisKernel(lambda X: X[:1])(np.ones((3, 2)))
    with pytest.raises(InvalidInput, match="finite"):
        BasisKernel(lambda X: X * np.inf)(np.ones((3, 2)))
    with pytest.raises(NumericalFailure, match="Rescale the columns"):
        Polynomial(3)([[1e150], [-1e150]])
    with pytest.raises(NumericalFailure, match="Rescale the columns"):
        Polynomial(3).diagonal([[1e150]])
