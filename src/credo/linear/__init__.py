"""Linear models.

``BayesianRegression`` is linear regression that says how sure it is. Its weights have a Gaussian prior; the strength of
that prior and the precision of the noise are learnt by the evidence, so there is nothing to tune and nothing to
cross-validate. It is a scikit-learn estimator, and its ``predictive`` returns a belief for each row.

Useless columns are shrunk away, and the evidence weighs models against each other: of the polynomials below it prefers
the one that made the data.

>>> import numpy as np
>>> x = np.linspace(-1, 1, 60)
>>> y = x - 2 * x**3 + np.random.default_rng(0).normal(0, 0.1, 60)
>>> powers = lambda x, order: np.asarray(x)[:, None] ** np.arange(1, order + 1)
>>> for order in (1, 2, 3, 6):
...     print(order, round(BayesianRegression().fit(powers(x, order), y).log_evidence_, 1))
1 -27.2
2 -27.6
3 48.5
6 44.6

Away from the data it is less sure:

>>> cubic = BayesianRegression().fit(powers(x, 3), y)
>>> cubic.predictive(powers([0.0, 2.0], 3)).sd.round(2)
array([0.09, 0.49])

The posterior of the weights, and of the intercept that stands last, is a belief too:

>>> cubic.posterior_.mean.round(1) + 0
array([ 1.1,  0. , -2.2,  0. ])

``LinearSeparator`` draws a plane between classes by linear programming, or proves that there is none, and finds the
one with the largest margin; ``Perceptron`` finds one by its mistakes, which it counts beside the bound on how many
there can be. Both believe their own votes only as far as rows that were left out bear them out.

>>> X, y = [[0.0, 0.0], [1.0, 1.0], [3.0, 4.0], [4.0, 3.0]], ["low", "low", "high", "high"]
>>> LinearSeparator(maximum_margin=True).fit(X, y).margin_.round(3)
array([1.768])
>>> perceptron = Perceptron().fit(X, y)
>>> perceptron.mistakes_, perceptron.bound_.round()
(array([9]), array([93.]))

Columns of labels or with missing values go through ``tables.Encoder`` first, in a scikit-learn pipeline.

How it is done: ``axes`` turns any problem, in memory or summed up from disk, into its singular axes; there ``evidence``
searches along one line for the precisions of largest evidence, each step at the cost of one pass over the axes.
"""

from __future__ import annotations

from credo.linear.bases import Basis, BumpBasis, FourierBasis, PolynomialBasis, SplineBasis
from credo.linear.certificate import Certificate
from credo.linear.coefficients import Coefficients
from credo.linear.least_squares import LinearRegression
from credo.linear.orders import EvidenceByOrder, evidence_by_order
from credo.linear.perceptron import Perceptron
from credo.linear.regression import BayesianRegression
from credo.linear.ridge import Ridge
from credo.linear.separator import LinearSeparator

__all__ = [
    "Basis",
    "BayesianRegression",
    "BumpBasis",
    "Certificate",
    "Coefficients",
    "EvidenceByOrder",
    "FourierBasis",
    "LinearRegression",
    "LinearSeparator",
    "Perceptron",
    "PolynomialBasis",
    "Ridge",
    "SplineBasis",
    "evidence_by_order",
]
