"""The border of the junction trees: models and engines are checked here, once; an engine checks each query itself."""

from __future__ import annotations

import math
import operator
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from credo import checks
from credo.checks import Floats
from credo.errors import BadParameter, BadProbability, BadShape, InvalidInput
from credo.native.chosen import NetworkEngine, loops

__all__ = ["NetworkModel", "network_engine", "network_model"]

STATE_LIMIT = 2**31 - 1  # what an int32 code can say
CHECKED_TOGETHER = 2**20  # cells: many small tables are looked at in one go


@dataclass(frozen=True, eq=False)
class NetworkModel:
    """Tables over numbered variables, ready for `network_engine`; it reads the arrays where they are.

    >>> model = network_model([2], [[0]], [np.array([0.25, 0.75])], [True])
    >>> model.sizes, model.scopes
    ((2,), ((0,),))
    """

    sizes: tuple[int, ...]
    scopes: tuple[tuple[int, ...], ...]
    held: Any  # the model as the loops hold it


def network_model(
    sizes: Sequence[int],
    scopes: Sequence[Sequence[int]],
    values: Sequence[Floats],
    laws: Sequence[bool],
    *,
    trusted: bool = False,
) -> NetworkModel:
    """A product of tables over variables 0, 1, …, where variable ``v`` has ``sizes[v]`` states.

    Table ``f`` is ``values[f]``, flat, its variables ``scopes[f]``, the last changing fastest; its numbers lie from 0
    to 1. Where ``laws[f]`` is true, it sums to one over its last variable: it is the law of that variable given the
    others. A variable has at most one law, and laws do not go round in a circle, so that together they make a Bayesian
    network. The arrays are not copied, and must not be written to as long as the model is used. What is ``trusted``,
    such as the tables of nodes that were checked when they were made, is only held to what keeps the loops within
    bounds, without a word on what is wrong.

    >>> first, second = np.array([0.5, 0.5]), np.array([1.0, 0.0, 0.5, 0.5])
    >>> model = network_model([2, 2], [[0], [0, 1]], [first, second], [True, True])
    >>> len(model.scopes)
    2
    """
    if not trusted:
        _check_model(sizes, scopes, values, laws)
    raw = loops.network_model(list(sizes), [list(scope) for scope in scopes], list(values), list(map(bool, laws)))
    return NetworkModel(tuple(sizes), tuple(map(tuple, scopes)), raw)


def network_engine(
    model: NetworkModel,
    factors: Sequence[int],
    *,
    observed: Sequence[int] = (),
    soft: Sequence[int] = (),
    wanted: Sequence[Sequence[int]] = (),
    maximise: Sequence[bool] = (),
    root_first: bool = False,
    effort: float = 1.0,
) -> NetworkEngine:
    """An engine for questions of one kind about the product of the ``factors`` (numbers of tables) of a model.

    What is summed over are the variables of the factors and those named here; others play no part.

    Each query says the state of every ``observed`` variable and may give a likelihood to each ``soft`` one. ``wanted``
    are sets of variables whose joint beliefs are answered. With ``maximise`` (a bool for each variable of the model)
    the engine explains instead of answering: those that are true are maximised, all others summed out. ``root_first``
    reads the first wanted set off the root, which is less work where it is the only one. ``effort`` scales how long a
    good order of elimination is looked for. Making an engine plans; memory is taken when it is first asked.

    >>> first, second = np.array([0.5, 0.5]), np.array([1.0, 0.0, 0.5, 0.5])
    >>> model = network_model([2, 2], [[0], [0, 1]], [first, second], [True, True])
    >>> engine = network_engine(model, [0, 1], wanted=[[0, 1]])
    >>> engine.widest
    4.0
    >>> network_engine(model, [0, 1], maximise=[True, True]).explain(np.empty(0, dtype=np.int32), [])[0]
    array([0, 0], dtype=int32)
    """
    n = len(model.sizes)
    tables = _numbers("factors", factors, "tables", len(model.scopes))
    seen = _numbers("observed", observed, "variables", n)
    said = _numbers("soft", soft, "variables", n)
    hidden = set(seen)
    _check_open("soft", said, hidden)
    sets = [tuple(scope) for scope in wanted]
    if not _singles(sets, hidden, n):
        sets = [_numbers(f"wanted[{i}]", scope, "variables", n) for i, scope in enumerate(sets)]
        for i, scope in enumerate(sets):
            _check_open(f"wanted[{i}]", scope, hidden)
            if not scope:
                raise BadParameter(f"wanted[{i}] must name at least one variable; it is empty")
    if len(maximise) not in (0, n):
        raise BadShape(f"maximise must be empty or say yes or no to each of {n} variables; got {len(maximise)} entries")
    if len(maximise) and sets:
        raise BadParameter("an engine either maximises or answers; got both maximise and wanted. Make two engines")
    if root_first and not sets:
        raise BadParameter("root_first is about the first wanted set; wanted is empty")
    if type(effort) is not float or not 0 <= effort < math.inf:
        effort = float(checks.positive("effort", effort, zero=True, ndim=0))
    return loops.network_engine(
        model.held,
        list(tables),
        list(seen),
        list(said),
        [list(scope) for scope in sets],
        [bool(largest) for largest in maximise],
        bool(root_first),
        effort,
    )


