"""The error of machines over a grid of C and σ², by folds that share the kernel's matrix."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import BaseEstimator

from credo import checks
from credo.checks import Floats
from credo.errors import InvalidInput, TooLarge
from credo.estimators import dealt
from credo.linear import examples
from credo.numerics import one_blas_thread
from credo.svm.dual import Dual, Settings, Solution, Start, solve_whole
from credo.svm.likeness import OfProducts
from credo.svm.machines import squeezed
from credo.svm.watch import Watch, each

__all__ = ["ErrorSurface", "grid"]

MOST = 10_000  # rows: the matrix, one for each thread and a part of it take some gigabytes


@dataclass(frozen=True, slots=True, eq=False)
class ErrorSurface:
    """The share of rows that are misjudged by machines that had not seen them: a row for each C, a column for each σ².

    ``best`` is the pair (C, σ²) of least error; of several, that with the smallest C and then the largest σ², which is
    the smoothest. A least error that was searched for flatters: judge the choice on other rows.

    >>> print(ErrorSurface(np.array([1.0, 10.0]), np.array([0.5, 2.0]), np.array([[0.2, 0.1], [0.15, 0.1]])))
          σ²     0.5       2
    C
    1          0.200  0.100*
    10         0.150   0.100
    """

    C: Floats
    variance: Floats
    error: Floats

    @property
    def best(self) -> tuple[float, float]:
        """The C and σ² of least error."""
        at = self._best_place()
        return float(self.C[at[0]]), float(self.variance[at[1]])

    def __str__(self) -> str:
        """The table, its best cell marked."""
        best = self._best_place()
        cells = [[f"{e:.3f}{'*' * ((i, j) == best)}" for j, e in enumerate(row)] for i, row in enumerate(self.error)]
        wide = 8
        lines = [f"{'σ²':>8}" + "".join(f"{v:>{wide}.3g}" for v in self.variance), "C"]
        lines += [
            f"{c:<8.4g}" + "".join(f"{cell:>{wide}}" for cell in row) for c, row in zip(self.C, cells, strict=True)
        ]
        return "\n".join(lines)

    def _best_place(self) -> tuple[int, int]:
        order = np.lexsort(
            (-np.tile(self.variance, len(self.C)), np.repeat(self.C, len(self.variance)), self.error.ravel())
        )
        row, column = divmod(int(order[0]), len(self.variance))
        return row, column


def grid(X: Any, y: Any, *, C: ArrayLike, variance: ArrayLike, folds: int = 5, tolerance: float = 1e-3) -> ErrorSurface:
    """The out-of-fold error of ``SupportVectorClassifier(C=C, kernel=SE(√variance))`` for every pair of settings.

    All distances are made once and serve every σ², a kernel's matrix serves all folds and every C, and from one C to
    the next a machine goes on from where it was. Rows are dealt into folds by what they hold, not by their order, so
    that the same table gives the same surface. ``pictures.error_surface`` draws it.

    >>> rng = np.random.default_rng(0)
    >>> X = rng.normal(size=(120, 2))
    >>> found = grid(X, (X**2).sum(axis=1) < 1, C=[1.0, 100.0], variance=[0.001, 1.0])
    >>> found.best[1], found.error.shape
    (1.0, (2, 2))
    """
    rows, codes, _ = examples.learn(BaseEstimator(), X, y, sparse_rows=False)
    costs = checks.positive("C", checks.floats("C", C, ndim=1))
    variances = checks.positive("variance", checks.floats("variance", variance, ndim=1))
    settings = Settings(tolerance=float(checks.positive("tolerance", tolerance, ndim=0)))
    checks.count("folds", folds, least=2)
    if not len(costs) or not len(variances):
        raise InvalidInput("C and variance must each hold at least one value to try")
    if len(rows) > MOST:
        raise TooLarge(
            f"{len(rows):,} rows have a matrix of {8 * len(rows) ** 2 / 1e9:.1f} GB; at most {MOST:,} are searched "
            "over. Search over a sample of the rows: what is best for it is nearly best for all"
        )
    products = OfProducts(rows)
    watch = Watch(len(variances))
    try:
        with one_blas_thread():
            logs = products.exponents(products.rows, products.rows)
            search = _Search(logs, codes, dealt(rows, codes, folds), costs, settings, watch)
            wrong = each(search.errors, variances.tolist(), watch)
    finally:
        watch.line.close()
    if watch.stopped:
        raise KeyboardInterrupt
    return ErrorSurface(costs, variances, np.column_stack(wrong))


@dataclass(frozen=True, slots=True, eq=False)
class _Search:
    """What all σ² share: the logarithm of the kernel with σ² = 1, classes and folds."""

    logs: Floats
    codes: NDArray[np.integer]
    folds: NDArray[np.integer]
    costs: Floats
    settings: Settings
    watch: Watch

    def errors(self, variance: float) -> Floats:
        """The share of rows misjudged with each C."""
        K = self.logs / variance
        np.exp(K, out=K)
        wrong = np.zeros(len(self.costs))
        for fold in range(int(self.folds.max()) + 1):
            wrong += self._fold(K, fold)
        self.watch.done()
        return np.asarray(wrong / len(self.codes))

    def _fold(self, K: Floats, fold: int) -> Floats:
        """How many rows of one fold are misjudged by machines made of the others, with each C."""
        k = int(self.codes.max()) + 1
        judged = np.flatnonzero(self.folds == fold)
        pairs = list(combinations(range(k), 2))
        decisions = np.empty((len(self.costs), len(judged), len(pairs)))
        for column, (a, b) in enumerate(pairs):
            rows = np.flatnonzero((self.folds != fold) & ((self.codes == a) | (self.codes == b)))
            target = np.where(self.codes[rows] == b, 1.0, -1.0)
            if abs(target.sum()) == len(target):  # only one of the two is left, or none
                decisions[:, :, column] = target[0] if len(target) else 0.0
                continue
            decisions[:, :, column] = self._along(K, rows, target, judged)
        if k == 2:
            chosen = (decisions[:, :, 0] > 0).astype(np.intp)
        else:
            chosen = np.array([squeezed(each_row, k).argmax(axis=1) for each_row in decisions])
        wrong: Floats = (chosen != self.codes[judged]).sum(axis=1).astype(np.float64)
        return wrong

    def _along(self, K: Floats, rows: NDArray[np.intp], target: Floats, judged: NDArray[np.intp]) -> Floats:
        """The decisions of one machine about the rows to judge, for each C from the smallest to the largest."""
        own, others = K[np.ix_(rows, rows)], K[np.ix_(judged, rows)]
        decisions = np.empty((len(self.costs), len(judged)))
        found, before = None, 0.0
        for place in np.argsort(self.costs):
            cost = float(self.costs[place])
            dual = Dual(target, np.full(len(rows), cost))
            start = None if found is None else _grown(found, target, cost / before)
            found, before = solve_whole(dual, own, self.settings, self.watch, start), cost
            decisions[place] = others @ found.beta + found.bias(dual)
        return np.asarray(decisions)


def _grown(found: Solution, target: Floats, times: float) -> Start:
    """Where to start with a larger C: β as it was, or all of it grown alike, whichever has the larger dual."""
    length, gain = float(found.beta @ (target - found.slack)), float(target @ found.beta)
    if gain * times - 0.5 * length * times**2 <= gain - 0.5 * length:
        times = 1.0
    return Start(found.beta * times, target - times * (target - found.slack))
