"""A weighted sum of laws."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from credo import checks
from credo.beliefs import expectation
from credo.beliefs.base import Belief
from credo.checks import Floats
from credo.errors import BadShape, InvalidInput

__all__ = ["Mixture"]

STEPS = 200  # bisection alone takes about 60; only a quantile next to zero takes more
LEVELS = np.linspace(0.005, 0.995, 41)
GROUP = 10_000  # rows are searched in groups, for each is searched at many points
GOLDEN = (5**0.5 - 1) / 2


@dataclass(frozen=True, slots=True, eq=False, repr=False, init=False)
class Mixture(Belief):
    """One of several laws, each with its weight: p(x) = Σ wₖ pₖ(x).

    ``weights`` has shape (k,), shared by all rows, or (n, k); each of the k ``parts`` is one law or a batch of n. The
    parts must all have densities or all be discrete, and speak of the same space. Quantiles are found by bisection and
    Newton's method on the cdf; the entropy and the divergence by quadrature, to about ten digits; the mode by search.

    >>> from credo.beliefs import Normal
    >>> belief = Mixture([0.25, 0.75], [Normal(-2, 1), Normal(2, 1)])
    >>> float(belief.mean), float(belief.var)
    (1.0, 4.0)
    >>> round(float(belief.quantile(0.2)), 3)
    -1.167
    """

    weights: Floats
    parts: tuple[Belief, ...]

    _law_ndim: ClassVar[int] = 1

    def __init__(self, weights: ArrayLike, parts: Iterable[Belief]) -> None:
        try:
            parts = tuple(parts)
        except TypeError:
            raise InvalidInput(f"parts must be a list of beliefs; got {checks.shown(parts)}") from None
        weights = checks.probabilities("weights", weights)
        for part in parts:
            if not isinstance(part, Belief):
                raise InvalidInput(f"parts must be beliefs; got {checks.shown(part)}")
        if weights.ndim > 2 or weights.shape[-1] != len(parts):
            raise BadShape(f"weights must hold one number for each of {len(parts)} parts; got shape {weights.shape}")
        if len({(part.discrete, part.event_shape) for part in parts}) > 1:
            raise InvalidInput("parts must all have densities or all be discrete, and speak of the same space")
        lengths = {shape[0] for shape in (weights.shape[:-1], *(part.batch_shape for part in parts)) if shape}
        if len(lengths) > 1:
            raise BadShape(f"weights and parts must have the same number of rows; got {sorted(lengths)}")
        self._keep(parts=parts, weights=np.broadcast_to(weights.copy(), (*lengths, len(parts))))

    @property
    def discrete(self) -> bool:  # type: ignore[override]
        """Whether the parts are."""
        return self.parts[0].discrete

    @property
    def event_shape(self) -> tuple[int, ...]:
        """That of the parts."""
        return self.parts[0].event_shape

    @property
    def mean(self) -> Floats:
        """Σ wₖ meanₖ."""
        return self._average(lambda part: part.mean)

    @property
    def var(self) -> Floats:
        """Σ wₖ (varₖ + (meanₖ − mean)²); infinite where the mean is."""
        mean = self.mean
        with np.errstate(invalid="ignore"):
            var = self._average(lambda part: part.var + np.square(part.mean - mean))
        return np.where(np.isinf(mean), np.inf, var)[()]

    @property
    def mode(self) -> Floats:
        """The highest point of the density, by search among the quantiles of the parts."""
        if self.event_shape:
            raise InvalidInput("the mode of a mixture of vectors has no closed form; take that of its heaviest part")
        if self.batch_shape and len(self) > GROUP:
            return np.concatenate([self[start : start + GROUP].mode for start in range(0, len(self), GROUP)])
        flat = [(weight, law) for weight, law in self._components() if np.any(weight > 0)]
        if self.discrete:
            points = [law._atoms(np.array(1.0))[0] for _, law in flat]
        else:
            points = [np.concatenate([law.quantile(LEVELS), law.mode[None]]) for _, law in flat]
        columns = [x.reshape(len(x), -1) if self.batch_shape else x for x in points]
        grid = np.sort(np.concatenate([np.broadcast_to(x, (len(x), *self.batch_shape)) for x in columns]), axis=0)
        best = self.log_prob(grid).argmax(axis=0)[None]
        peak, low, high = (
            np.take_along_axis(grid, np.clip(best + shift, 0, len(grid) - 1), axis=0)[0] for shift in (0, -1, 1)
        )
        return peak if self.discrete else self._climb(peak, low, high)

    def entropy(self) -> Floats:
        """−E[log p(x)], summed or integrated: there is no closed form."""
        return expectation.entropy(self)

    def _weights(self) -> Floats:
        """The weights with the parts first: (k,) + batch, and an axis for the event if there is one."""
        weights = np.moveaxis(self.weights, -1, 0)
        lined_up: Floats = weights[..., None] if self.event_shape else weights
        return lined_up

    def _average(self, of: Callable[[Belief], Floats]) -> Floats:
        # What a part of weight zero says does not count, even if it says infinity.
        terms = (np.where(w > 0, w * of(part), 0.0) for w, part in zip(self._weights(), self.parts, strict=True))
        with np.errstate(invalid="ignore"):
            return np.asarray(sum(terms))[()]

    def _log_prob(self, x: Floats) -> Floats:
        total: Floats = np.array(-np.inf)
        for weight, part in zip(np.moveaxis(self.weights, -1, 0), self.parts, strict=True):
            total = np.logaddexp(total, np.where(weight > 0, np.log(weight) + part.log_prob(x), -np.inf))
        return total

    def _cdf(self, x: Floats) -> Floats:
        return self._average(lambda part: part.cdf(x))

    def _quantile(self, below: Floats, above: Floats) -> Floats:
        if self.event_shape:
            raise InvalidInput("a mixture of vectors has no quantiles; draw a sample and take its quantiles")
        each = [(w > 0, part._quantile(below, above)) for w, part in zip(self._weights(), self.parts, strict=True)]
        low = np.min([np.where(some, x, np.inf) for some, x in each], axis=0)
        high = np.max([np.where(some, x, -np.inf) for some, x in each], axis=0)
        inner = self._jump(below, low, high) if self.discrete else self._root(below, above, low, high)
        return np.where(below <= 0, low, np.where(below >= 1, high, inner))

    def _root(self, below: Floats, above: Floats, low: Floats, high: Floats) -> Floats:
        """Where the cdf is ``below``: Newton on the logarithm of the nearer tail, kept inside a bracket."""
        upper = below > 0.5
        wanted = np.where(upper, above, below)
        x = (low + high) / 2
        before = np.full(x.shape, np.inf)
        for _ in range(STEPS):
            cdf = self._cdf(x)
            tail = np.where(upper, 1 - cdf, cdf)
            over = np.where(upper, tail <= wanted, tail >= wanted)
            low, high = np.where(over, low, x), np.where(over, x, high)
            miss = np.log(tail / wanted)
            step = np.where(upper, 1.0, -1.0) * miss * tail / np.exp(self._log_prob(x))
            newton = x + step
            good = (newton >= low) & (newton <= high) & (np.abs(miss) <= before / 2)
            following = np.where(good, newton, (low + high) / 2)
            still = np.abs(following - x) <= 4e-16 * np.abs(x)
            x, before = following, np.abs(miss)
            if (still | (low == high)).all():
                break
        return x

    def _jump(self, below: Floats, low: Floats, high: Floats) -> Floats:
        """The smallest atom at which the cdf has reached ``below``."""
        for _ in range(STEPS):
            middle = (low + high) / 2
            reached = self._cdf(middle) >= below
            high, low = np.where(reached, middle, high), np.where(reached, low, middle)
            if (high - low <= 1e-9 * np.abs(high)).all():
                break
        # The atom is the last one of any part that is not above ``high``.
        last = [part._quantile(part.cdf(high), 1 - part.cdf(high)) for part in self.parts]
        jump: Floats = np.max([np.where(x <= high, x, -np.inf) for x in last], axis=0)
        return jump

    def _climb(self, peak: Floats, low: Floats, high: Floats) -> Floats:
        """Golden section between the neighbours of the best point found."""
        best = self.log_prob(peak)
        for _ in range(80):
            left, right = high - GOLDEN * (high - low), low + GOLDEN * (high - low)
            falling = self.log_prob(left) > self.log_prob(right)
            low, high = np.where(falling, low, left), np.where(falling, right, high)
        middle = (low + high) / 2
        return np.where(self.log_prob(middle) > best, middle, peak)[()]

    def _draw(self, n: int, rng: np.random.Generator) -> NDArray[Any]:
        ends = np.cumsum(np.moveaxis(self.weights, -1, 0), axis=0)
        ends[-1] = 1.0
        chosen = (rng.random((n, *self.batch_shape)) >= ends[:, None]).sum(axis=0)
        chosen = chosen[..., None] if self.event_shape else chosen
        draws: NDArray[Any] = np.zeros((n, *self.batch_shape, *self.event_shape))
        for k, part in enumerate(self.parts):
            if part.batch_shape == self.batch_shape:
                each = part._draw(n, rng)
            else:  # one law for all rows: it still draws anew for each
                each = part._draw(n * len(self), rng).reshape(draws.shape)
            draws = np.where(chosen == k, each, draws)
        return draws

    def _components(self) -> list[tuple[Any, Belief]]:
        weighted = zip(np.moveaxis(self.weights, -1, 0), self.parts, strict=True)
        return [(weight * inner, law) for weight, part in weighted for inner, law in part._components()]

    def _take(self, rows: Any) -> Self:
        parts = tuple(part._take(rows) if part.batch_shape else part for part in self.parts)
        return self._copy({"weights": self.weights[rows], "parts": parts})
