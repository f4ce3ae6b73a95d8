"""Which classes a file may hold: a name in the file, and where the class lives.

A class that is not here cannot be stored, and a file that names it is refused. What is here must be a dataclass, an
enumeration or an estimator whose constructor, given anything at all, does nothing but keep or refuse it.
"""

from __future__ import annotations

import importlib
from typing import Any

from credo.checks import nearest
from credo.errors import InvalidInput

__all__ = ["CLASSES", "class_of", "name_of"]

CLASSES = {
    "BayesianRegression": "credo.linear.regression",
    "CategoryColumns": "credo.naive_bayes.categorical",
    "Certificate": "credo.linear.certificate",
    "ClassFrequencies": "credo.study.guesses",
    "Column": "credo.tables.schema",
    "Encoder": "credo.tables.encoder",
    "GaussianColumns": "credo.naive_bayes.gaussian",
    "Kind": "credo.tables.schema",
    "LinearSeparator": "credo.linear.separator",
    "Loss": "credo.decisions.loss",
    "NaiveBayes": "credo.naive_bayes.classifier",
    "Outcome": "credo.errors",
    "Perceptron": "credo.linear.perceptron",
    "Pipeline": "sklearn.pipeline",
    "Schema": "credo.tables.schema",
    "TargetMean": "credo.study.guesses",
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
