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
``LogNormal``, ``HalfNormal``, ``HalfCauchy``; of a probability: ``Beta``; of a count: ``Poisson``, ``Binomial``,
``NegativeBinomial``; of an event: ``Bernoulli``; of
what is certain: ``Point``. Laws of a vector: ``MultivariateNormal``, and ``Dirichlet`` for probabilities that sum to
one. ``Mixture`` is a weighted sum of any of them, and ``Samples`` what a sampler returns.

A batch holds one law a row and answers for all of them at once.

>>> heights = Normal(mean=[175, 162], sd=[7, 6])
>>> len(heights), heights[1]
(2, Normal(mean=162, sd=6))
>>> heights.log_prob([180, 180]).shape, heights.sample(1000, rng=0).shape
((2,), (1000, 2))

**Bayes' rule.** A ``Categorical`` is a belief over named states, ``given`` conditions it on a likelihood, and
``log_evidence`` keeps what was divided by. ``Hypotheses`` remembers the prior as well, and shows the hypothesis of
greatest likelihood beside the most probable one.

>>> from credo.beliefs import Categorical
>>> prior = Categorical({"disease": 0.001, "healthy": 0.999})
>>> prior.given({"disease": 1.0, "healthy": 0.01})
Categorical({'disease': 0.09099, 'healthy': 0.909})

**Tables.** A ``JointTable`` is the joint distribution of named variables, the knowledge base that answers any query by
``given``, ``marginal`` and ``conditional``; a ``CountTable`` is what was counted, with tests of independence.

A background event C is a smaller universe: condition the table on it first, then use Bayes' rule there. Both ways of
asking for P(rain | coat, autumn) agree:

>>> from credo.beliefs import JointTable
>>> table = JointTable(["season", "rain", "coat"], [["autumn", "spring"], ["yes", "no"], ["on", "off"]],
...                    [[[0.25, 0.05], [0.10, 0.10]], [[0.10, 0.05], [0.05, 0.30]]])
>>> autumn = table.given({"season": "autumn"})
>>> autumn.belief("rain").given(autumn.conditional("coat", given="rain").likelihood({"coat": "on"}))
Categorical({'yes': 0.7143, 'no': 0.2857})
>>> table.given({"season": "autumn", "coat": "on"}).belief("rain")
Categorical({'yes': 0.7143, 'no': 0.2857})

**Conjugate models** keep their form when conditioned and show maximum likelihood, MAP and the posterior mean side by
side: ``BetaBinomial``, ``DirichletCategorical``, ``GammaPoisson``, ``NormalNormal`` (known noise) and
``NormalInverseGamma`` (unknown noise).

>>> from credo.beliefs import BetaBinomial
>>> print(BetaBinomial(a=0.5, b=0.5).given(successes=0, failures=2).table())
   ml  map    mean
p   0    0  0.1667

**Information.** ``entropy``, ``kl``, ``mutual_information``, ``code_length`` and the bound that EM climbs,
``evidence_bound``, take arrays of probabilities; in nats, or with ``unit="bits"``.
"""

from __future__ import annotations

from credo.beliefs.answers import Answers
from credo.beliefs.base import Belief
from credo.beliefs.bernoulli import Bernoulli
from credo.beliefs.beta import Beta
from credo.beliefs.binomial import Binomial
from credo.beliefs.categorical import Categorical
from credo.beliefs.conjugate import BetaBinomial, DirichletCategorical, GammaPoisson
from credo.beliefs.conjugate_normal import MeanAndVariance, Measurements, NormalInverseGamma, NormalNormal
from credo.beliefs.counts import CountTable, IndependenceTest
from credo.beliefs.dirichlet import Dirichlet
from credo.beliefs.gamma import Gamma
from credo.beliefs.half_cauchy import HalfCauchy
from credo.beliefs.half_normal import HalfNormal
from credo.beliefs.hypotheses import Hypotheses
from credo.beliefs.information import code_length, entropy, evidence_bound, kl, mutual_information
from credo.beliefs.inverse_gamma import InverseGamma
from credo.beliefs.joint import ConditionalTable, Independence, JointTable
from credo.beliefs.log_normal import LogNormal
from credo.beliefs.mixture import Mixture
from credo.beliefs.multivariate_normal import MultivariateNormal
from credo.beliefs.negative_binomial import NegativeBinomial
from credo.beliefs.normal import Normal
from credo.beliefs.point import Point
from credo.beliefs.poisson import Poisson
from credo.beliefs.samples import Samples
from credo.beliefs.student_t import StudentT
from credo.beliefs.uniform import Uniform

__all__ = [
    "Answers",
    "Belief",
    "Bernoulli",
    "Beta",
    "BetaBinomial",
    "Binomial",
    "Categorical",
    "ConditionalTable",
    "CountTable",
    "Dirichlet",
    "DirichletCategorical",
    "Gamma",
    "GammaPoisson",
    "HalfCauchy",
    "HalfNormal",
    "Hypotheses",
    "Independence",
    "IndependenceTest",
    "InverseGamma",
    "JointTable",
    "LogNormal",
    "MeanAndVariance",
    "Measurements",
    "Mixture",
    "MultivariateNormal",
    "NegativeBinomial",
    "Normal",
    "NormalInverseGamma",
    "NormalNormal",
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
