"""Problems whose matrix is too large: a few hundred rows at a time, and only those rows of the matrix.

Each round takes up the rows that violate most beside those of the round before, solves for them alone, and moves the
slack of all others by their rows of the kernel. Rows held by a bound that they are pushed against are not looked at
until the rest is solved (shrinking). Kernel rows are kept in single precision; the slack of all rows is then made again
in double precision, and what still violates is solved for from there, so that the answer does not suffer by it.
"""

from __future__ import annotations

import numpy as np

from credo import native
from credo.checks import Floats
from credo.errors import Outcome
from credo.svm.cache import RowCache
from credo.svm.dual import Dual, Settings, Solution
from credo.svm.likeness import Likeness, Places, times
from credo.svm.watch import Watch

__all__ = ["solve_in_parts"]

TOGETHER = 256  # rows solved for at a time; half of them are new
ROUNDS_TO_SHRINK = 10
REFRESHES = 12
SHORT = 3  # times that single precision is tried
SHARE = 0.1  # of the violation, to which a part is solved
MARGIN = 0.7  # of the tolerance, so that single precision seldom leaves more than it


def solve_in_parts(
    dual: Dual, alike: Likeness, rows: Places, settings: Settings, watch: Watch, start: Floats | None = None
) -> Solution:
    """Solve for the ``rows`` that ``alike`` knows, making their kernel rows as they are needed.

    >>> from credo.svm.likeness import OfMatrix
    >>> dual = Dual(np.array([1.0, -1.0]), np.ones(2))
    >>> solve_in_parts(dual, OfMatrix(np.eye(2)), np.arange(2), Settings(), Watch()).beta
    array([ 1., -1.])
    """
    search = _Search(dual, alike, rows, settings, watch)
    if start is not None and start.any():
        search.beta = start.copy()
        search.refresh()
    outcome = Outcome.STALLED
    for attempt in range(REFRESHES):
        try:
            outcome = search.descend(np.dtype(np.float32 if attempt < SHORT else np.float64))
        except KeyboardInterrupt:
            watch.stopped, outcome = True, Outcome.INTERRUPTED
        search.refresh()
        if not np.isfinite(search.slack).all():
            outcome = Outcome.NOT_FINITE
        if outcome is not Outcome.CONVERGED and outcome is not Outcome.STALLED:
            break
        most, least = dual.ends(search.beta, search.slack)
        if most - least <= settings.tolerance:
            outcome = Outcome.CONVERGED
            break
        outcome = Outcome.STALLED
    return Solution(search.beta, search.slack, search.taken, outcome)


