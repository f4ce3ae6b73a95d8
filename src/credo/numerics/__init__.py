"""Numbers that can be trusted: factors, sums of logarithms, optimisation and quadrature, each with its policy stated.

>>> from credo.numerics import log_sum_exp
>>> float(log_sum_exp([0.0, 0.0]))
0.693...
"""

from __future__ import annotations

from credo.numerics.logs import log_normalise, log_sum_exp

__all__ = ["log_normalise", "log_sum_exp"]
