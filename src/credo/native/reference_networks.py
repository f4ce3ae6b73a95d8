"""The NumPy twin of the junction trees: bucket elimination with tables of logarithms, which cannot underflow.

Each variable has a bucket: the tables in which it is the first to be eliminated. Their product with the variable summed
(or maximised) out is a message to the bucket of the next of its variables. A pass from the first bucket to the last
gives the evidence; a second one back gives every belief. Axes of one state are left out, as NumPy has at most 64 axes.
"""

from __future__ import annotations

import heapq
import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from credo.checks import Floats

__all__ = ["Engine", "Model", "network_engine", "network_model"]

Codes = NDArray[np.int32]
Scope = tuple[int, ...]
Likelihood = Sequence[Floats | None]

MOST_CELLS = 2**40  # of one table: more is not tried
MOST_AXES = 64  # that is all NumPy has


@dataclass(frozen=True, eq=False)
class Model:
    """Tables over numbered variables, as logarithms."""

    sizes: Scope
    scopes: tuple[Scope, ...]
    logs: tuple[Floats, ...]


@dataclass(frozen=True, eq=False)
class Bucket:
    """One variable to eliminate, and what it shares its tables with."""

    variable: int
    separator: Scope  # all other variables that it meets
    axes: Scope  # the variable and its separator, those of one state left out
    parent: int  # the place in the order of the bucket that takes the message; -1 if there is none


def network_model(
    sizes: Sequence[int], scopes: Sequence[Sequence[int]], values: Sequence[Floats], laws: Sequence[bool]
) -> Model:
    """Tables over numbered variables; the last variable of a scope changes fastest."""
    _require(len(scopes) == len(values) == len(laws) and all(size >= 1 for size in sizes))
    for scope, table, law in zip(scopes, values, laws, strict=True):
        _require(all(0 <= v < len(sizes) for v in scope) and (scope or not law))
        _require(table.shape == (math.prod(sizes[v] for v in scope),))
    with np.errstate(divide="ignore"):
        logs = tuple(np.log(table) for table in values)
    return Model(tuple(sizes), tuple(tuple(scope) for scope in scopes), logs)


def network_engine(
    model: Model,
    factors: Sequence[int],
    observed: Sequence[int],
    soft: Sequence[int],
    wanted: Sequence[Sequence[int]],
    maximise: Sequence[bool],
    root_first: bool,  # noqa: FBT001  # (loops take no keywords)
    effort: float,
) -> Engine:
    """An engine that answers questions of one kind; here neither `root_first` nor `effort` changes what it does."""
    del root_first, effort
    _require(all(0 <= f < len(model.scopes) for f in factors))
    for scope in (observed, soft, *wanted):
        _require(all(0 <= v < len(model.sizes) for v in scope))
    _require(len(maximise) in (0, len(model.sizes)))
    return Engine(model, tuple(factors), tuple(observed), tuple(soft), tuple(map(tuple, wanted)), tuple(maximise))