class _Search:
    """Where the search is; ``active`` are the rows looked at."""

    def __init__(self, dual: Dual, alike: Likeness, rows: Places, settings: Settings, watch: Watch) -> None:
        self.dual, self.alike, self.rows, self.settings, self.watch = dual, alike, rows, settings, watch
        self.beta, self.slack = np.zeros(len(rows)), dual.target.copy()
        self.low, self.high = dual.low, dual.high
        self.taken = 0
        few = rows[:: max(len(rows) // 1000, 1)]
        self.diagonal = float(np.mean([alike(few[[i]], few[[i]])[0, 0] for i in range(min(len(few), 100))]))

    def refresh(self) -> None:
        """The slack of every row from its coefficients alone, in double precision."""
        used = np.flatnonzero(self.beta)
        self.slack = self.dual.target - times(self.alike, self.rows, self.rows[used], self.beta[used])

    def descend(self, cell: np.dtype) -> Outcome:
        """Round after round, until the rows looked at are solved."""
        settings, watch = self.settings, self.watch
        self.active = self._in_question(np.arange(len(self.rows)))
        size = min(TOGETHER, len(self.active))
        self.cache = RowCache(self.alike, self.rows[self.active], size=settings.cache, least=size, cell=cell)
        chosen = np.zeros(0, dtype=np.intp)
        rounds = 0
        while not watch.stopped:
            most, least = self._ends()
            if most - least <= MARGIN * settings.tolerance:
                return Outcome.CONVERGED
            if self.taken >= settings.steps:
                return Outcome.OUT_OF_STEPS
            self.dual.check_margin(self.beta, self.slack, self.diagonal)
            if rounds and rounds % ROUNDS_TO_SHRINK == 0:
                chosen = self._shrink(chosen)
            chosen = self._choose(chosen, most, least)
            if not self._part(chosen, max(0.5 * settings.tolerance, SHARE * (most - least))) and rounds:
                return Outcome.STALLED
            watch.tell(most - least, settings.tolerance)
            rounds += 1
        return Outcome.INTERRUPTED

    def _ends(self) -> tuple[float, float]:
        a = self.active
        beta, slack = self.beta[a], self.slack[a]
        most = np.max(slack, where=beta < self.high[a], initial=-np.inf)
        least = np.min(slack, where=beta > self.low[a], initial=np.inf)
        return float(most), float(least)

    def _in_question(self, places: Places) -> Places:
        """Those of some rows that may move, or that would like to."""
        beta, slack = self.beta[places], self.slack[places]
        may_rise, may_fall = beta < self.high[places], beta > self.low[places]
        most, least = self.dual.ends(self.beta, self.slack)
        idle = (~may_fall & (slack < least)) | (~may_rise & (slack > most)) | ~(may_rise | may_fall)
        return places[~idle]

    def _shrink(self, chosen: Places) -> Places:
        """Look at fewer rows, if a tenth of them is idle; where the chosen ones then are."""
        kept = self._in_question(self.active)
        if len(kept) > 0.9 * len(self.active):
            return chosen
        keep = np.searchsorted(self.active, kept)
        chosen = self.active[chosen]
        self.active = kept
        self.cache.narrow(keep)
        return np.searchsorted(kept, chosen[np.isin(chosen, kept)])

    def _choose(self, before: Places, most: float, least: float) -> Places:
        """The newer half of the rows before, and as many new ones that violate most at either end."""
        a = self.active
        size = min(TOGETHER, len(a))
        old = before[len(before) - min(size // 2, len(before)) :]
        rise = np.where(self.beta[a] < self.high[a], self.slack[a], -np.inf)
        rise[old] = -np.inf
        up = _largest(rise, (size - len(old) + 1) // 2, least)
        fall = np.where(self.beta[a] > self.low[a], -self.slack[a], -np.inf)
        fall[old] = fall[up] = -np.inf
        return np.concatenate([old, up, _largest(fall, size - len(old) - len(up), -most)])

    def _part(self, chosen: Places, tolerance: float) -> int:
        """Solve for the chosen rows, the others held where they are; the steps that took."""
        slots, places = self.cache.fetch(chosen), self.active[chosen]
        K = np.ascontiguousarray(self.cache.held[slots[:, None], chosen])
        before = self.beta[places]
        after, _, steps, _ = native.smo(
            K,
            before,
            self.slack[places],
            self.low[places],
            self.high[places],
            tolerance=tolerance,
            steps=min(100 * TOGETHER, self.settings.steps - self.taken),
        )
        self.taken += steps
        moved = np.flatnonzero(after != before)
        step = (after - before)[moved].astype(K.dtype)
        change = np.zeros(len(self.active))
        for begin in range(0, len(moved), 64):  # (rows are copied together to be multiplied; a few at a time)
            part = slice(begin, begin + 64)
            change += step[part] @ self.cache.held[slots[moved[part]]]
        self.beta[places] = after
        self.slack[self.active] -= change
        return steps


def _largest(values: Floats, count: int, above: float) -> Places:
    """The places of the largest ``count`` values, if they are above a limit."""
    count = min(count, len(values))
    if count < 1:
        return np.zeros(0, dtype=np.intp)
    places = np.argpartition(values, len(values) - count)[len(values) - count :]
    return places[values[places] > above]
