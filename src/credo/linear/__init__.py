"""Linear models.

``BayesianRegression`` is linear regression with the whole posterior of its weights, and with the strength of the prior
and of the noise learnt by the evidence.
"""

from __future__ import annotations

from credo.linear.regression import BayesianRegression

__all__ = ["BayesianRegression"]
