"""Linear models.

Linear regression comes in three strengths of belief, with the same shape: ``fit``, ``predict``, and ``predictive``,
which returns a belief for each row.

==========================  ===========================================  =========================================
``LinearRegression``        no prior: maximum likelihood                 standard errors, t, p, intervals
``Ridge``                   a Gaussian prior of a strength that you give  the most probable weights (MAP), and the rest
``BayesianRegression``      a Gaussian prior that is learnt              the evidence, and the whole posterior
==========================  ===========================================  =========================================

>>> import numpy as np
>>> x = np.linspace(-1, 1, 60)[:, None]
>>> y = x[:, 0] - 2 * x[:, 0] ** 3 + np.random.default_rng(0).normal(0, 0.1, 60)
>>> cubic = BayesianRegression(basis=PolynomialBasis(3)).fit(x, y)
>>> cubic.coef_.round(1) + 0, round(cubic.log_evidence_, 1)
(array([ 1.1,  0. , -2.2]), 48.5)

Away from the data it is less sure; the weights, and the intercept that stands last, are a belief too:

>>> cubic.predictive([[0.0], [2.0]]).sd.round(2)
array([0.09, 0.49])
>>> cubic.posterior_.sd.round(2)
array([0.05, 0.04, 0.07, 0.02])

**Bases.** ``basis`` takes ``PolynomialBasis``, ``BumpBasis`` (Gaussian bumps), ``SplineBasis``, ``FourierBasis``, any
other transformer, or a function of the rows. They are transformers for pipelines, too, and models with them go into
files; a function cannot.

**The evidence** weighs models against each other. With one prior for all weights it falls when a model is larger than
the data need (Occam's hill). With ``prior="each"`` every weight has a precision of its own, weights that are not needed
are switched off, and a larger model loses nothing (Occam's asymptote).

>>> evidence_by_order(x, y, range(1, 7)).log_evidence.round(1)
array([-27.2, -27.6,  48.5,  46.5,  45.5,  44.6])
>>> evidence_by_order(x, y, range(1, 7), prior="each").log_evidence.round(1)
array([-27.2, -27.2,  52.4,  52.4,  52.4,  52.4])
>>> relevant = BayesianRegression(prior="each", basis=PolynomialBasis(6)).fit(x, y)
>>> relevant.coef_.round(1) + 0
array([ 1.1,  0. , -2.2,  0. ,  0. ,  0. ])

**Classes.** ``LogisticRegression`` does the same for classes: log odds that are linear, weights with a prior whose
strength is learnt by the evidence, and probabilities that average over what is left uncertain about the weights. A dose
of 9 is far from all that were seen: the most probable weights are sure of it, the belief is less so.

>>> dose, ill = [[0.5], [1.0], [1.5], [2.0], [2.5], [3.0], [3.5]], ["no", "no", "yes", "no", "no", "yes", "yes"]
>>> model = LogisticRegression().fit(dose, ill)
>>> [round(float(model.predictive([[9.0]], averaged=averaged).probs[0, 1]), 3) for averaged in (False, True)]
[0.999, 0.935]

With ``alpha=0`` it is maximum likelihood, with the table that belongs to it. Where a plane tells the classes apart, so
that no weights are the most likely, that is said, and ``separation_`` is the direction.

>>> LogisticRegression(alpha=0).fit(dose, ill).summary()
maximum likelihood, 7 rows; the weights speak for yes against no
deviance 6.923; without the columns 9.561
           estimate    se      z       p  95% interval
x0             1.52  1.15   1.33  0.1842   -0.72, 3.77
intercept     -3.48  2.67  -1.30  0.1920   -8.71, 1.75

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
searches along one line for the precisions of largest evidence, each step at the cost of one pass over the axes,
``relevance`` for a precision of each weight, and ``ascent`` takes the textbook's ways to both. Classes
have no such axes: ``newton`` climbs to the most probable weights by least squares whose rows are weighed anew at each
step, and ``laplace`` searches along the line of priors for the evidence, at the cost of a few such climbs each time.
"""

from __future__ import annotations

from credo.linear.bases import Basis, BumpBasis, FourierBasis, PolynomialBasis, SplineBasis
from credo.linear.certificate import Certificate
from credo.linear.coefficients import Coefficients
from credo.linear.least_squares import LinearRegression
from credo.linear.logistic import LogisticRegression
from credo.linear.orders import EvidenceByOrder, evidence_by_order
from credo.linear.perceptron import Perceptron
from credo.linear.regression import BayesianRegression
from credo.linear.ridge import Ridge
from credo.linear.separation import Separation
from credo.linear.separator import LinearSeparator
from credo.linear.summary import Summary

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
    "LogisticRegression",
    "Perceptron",
    "PolynomialBasis",
    "Ridge",
    "Separation",
    "SplineBasis",
    "Summary",
    "evidence_by_order",
]
