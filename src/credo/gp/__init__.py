"""Gaussian processes: laws of functions.

A ``Process`` has a kernel, which says how alike a function is at two rows, and a mean. What is seen of the function
conditions it, and the answer is a process again.

>>> import numpy as np
>>> from credo.kernels import SE, Linear
>>> process = Process(Linear(0.25) + SE(length=1.0), mean=ConstantMean(1.0))
>>> seen = process.given([[0.0], [1.0], [2.0]], [1.0, 2.1, 2.9], noise=0.1)
>>> belief = seen.predictive([[1.5], [8.0]])
>>> belief.mean.round(2), belief.sd.round(2)
(array([2.6, 4.8]), array([0.17, 2.99]))

Three things are chosen apart from each other:

- the **process**: ``Process(kernel, mean=...)``, with a kernel of ``credo.kernels`` and a mean that is zero, constant,
  linear, or any basis of functions, with known weights or with a Gaussian prior on them;
- the **noise** of what is seen: a standard deviation, one number or one for each row;
- the **solver**: how the covariance of the rows is factored. ``Exact`` is Cholesky's; ``Toeplitz`` takes a stationary
  kernel on a regular grid of one column, in O(n) memory, and ``Kronecker`` a product of kernels of a column each on a
  grid of several. A solver is exact or it refuses, and from 500 rows on the cheapest that is exact is chosen where none
  is named.

``log_evidence`` is log p(y), and ``evidence`` has its fit and its complexity apart:

>>> terms = seen.evidence
>>> round(terms.fit, 3), round(terms.complexity, 3), round(seen.log_evidence, 3)
(-0.926, 0.15, -3.533)

``predictive`` answers with a belief about each row, or with ``full=True`` about all of them together; ``sample`` draws
whole functions, ``leave_one_out`` what each row would have been taken for without it, and ``decompose`` tells the parts
of a sum apart.
"""

from __future__ import annotations

from credo.gp.means import BasisMean, ConstantMean, LinearMean, Mean, ZeroMean
from credo.gp.process import Component, Process
from credo.gp.regression import GaussianProcessRegressor
from credo.gp.scaling import Scaling
from credo.gp.seen import Seen
from credo.gp.solvers import Evidence, Exact, Factor, Kronecker, Solver, Toeplitz

__all__ = [
    "BasisMean",
    "Component",
    "ConstantMean",
    "Evidence",
    "Exact",
    "Factor",
    "GaussianProcessRegressor",
    "Kronecker",
    "LinearMean",
    "Mean",
    "Process",
    "Scaling",
    "Seen",
    "Solver",
    "Toeplitz",
    "ZeroMean",
]
