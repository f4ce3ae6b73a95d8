"""The native loops beside pandas, SciPy and scikit-learn: a million rows each."""

from __future__ import annotations

from itertools import combinations
from typing import Any

import numpy as np

from benchmarks.harness import Case
from credo import native

ROWS = 1_000_000


def codes() -> Any:
    """Ten columns of three states, as arrays of codes and as the data frame that pandas counts fastest."""
    import pandas as pd

    rng = np.random.default_rng(0)
    columns = [rng.integers(0, 3, ROWS, dtype=np.int32) for _ in range(10)]
    states = ["low", "middle", "high"]
    frame = pd.DataFrame({f"c{i}": pd.Categorical.from_codes(c, states) for i, c in enumerate(columns)})
    return columns, frame


def count_all(data: Any) -> object:
    return native.contingency(data[0], [3] * 10)


def pandas_count_all(data: Any) -> object:
    return data[1].groupby(list(data[1]), observed=True, sort=False).size()


def pandas_count_all_unobserved(data: Any) -> object:
    return data[1].groupby(list(data[1]), observed=False, sort=False).size()


def count_pairs(data: Any) -> object:
    return [native.contingency(pair, [3, 3]) for pair in combinations(data[0], 2)]


def pandas_count_pairs(data: Any) -> object:
    return [data[1].groupby(list(pair), observed=True, sort=False).size() for pair in combinations(data[1], 2)]


def logs() -> Any:
    return np.random.default_rng(0).normal(0, 10, (ROWS, 10))


def scipy_log_sum_exp(a: Any) -> object:
    from scipy.special import logsumexp

    return logsumexp(a, axis=1)


def numbers() -> Any:
    """A million rows of twenty numbers in two classes, and scikit-learn's model of them."""
    from sklearn.naive_bayes import GaussianNB

    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(ROWS, 20)), rng.integers(0, 2, ROWS, dtype=np.int32)
    return X, y, GaussianNB().fit(X, y)


def moments(data: Any) -> object:
    return native.grouped_moments(data[0], data[1], 2)


def sklearn_moments(data: Any) -> object:
    """What GaussianNB.fit does once its input is checked, alone."""
    X, y, model = data
    return [model._update_mean_variance(0, 0.0, 0.0, X[y == k]) for k in (0, 1)]


def pandas_moments(data: Any) -> object:
    import pandas as pd

    groups = pd.DataFrame(data[0], copy=False).groupby(data[1])
    return groups.mean(), groups.var(ddof=0)


def joint(data: Any) -> object:
    X, _, model = data
    return native.gaussian_log_joint(X, model.theta_, model.var_, np.log(model.class_prior_))


def sklearn_joint(data: Any) -> object:
    X, _, model = data
    return model._joint_log_likelihood(X)


CASES = [
    Case("count 10 columns × 1e6 rows", "pandas groupby(observed=True).size()", codes, count_all, pandas_count_all),
    Case(
        "count 10 columns × 1e6 rows",
        "pandas groupby(observed=False).size()",
        codes,
        count_all,
        pandas_count_all_unobserved,
    ),
    Case("count their 45 pairs", "pandas groupby(observed=True).size()", codes, count_pairs, pandas_count_pairs),
    Case(
        "log-sum-exp of 1e6 × 10",
        "scipy.special.logsumexp",
        logs,
        lambda a: native.log_sum_exp(a, 1),
        scipy_log_sum_exp,
    ),
    Case("moments of 1e6 × 20 in 2 groups", "GaussianNB, inside fit", numbers, moments, sklearn_moments),
    Case("moments of 1e6 × 20 in 2 groups", "pandas groupby mean and var", numbers, moments, pandas_moments),
    Case("Gaussian log joint of 1e6 × 20 × 2", "GaussianNB, inside predict", numbers, joint, sklearn_joint),
]
