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

Mostly kernel and noise are not known. ``GaussianProcessRegressor`` is a scikit-learn estimator that learns them by the
evidence and its gradient, from several starts that come from the data, so that nothing needs to be chosen; what it
found is in ``kernel_``, and ``process_`` is the process given the data.

>>> from credo.gp import GaussianProcessRegressor
>>> x = np.linspace(0, 10, 30)[:, None]
>>> y = np.sin(x[:, 0]) + np.random.default_rng(0).normal(0, 0.1, 30)
>>> model = GaussianProcessRegressor("1.0 * SE(1.0)").fit(x, y)
>>> {name: round(value, 1) for name, value in model.kernel_.parameters.items()}
{'Constant.variance': 1.4, 'SE.length': 2.0, 'Noise.sd': 0.1}

``predictive`` answers with a belief about each row, or with ``full=True`` about all of them together; ``sample`` draws
whole functions, ``leave_one_out`` what each row would have been taken for without it, ``slope`` how steep the function
is, and ``decompose`` tells the parts of a sum apart.

**A kernel that is found.** ``search`` goes from noise alone through sums and products of base kernels, as long as the
data ask for more; what it tried prints as a table. It may be told the noise, and a kernel to begin with, and its
``own_kernel`` is in the units of the data. ``describe`` says any kernel in plain words, and ``spectral_mixture`` starts
a mixture of waves where the spectrum of a series has its humps.

>>> from credo.gp import search
>>> from credo.kernels import Periodic
>>> x = np.linspace(0, 12, 40)
>>> y = 0.4 * x + np.sin(2 * np.pi * x / 3) + np.random.default_rng(0).normal(0, 0.1, 40)
>>> found = search(x[:, None], y, bases=["Periodic", "Linear"], steps=2)
>>> print(found.describe("months"))
a rising straight line, plus a quarterly season, plus noise
>>> found.model.predict([[13.0]]).round(1)
array([6.])
>>> kernel = 4.0 * SE(90) * Periodic(1.3, 1) + 0.5 * SE(2)
>>> describe(kernel, [[1958.0], [2003.0]], units="years")
'a yearly season that changes shape over about 90 years, plus smooth changes over about 2 years'

How it is done: ``means`` and ``process`` are the process, ``seen`` what it holds once something was seen; ``solvers/``
has one solver a file behind the contract in ``base``; ``starts`` draws where learning begins, ``learning`` climbs, and
``regression`` joins them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from credo.gp.means import BasisMean, ConstantMean, LinearMean, Mean, ZeroMean
from credo.gp.process import Component, Process
from credo.gp.scaling import Scaling
from credo.gp.seen import Seen
from credo.gp.solvers import Evidence, Exact, Factor, Kronecker, Solver, Toeplitz
from credo.gp.spectrum import spectral_mixture
from credo.gp.units import units
from credo.gp.words import describe

if TYPE_CHECKING:
    from credo.gp.regression import GaussianProcessRegressor
    from credo.gp.searching import Candidate, Search, search

__all__ = [
    "BasisMean",
    "Candidate",
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
    "Search",
    "Seen",
    "Solver",
    "Toeplitz",
    "ZeroMean",
    "describe",
    "search",
    "spectral_mixture",
    "units",
]


# The regressor needs scikit-learn, which takes longer to load than all else here; a process does without.
_LATER = {
    "Candidate": "credo.gp.searching",
    "GaussianProcessRegressor": "credo.gp.regression",
    "Search": "credo.gp.searching",
    "search": "credo.gp.searching",
}


def __getattr__(name: str) -> Any:
    if name not in _LATER:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    import importlib

    return getattr(importlib.import_module(_LATER[name]), name)
