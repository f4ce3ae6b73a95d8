"""Which classes a file may hold: a name in the file, and where the class lives.

A class that is not here cannot be stored, and a file that names it is refused. What is here must be a dataclass, an
enumeration or an estimator whose constructor, given anything at all, does nothing but keep or refuse it.
"""

from __future__ import annotations

import importlib
from typing import Any

from credo.checks import nearest
from credo.errors import InvalidInput

__all__ = ["CLASSES", "FORMER_SETTINGS", "class_of", "name_of"]

CLASSES = {
    "Bayes": "credo.evaluation.searching.methods",
    "BayesianRegression": "credo.linear.regression",
    "Beta": "credo.beliefs.beta",
    "BumpBasis": "credo.linear.bases",
    "Calibration": "credo.svm.calibration",
    "Candidate": "credo.gp.searching",
    "CategoryColumns": "credo.naive_bayes.categorical",
    "Certificate": "credo.linear.certificate",
    "Choice": "credo.evaluation.searching.space",
    "Cholesky": "credo.numerics.cholesky",
    "ClassFrequencies": "credo.study.guesses",
    "Column": "credo.tables.schema",
    "Constant": "credo.kernels.simple",
    "ConstantMean": "credo.gp.means",
    "Coordinates": "credo.linear.coordinates",
    "Cosine": "credo.kernels.waves",
    "Encoder": "credo.tables.encoder",
    "Exact": "credo.gp.solvers.exact",
    "ExactFactor": "credo.gp.solvers.exact",
    "Exponential": "credo.kernels.radial",
    "FourierBasis": "credo.linear.bases",
    "Gamma": "credo.beliefs.gamma",
    "GammaExponential": "credo.kernels.radial",
    "GaussianColumns": "credo.naive_bayes.gaussian",
    "GaussianProcessRegressor": "credo.gp.regression",
    "Grid": "credo.evaluation.searching.methods",
    "HalfCauchy": "credo.beliefs.half_cauchy",
    "HalfNormal": "credo.beliefs.half_normal",
    "Halving": "credo.evaluation.searching.methods",
    "Index": "credo.kernels.simple",
    "InverseGamma": "credo.beliefs.inverse_gamma",
    "Kind": "credo.tables.schema",
    "Kronecker": "credo.gp.solvers.kronecker",
    "KroneckerFactor": "credo.gp.solvers.kronecker",
    "Linear": "credo.kernels.weights",
    "LinearMean": "credo.gp.means",
    "LinearRegression": "credo.linear.least_squares",
    "LinearSeparator": "credo.linear.separator",
    "LogNormal": "credo.beliefs.log_normal",
    "LogisticRegression": "credo.linear.logistic",
    "Loss": "credo.decisions.loss",
    "Machine": "credo.svm.report",
    "Matern32": "credo.kernels.radial",
    "Matern52": "credo.kernels.radial",
    "NaiveBayes": "credo.naive_bayes.classifier",
    "NeuralNetwork": "credo.kernels.weights",
    "Noise": "credo.kernels.simple",
    "Normal": "credo.beliefs.normal",
    "On": "credo.kernels.inputs",
    "OneRule": "credo.study.rules",
    "OneRuleRegressor": "credo.study.rules",
    "Outcome": "credo.errors",
    "Perceptron": "credo.linear.perceptron",
    "Periodic": "credo.kernels.waves",
    "Pipeline": "sklearn.pipeline",
    "Polynomial": "credo.kernels.weights",
    "PolynomialBasis": "credo.linear.bases",
    "Power": "credo.kernels.algebra",
    "Process": "credo.gp.process",
    "Product": "credo.kernels.algebra",
    "Random": "credo.evaluation.searching.methods",
    "RationalQuadratic": "credo.kernels.radial",
    "Real": "credo.evaluation.searching.space",
    "Report": "credo.svm.report",
    "Restricted": "credo.kernels.restricted",
    "Ridge": "credo.linear.ridge",
    "Rule": "credo.study.rules",
    "SE": "credo.kernels.radial",
    "Scaling": "credo.gp.scaling",
    "Schema": "credo.tables.schema",
    "Search": "credo.gp.searching",
    "Seen": "credo.gp.seen",
    "Separation": "credo.linear.separation",
    "SpectralMixture": "credo.kernels.waves",
    "SplineBasis": "credo.linear.bases",
    "Spread": "credo.linear.spread",
    "StudentT": "credo.beliefs.student_t",
    "Sum": "credo.kernels.algebra",
    "SupportVectorClassifier": "credo.svm.classifier",
    "TargetMean": "credo.study.guesses",
    "Toeplitz": "credo.gp.solvers.toeplitz",
    "ToeplitzFactor": "credo.gp.solvers.toeplitz",
    "Tried": "credo.evaluation.searching.history",
    "Tuned": "credo.evaluation.searching.tuned",
    "Tuning": "credo.evaluation.searching.history",
    "Uniform": "credo.beliefs.uniform",
    "Whole": "credo.evaluation.searching.space",
    "Wiener": "credo.kernels.simple",
    "ZeroMean": "credo.gp.means",
}


# Settings that a class had once: files of that time still open, and what they say of these is passed over. A setting
# that a class has gained since needs no entry here, as its default stands for it.
FORMER_SETTINGS = {
    "GaussianProcessRegressor": frozenset({"n_jobs"}),
}


def class_of(name: str) -> type[Any]:
    """The class that a file calls ``name``."""
    if name not in CLASSES:
        raise InvalidInput(f"no class {name!r} can be stored.{nearest(name, CLASSES)}")
    found: type[Any] = getattr(importlib.import_module(CLASSES[name]), name)
    return found


def name_of(value: object) -> str:
    """What a file calls the class of ``value``; refuses a class that cannot be stored."""
    name = type(value).__name__
    if CLASSES.get(name) != type(value).__module__:
        raise InvalidInput(
            f"a {type(value).__module__}.{type(value).__qualname__} cannot be stored; "
            f"what can are numbers, text, arrays, lists, tuples, mappings and: {', '.join(CLASSES)}"
        )
    return name
