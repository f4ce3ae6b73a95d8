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
"""

from __future__ import annotations

from credo.beliefs.base import Belief
from credo.beliefs.bernoulli import Bernoulli
from credo.beliefs.categorical import Categorical
from credo.beliefs.counts import CountTable, IndependenceTest
from credo.beliefs.information import code_length, entropy, evidence_bound, kl, mutual_information
from credo.beliefs.joint import ConditionalTable, Independence, JointTable
from credo.beliefs.normal import Normal

__all__ = [
    "Belief",
    "Bernoulli",
    "Categorical",
    "ConditionalTable",
    "CountTable",
    "Independence",
    "IndependenceTest",
    "JointTable",
    "Normal",
    "code_length",
    "entropy",
    "evidence_bound",
    "kl",
    "mutual_information",
]
