"""Linear regression beside scikit-learn's: Bayesian with one precision or one for each weight, and least squares."""

from __future__ import annotations

from typing import Any

import numpy as np

from benchmarks.harness import Case
from credo.linear import BayesianRegression, LinearRegression


def rows(n: int, d: int) -> Any:
    """Rows of a linear model with as much noise as signal, and both models fitted to them."""
    from sklearn.linear_model import BayesianRidge

    rng = np.random.default_rng(0)
    X = rng.normal(size=(n, d))
    y = X @ rng.normal(size=d) / np.sqrt(d) + rng.normal(size=n)
    return X, y, BayesianRegression().fit(X, y), BayesianRidge().fit(X, y)


def many() -> Any:
    return rows(100_000, 100)


def wide() -> Any:
    return rows(200, 2_000)


def few() -> Any:
    return rows(500, 10)


def fit(data: Any) -> object:
    return BayesianRegression().fit(data[0], data[1])


def peer_fit(data: Any) -> object:
    from sklearn.linear_model import BayesianRidge

    return BayesianRidge().fit(data[0], data[1])


def relevant(n: int, d: int) -> Any:
    """Rows in which three columns of ten matter."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(n, d))
    return X, X @ (rng.normal(size=d) * (rng.random(d) < 0.3)) + rng.normal(size=n)


def many_relevant() -> Any:
    return relevant(100_000, 100)


def few_relevant() -> Any:
    return relevant(500, 30)


def fit_relevance(data: Any) -> object:
    return BayesianRegression(prior="each").fit(*data)


def peer_fit_relevance(data: Any) -> object:
    from sklearn.linear_model import ARDRegression

    return ARDRegression().fit(*data)


def fit_line(data: Any) -> object:
    return LinearRegression().fit(*data)


def peer_fit_line(data: Any) -> object:
    from sklearn.linear_model import LinearRegression as Peer

    return Peer().fit(*data)


def predict(data: Any) -> object:
    return data[2].predict(data[0], return_std=True)


def peer_predict(data: Any) -> object:
    return data[3].predict(data[0], return_std=True)


PEER = "scikit-learn BayesianRidge"
PEER_RELEVANCE = "scikit-learn ARDRegression"
CASES = [
    Case("fit 100,000 rows of 100 columns", PEER, many, fit, peer_fit),
    Case(
        "a precision for each weight, 100,000 rows of 100 columns",
        PEER_RELEVANCE,
        many_relevant,
        fit_relevance,
        peer_fit_relevance,
    ),
    Case(
        "a precision for each weight, 500 rows of 30 columns",
        PEER_RELEVANCE,
        few_relevant,
        fit_relevance,
        peer_fit_relevance,
    ),
    Case(
        "least squares by QR, 100,000 rows of 100 columns",
        "scikit-learn LinearRegression",
        many_relevant,
        fit_line,
        peer_fit_line,
    ),
    Case("fit 500 rows of 10 columns", PEER, few, fit, peer_fit),
    Case("fit 200 rows of 2,000 columns", PEER, wide, fit, peer_fit),
    Case("predict 100,000 rows, with standard deviations", PEER, many, predict, peer_predict),
]
