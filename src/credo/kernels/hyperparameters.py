"""What a kernel can learn: one number each, with its name, its bounds, its prior, and whether it is fixed."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from credo import checks
from credo.beliefs import Belief
from credo.errors import UnknownName

__all__ = ["ANY", "POSITIVE", "Domain", "Hyperparameter", "chosen", "named"]


@dataclass(frozen=True, slots=True)
class Domain:
    """Where a hyperparameter lives, and whether it is learnt on the scale of its logarithm."""

    low: float
    high: float
    log: bool


DIFFERENCE = 1e-3  # the step of a difference of the fourth order: its error is the fourth power of that

POSITIVE = Domain(0.0, math.inf, log=True)
ANY = Domain(-math.inf, math.inf, log=False)


@dataclass(frozen=True, slots=True)
class Hyperparameter:
    """One number that a kernel can learn.

    >>> from credo.kernels import SE
    >>> length = SE(1.5).bounded({"length": (0.1, 10)}).hyperparameters["length"]
    >>> length.value, length.low, length.high, length.free
    (1.5, 0.1, 10.0, True)
    """

    kernel: str
    leaf: int = dataclasses.field(repr=False)  # which of the kernels of the expression, from the left
    field: str
    value: float
    low: float
    high: float
    log: bool
    prior: Belief | None = None
    fixed: bool = False

    @property
    def free(self) -> bool:
        """Whether it is learnt: it is not fixed, and no zero whose logarithm would have to move."""
        return not self.fixed and not (self.log and self.value == 0)

    @property
    def theta(self) -> float:
        """Its value on the scale it is learnt on: the logarithm of a positive number, another number itself."""
        return self.on_scale(self.value)

    def on_scale(self, value: float) -> float:
        """Any value of it on the scale it is learnt on."""
        if not self.log:
            return value
        return math.log(value) if value > 0 else -math.inf

    def from_scale(self, theta: float) -> float:
        """The value that ``theta`` stands for."""
        if not self.log:
            return theta
        return math.exp(theta) if theta < 709 else math.inf

    def log_prior_slope(self) -> float:
        """The slope of the log density of its prior along ``theta``; zero without a prior."""
        if self.prior is None:
            return 0.0
        theta, step = self.theta, DIFFERENCE * max(1.0, abs(self.theta))
        far = [float(self.prior.log_prob(self.from_scale(theta + i * step))) for i in (-2, -1, 1, 2)]
        return (far[0] - 8 * far[1] + 8 * far[2] - far[3]) / (12 * step)


def named(entries: Sequence[Hyperparameter]) -> dict[str, Hyperparameter]:
    """Hyperparameters by the names a person reads: ``length``; in an expression ``SE.length``, or ``SE2.length``."""
    leaves: dict[str, list[int]] = {}
    for entry in entries:
        of_kind = leaves.setdefault(entry.kernel, [])
        if entry.leaf not in of_kind:
            of_kind.append(entry.leaf)
    alone = sum(map(len, leaves.values())) == 1
    names = {}
    for entry in entries:
        of_kind = leaves[entry.kernel]
        number = "" if len(of_kind) == 1 else str(of_kind.index(entry.leaf) + 1)
        names[entry.field if alone else f"{entry.kernel}{number}.{entry.field}"] = entry
    return names


def chosen(wanted: str, names: Iterable[str]) -> list[str]:
    """The names that ``wanted`` speaks of: one, all of a kernel, all the lengths of one, or the only ones so called."""
    names = list(names)
    found = [name for name in names if _within(wanted, name)]
    if not found and isinstance(wanted, str):
        found = [name for name in names if _within(wanted, name.split(".", 1)[-1])]
        if len({name.split(".", 1)[0] for name in found}) > 1:
            raise UnknownName(
                f"there is more than one hyperparameter {wanted!r}: {', '.join(found[:8])}. Give the name in full"
            )
    return found or [checks.known("hyperparameter", wanted, names)]


def _within(wanted: str, name: str) -> bool:
    return name == wanted or name.startswith((f"{wanted}.", f"{wanted}["))
