"""Numbers that can be trusted: each piece states its policy and says how it ended.

- `cholesky`: the factor of a covariance matrix, with what had to be added to its diagonal; `Cholesky` solves with it;
  `factor_in_place` is the same without a copy;
- `log_sum_exp`, `log_normalise`: sums of numbers kept as logarithms;
- `minimise`: one contract for optimisation; its `Optimum` carries an `Outcome` and a trace;
- `minimise_constrained`, `kkt_report`: the least f(x) where g(x) = 0 and h(x) ≥ 0, with its multipliers, and what any
  point of such a problem is; `kkt_conditions` measures the same conditions for a machine that has the numbers at hand;
- `nearest_points`: how far two convex hulls are apart, which is what separates two classes, or where they meet;
- `gauss_hermite`: expectations under a normal law;
- `overwrite_triangle`: LAPACK's factor and inverse of a symmetric matrix in place, while other threads go on;
- `one_blas_thread`: matrix products on the thread that asks for them, while our own threads are the parallel ones;
- `Budget`, `Line`: when long work is to end, and a line for whoever waits for it.

>>> from credo.numerics import cholesky, minimise
>>> alike = cholesky([[1.0, 1.0], [1.0, 1.0]])  # two rows of the data are the same
>>> alike.jitter
1e-12
>>> optimum = minimise(lambda x: ((x[0] - 2.0) ** 2, 2 * (x - 2.0)), [0.0])
>>> optimum.position, optimum.outcome.name
(array([2.]), 'CONVERGED')
"""

from __future__ import annotations

from credo.numerics.cholesky import Cholesky, cholesky, factor_in_place
from credo.numerics.constrained import ConstrainedOptimum, KKTReport, Verdict, kkt_report, minimise_constrained
from credo.numerics.differences import Smooth
from credo.numerics.hulls import NearestPoints, nearest_points
from credo.numerics.kkt import Conditions, kkt_conditions
from credo.numerics.lapack import overwrite_triangle
from credo.numerics.logs import log_normalise, log_sum_exp
from credo.numerics.optimise import Objective, Optimum, minimise
from credo.numerics.quadrature import gauss_hermite
from credo.numerics.threads import one_blas_thread
from credo.numerics.waiting import Budget, Line

__all__ = [
    "Budget",
    "Cholesky",
    "Conditions",
    "ConstrainedOptimum",
    "KKTReport",
    "Line",
    "NearestPoints",
    "Objective",
    "Optimum",
    "Smooth",
    "Verdict",
    "cholesky",
    "factor_in_place",
    "gauss_hermite",
    "kkt_conditions",
    "kkt_report",
    "log_normalise",
    "log_sum_exp",
    "minimise",
    "minimise_constrained",
    "nearest_points",
    "one_blas_thread",
    "overwrite_triangle",
]
