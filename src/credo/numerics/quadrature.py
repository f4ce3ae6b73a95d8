"""Expectations under a normal law as weighted sums."""

from __future__ import annotations

from functools import lru_cache

from credo import checks
from credo.checks import Floats

__all__ = ["gauss_hermite"]


def gauss_hermite(n: int) -> tuple[Floats, Floats]:
    """Nodes and weights with ``E f(z) ≈ Σ wᵢ f(zᵢ)`` for z ~ N(0, 1): exact for polynomials of degree below 2n.

    For N(m, s²) use ``f(m + s zᵢ)``. The arrays are shared and read-only.

    >>> nodes, weights = gauss_hermite(3)
    >>> float(weights @ nodes**4)
    3.0...
    """
    return _gauss_hermite(checks.count("n", n, least=1, most=1000))


@lru_cache(maxsize=32)
def _gauss_hermite(n: int) -> tuple[Floats, Floats]:
    from scipy.special import roots_hermitenorm

    nodes, weights = roots_hermitenorm(n)
    weights = weights / weights.sum()
    for array in (nodes, weights):
        array.setflags(write=False)
    return nodes, weights
