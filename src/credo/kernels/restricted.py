"""What is said about the hyperparameters of a kernel: which are fixed, between which bounds, and what is believed."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Any, TypeVar

from credo import checks
from credo.beliefs import Belief
from credo.checks import Floats
from credo.errors import BadParameter, BadShape
from credo.kernels.base import Kernel
from credo.kernels.hyperparameters import Hyperparameter, chosen, named

__all__ = ["Restricted", "restrict"]

T = TypeVar("T")
Pairs = tuple[tuple[str, T], ...]
NOTHING: Mapping[str, Any] = MappingProxyType({})


@dataclass(frozen=True, slots=True, init=False, repr=False, eq=False)
class Restricted(Kernel):
    """A kernel with something said about its hyperparameters: what ``fixed``, ``bounded`` and ``with_priors`` make.

    >>> from credo.kernels import SE
    >>> SE(1.0).fixed("length")
    SE(length=1.0).fixed('length')
    """

    kernel: Kernel
    held: Pairs[bool]
    limits: Pairs[tuple[float, float]]
    priors: Pairs[Belief]

    def __init__(
        self,
        kernel: Kernel,
        held: Iterable[tuple[str, bool]],
        limits: Iterable[tuple[str, tuple[float, float]]],
        priors: Iterable[tuple[str, Belief]],
    ) -> None:
        if not isinstance(kernel, Kernel):
            raise BadParameter(f"kernel must be a kernel; got {checks.shown(kernel)}")
        known = kernel.hyperparameters
        fixed, bounds, laws = _ordered(held, known), _ordered(limits, known), _ordered(priors, known)
        bounds = tuple((name, _limits(name, pair, known[name])) for name, pair in bounds)
        for name, law in laws:
            _check_prior(name, law)
        self._hold(kernel=kernel, held=tuple((name, bool(fix)) for name, fix in fixed), limits=bounds, priors=laws)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Restricted) and self._key == other._key

    def __hash__(self) -> int:
        return hash(self._key)

    @property
    def _key(self) -> tuple[object, ...]:
        # Two beliefs are the same only if they are one object, so they are compared by what is written of them.
        return self.kernel, self.held, self.limits, tuple((name, _law(law)) for name, law in self.priors)

    def _entries(self, leaf: int = 0) -> list[Hyperparameter]:
        held, limits, priors = dict(self.held), dict(self.limits), dict(self.priors)
        found = []
        for name, entry in named(self.kernel._entries(leaf)).items():
            low, high = limits.get(name, (entry.low, entry.high))
            fixed, prior = held.get(name, entry.fixed), priors.get(name, entry.prior)
            found.append(replace(entry, low=low, high=high, prior=prior, fixed=fixed))
        return found

    def _with_values(self, values: Iterator[float]) -> Kernel:
        return Restricted(self.kernel._with_values(values), self.held, self.limits, self.priors)

    def _check(self, name: str, X: Floats) -> None:
        self.kernel._check(name, X)

    def _matrix(self, X: Floats, Z: Floats | None) -> Floats:
        return self.kernel._matrix(X, Z)

    def _add_to(self, whole: Floats, X: Floats, Z: Floats | None) -> None:
        self.kernel._add_to(whole, X, Z)

    def _diagonal(self, X: Floats) -> Floats:
        return self.kernel._diagonal(X)

    def _pull(self, X: Floats, W: Floats) -> tuple[float, Floats]:
        return self.kernel._pull(X, W)

    @property
    def _scale(self) -> float | None:
        return self.kernel._scale

    @property
    def _highest(self) -> float:
        return self.kernel._highest

    def _text(self, binding: int) -> str:  # noqa: ARG002
        text = self.kernel._text(4)
        for method, wanted in (("fixed", True), ("freed", False)):
            names = [repr(name) for name, fix in self.held if fix is wanted]
            text += f".{method}({', '.join(names)})" if names else ""
        if self.limits:
            text += f".bounded({dict(self.limits)!r})"
        if self.priors:
            text += f".with_priors({{{', '.join(f'{name!r}: {_law(prior)}' for name, prior in self.priors)}}})"
        return text


def restrict(
    kernel: Kernel,
    *,
    fixed: Mapping[str, bool] = NOTHING,
    bounds: Mapping[str, tuple[float, float]] = NOTHING,
    priors: Mapping[str, Belief] = NOTHING,
) -> Kernel:
    """The kernel with more said about its hyperparameters; what is said later takes the place of the earlier."""
    for name, given in (("bounds", bounds), ("priors", priors)):
        if not isinstance(given, Mapping):
            raise BadParameter(f"{name} must be a mapping from names of hyperparameters; got {checks.shown(given)}")
    known = kernel.hyperparameters
    inner, held, limits, laws = kernel, {}, {}, {}
    if isinstance(kernel, Restricted):
        inner, held, limits, laws = kernel.kernel, dict(kernel.held), dict(kernel.limits), dict(kernel.priors)
    held |= {name: fix for wanted, fix in fixed.items() for name in chosen(wanted, known)}
    limits |= {name: pair for wanted, pair in bounds.items() for name in chosen(wanted, known)}
    laws |= {name: law for wanted, law in priors.items() for name in chosen(wanted, known)}
    inside = inner.hyperparameters
    held = {name: fix for name, fix in held.items() if fix != inside[name].fixed}
    if not (held or limits or laws):
        return inner
    return Restricted(inner, held.items(), limits.items(), laws.items())


def _ordered(pairs: Iterable[tuple[str, T]], known: Mapping[str, Hyperparameter]) -> Pairs[T]:
    """Pairs of a name and something, in the order of the hyperparameters, so that equal kernels are equal values."""
    found = dict(pairs)
    for name in found:
        checks.known("hyperparameter", name, list(known))
    return tuple((name, found[name]) for name in known if name in found)


def _limits(name: str, pair: Any, entry: Hyperparameter) -> tuple[float, float]:
    array = checks.floats(f"bounds of {name}", pair, ndim=1, infinite=True)
    if array.shape != (2,):
        raise BadShape(f"bounds of {name} must be a pair (low, high); got {checks.shown(pair)}")
    low, high = map(float, array)
    if not entry.low <= low < high <= entry.high:
        raise BadParameter(f"bounds of {name} must be low < high, from {entry.low:g} to {entry.high:g}; got {pair}")
    if not low <= entry.value <= high:
        raise BadParameter(
            f"{name} is {entry.value:g}, which is not within its bounds {low:g} to {high:g}. Change either of them"
        )
    return low, high


def _check_prior(name: str, law: Any) -> None:
    if not isinstance(law, Belief):
        raise BadParameter(f"the prior of {name} must be a belief; got {checks.shown(law)}")
    if law.batch_shape or law.event_shape:
        raise BadShape(f"the prior of {name} must be one law of one number; got {law}")


def _law(law: Belief) -> str:
    """A belief as text that is read back to the last bit."""
    fields = (f"{f.name}={float(getattr(law, f.name))!r}" for f in dataclasses.fields(law))  # type: ignore[arg-type]
    return f"{type(law).__name__}({', '.join(fields)})"
