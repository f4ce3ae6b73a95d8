"""Naive Bayes on a million rows of twenty numbers in two classes, beside scikit-learn's."""

from __future__ import annotations

from typing import Any

import numpy as np

from benchmarks.harness import Case
from credo.naive_bayes import NaiveBayes

ROWS, COLUMNS = 1_000_000, 20
PEER = "scikit-learn GaussianNB"


def rows() -> Any:
    """Rows and their classes."""
    rng = np.random.default_rng(0)
    y = rng.integers(0, 2, ROWS)
    return rng.normal(size=(ROWS, COLUMNS)) + 0.3 * y[:, None], y


def fitted() -> Any:
    """Rows, and both models fitted to some of them."""
    from sklearn.naive_bayes import GaussianNB

    X, y = rows()
    return X, NaiveBayes().fit(X[:10_000], y[:10_000]), GaussianNB().fit(X[:10_000], y[:10_000])


def fit(data: Any) -> object:
    return NaiveBayes().fit(*data)


def sklearn_fit(data: Any) -> object:
    from sklearn.naive_bayes import GaussianNB

    return GaussianNB().fit(*data)


def predict(data: Any) -> object:
    return data[1].predict(data[0])


def sklearn_predict(data: Any) -> object:
    return data[2].predict(data[0])


def chances(data: Any) -> object:
    return data[1].predict_proba(data[0])


def sklearn_chances(data: Any) -> object:
    return data[2].predict_proba(data[0])


def whole(data: Any) -> object:
    X, y = data
    return NaiveBayes().fit(X, y).predict(X)


def sklearn_whole(data: Any) -> object:
    from sklearn.naive_bayes import GaussianNB

    X, y = data
    return GaussianNB().fit(X, y).predict(X)


CASES = [
    Case("fit naive Bayes to 1e6 rows × 20 numbers", PEER, rows, fit, sklearn_fit),
    Case("predict 1e6 rows", PEER, fitted, predict, sklearn_predict),
    Case("probabilities of 1e6 rows", PEER, fitted, chances, sklearn_chances),
    Case("fit and predict 1e6 rows", PEER, rows, whole, sklearn_whole),
]
