"""Graphical models over discrete variables, answered exactly.

A ``BayesianNetwork`` is made of ``Node``s, each the law of a variable given its parents. It is a frozen value:
conditioning and intervening return answers and other networks, and never change it.

>>> from credo.networks import BayesianNetwork, Node
>>> rain = Node("rain", ["yes", "no"], [0.2, 0.8])
>>> sprinkler = Node("sprinkler", ["on", "off"], {"yes": [0.01, 0.99], "no": [0.4, 0.6]}, given=[rain])
>>> wet = Node.event("wet", [[0.99, 0.8], [0.9, 0]], given=[rain, sprinkler])
>>> net = BayesianNetwork([rain, sprinkler, wet])
>>> net.posterior("rain", given={"wet": True})
Categorical({'yes': 0.3577, 'no': 0.6423})

**Questions.** ``posterior`` is the belief about one variable, ``posteriors`` about all, ``joint`` about several
together; ``log_evidence`` is log P(findings), and ``most_probable`` the states that are most probable together.

>>> net.posteriors(given={"wet": True})
rain       no 0.6423  yes 0.3577
sprinkler  on 0.6467  off 0.3533
>>> net.most_probable(given={"wet": True})
rain       no
sprinkler  on
log P = -1.24479

**Findings** are states; sets of states of which one is the case; mappings from states to the likelihood of what was
seen; or a ``Categorical``, the belief that is to hold afterwards. What cannot be is refused, and the findings named.

>>> net.posterior("rain", given={"wet": {True: 0.8, False: 0.1}, "sprinkler": "off"})
Categorical({'yes': 0.7314, 'no': 0.2686})
>>> net.posteriors(given={"wet": True, "rain": "no", "sprinkler": "off"})
Traceback (most recent call last):
...
credo.errors.ImpossibleEvidence: the findings wet=True, rain=no, sprinkler=off have probability zero together, ...

**Plan, then run.** ``plan`` says what an answer costs before anything is allocated; over the ``limits`` it is
``TooLarge``. ``compile`` plans once for many rows.

>>> rows = net.compile(given=["wet"]).posteriors({"wet": [True, False]})
>>> rows["rain"].prob("yes").round(4)
array([0.3577, 0.0718])

**Reasons.** ``explain`` says how much each finding moved an answer, which findings do not fit together, and on which
numbers in the tables the answer depends.

>>> net.explain("rain", given={"wet": True, "sprinkler": "on"})
P(rain=no) was 0.8 and is 0.9932 after 2 findings
finding       speaks      nats    bits  without it  it alone
sprinkler=on  for        +4.39   +6.34      0.6423    0.9938
wet=True      against  -0.0953  -0.138      0.9938    0.6423
conflict: -0.697 nats; the findings fit together

A ``MarkovNetwork`` is a product of potentials, each a ``Factor`` over some variables, and answers the same questions;
its ``log_partition`` is the log of what they sum to. Laws with many parents have compact forms in
`credo.networks.compact`: noisy-or and -and, logistic, functions, trees. ``read_network`` and ``write_network`` know the
formats in use, which `credo.networks.formats` lists. The graphs alone, with d-separation, are in
`credo.networks.graphs`. A tutorial is docs/networks.md.
"""

from __future__ import annotations

from credo.networks.bayesian import BayesianNetwork
from credo.networks.factors import Factor
from credo.networks.formats import read_evidence, read_network, write_network
from credo.networks.inference.limits import Limits
from credo.networks.markov import MarkovNetwork
from credo.networks.nodes import Node

__all__ = [
    "BayesianNetwork",
    "Factor",
    "Limits",
    "MarkovNetwork",
    "Node",
    "read_evidence",
    "read_network",
    "write_network",
]
