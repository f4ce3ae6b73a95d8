"""Logistic regression beside scikit-learn's fastest solver, both to a mean gradient below 1e-8 in every column.

Credo's search has one tolerance, which is finer than that. Each solver of scikit-learn's is given the one at which it
gets there; ``python -m benchmarks.logistic`` shows how far all of them come and how long they take, so that the
fastest is the one compared with. The prior is the same on both sides, α = 1/C = 1.
"""

from __future__ import annotations

import gzip
import time
import warnings
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.harness import Case
from credo.linear import LogisticRegression

TABLES = Path(__file__).parents[2] / "shared" / "data" / "tables"
GOAL = 1e-8


def a9a() -> Any:
    """The 32,561 rows of a9a, 123 sparse columns: what LIBSVM's pages call a1a and a1a.t, together."""
    from scipy import sparse
    from sklearn.datasets import load_svmlight_file

    parts = []
    for name in ("a1a.gz", "a1a.t.gz"):
        with gzip.open(TABLES / name) as file:
            parts.append(load_svmlight_file(file, n_features=123))
    return sparse.csr_array(sparse.vstack([part[0] for part in parts])), np.concatenate([part[1] for part in parts])


def dense() -> Any:
    """200,000 rows of 50 columns, dense."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(200_000, 50))
    log_odds = X @ rng.normal(size=50) / 4
    return X, np.where(rng.random(len(X)) < 1 / (1 + np.exp(-log_odds)), 1.0, -1.0)


def few() -> Any:
    """500 rows of 10 columns."""
    X, y = dense()
    return X[:500, :10], y[:500]


def letters() -> Any:
    """15,000 rows of 16 columns and 26 classes: the size of LetterRecognition, and about as hard to tell apart."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(15_000, 16))
    scores = 1.5 * X @ rng.normal(size=(16, 26)) + rng.gumbel(size=(15_000, 26))
    return X, scores.argmax(axis=1)


def ours(data: Any) -> Any:
    return LogisticRegression(alpha=1.0).fit(*data)


def learnt(data: Any) -> Any:
    return LogisticRegression().fit(*data)


def theirs(data: Any, solver: str, tol: float) -> Any:
    from sklearn.linear_model import LogisticRegression as Theirs

    return Theirs(C=1.0, solver=solver, tol=tol, max_iter=10_000).fit(*data)


def newton(data: Any) -> Any:
    return theirs(data, "newton-cholesky", 1e-8)


def lbfgs(data: Any) -> Any:
    return theirs(data, "lbfgs", 1e-8)


def searched(data: Any) -> Any:
    """What people do where there is no evidence: ten strengths of the prior, five folds."""
    from sklearn.linear_model import LogisticRegressionCV

    return LogisticRegressionCV(Cs=10, cv=5, scoring="neg_log_loss", use_legacy_attributes=False, l1_ratios=(0,)).fit(
        *data
    )


CASES = [
    Case("fit a9a (32,561 sparse rows of 123 columns)", "scikit-learn, newton-cholesky", a9a, ours, newton),
    Case("fit 200,000 rows of 50 columns", "scikit-learn, lbfgs", dense, ours, lbfgs),
    Case("fit 500 rows of 10 columns", "scikit-learn, lbfgs", few, ours, lbfgs),
    Case("fit 15,000 rows of 16 columns, 26 classes", "scikit-learn, lbfgs", letters, ours, lbfgs),
    Case("learn the prior of 26 classes", "scikit-learn, ten priors by five folds", letters, learnt, searched),
    Case("learn the prior of a9a", "scikit-learn, ten priors by five folds", a9a, learnt, searched),
]


def steepest(model: Any, data: Any) -> float:
    """The largest entry of the gradient of the loss, divided by the number of rows."""
    X, y = data
    w = model.coef_[0]
    if len(model.classes_) > 2:
        from scipy.special import softmax

        W = model.coef_
        off = softmax(X @ W.T + model.intercept_, axis=1) - (np.asarray(y)[:, None] == model.classes_)
        return float(max(np.abs(off.T @ X + W).max(), np.abs(off.sum(axis=0)).max()) / len(y))
    off = 1 / (1 + np.exp(-(X @ w + model.intercept_[0]))) - (y > 0)
    return float(max(np.abs(X.T @ off + w).max(), abs(off.sum())) / len(y))


def main() -> None:
    for name, make in (("a9a", a9a), ("200,000 × 50", dense), ("26 classes", letters)):
        data = make()
        solvers = {"credo": ours, "newton-cholesky": newton, "lbfgs": lbfgs}
        solvers |= {"newton-cg": lambda data: theirs(data, "newton-cg", 1e-8)}
        for solver, fit in solvers.items():
            took = []
            for _ in range(5):
                start = time.perf_counter()
                with warnings.catch_warnings():
                    warnings.simplefilter("ignore")
                    model = fit(data)
                took.append(time.perf_counter() - start)
            reached = steepest(model, data)
            short = "" if reached <= GOAL else ", short of the goal"
            print(f"{name:>14} {solver:>16} {1e3 * min(took):8.1f} ms, gradient {reached:.1e}{short}", flush=True)


if __name__ == "__main__":
    main()
