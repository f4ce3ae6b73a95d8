"""Kernel matrices and their gradients, beside scikit-learn's; and what a gradient costs in plain Gram matrices.

The gradient is that of Σ W∘K for a given W, as the log evidence of a Gaussian process needs it: scikit-learn makes a
matrix for each hyperparameter first, which is summed here by ``einsum`` as its own regressor does. Where the peer is a
number of our own Gram matrices, a ratio above one means that a Gram matrix and the gradient together cost less.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from benchmarks.harness import Case
from credo.kernels import SE, Kernel, kernel

LENGTHS = [3.0] * 10
CO2 = "66**2 * SE(67) + 2.4**2 * SE(90) * Periodic(1.3, 1) + 0.66**2 * RationalQuadratic(1.2, 0.78) + Noise(0.19)"


def rows(n: int, d: int, ours: Callable[[], Kernel], peer: Callable[[Any], Any]) -> Any:
    """Rows, weights, our kernel, and the peer's where it is installed."""
    from sklearn.gaussian_process import kernels as theirs

    rng = np.random.default_rng(0)
    X, root = rng.normal(size=(n, d)), rng.normal(size=(n, 1))
    return X, root @ root.T, ours(), peer(theirs)


def ard() -> Kernel:
    return SE(LENGTHS)


def peer_ard(theirs: Any) -> Any:
    return theirs.RBF(LENGTHS)


def peer_matern(theirs: Any) -> Any:
    return theirs.Matern(LENGTHS, nu=2.5)


def peer_co2(theirs: Any) -> Any:
    season = theirs.RBF(90) * theirs.ExpSineSquared(1.3, 1)
    slow, short = 66**2 * theirs.RBF(67), 0.66**2 * theirs.RationalQuadratic(1.2, 0.78)
    return slow + 2.4**2 * season + short + theirs.WhiteKernel(0.19**2)


def gram(data: Any) -> object:
    return data[2](data[0])


def peer_gram(data: Any) -> object:
    return data[3](data[0])


def gradient(data: Any) -> object:
    return data[2](data[0]), data[2].pullback(data[0], data[1])


def peer_gradient(data: Any) -> object:
    matrix, slopes = data[3](data[0], eval_gradient=True)
    return matrix, np.einsum("ij,ijp->p", data[1], slopes)


def several_grams(count: int, data: Any) -> object:
    for _ in range(count):
        matrix = gram(data)
    return matrix


PEER = "scikit-learn gaussian_process.kernels"
SMALL = partial(rows, 1000, 10, ard, peer_ard)
LARGE = partial(rows, 4000, 10, ard, peer_ard)
MATERN = partial(rows, 4000, 10, partial(kernel, f"Matern52({LENGTHS})"), peer_matern)
MONTHS = partial(rows, 545, 1, partial(kernel, CO2), peer_co2)
CASES = [
    Case("Gram matrix of 4,000 rows, SE with 10 lengths", PEER, LARGE, gram, peer_gram),
    Case("Gram matrix of 4,000 rows, Matern52 with 10 lengths", PEER, MATERN, gram, peer_gram),
    Case("Gram matrix of 545 rows, carbon dioxide", PEER, MONTHS, gram, peer_gram),
    Case("Gram matrix and gradient, 1,000 rows, SE with 10 lengths", PEER, SMALL, gradient, peer_gradient),
    Case("Gram matrix and gradient, 545 rows, carbon dioxide", PEER, MONTHS, gradient, peer_gradient),
    Case(
        "Gram matrix and gradient, 4,000 rows, SE with 10 lengths",
        "three plain Gram matrices",
        LARGE,
        gradient,
        partial(several_grams, 3),
    ),
]
