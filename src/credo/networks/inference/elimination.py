"""Variable elimination: multiply only the factors that speak of a variable, sum it out, and go on to the next.

What enumeration computes for every assignment is computed once for each table here, so that a network of suitable
structure is answered in time linear in its size. The order decides how large the tables become. Findings are put into
the factors beforehand: `restrict` them, or multiply by a factor of one variable.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from credo import checks
from credo.beliefs import Categorical
from credo.errors import BadShape, ImpossibleEvidence, InvalidInput
from credo.networks.factors.contraction import Table, as_table, best, marginal, product, union
from credo.networks.factors.factor import MOST_CELLS, Factor
from credo.networks.factors.semiring import LOG_MAX, LOG_SUM, SUM, Semiring
from credo.networks.inference.elimination_trace import Step, Trace

__all__ = ["BestStates", "Elimination", "eliminate", "min_weight_order", "most_probable"]

ZERO = "the product of the factors is zero everywhere: the findings contradict them"


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Elimination:
    """What elimination leaves: a factor whose largest value is one, and the logarithm of what it was divided by.

    ``factor`` × exp(``log_scale``) is the product of all factors with every other variable summed (or maximised) out.
    Where that is zero throughout, ``log_scale`` is minus infinity.
    """

    factor: Factor
    log_scale: float
    semiring: Semiring
    order: tuple[str, ...]
    trace: Trace

    @property
    def log_total(self) -> float:
        """Log of the sum of everything: log P(findings), if the factors are the tables of a Bayesian network."""
        total = float(self.factor.values.sum())
        return self.log_scale + math.log(total) if total else -math.inf

    @property
    def belief(self) -> Categorical:
        """The normalised factor, if it is over one variable, with ``log_total`` as its log evidence."""
        if len(self.factor.variables) != 1:
            raise InvalidInput(f"a belief is about one variable; {checks.shown(list(self.factor.names))} were kept")
        if self.semiring.chooses:
            raise InvalidInput(
                f"what the {self.semiring.name} semiring leaves is no belief; eliminate in a sum semiring"
            )
        if self.log_scale == -math.inf:
            unless = (
                "" if self.semiring.log else ", unless its numbers are below 1e-308, which semiring=LOG_SUM would tell"
            )
            raise ImpossibleEvidence(f"{ZERO}{unless}")
        values = self.factor.values
        return Categorical(values / values.sum(), *self.factor.variables.values(), log_evidence=self.log_total)

    def __repr__(self) -> str:
        return f"Elimination of {len(self.order)} variables; left: {self.factor!r}, log scale {self.log_scale:.6g}"


@dataclass(frozen=True, slots=True, eq=False)
class BestStates:
    """The most probable states of some variables, and the logarithm of the product of all factors there.

    The variables that were not asked for are summed out of that.
    """

    states: Mapping[str, Hashable]
    log_value: float


class _Part(NamedTuple):
    """A table that is still to be multiplied, and which of the original factors are in it."""

    label: tuple[str, ...]
    table: Table


def eliminate(
    factors: Iterable[Factor],
    keep: Iterable[str],
    *,
    semiring: Semiring = SUM,
    order: Sequence[str] | None = None,
    labels: Sequence[str] | None = None,
    trace: bool = False,
    limit: int = MOST_CELLS,
) -> Elimination:
    """The product of all factors, every variable but those of ``keep`` summed (or maximised) out one after another.

    In ``order``, or in that in which the next product is always the smallest. Products below 1e-308 need a semiring of
    logarithms. With ``trace=True`` the tables of every step are kept, and can be printed; ``labels`` name the factors
    there. No table of more than ``limit`` cells is made.

    >>> a = Factor({"A": ("a", "¬a")}, [0.2, 0.8])
    >>> b = Factor({"A": ("a", "¬a"), "B": ("b", "¬b")}, [[0.9, 0.1], [0.3, 0.7]])
    >>> done = eliminate([a, b], ["B"], labels=["A", "B"], trace=True)
    >>> done.belief
    Categorical({'b': 0.42, '¬b': 0.58})
    >>> print(done.trace)
    Step 1: F[A](A) × F[B](A, B)
    A   B
    a   b   0.2 × 0.9  =  0.18
    a   ¬b  0.2 × 0.1  =  0.02
    ¬a  b   0.8 × 0.3  =  0.24
    ¬a  ¬b  0.8 × 0.7  =  0.56
    sum out A
    F[A, B](B)
    B
    b   0.18 + 0.24  =  0.42
    ¬b  0.02 + 0.56  =  0.58
    """
    held = list(factors)
    variables = union(held)
    kept = [checks.known("variable", name, variables) for name in checks.unique("keep", keep)]
    others = [name for name in variables if name not in kept]
    chosen = min_weight_order(held, others) if order is None else checks.unique("order", order)
    if set(chosen) != set(others):
        raise InvalidInput(f"order must name the variables not kept, {checks.shown(others)}; got {checks.shown(order)}")
    parts = _Parts(_parts(held, labels, semiring))
    steps = []
    for name in chosen:
        step = _step(name, parts.taken(name), semiring, limit)
        parts.add(_Part(step.label, step.result))
        if trace:
            steps.append(step)
    last = _step(None, parts.rest, semiring, limit)
    if trace and len(parts.rest) > 1:
        steps.append(last)
    left = marginal(last.result, kept, semiring=semiring)
    values, log_scale = semiring.scaled(left.values)
    return Elimination(Factor(left.variables, values), log_scale, semiring, tuple(chosen), Trace(tuple(steps)))


def most_probable(
    factors: Iterable[Factor], names: Iterable[str] | None = None, *, limit: int = MOST_CELLS
) -> BestStates:
    """The most probable states of ``names`` together, or of all variables.

    The other variables are summed out first; only then are ``names`` maximised out, and their best states traced back.
    All in logarithms. The states that are the most probable one by one are something else.

    >>> a = Factor({"A": ("a", "¬a")}, [0.4, 0.6])
    >>> b = Factor({"A": ("a", "¬a"), "B": (0, 1, 2)}, [[1.0, 0.0, 0.0], [0.4, 0.3, 0.3]])
    >>> most_probable([a, b]).states, most_probable([a, b], ["A"]).states
    ({'A': 'a', 'B': 0}, {'A': '¬a'})
    """
    held = list(factors)
    variables = union(held)
    asked = variables if names is None else checks.unique("names", names)
    wanted = dict.fromkeys(checks.known("variable", name, variables) for name in asked)
    others = [name for name in variables if name not in wanted]
    order = min_weight_order(held, others, wanted)
    parts = _Parts(_parts(held, None, LOG_SUM))
    for name in order[: len(others)]:
        parts.add(_Part((), _step(name, parts.taken(name), LOG_SUM, limit).result))
    tables = [replace(part.table, semiring=LOG_MAX) for part in parts.rest]
    choices = []
    for name in order[len(others) :]:
        whole = product((each for each in tables if name in each.variables), semiring=LOG_MAX, limit=limit)
        left, choice = best(whole, name, semiring=LOG_MAX)
        tables = [*(each for each in tables if name not in each.variables), left]
        choices.append(choice)
    log_value = float(product(tables, semiring=LOG_MAX).values[0])
    if log_value == -math.inf:
        raise ImpossibleEvidence(ZERO)
    codes: dict[str, int] = {}
    for choice in reversed(choices):
        codes[choice.name] = choice.code(codes)
    return BestStates({name: variables[name][codes[name]] for name in wanted}, log_value)


def min_weight_order(factors: Iterable[Factor], *groups: Collection[str]) -> list[str]:
    """An order in which to sum variables out: next is always that whose product has the fewest cells.

    All of the first group come before those of the second.

    >>> pairs = [Factor({a: (0, 1), b: (0, 1)}, [1] * 4) for a, b in ("AB", "BC", "CD", "BE")]
    >>> min_weight_order(pairs, "BCDE")
    ['D', 'C', 'E', 'B']
    """
    sizes: dict[str, int] = {}
    cliques: dict[str, set[str]] = {}  # of each variable: itself and those it would be multiplied with
    for factor in factors:
        for name, states in factor.variables.items():
            sizes[name] = len(states)
            cliques.setdefault(name, set()).update(factor.variables)
    order = []
    for group in groups:
        weights = {name: math.prod(sizes[other] for other in cliques[name]) for name in group}
        while weights:
            name = min(weights, key=weights.__getitem__)
            del weights[name]
            order.append(name)
            clique = cliques.pop(name) - {name}
            for other in clique:
                cliques[other] |= clique
                cliques[other].discard(name)
            for other in clique & weights.keys():
                weights[other] = math.prod(sizes[each] for each in cliques[other])
    return order


def _parts(factors: Sequence[Factor], labels: Sequence[str] | None, semiring: Semiring) -> list[_Part]:
    names = [str(number) for number in range(1, len(factors) + 1)] if labels is None else list(labels)
    if len(names) != len(factors):
        raise BadShape(f"labels must name each of the {len(factors)} factors; got {len(names)} labels")
    return [_Part((name,), as_table(factor, semiring)) for name, factor in zip(names, factors, strict=True)]


class _Parts:
    """The parts that are left, in the order they came, and of each variable those that speak of it."""

    def __init__(self, parts: Iterable[_Part]) -> None:
        self._left: dict[int, _Part] = {}
        self._about: dict[str, list[int]] = {}
        self._next = 0
        for part in parts:
            self.add(part)

    @property
    def rest(self) -> list[_Part]:
        """Those that are left."""
        return list(self._left.values())

    def add(self, part: _Part) -> None:
        """Put a part after the others."""
        self._left[self._next] = part
        for name in part.table.variables:
            self._about.setdefault(name, []).append(self._next)
        self._next += 1

    def taken(self, name: str) -> list[_Part]:
        """Take out the parts that speak of ``name``."""
        return [self._left.pop(number) for number in self._about.pop(name, ()) if number in self._left]


def _step(name: str | None, parts: Sequence[_Part], semiring: Semiring, limit: int) -> Step:
    """The parts multiplied, and ``name`` summed or maximised out of the product."""
    tables = tuple(part.table for part in parts)
    whole = product(tables, semiring=semiring, limit=limit)
    rest = [other for other in whole.variables if other != name]
    result = whole if name is None else marginal(whole, rest, semiring=semiring)
    return Step(name, tuple(part.label for part in parts), tables, whole, result)
