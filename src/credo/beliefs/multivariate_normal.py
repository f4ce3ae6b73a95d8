"""The normal law of several numbers together."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from math import log, pi
from typing import ClassVar, Self, overload

import numpy as np
from numpy.typing import ArrayLike, NDArray

from credo import checks
from credo.beliefs.base import Belief
from credo.beliefs.normal import Normal
from credo.beliefs.tails import normal_quantile
from credo.checks import Floats
from credo.errors import BadParameter, BadShape

__all__ = ["MultivariateNormal"]

Coordinates = Sequence[int] | NDArray[np.integer]


@dataclass(frozen=True, slots=True, eq=False, repr=False, init=False)
class MultivariateNormal(Belief):
    """The normal law of a vector, log p(x) = −½ (x − mean)ᵀ cov⁻¹ (x − mean) − ½ log |2π cov|.

    ``mean`` has shape (d,), or (n, d) for a batch; ``cov`` (d, d), shared by all rows, or (n, d, d). Quantiles and
    intervals are those of each coordinate.

    >>> belief = MultivariateNormal([0, 0], [[1, 0.8], [0.8, 1]])
    >>> belief.marginal(0)
    Normal(mean=0, sd=1)
    >>> belief.given(1, 2.0)
    MultivariateNormal(mean=[1.6], cov=[[0.36]])
    """

    mean: Floats = field()
    cov: Floats
    _lower: Floats = field(init=False, repr=False)  # the Cholesky factor of cov

    _law_ndim: ClassVar[int] = 1

    def __init__(self, mean: ArrayLike, cov: ArrayLike) -> None:
        mean, cov = checks.floats("mean", mean), checks.floats("cov", cov)
        if mean.ndim not in {1, 2} or mean.shape[-1] == 0:
            raise BadShape(f"mean must have shape (d,) or (rows, d); got {mean.shape}")
        d = mean.shape[-1]
        if cov.ndim not in {2, 3} or cov.shape[-2:] != (d, d):
            raise BadShape(f"cov must have shape ({d}, {d}) or (rows, {d}, {d}) to go with the mean; got {cov.shape}")
        if mean.ndim == 2 and cov.ndim == 3:
            checks.rows_match("mean", len(mean), "cov", len(cov))
        transposed = np.swapaxes(cov, -1, -2)
        if not np.allclose(cov, transposed, rtol=1e-8, atol=1e-10 * np.abs(cov).max(initial=0)):
            raise BadParameter("cov must be symmetric; use (cov + cov.T) / 2 if it should be")
        batch = mean.shape[:-1] or cov.shape[:-2]
        mean, cov = mean.copy(), (cov + transposed) / 2
        lower = np.broadcast_to(_cholesky(cov), (*batch, d, d))
        self._keep(mean=np.broadcast_to(mean, (*batch, d)), cov=np.broadcast_to(cov, (*batch, d, d)), _lower=lower)

    @property
    def event_shape(self) -> tuple[int, ...]:
        """(d,)."""
        return (self.mean.shape[-1],)

    @property
    def var(self) -> Floats:
        """The diagonal of ``cov``."""
        return np.diagonal(self.cov, axis1=-2, axis2=-1)

    @property
    def mode(self) -> Floats:
        """The mean."""
        return self.mean

    def entropy(self) -> Floats:
        """½ log |2πe cov|."""
        entropy: Floats = _log_det(self._lower) / 2 + self.mean.shape[-1] * (log(2 * pi) + 1) / 2
        return entropy

    @overload
    def marginal(self, at: int) -> Normal: ...
    @overload
    def marginal(self, at: Coordinates) -> MultivariateNormal: ...
    def marginal(self, at: int | Coordinates) -> Normal | MultivariateNormal:
        """The law of one coordinate (a ``Normal``) or of several."""
        chosen = self._coordinates(at)
        if np.ndim(at) == 0:
            return Normal(self.mean[..., chosen[0]], np.sqrt(self.cov[..., chosen[0], chosen[0]]))
        return MultivariateNormal(self.mean[..., chosen], self._block(chosen, chosen))

    def given(self, at: int | Coordinates, values: ArrayLike) -> MultivariateNormal:
        """The law of the other coordinates, in their order, once those at ``at`` are known to have ``values``.

        mean_a + C_ab C_bb⁻¹ (values − mean_b), with covariance C_aa − C_ab C_bb⁻¹ C_ba. ``values`` may have one row for
        each law of a batch; several rows of values make one law a batch.
        """
        known = self._coordinates(at)
        rest = np.setdiff1d(np.arange(self.mean.shape[-1]), known)
        if not len(rest):
            raise BadShape("given must leave a coordinate unknown; all of them are given")
        values = checks.floats("values", values)
        values = values[..., None] if np.ndim(at) == 0 else values
        if values.ndim not in {1, 2} or values.shape[-1] != len(known):
            raise BadShape(f"values must hold {len(known)} numbers, or so many for every row; got shape {values.shape}")
        if values.ndim == 2 and self.batch_shape:
            checks.rows_match("values", len(values), "the belief", len(self))
        across = self._block(rest, known)
        gain = np.swapaxes(np.linalg.solve(self._block(known, known), np.swapaxes(across, -1, -2)), -1, -2)
        cov = self._block(rest, rest) - gain @ np.swapaxes(across, -1, -2)
        mean = self.mean[..., rest] + _apply(gain, values - self.mean[..., known])
        return MultivariateNormal(mean, (cov + np.swapaxes(cov, -1, -2)) / 2)

    def _coordinates(self, at: int | Coordinates) -> NDArray[np.intp]:
        d = self.mean.shape[-1]
        wanted = np.atleast_1d(np.asarray(at))
        if wanted.ndim != 1 or not len(wanted) or wanted.dtype.kind not in "iu":
            raise BadParameter(f"at must be a coordinate or a list of them; got {checks.shown(at)}")
        if (wanted < -d).any() or (wanted >= d).any():
            raise BadParameter(f"at must name coordinates from 0 to {d - 1}; got {checks.shown(at)}")
        chosen = wanted % d
        checks.unique("coordinates", chosen.tolist())
        return np.asarray(chosen, dtype=np.intp)

    def _block(self, rows: NDArray[np.intp], columns: NDArray[np.intp]) -> Floats:
        block: Floats = _unrepeated(self.cov)[..., rows[:, None], columns]
        return block

    def _log_prob(self, x: Floats) -> Floats:
        lower = _unrepeated(self._lower)
        finite = np.asarray(np.isfinite(x).all(axis=-1))
        z = _apply(_inverse(lower), np.where(finite[..., None], x, 0.0) - self.mean)
        density = -np.square(z).sum(axis=-1) / 2 - _log_det(lower) / 2 - self.mean.shape[-1] * log(2 * pi) / 2
        return np.where(finite, density, -np.inf)

    def _quantile(self, below: Floats, above: Floats) -> Floats:
        return self.mean + self.sd * normal_quantile(below, above)

    def _draw(self, n: int, rng: np.random.Generator) -> Floats:
        return self.mean + _apply(_unrepeated(self._lower), rng.standard_normal((n, *self.mean.shape)))

    def _kl(self, other: Self) -> Floats:
        mine, theirs = _unrepeated(self._lower), _unrepeated(other._lower)
        inverse = _inverse(theirs)
        spread = np.square(inverse @ mine).sum(axis=(-1, -2)) - self.mean.shape[-1]
        shift = np.square(_apply(inverse, self.mean - other.mean)).sum(axis=-1)
        divergence: Floats = (spread + shift + _log_det(theirs) - _log_det(mine)) / 2
        return divergence


def _cholesky(cov: Floats) -> Floats:
    try:
        lower = np.asarray(np.linalg.cholesky(cov), dtype=np.float64)
    except np.linalg.LinAlgError:
        raise BadParameter(
            "cov must be positive definite; a coordinate that is certain, or a copy of others, must be left out, "
            "or something small added to the diagonal"
        ) from None
    return lower


def _inverse(lower: Floats) -> Floats:
    """The inverse of a Cholesky factor: what turns x − mean into independent standard normal numbers."""
    return np.asarray(np.linalg.solve(lower, np.eye(lower.shape[-1])), dtype=np.float64)


def _unrepeated(matrices: Floats) -> Floats:
    """Without the axis of the rows, if all rows share one matrix."""
    return matrices[0] if matrices.ndim == 3 and matrices.strides[0] == 0 and len(matrices) else matrices


def _apply(matrix: Floats, vectors: Floats) -> Floats:
    """A matrix, or one a row, times vectors on the last axis."""
    product: Floats = vectors @ matrix.T if matrix.ndim == 2 else np.einsum("nij,...nj->...ni", matrix, vectors)
    return product


def _log_det(lower: Floats) -> Floats:
    """The log determinant from the Cholesky factor."""
    logs: Floats = 2 * np.log(np.diagonal(lower, axis1=-2, axis2=-1)).sum(axis=-1)
    return logs
