"""What a comparison says: a verdict in probabilities, and the classical tests that go with it."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

from credo import checks
from credo.beliefs import Belief, Point
from credo.beliefs.layout import html_table
from credo.errors import InvalidInput
from credo.evaluation.intervals import Interval

__all__ = ["NAMES", "Significance", "Verdict", "belief_verdict", "pair_of_names", "tolerance"]

NAMES = ("the first", "the second")
SURE = 0.95

Winner = Literal["first", "equivalent", "second"]


@dataclass(frozen=True, slots=True)
class Significance:
    """A classical test: how often chance alone would give such a result, if ``null`` and ``assumes`` were true.

    Where the statistic does not exist it is NaN, and so is ``p``; ``missing`` says why.

    >>> print(Significance("paired t", 2.5, 0.034, null="no difference", assumes="folds are independent"))
    paired t = 2.5, p = 0.034 (no difference, if folds are independent)
    """

    name: str
    statistic: float
    p: float
    null: str
    assumes: str
    missing: str = ""

    def __str__(self) -> str:
        if self.missing:
            return f"{self.name}: not defined, because {self.missing}"
        return f"{self.name} = {self.statistic:.4g}, p = {self.p:.2g} ({self.null}, if {self.assumes})"


@dataclass(frozen=True, slots=True, repr=False)
class Verdict:
    """Which of two is better, how probably, and by how much.

    The three probabilities sum to one: the first is better by more than ``rope``, the two differ by no more than that
    (the *region of practical equivalence*), the second is better by more. ``difference`` is first − second, in the
    units of the scores, which ``measure`` names if it is known. ``error`` is the standard error of the probabilities
    where they were found by sampling, and ``tests`` are classical tests of the same question.

    >>> from credo.evaluation import Interval, Verdict
    >>> gap = Interval(0.04, 0.01, 0.07, level=0.95, method="t")
    >>> v = Verdict("SVM", "1R", 0.93, 0.05, 0.02, gap, rope=0.01, method="correlated t", assumes="…")
    >>> print(v)
    SVM is better than 1R with probability 0.93, practically equivalent (within ±0.01) with 0.05, worse with 0.02;
    SVM − 1R is 0.040 (0.010 to 0.070)
    >>> v.winner() is None, v.winner(sure=0.9)
    (True, 'first')
    """

    first: str
    second: str
    first_better: float
    equivalent: float
    second_better: float
    difference: Interval
    rope: float
    method: str
    assumes: str
    error: float = 0.0
    tests: tuple[Significance, ...] = ()
    measure: str = ""

    @property
    def probabilities(self) -> tuple[float, float, float]:
        """First better, practically equivalent, second better."""
        return self.first_better, self.equivalent, self.second_better

    def winner(self, sure: float = SURE) -> Winner | None:
        """Which of the three has at least the probability ``sure``; None if none has."""
        least = checks.level("sure", sure)
        outcomes: tuple[Winner, ...] = ("first", "equivalent", "second")
        found = [outcome for outcome, p in zip(outcomes, self.probabilities, strict=True) if p >= least]
        return found[0] if len(found) == 1 else None

    def to_dict(self) -> dict[str, Any]:
        """Everything, as JSON holds it; what is not a finite number becomes None."""
        held = checks.plain_json(self)
        assert isinstance(held, dict)  # noqa: S101 (a record becomes a dictionary)
        return held | {"sentence": str(self), "winner": self.winner()}

    def __str__(self) -> str:
        unit = f" in {self.measure}" if self.measure else ""
        return f"{self._sentence()}; {self.first} − {self.second} is {self.difference}{unit}"

    def _sentence(self) -> str:
        better, same, worse = self._chances
        within = f"practically equivalent (within ±{self.rope:g})" if self.rope else "equal"
        if self.equivalent > max(self.first_better, self.second_better):
            rest = f"{self.first} is better with {better}, {self.second} with {worse}"
            return f"{self.first} and {self.second} are {within} with probability {same}, {rest}"
        one, other = self.first, self.second
        if self.second_better > self.first_better:
            one, other, better, worse = other, one, worse, better
        middle = f"{within} with {same}, " if self.equivalent > 0 or self.rope else ""
        return f"{one} is better than {other} with probability {better}, {middle}worse with {worse}"

    def __repr__(self) -> str:
        return f"<Verdict by {self.method}: {self}>"

    @property
    def _chances(self) -> list[str]:
        """In words; what no draw of a sample showed is rare, and not impossible."""
        sampled, asked = self.error > 0, (True, self.rope > 0, True)
        return [
            _chance(min(max(p, 1e-9), 1 - 1e-9) if sampled and possible else p)
            for p, possible in zip(self.probabilities, asked, strict=True)
        ]

    def _repr_html_(self) -> str:
        better, same, worse = self._chances
        rows = [
            (f"{self.first} is better", better),
            (f"they differ by {self.rope:g} or less", same),
            (f"{self.second} is better", worse),
            (f"{self.first} − {self.second}", str(self.difference)),
        ]
        how = f"{self.method}, if {self.assumes}"
        return html_table([["outcome", "probability"], *rows], above=[how], below=map(str, self.tests))


def belief_verdict(
    belief: Belief,
    difference: Interval,
    *,
    rope: float,
    names: tuple[str, str],
    higher_is_better: bool,
    words: tuple[str, str],
    tests: tuple[Significance, ...] = (),
) -> Verdict:
    """The verdict that follows from a belief about the difference; ``words`` are the method and what it assumes."""
    if isinstance(belief, Point):  # a difference of exactly the tolerance is still no difference that matters
        value = float(belief.value)
        above, below = float(value > rope), float(value < -rope)
    else:
        above, below = float(1 - belief.cdf(rope)), float(belief.cdf(-rope))
    first, second = (above, below) if higher_is_better else (below, above)
    same = max(0.0, 1 - first - second) if rope or isinstance(belief, Point) else 0.0
    return Verdict(*names, first, same, second, difference, rope, *words, tests=tests)


def tolerance(rope: Any) -> float:
    """``rope`` as a finite number that is zero or more."""
    held = float(checks.floats("rope", rope, ndim=0))
    if held < 0:
        raise InvalidInput(f"rope must be zero or more, the difference that does not matter; got {held:g}")
    return held


def pair_of_names(names: Sequence[str]) -> tuple[str, str]:
    """Two different names, as texts."""
    held = checks.unique("names", names)
    if len(held) != 2:
        raise InvalidInput(f"names must be those of the two that are compared; got {checks.shown(names)}")
    return str(held[0]), str(held[1])


def _chance(p: float) -> str:
    """A probability to three digits that is never rounded to a certainty it is not."""
    if 0 < p < 0.0005:
        return "< 0.001"
    if 0.9995 < p < 1:
        return "> 0.999"
    return f"{p:.3f}".rstrip("0").rstrip(".") if math.isfinite(p) else "unknown"