class Engine:
    """Answers questions of one kind about a model: the same variables observed, the same sets wanted."""

    def __init__(
        self,
        model: Model,
        factors: Scope,
        observed: Scope,
        soft: Scope,
        wanted: tuple[Scope, ...],
        maximise: tuple[bool, ...],
    ) -> None:
        self._model, self._observed, self._soft, self._wanted = model, observed, soft, wanted
        self._maximise = maximise
        self._done, self._stopped = 0.0, False
        seen = set(observed)
        self._factors = [(f, tuple(v for v in model.scopes[f] if v not in seen)) for f in factors]
        scopes = [scope for _, scope in self._factors] + list(wanted) + [(v,) for v in soft]
        self._order, cliques = _eliminate(model.sizes, scopes, maximise)
        self._place = {v: i for i, v in enumerate(self._order)}
        self._buckets = [
            Bucket(
                v,
                separator=tuple(clique),
                axes=self._wide((v, *clique)),
                parent=min((self._place[u] for u in clique), default=-1),
            )
            for v, clique in zip(self._order, cliques, strict=True)
        ]

    def answer(self, codes: Codes, likelihood: Likelihood) -> tuple[Floats, float, bool]:
        """The wanted beliefs, one after another, and the log probability of the evidence; NaN and -inf if that is 0."""
        self._check(codes, likelihood, ())
        _require(not self._maximise)
        return self._answer(codes, likelihood)

    def answer_rows(self, codes: Codes, likelihood: Likelihood) -> tuple[Floats, Floats, NDArray[np.uint8]]:
        """The same for every row."""
        self._check(codes, likelihood, codes.shape[:1])
        _require(not self._maximise)
        cells = sum(math.prod(self._model.sizes[v] for v in scope) for scope in self._wanted)
        answers, log_evidence = np.empty((len(codes), cells)), np.empty(len(codes))
        for row, found in enumerate(codes):
            said = [None if given is None else given[row] for given in likelihood]
            answers[row], log_evidence[row], _ = self._answer(found, said)
        return answers, log_evidence, np.ones(len(codes), dtype=np.uint8)

    def explain(self, codes: Codes, likelihood: Likelihood) -> tuple[Codes, float, bool]:
        """A most probable state of each variable that is maximised, 0 for the others, and its log probability."""
        self._check(codes, likelihood, ())
        _require(self._maximise)
        found = np.zeros(len(self._model.sizes), dtype=np.int32)
        log_evidence, products, _ = self._collect(codes, likelihood)
        if log_evidence > -math.inf:
            for bucket, product in zip(reversed(self._buckets), reversed(products), strict=True):
                if self._maximise[bucket.variable]:
                    known = tuple(found[v] for v in bucket.axes if v != bucket.variable)
                    # (a variable of one state has no axis, and then what is left is a single number)
                    found[bucket.variable] = np.argmax(product[..., *known])
        return found, log_evidence, True

    def draw(self, codes: Codes, likelihood: Likelihood, uniform: Floats) -> tuple[Codes, float, bool]:
        """A row from the joint given the evidence for each row of ``uniform``, which has a number for each bucket."""
        self._check(codes, likelihood, ())
        _require(not self._maximise and uniform.ndim == 2 and uniform.shape[1] == len(self._buckets))
        found = np.zeros((len(uniform), len(self._model.sizes)), dtype=np.int32)
        log_evidence, products, _ = self._collect(codes, likelihood)
        if log_evidence > -math.inf:
            for i in reversed(range(len(self._buckets))):
                bucket = self._buckets[i]
                if self._model.sizes[bucket.variable] == 1:
                    continue
                place: tuple[Any, ...] = (slice(None), *(found[:, v] for v in bucket.axes[1:]))
                weights = products[i][place].reshape(products[i].shape[0], -1)  # a column for each row, or for all
                sums = np.exp(weights - weights.max(axis=0)).cumsum(axis=0)
                found[:, bucket.variable] = (sums[:-1] <= uniform[:, i] * sums[-1]).sum(axis=0)
        return found, log_evidence, True

    def answer_axes(self) -> list[list[int]]:
        """By wanted set: its variables in the order of its answer's axes."""
        return [list(scope) for scope in self._wanted]

    def cancel(self) -> None:
        """Stop the query that is under way in another thread."""
        self._stopped = True

    @property
    def progress(self) -> float:
        """Cells of buckets made so far by the query under way, or by the last one."""
        return self._done

    @property
    def entries(self) -> float:
        """Cells of all buckets together."""
        return math.fsum(self._cells(bucket.axes) for bucket in self._buckets)

    @property
    def widest(self) -> float:
        """Cells of the largest bucket."""
        return max((self._cells(bucket.axes) for bucket in self._buckets), default=0.0)

    @property
    def message_cells(self) -> float:
        """Cells of all messages together."""
        return math.fsum(self._cells(bucket.separator) for bucket in self._buckets if bucket.separator)

    @property
    def cliques(self) -> list[list[int]]:
        """The variables of each bucket."""
        return [[bucket.variable, *bucket.separator] for bucket in self._buckets]

    @property
    def parents(self) -> list[int]:
        """The bucket to which each sends its message; -1 for a root."""
        return [bucket.parent for bucket in self._buckets]

    @property
    def order(self) -> list[int]:
        """The variables, the first eliminated first."""
        return list(self._order)

    @property
    def orders_tried(self) -> int:
        """One: the first that greed finds is taken."""
        return 1

    def _note(self, bucket: Bucket) -> None:
        if self._stopped:
            raise RuntimeError("cancelled")
        self._done += self._cells(bucket.axes)

    def _cells(self, scope: Scope) -> float:
        # (as a float, because there may be more than any integer type holds)
        return math.prod((float(self._model.sizes[v]) for v in scope), start=1.0)

    def _wide(self, scope: Scope) -> Scope:
        return tuple(v for v in scope if self._model.sizes[v] > 1)

    def _check(self, codes: Codes, likelihood: Likelihood, rows: tuple[int, ...]) -> None:
        if not isinstance(codes, np.ndarray) or codes.dtype != np.int32 or codes.ndim != 1 + len(rows):
            raise TypeError(f"codes must be an int32 array of {1 + len(rows)} axes")
        self._done, self._stopped = 0.0, False
        _require(codes.shape == (*rows, len(self._observed)) and len(likelihood) == len(self._soft))
        sizes = np.array([self._model.sizes[v] for v in self._observed], dtype=np.int64)
        _require(((codes >= 0) & (codes < sizes)).all())
        for v, given in zip(self._soft, likelihood, strict=True):
            _require(given is None or given.shape == (*rows, self._model.sizes[v]))

    def _answer(self, codes: Codes, likelihood: Likelihood) -> tuple[Floats, float, bool]:
        log_evidence, products, up = self._collect(codes, likelihood)
        if log_evidence > -math.inf:
            self._distribute(products, up)
        answers = []
        for scope in self._wanted:
            place = min(self._place[v] for v in scope)
            belief = _reduced(products[place], self._buckets[place].axes, self._wide(scope), largest=False).ravel()
            answers.append(np.exp(belief - _log_sum(belief, (0,))) if log_evidence > -math.inf else belief * np.nan)
        return np.concatenate([*answers, np.empty(0)]), log_evidence, True

    def _collect(self, codes: Codes, likelihood: Likelihood) -> tuple[float, list[Floats], list[Floats]]:
        """The log evidence, and by bucket the product of what meets there and the message that leaves."""
        if self.widest > MOST_CELLS or any(len(bucket.axes) > MOST_AXES for bucket in self._buckets):
            raise MemoryError(f"a table would have {self.widest:.3g} cells")
        products: list[Floats] = [np.zeros((1,) * len(bucket.axes)) for bucket in self._buckets]
        log_evidence = self._load(products, codes, likelihood)
        up = []
        for i, bucket in enumerate(self._buckets):
            self._note(bucket)
            products[i] = np.broadcast_to(products[i], [self._model.sizes[v] for v in bucket.axes])
            largest = bool(self._maximise) and self._maximise[bucket.variable]
            rest = self._wide(bucket.separator)
            message = _reduced(products[i], bucket.axes, rest, largest=largest)
            up.append(message)
            if bucket.parent < 0:
                log_evidence += float(message)
            else:
                parent = bucket.parent
                products[parent] = products[parent] + _spread(message, rest, self._buckets[parent].axes)
        return log_evidence, products, up

    def _load(self, products: list[Floats], codes: Codes, likelihood: Likelihood) -> float:
        """Puts each table into its bucket; the sum of those of which only a number is left is returned."""
        code_of = dict(zip(self._observed, codes.tolist(), strict=True))
        tables: list[tuple[Floats, Scope]] = []
        for f, left in self._factors:
            wide = self._wide(self._model.scopes[f])
            table = self._model.logs[f].reshape([self._model.sizes[v] for v in wide])
            tables.append((table[tuple(code_of.get(v, slice(None)) for v in wide)], left))
        with np.errstate(divide="ignore"):
            tables += [(np.log(said), (v,)) for v, said in zip(self._soft, likelihood, strict=True) if said is not None]
        constant = 0.0
        for table, scope in tables:
            if not scope:
                constant += float(table)
                continue
            place = min(self._place[v] for v in scope)
            wide = self._wide(scope)
            held = table.reshape([self._model.sizes[v] for v in wide])
            products[place] = products[place] + _spread(held, wide, self._buckets[place].axes)
        return constant

    def _distribute(self, products: list[Floats], up: list[Floats]) -> None:
        """Makes each product the belief over its bucket, by what the bucket after it knows from elsewhere."""
        for i in reversed(range(len(self._buckets))):
            bucket = self._buckets[i]
            self._note(bucket)
            if bucket.parent < 0:
                continue
            rest = self._wide(bucket.separator)
            above = _reduced(products[bucket.parent], self._buckets[bucket.parent].axes, rest, largest=False)
            # What it said itself is taken out again; where that was impossible, so is the belief.
            known = np.subtract(above, up[i], out=np.full(above.shape, -np.inf), where=up[i] > -np.inf)
            products[i] = products[i] + _spread(known, rest, bucket.axes)


