"""The public contracts: what every belief, estimator, kernel, solver and sampler promises, as code anyone can call.

Each check raises ``AssertionError`` with what was promised and what was found. A new law or estimator ends its tests
with one call to its contract.
"""

from __future__ import annotations

from credo.testing.beliefs import check_belief
from credo.testing.estimators import check_estimator
from credo.testing.gradients import check_gradient
from credo.testing.kernels import check_kernel
from credo.testing.networks import check_inference
from credo.testing.solvers import check_solver

__all__ = ["check_belief", "check_estimator", "check_gradient", "check_inference", "check_kernel", "check_solver"]
