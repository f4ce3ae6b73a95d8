"""Entropy, Kullback–Leibler distance, mutual information and the bound that EM climbs, for arrays of probabilities.

Everything is computed in nats; ``unit="bits"`` divides by log 2 at the very end.
"""

from __future__ import annotations

import math

import numpy as np
import scipy
from numpy.typing import ArrayLike

from credo import checks
from credo.checks import Floats
from credo.errors import BadShape, InvalidInput

__all__ = ["code_length", "entropy", "evidence_bound", "in_unit", "kl", "mutual_information"]

NATS_IN = {"nats": 1.0, "bits": math.log(2)}


def in_unit(nats: Floats, unit: str) -> Floats:
    """An amount of information given in nats, in ``"nats"`` or ``"bits"``.

    >>> in_unit(np.log([2.0, 8.0]), "bits")
    array([1., 3.])
    """
    return nats / NATS_IN[checks.choice("unit", unit, NATS_IN)]


def entropy(probs: ArrayLike, *, unit: str = "nats") -> Floats:
    """H(p) = −Σ p log p along the last axis: what an observation tells on average, and the shortest mean code length.

    >>> entropy([[0.5, 0.5], [1.0, 0.0]], unit="bits")
    array([1., 0.])
    """
    return in_unit(scipy.special.entr(checks.probabilities("probs", probs)).sum(axis=-1), unit)


def kl(p: ArrayLike, q: ArrayLike, *, unit: str = "nats") -> Floats:
    """KL(p‖q) = Σ p log(p/q) along the last axis: the cost of believing q where p is true.

    It is infinite where q rules out what p allows.

    >>> float(kl([0.5, 0.5], [0.75, 0.25], unit="bits").round(4))
    0.2075
    """
    first, second = checks.probabilities("p", p), checks.probabilities("q", q)
    if first.shape[-1] != second.shape[-1]:
        raise BadShape(f"p and q must be about the same states; p has {first.shape[-1]}, q has {second.shape[-1]}")
    # The sum of exact terms can come out a rounding error below zero.
    return in_unit(np.maximum(scipy.special.rel_entr(first, second).sum(axis=-1), 0.0), unit)


def mutual_information(joint: ArrayLike, *, unit: str = "nats") -> Floats:
    """I(A;B|C) = Σ p(a,b,c) log( p(a,b,c) p(c) / (p(a,c) p(b,c)) ) for a joint table with axes (…C, A, B).

    >>> float(mutual_information([[0.5, 0.0], [0.0, 0.5]], unit="bits"))
    1.0
    """
    table = checks.floats("joint", joint)
    if table.ndim < 2:
        raise BadShape(f"joint must have an axis for A and one for B; got shape {table.shape}")
    table = checks.probabilities("joint", table.ravel()).reshape(table.shape)
    return in_unit(np.maximum(scipy.special.rel_entr(table, product_of_margins(table)).sum(), 0.0), unit)


def product_of_margins(table: Floats) -> Floats:
    """What the table (…C, A, B) would be if A and B were independent given C: (…C, A) (…C, B) / (…C)."""
    a = table.sum(axis=-1, keepdims=True)
    b = table.sum(axis=-2, keepdims=True)
    c = a.sum(axis=-2, keepdims=True)
    expected: Floats = a * np.divide(b, c, out=np.zeros_like(b), where=c > 0)
    return expected


def code_length(probability: ArrayLike, *, unit: str = "bits") -> Floats:
    """−log p: the length of the best code word for something of this probability; in bits unless told otherwise.

    >>> code_length([0.5, 0.125])
    array([1., 3.])
    """
    with np.errstate(divide="ignore"):  # the impossible has no code word: infinitely long
        return in_unit(-np.log(checks.probabilities("probability", probability, axis=None)) + 0.0, unit)


def evidence_bound(weights: ArrayLike, log_joint: ArrayLike) -> Floats:
    """The bound L(q) = Σ q (log p(x, z) − log q) ≤ log p(x), which EM climbs; short of it by KL(q‖p(z|x)).

    ``weights`` are q over the hidden states z (last axis), ``log_joint`` is log p(x, z) for the x that was observed.

    >>> float(np.exp(evidence_bound([0.21, 0.79], np.log([0.0078, 0.0298]))).round(4))
    0.0376
    """
    q = checks.probabilities("weights", weights)
    logs = checks.floats("log_joint", log_joint, infinite=True)
    if logs.ndim == 0 or logs.shape[-1] != q.shape[-1]:
        raise BadShape(f"weights and log_joint must be about the same states; got shapes {q.shape} and {logs.shape}")
    if (logs == np.inf).any():
        raise InvalidInput("log_joint must hold log probabilities; got +infinity")
    expected: Floats = np.where(q > 0, q * np.where(q > 0, logs, 0.0), 0.0).sum(axis=-1) + scipy.special.entr(q).sum(
        axis=-1
    )
    return expected
