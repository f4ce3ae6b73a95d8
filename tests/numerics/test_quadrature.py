"""Gauss–Hermite quadrature for normal expectations."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy.integrate import quad
from scipy.stats import norm

from credo.errors import BadParameter
from credo.numerics import gauss_hermite


@pytest.mark.parametrize("n", [1, 2, 5, 20, 200])
def test_moments_below_twice_the_number_of_nodes_are_exact(n: int) -> None:
    nodes, weights = gauss_hermite(n)
    for power in range(min(2 * n, 12)):
        moment = 0 if power % 2 else math.prod(range(1, power, 2))  # (power − 1)!!
        assert weights @ nodes**power == pytest.approx(moment, rel=1e-10, abs=1e-9)


def test_a_smooth_expectation_agrees_with_integration() -> None:
    nodes, weights = gauss_hermite(32)
    expected, _ = quad(lambda z: norm.pdf(z) / (1 + math.exp(-0.5 - 1.5 * z)), -12, 12)
    assert weights @ (1 / (1 + np.exp(-0.5 - 1.5 * nodes))) == pytest.approx(expected, abs=1e-6)


def test_the_arrays_are_shared_and_cannot_be_spoilt() -> None:
    nodes, weights = gauss_hermite(4)
    assert gauss_hermite(4)[0] is nodes
    for array in (nodes, weights):
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 1.0


@pytest.mark.parametrize("n", [0, -1, 2.0, True, None, 10**6])
def test_refused(n: object) -> None:
    with pytest.raises(BadParameter):
        gauss_hermite(n)  # type: ignore[arg-type]