def _eliminate(
    sizes: Scope, scopes: Sequence[Scope], maximise: Sequence[bool]
) -> tuple[list[int], list[tuple[int, ...]]]:
    """An order, always taking the variable of the smallest table, those not maximised first; and what each meets."""
    near: dict[int, set[int]] = {}
    for scope in scopes:
        for v in scope:
            near.setdefault(v, set()).update(scope)
    for v, others in near.items():
        others.discard(v)

    def entry(v: int) -> tuple[bool, float, int]:
        return (bool(maximise) and maximise[v], sum(math.log(sizes[u]) for u in (v, *near[v])), v)

    latest = {v: entry(v) for v in near}
    queue = list(latest.values())
    heapq.heapify(queue)
    order, cliques = [], []
    while queue:
        first = heapq.heappop(queue)
        v = first[2]
        if latest.get(v) != first:
            continue  # it was queued again since
        del latest[v]
        others = near.pop(v)
        order.append(v)
        cliques.append(tuple(sorted(others)))
        for u in others:
            near[u] |= others
            near[u] -= {u, v}
            latest[u] = entry(u)
            heapq.heappush(queue, latest[u])
    return order, cliques


def _spread(table: Floats, scope: Scope, axes: Scope) -> Floats:
    """A table over ``scope`` with an axis for each of ``axes``, of length one where it does not depend on it."""
    order = sorted(range(len(scope)), key=lambda i: axes.index(scope[i]))
    length = dict(zip(scope, table.shape, strict=True))
    return table.transpose(order).reshape([length.get(v, 1) for v in axes])


def _reduced(table: Floats, axes: Scope, kept: Scope, *, largest: bool) -> Floats:
    """Sums (or the largest) over all axes but those kept, in their order; everything as logarithms."""
    out = tuple(i for i, v in enumerate(axes) if v not in kept)
    left = [v for v in axes if v in kept]
    reduced = table.max(axis=out) if largest else _log_sum(table, out)
    return np.asarray(reduced).transpose([left.index(v) for v in kept])


def _log_sum(a: Floats, axes: tuple[int, ...]) -> Floats:
    top = a.max(axis=axes, keepdims=True)
    shift = np.where(np.isfinite(top), top, 0.0)
    with np.errstate(divide="ignore", under="ignore"):
        total: Floats = np.log(np.exp(a - shift).sum(axis=axes)) + shift.squeeze(axis=axes)
    return total


def _require(fits: object) -> None:
    if not fits:
        raise ValueError("shapes do not fit each other")