def _numbers(name: str, given: Iterable[Any], what: str, n: int) -> tuple[int, ...]:
    try:
        held = tuple(map(operator.index, given))
    except TypeError:
        raise InvalidInput(f"{name} must be a list of whole numbers; got {checks.shown(given)}") from None
    if held and not 0 <= min(held) <= max(held) < n:
        stray = next(v for v in held if not 0 <= v < n)
        raise BadParameter(f"{name} must hold numbers of {what}, from 0 to {n - 1}; got {stray}")
    if len(set(held)) != len(held):
        raise BadParameter(f"{name} must not hold a number twice; got {checks.shown(list(held))}")
    return held


def _singles(sets: Sequence[tuple[Any, ...]], hidden: set[int], n: int) -> bool:
    """Whether each set is one variable that is not observed: the common case, told fast."""
    alone = [scope[0] for scope in sets if len(scope) == 1 and type(scope[0]) is int]
    return len(alone) == len(sets) and (not alone or 0 <= min(alone) <= max(alone) < n) and hidden.isdisjoint(alone)


def _check_open(name: str, scope: Iterable[int], hidden: set[int]) -> None:
    if not hidden.isdisjoint(scope):
        both = next(v for v in scope if v in hidden)
        raise BadParameter(f"{name} holds variable {both}, which is observed; its state is known, so leave it out")


def _check_model(
    sizes: Sequence[int], scopes: Sequence[Sequence[int]], values: Sequence[Floats], laws: Sequence[bool]
) -> None:
    for v, size in enumerate(sizes):
        checks.count(f"sizes[{v}]", size, least=1, most=STATE_LIMIT)
    if not len(scopes) == len(values) == len(laws):
        raise BadShape(
            "scopes, values and laws must have an entry for each table; "
            f"got {len(scopes)}, {len(values)} and {len(laws)}"
        )
    named = tuple(_numbers(f"scopes[{f}]", scope, "variables", len(sizes)) for f, scope in enumerate(scopes))
    for f, (scope, table) in enumerate(zip(named, values, strict=True)):
        _check_table(f, table, math.prod(sizes[v] for v in scope))
    lasts = [sizes[scope[-1]] if law and scope else 0 for scope, law in zip(named, laws, strict=True)]
    for batch in _batches(values):
        _check_values(values, lasts, batch)
    _check_laws(named, laws)


