"""The laws: what a model says.

Every answer of a model is a ``Belief``, one law or a batch of laws with one a row, and every belief answers the same
questions.

>>> from credo.beliefs import Normal
>>> height = Normal(mean=175, sd=7)
>>> round(float(height.cdf(190)), 3)
0.984
>>> [round(float(end)) for end in height.interval(0.9)]
[163, 187]
>>> round(float(height.kl(Normal(170, 7))), 3)
0.255

Laws of one number: ``Normal``, ``StudentT``, ``Uniform``; of a positive one: ``Gamma``, ``InverseGamma``,
``LogNormal``, ``HalfNormal``, ``HalfCauchy``; of a probability: ``Beta``; of a count: ``Poisson``, ``Binomial``; of
what is certain: ``Point``. Laws of a vector: ``MultivariateNormal``, and ``Dirichlet`` for probabilities that sum to
one. ``Mixture`` is a weighted sum of any of them, and ``Samples`` what a sampler returns.

A batch holds one law a row and answers for all of them at once.

>>> heights = Normal(mean=[175, 162], sd=[7, 6])
>>> len(heights), heights[1]
(2, Normal(mean=162, sd=6))
>>> heights.log_prob([180, 180]).shape, heights.sample(1000, rng=0).shape
((2,), (1000, 2))
"""

from __future__ import annotations

from credo.beliefs.base import Belief
from credo.beliefs.bernoulli import Bernoulli
from credo.beliefs.beta import Beta
from credo.beliefs.binomial import Binomial
from credo.beliefs.categorical import Categorical
from credo.beliefs.counts import CountTable, IndependenceTest
from credo.beliefs.dirichlet import Dirichlet
from credo.beliefs.gamma import Gamma
from credo.beliefs.half_cauchy import HalfCauchy
from credo.beliefs.half_normal import HalfNormal
from credo.beliefs.information import code_length, entropy, evidence_bound, kl, mutual_information
from credo.beliefs.inverse_gamma import InverseGamma
from credo.beliefs.joint import ConditionalTable, Independence, JointTable
from credo.beliefs.log_normal import LogNormal
from credo.beliefs.mixture import Mixture
from credo.beliefs.multivariate_normal import MultivariateNormal
from credo.beliefs.normal import Normal
from credo.beliefs.point import Point
from credo.beliefs.poisson import Poisson
from credo.beliefs.samples import Samples
from credo.beliefs.student_t import StudentT
from credo.beliefs.uniform import Uniform

__all__ = [
    "Belief",
    "Bernoulli",
    "Beta",
    "Binomial",
    "Categorical",
    "ConditionalTable",
    "CountTable",
    "Dirichlet",
    "Gamma",
    "HalfCauchy",
    "HalfNormal",
    "Independence",
    "IndependenceTest",
    "InverseGamma",
    "JointTable",
    "LogNormal",
    "Mixture",
    "MultivariateNormal",
    "Normal",
    "Point",
    "Poisson",
    "Samples",
    "StudentT",
    "Uniform",
    "code_length",
    "entropy",
    "evidence_bound",
    "kl",
    "mutual_information",
]
