"""Credo: Bayesian learning, inference and decision.

A model is a joint distribution. Data and observations condition it. Every answer is a belief, every action follows
from a belief and a loss, and every claim that one thing is better comes with evidence.

>>> import credo
>>> credo.Categorical({"disease": 0.001, "healthy": 0.999}).given({"disease": 1.0, "healthy": 0.01})["disease"]
0.0909...
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from credo.beliefs import Bernoulli as Bernoulli
    from credo.beliefs import Beta as Beta
    from credo.beliefs import BetaBinomial as BetaBinomial
    from credo.beliefs import Binomial as Binomial
    from credo.beliefs import Categorical as Categorical
    from credo.beliefs import CountTable as CountTable
    from credo.beliefs import Dirichlet as Dirichlet
    from credo.beliefs import DirichletCategorical as DirichletCategorical
    from credo.beliefs import Gamma as Gamma
    from credo.beliefs import GammaPoisson as GammaPoisson
    from credo.beliefs import HalfCauchy as HalfCauchy
    from credo.beliefs import HalfNormal as HalfNormal
    from credo.beliefs import Hypotheses as Hypotheses
    from credo.beliefs import InverseGamma as InverseGamma
    from credo.beliefs import JointTable as JointTable
    from credo.beliefs import LogNormal as LogNormal
    from credo.beliefs import Mixture as Mixture
    from credo.beliefs import MultivariateNormal as MultivariateNormal
    from credo.beliefs import NegativeBinomial as NegativeBinomial
    from credo.beliefs import Normal as Normal
    from credo.beliefs import NormalInverseGamma as NormalInverseGamma
    from credo.beliefs import NormalNormal as NormalNormal
    from credo.beliefs import Point as Point
    from credo.beliefs import Poisson as Poisson
    from credo.beliefs import Samples as Samples
    from credo.beliefs import StudentT as StudentT
    from credo.beliefs import Uniform as Uniform
    from credo.decisions import Loss as Loss
    from credo.decisions import decide as decide
    from credo.evaluation.searching import Tuned as Tuned
    from credo.gp import GaussianProcessRegressor as GaussianProcessRegressor
    from credo.kernels import kernel as kernel
    from credo.linear import BayesianRegression as BayesianRegression
    from credo.linear import LinearRegression as LinearRegression
    from credo.linear import LinearSeparator as LinearSeparator
    from credo.linear import LogisticRegression as LogisticRegression
    from credo.linear import Perceptron as Perceptron
    from credo.linear import Ridge as Ridge
    from credo.linear import evidence_by_order as evidence_by_order
    from credo.naive_bayes import NaiveBayes as NaiveBayes
    from credo.networks import BayesianNetwork as BayesianNetwork
    from credo.networks import Factor as Factor
    from credo.networks import MarkovNetwork as MarkovNetwork
    from credo.networks import Node as Node
    from credo.networks import read_network as read_network
    from credo.networks import write_network as write_network
    from credo.storage import load as load
    from credo.storage import save as save
    from credo.study import Study as Study
    from credo.study import run_study as run_study
    from credo.svm import SupportVectorClassifier as SupportVectorClassifier
    from credo.tables import Encoder as Encoder
    from credo.tables import Table as Table

__version__ = "0.1.0"

# Where each name of the front door lives. They are loaded when first used, so that ``import credo`` costs nothing.
_HOME = {
    "BayesianNetwork": "credo.networks",
    "BayesianRegression": "credo.linear",
    "Bernoulli": "credo.beliefs",
    "Beta": "credo.beliefs",
    "BetaBinomial": "credo.beliefs",
    "Binomial": "credo.beliefs",
    "Categorical": "credo.beliefs",
    "CountTable": "credo.beliefs",
    "Dirichlet": "credo.beliefs",
    "DirichletCategorical": "credo.beliefs",
    "Encoder": "credo.tables",
    "Factor": "credo.networks",
    "Gamma": "credo.beliefs",
    "GammaPoisson": "credo.beliefs",
    "GaussianProcessRegressor": "credo.gp",
    "HalfCauchy": "credo.beliefs",
    "HalfNormal": "credo.beliefs",
    "Hypotheses": "credo.beliefs",
    "InverseGamma": "credo.beliefs",
    "JointTable": "credo.beliefs",
    "LinearRegression": "credo.linear",
    "LinearSeparator": "credo.linear",
    "LogNormal": "credo.beliefs",
    "LogisticRegression": "credo.linear",
    "Loss": "credo.decisions",
    "MarkovNetwork": "credo.networks",
    "Mixture": "credo.beliefs",
    "MultivariateNormal": "credo.beliefs",
    "NaiveBayes": "credo.naive_bayes",
    "NegativeBinomial": "credo.beliefs",
    "Node": "credo.networks",
    "Normal": "credo.beliefs",
    "NormalInverseGamma": "credo.beliefs",
    "NormalNormal": "credo.beliefs",
    "Perceptron": "credo.linear",
    "Point": "credo.beliefs",
    "Poisson": "credo.beliefs",
    "Ridge": "credo.linear",
    "Samples": "credo.beliefs",
    "StudentT": "credo.beliefs",
    "Study": "credo.study",
    "SupportVectorClassifier": "credo.svm",
    "Table": "credo.tables",
    "Tuned": "credo.evaluation.searching",
    "Uniform": "credo.beliefs",
    "decide": "credo.decisions",
    "evidence_by_order": "credo.linear",
    "kernel": "credo.kernels",
    "load": "credo.storage",
    "read_network": "credo.networks",
    "run_study": "credo.study",
    "save": "credo.storage",
    "write_network": "credo.networks",
}

__all__ = [
    "BayesianNetwork",
    "BayesianRegression",
    "Bernoulli",
    "Beta",
    "BetaBinomial",
    "Binomial",
    "Categorical",
    "CountTable",
    "Dirichlet",
    "DirichletCategorical",
    "Encoder",
    "Factor",
    "Gamma",
    "GammaPoisson",
    "GaussianProcessRegressor",
    "HalfCauchy",
    "HalfNormal",
    "Hypotheses",
    "InverseGamma",
    "JointTable",
    "LinearRegression",
    "LinearSeparator",
    "LogNormal",
    "LogisticRegression",
    "Loss",
    "MarkovNetwork",
    "Mixture",
    "MultivariateNormal",
    "NaiveBayes",
    "NegativeBinomial",
    "Node",
    "Normal",
    "NormalInverseGamma",
    "NormalNormal",
    "Perceptron",
    "Point",
    "Poisson",
    "Ridge",
    "Samples",
    "StudentT",
    "Study",
    "SupportVectorClassifier",
    "Table",
    "Tuned",
    "Uniform",
    "__version__",
    "decide",
    "evidence_by_order",
    "kernel",
    "load",
    "read_network",
    "run_study",
    "save",
    "write_network",
]


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"module 'credo' has no attribute {name!r}")
    import importlib

    value = getattr(importlib.import_module(_HOME[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