def _check_table(f: int, table: Any, cells: int) -> None:
    if not isinstance(table, np.ndarray) or table.dtype != np.float64 or not table.flags.c_contiguous:
        raise InvalidInput(
            f"values[{f}] must be a C-contiguous NumPy array of float64; got {checks.shown(table)}. "
            "Use np.ascontiguousarray(…, dtype=np.float64)"
        )
    if table.shape != (cells,):
        raise BadShape(f"values[{f}] must be flat, with {cells} cells for its scope; got shape {table.shape}")


def _batches(values: Sequence[Floats]) -> Iterator[range]:
    """Neighbouring tables of about a million cells together."""
    first, cells = 0, 0
    for f, table in enumerate(values):
        cells += table.size
        if cells >= CHECKED_TOGETHER:
            yield range(first, f + 1)
            first, cells = f + 1, 0
    if first < len(values):
        yield range(first, len(values))


def _check_values(values: Sequence[Floats], lasts: Sequence[int], batch: range) -> None:
    """That the numbers of some tables are in range, and sum to one over ``lasts`` states if they are laws."""
    cells = np.concatenate([values[f] for f in batch])
    most = 1 + checks.SUM_TOLERANCE
    if not (cells.min() >= 0 and cells.max() <= most):  # (of a NaN, no comparison is true)
        f = next(f for f in batch if not (values[f].min() >= 0 and values[f].max() <= most))
        worst = next(x for x in values[f].tolist() if not 0 <= x <= most)
        raise BadProbability(f"values[{f}] must lie from 0 to 1; got {worst}. Divide a table by its largest number")
    ends = np.cumsum([values[f].size for f in batch])
    wide = [(f, end - values[f].size, lasts[f]) for f, end in zip(batch, ends.tolist(), strict=True) if lasts[f]]
    if not wide:
        return
    law, begin, last = np.array(wide, dtype=np.int64).T
    rows = np.array([values[f].size for f, _, _ in wide], dtype=np.int64) // last
    first = np.cumsum(rows) - rows
    within = np.arange(rows.sum()) - np.repeat(first, rows)
    starts = np.repeat(begin, rows) + within * np.repeat(last, rows)
    # (a table that is no law, or the end of one, is summed into what nobody looks at)
    edges = np.union1d(starts, begin + rows * last)
    sums = np.add.reduceat(cells, edges[edges < cells.size])[np.searchsorted(edges, starts)]
    off = np.abs(sums - 1)
    if off.max() > checks.SUM_TOLERANCE:
        worst = int(off.argmax())
        f = int(np.repeat(law, rows)[worst])
        raise BadProbability(
            f"values[{f}] is a law and must sum to 1 over its last variable; row {within[worst]} sums to "
            f"{sums[worst]:.10g}. Divide by the sum if that is meant"
        )


def _check_laws(scopes: Sequence[tuple[int, ...]], laws: Sequence[bool]) -> None:
    """That each variable has at most one law, and that none depends on itself through others."""
    parents: dict[int, tuple[int, ...]] = {}
    for f, (scope, law) in enumerate(zip(scopes, laws, strict=True)):
        if not law:
            continue
        if not scope:
            raise BadParameter(f"laws[{f}] is true, but scopes[{f}] is empty; a law needs a variable")
        if scope[-1] in parents:
            raise BadParameter(f"values[{f}] is a second law of variable {scope[-1]}; a variable has one law")
        parents[scope[-1]] = scope[:-1]
    waiting = {child: sum(v in parents for v in held) for child, held in parents.items()}
    children: dict[int, list[int]] = {}
    for child, held in parents.items():
        for v in held:
            children.setdefault(v, []).append(child)
    free = [v for v, left in waiting.items() if left == 0]
    for v in free:
        for child in children.get(v, ()):
            waiting[child] -= 1
            if waiting[child] == 0:
                free.append(child)
    if len(free) < len(waiting):
        caught = sorted(v for v, left in waiting.items() if left)
        raise BadParameter(f"laws must not go round in a circle; among variables {checks.shown(caught)} they do")
