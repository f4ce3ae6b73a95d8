"""Numbers that can be trusted: each piece states its policy and says how it ended.

- `cholesky`: the factor of a covariance matrix, with what had to be added to its diagonal; `Cholesky` solves with it;
- `log_sum_exp`, `log_normalise`: sums of numbers kept as logarithms;
- `minimise`: one contract for optimisation; its `Optimum` carries an `Outcome` and a trace;
- `gauss_hermite`: expectations under a normal law.

>>> from credo.numerics import cholesky, minimise
>>> alike = cholesky([[1.0, 1.0], [1.0, 1.0]])  # two rows of the data are the same
>>> alike.jitter
1e-12
>>> optimum = minimise(lambda x: ((x[0] - 2.0) ** 2, 2 * (x - 2.0)), [0.0])
>>> optimum.position, optimum.outcome.name
(array([2.]), 'CONVERGED')
"""

from __future__ import annotations

from credo.numerics.cholesky import Cholesky, cholesky
from credo.numerics.logs import log_normalise, log_sum_exp
from credo.numerics.optimise import Objective, Optimum, minimise
from credo.numerics.quadrature import gauss_hermite

__all__ = [
    "Cholesky",
    "Objective",
    "Optimum",
    "cholesky",
    "gauss_hermite",
    "log_normalise",
    "log_sum_exp",
    "minimise",
]
