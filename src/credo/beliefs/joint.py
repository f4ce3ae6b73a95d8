"""A joint distribution of named variables written out in full: the knowledge base that answers every query."""

from __future__ import annotations

import itertools
import math
from collections.abc import Hashable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from credo import checks
from credo.beliefs import information
from credo.beliefs.axes import Axes, Findings, Names, as_names
from credo.beliefs.categorical import Categorical
from credo.beliefs.states import States, as_array
from credo.checks import Floats
from credo.errors import BadShape, ImpossibleEvidence, InvalidInput, TooLarge

__all__ = ["ConditionalTable", "Independence", "JointTable"]

MOST_INDEPENDENCIES = 12  # variables; each one more asks more than twice as many questions
ROUNDING = 1e-15


class Independence(NamedTuple):
    """The statement that ``a`` and ``b`` tell nothing about each other once ``given`` is known.

    >>> str(Independence("CP", "SB", ("HD",)))
    'CP ⊥ SB | HD'
    """

    a: str
    b: str
    given: tuple[str, ...]

    def __str__(self) -> str:
        return f"{self.a} ⊥ {self.b}" + (f" | {', '.join(self.given)}" if self.given else "")


@dataclass(frozen=True, slots=True, eq=False, repr=False, init=False)
class JointTable:
    """P(A, B, …) with one axis for each name: everything that is known about these variables.

    ``given`` conditions it (the background of all further questions), ``marginal`` and ``conditional`` ask it, and
    ``log_evidence`` is log P of all that was given so far.

    >>> heart = JointTable(["HD", "CP", "SB"], [[True, False]] * 3,
    ...                    [[[0.024, 0.006], [0.016, 0.004]], [[0.0019, 0.0076], [0.1881, 0.7524]]])
    >>> heart.independent("CP", "SB"), heart.independent("CP", "SB", given="HD")
    (False, True)
    >>> heart.given({"CP": True, "SB": True}).belief("HD")
    Categorical({True: 0.9266, False: 0.07336})
    """

    names: tuple[str, ...]
    states: tuple[States, ...]
    probs: Floats
    log_evidence: float = 0.0

    def __init__(
        self,
        names: Iterable[str],
        states: Iterable[Iterable[Hashable]],
        probs: ArrayLike,
        *,
        log_evidence: float = 0.0,
    ) -> None:
        axes = Axes.of(names, states)
        table = checks.floats("probs", probs)
        axes.check("probs", table)
        table = checks.probabilities("probs", table.ravel()).reshape(table.shape)
        table.flags.writeable = False
        object.__setattr__(self, "names", axes.names)
        object.__setattr__(self, "states", axes.states)
        object.__setattr__(self, "probs", table)
        object.__setattr__(self, "log_evidence", float(log_evidence))

    @classmethod
    def from_mapping(cls, names: Iterable[str], probs: Mapping[tuple[Hashable, ...], float]) -> JointTable:
        """The table that gives each tuple of states its probability, and those not mentioned zero.

        >>> JointTable.from_mapping(["rain", "coat"], {("yes", "on"): 0.3, ("no", "off"): 0.7})
        rain  coat=on  coat=off
        yes       0.3         0
        no          0       0.7
        """
        held = checks.unique("names", names)
        if not isinstance(probs, Mapping) or not probs:
            raise InvalidInput(f"probs must be a mapping from tuples of states; got {checks.shown(probs)}")
        for cell in probs:
            if not isinstance(cell, tuple) or len(cell) != len(held):
                raise BadShape(f"each key of probs must be a tuple of {len(held)} states; got {checks.shown(cell)}")
        axes = Axes.of(held, [dict.fromkeys(column) for column in zip(*probs, strict=True)])
        table = axes.zeros()
        for cell, prob in probs.items():
            table[tuple(axes.code(name, state) for name, state in zip(held, cell, strict=True))] = prob
        return cls(axes.names, axes.states, table)

    @classmethod
    def product(cls, parts: Mapping[str, Categorical]) -> JointTable:
        """The table of variables that are independent: P(A, B, …) = P(A) P(B) ….

        >>> coin = Categorical({"H": 0.3, "T": 0.7})
        >>> JointTable.product({"first": coin, "second": coin})
        first  second=H  second=T
        H          0.09      0.21
        T          0.21      0.49
        """
        for name, part in parts.items():
            if not isinstance(part, Categorical) or part.batch_shape:
                raise InvalidInput(f"the belief about {name!r} must be a single Categorical; got {checks.shown(part)}")
        axes = Axes.of(parts, [part.states for part in parts.values()])
        table = axes.zeros() + 1.0
        for axis, part in enumerate(parts.values()):
            table *= part.probs.reshape([-1 if i == axis else 1 for i in range(table.ndim)])
        return cls(axes.names, axes.states, table)

    @property
    def axes(self) -> Axes:
        """The names and their states together."""
        return Axes(self.names, self.states)

    @property
    def mode(self) -> dict[str, Hashable]:
        """The most probable assignment of a state to every name."""
        best = np.unravel_index(int(self.probs.argmax()), self.probs.shape)
        return {name: each[int(i)] for name, each, i in zip(self.names, self.states, best, strict=True)}

    def marginal(self, names: Names) -> JointTable:
        """P of ``names`` alone, the others summed out: P(A) = Σ_b P(A, b)."""
        axes = self.axes.only(names)
        return JointTable(
            axes.names, axes.states, self.axes.margin(self.probs, axes.names), log_evidence=self.log_evidence
        )

    def belief(self, name: str) -> Categorical:
        """What the table says about one variable."""
        if not isinstance(name, str):
            raise InvalidInput(f"a belief is about one variable; got {checks.shown(name)}. Use marginal for several")
        table = self.marginal(name)
        return Categorical(table.probs, table.states[0], log_evidence=self.log_evidence)

    def prob(self, findings: Findings) -> float:
        """P of an event: each finding is a state, or a ``set`` of states of which one is the case.

        >>> die = Categorical(np.arange(1, 7) / 21, range(1, 7))
        >>> round(JointTable.product({"die": die}).prob({"die": {2, 4, 6}}), 4)
        0.5714
        """
        return float(self._part(self.axes.found(findings)).sum())

    def given(self, findings: Findings) -> JointTable:
        """P(rest | findings), the smaller universe in which the findings hold.

        A variable found in one state is settled and leaves the table; one found in a ``set`` of states stays, with
        these.
        """
        remaining = self.axes.found(findings)
        part = self._part(remaining)
        total = float(part.sum())
        if total == 0:
            raise ImpossibleEvidence(f"the findings {checks.shown(dict(findings))} have probability zero together")
        settled = {name for name, finding in findings.items() if not isinstance(finding, set)}
        rest = self.axes.only(self.axes.without(settled))
        states = [
            each if name not in findings else [each[code] for code in remaining[self.names.index(name)]]
            for name, each in zip(rest.names, rest.states, strict=True)
        ]
        part = part.squeeze(axis=self.axes.positions(settled)) / total
        return JointTable(rest.names, states, part, log_evidence=self.log_evidence + math.log(total))

    def conditional(self, names: Names, *, given: Names) -> ConditionalTable:
        """The table P(names | given): a row that sums to one for each combination of states of ``given``."""
        before, after = as_names(given), as_names(names)
        cells = int(np.prod(self.axes.only(before).shape)), int(np.prod(self.axes.only(after).shape))
        axes = self.axes.only((*before, *after))
        rows = self.axes.margin(self.probs, axes.names).reshape(cells)
        total = rows.sum(axis=1, keepdims=True)
        probs = np.divide(rows, total, out=np.full_like(rows, np.nan), where=total > 0).reshape(axes.shape)
        probs.flags.writeable = False
        return ConditionalTable(after, before, axes.states, probs)

    def independent(self, a: Names, b: Names, *, given: Names = (), tolerance: float = 1e-9) -> bool:
        """Whether P(a, b | c) = P(a | c) P(b | c) for all states, up to a relative ``tolerance``.

        Relative, so that rare states count as much as frequent ones.
        """
        table = self.axes.groups(self.probs, a, b, given)
        total = table.sum(axis=(1, 2), keepdims=True)
        table = table[total[:, 0, 0] > 0] / total[total > 0].reshape(-1, 1, 1)
        return bool(np.allclose(table, information.product_of_margins(table), rtol=tolerance, atol=ROUNDING))

    def independencies(self, *, tolerance: float = 1e-9) -> list[Independence]:
        """Every independence of two variables given some, or none, of the others.

        >>> coin = Categorical({0: 0.5, 1: 0.5})
        >>> print(*JointTable.product({"a": coin, "b": coin}).independencies())
        a ⊥ b
        """
        if len(self.names) > MOST_INDEPENDENCIES:
            raise TooLarge(
                f"{len(self.names)} variables have {math.comb(len(self.names), 2) * 2 ** (len(self.names) - 2):,} "
                f"possible independencies; at most {MOST_INDEPENDENCIES} variables are searched. Take a marginal first"
            )
        return [
            Independence(a, b, given)
            for a, b in itertools.combinations(self.names, 2)
            for given in subsets(self.axes.without((a, b)))
            if self.independent(a, b, given=given, tolerance=tolerance)
        ]

    def entropy(self, names: Names | None = None, *, given: Names = (), unit: str = "nats") -> float:
        """H(names | given) = H(names, given) − H(given); of all names unless told which."""
        given = as_names(given)
        about = self.axes.without(given) if names is None else as_names(names)
        both = dict.fromkeys((*about, *given))
        whole, known = (information.entropy(self.marginal(each).probs.ravel()) for each in (both, given))
        return float(information.in_unit(whole - known, unit))

    def mutual_information(self, a: Names, b: Names, *, given: Names = (), unit: str = "nats") -> float:
        """I(a; b | given), zero exactly when they are independent."""
        return float(information.mutual_information(self.axes.groups(self.probs, a, b, given), unit=unit))

    def kl(self, other: JointTable, *, unit: str = "nats") -> float:
        """KL(self‖other), for a table over the same names and states."""
        if not isinstance(other, JointTable):
            raise InvalidInput(f"other must be a JointTable; got {checks.shown(other)}")
        if set(other.names) != set(self.names) or other.axes.only(self.names) != self.axes:
            raise InvalidInput(
                f"both tables must have the same names and states; got {self.names} {checks.shown(self.states)} and "
                f"{other.names} {checks.shown(other.states)}"
            )
        return float(information.kl(self.probs.ravel(), other.marginal(self.names).probs.ravel(), unit=unit))

    def sample(self, n: int, rng: int | np.random.Generator) -> dict[str, NDArray[np.generic]]:
        """``n`` draws: for each name an array of its states."""
        edges = self.probs.ravel().cumsum()
        uniform = checks.generator(rng).random(checks.count("n", n))
        codes = np.unravel_index(np.searchsorted(edges / edges[-1], uniform, side="right"), self.probs.shape)
        return {name: as_array(each)[code] for name, each, code in zip(self.names, self.states, codes, strict=True)}

    def __repr__(self) -> str:
        return self.axes.text(self.probs, "{:.4g}".format)

    def _repr_html_(self) -> str:
        return self.axes.html(self.probs, "{:.4g}".format)

    def _part(self, remaining: Mapping[int, list[int]]) -> Floats:
        part = self.probs
        for axis, codes in remaining.items():
            part = part.take(codes, axis=axis)
        return part


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class ConditionalTable:
    """P(names | given): made by ``JointTable.conditional``.

    The axes are those of ``given`` first, then those of ``names``. Where the condition itself is impossible the numbers
    are not defined: NaN in ``probs``, a dash in print, and a refusal when they are asked for.

    >>> table = JointTable.from_mapping(["rain", "coat"], {(1, 1): 0.3, (0, 0): 0.6, (0, 1): 0.1})
    >>> table.conditional("coat", given="rain").likelihood({"coat": 1})
    {1: 1.0, 0: 0.14285714285714288}
    """

    names: tuple[str, ...]
    condition: tuple[str, ...]
    states: tuple[States, ...]
    probs: Floats

    @property
    def axes(self) -> Axes:
        """The names and their states together."""
        return Axes((*self.condition, *self.names), self.states)

    def given(self, findings: Findings) -> JointTable:
        """The row in which every variable of the condition has the state found."""
        if set(findings) != set(self.condition):
            raise InvalidInput(
                f"findings must be about {', '.join(self.condition)}; got {checks.shown(dict(findings))}"
            )
        row = self.probs[tuple(self.axes.code(name, findings[name]) for name in self.condition)]
        self._refuse_undefined(row, findings)
        return JointTable(self.names, self.states[len(self.condition) :], row)

    def likelihood(self, findings: Findings) -> dict[Hashable, float]:
        """P(findings | state) for every state of the condition: what Bayes' rule needs.

        With several variables in the condition the states are tuples.
        """
        if set(findings) != set(self.names):
            raise InvalidInput(f"findings must be about {', '.join(self.names)}; got {checks.shown(dict(findings))}")
        where: tuple[Any, ...] = tuple(self.axes.code(name, findings[name]) for name in self.names)
        column = self.probs[(..., *where)]
        self._refuse_undefined(column, findings)
        cells = itertools.product(*self.states[: len(self.condition)])
        keys = (cell[0] if len(cell) == 1 else cell for cell in cells)
        return dict(zip(keys, column.ravel().tolist(), strict=True))

    def _refuse_undefined(self, probs: Floats, findings: Findings) -> None:
        if np.isnan(probs).any():
            raise ImpossibleEvidence(
                f"a condition on {', '.join(self.condition)} has probability zero, so that the probability of "
                f"{checks.shown(dict(findings))} under it is not defined"
            )

    def __repr__(self) -> str:
        return self.axes.text(self.probs, _shown)

    def _repr_html_(self) -> str:
        return self.axes.html(self.probs, _shown)


def _shown(p: float) -> str:
    return "–" if math.isnan(p) else f"{p:.4g}"


def subsets(names: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
    """All subsets, the small ones first."""
    return itertools.chain.from_iterable(itertools.combinations(names, size) for size in range(len(names) + 1))
