"""Measuring a million rows: tables, areas, calibration; ours with intervals, which scikit-learn has none of."""

from __future__ import annotations

from typing import Any

import numpy as np

from benchmarks.harness import Case

ROWS = 1_000_000


def setup_names() -> Any:
    rng = np.random.default_rng(0)
    return rng.choice(["ash", "beech", "oak", "pine"], ROWS), rng.choice(["ash", "beech", "oak", "pine"], ROWS)


def setup_scores() -> Any:
    rng = np.random.default_rng(0)
    positive = rng.random(ROWS) < 0.3
    return rng.normal(size=ROWS) + positive, positive


def setup_probabilities() -> Any:
    rng = np.random.default_rng(0)
    said = rng.random(ROWS)
    return said, rng.random(ROWS) < said


def setup_few() -> Any:
    return np.random.default_rng(0).lognormal(size=1000)


def our_table(data: Any) -> Any:
    from credo.evaluation import confusion

    found = confusion(*data)
    return [found.of(state).measure(name).value for state in found.states for name in ("recall", "precision", "f1")]


def sklearn_table(data: Any) -> Any:
    from sklearn.metrics import precision_recall_fscore_support

    return precision_recall_fscore_support(*data)


def our_area(data: Any) -> Any:
    from credo.evaluation import auc_interval

    return auc_interval(*data)


def sklearn_area(data: Any) -> Any:
    from sklearn.metrics import roc_auc_score

    return roc_auc_score(data[1], data[0])


def our_calibration(data: Any) -> Any:
    from credo.evaluation import reliability

    return reliability(*data, by="count")


def sklearn_calibration(data: Any) -> Any:
    from sklearn.calibration import calibration_curve

    return calibration_curve(data[1], data[0], n_bins=10, strategy="quantile")


def our_isotonic(data: Any) -> Any:
    from credo.evaluation import brier_parts

    return brier_parts(*data)


def sklearn_isotonic(data: Any) -> Any:
    from sklearn.isotonic import IsotonicRegression

    return ((IsotonicRegression().fit_transform(*data) - data[1]) ** 2).mean()


def our_bootstrap(data: Any) -> Any:
    from credo.evaluation import bootstrap

    return bootstrap(lambda rows: float(np.median(data[rows])), len(data), rng=0)


def scipy_bootstrap(data: Any) -> Any:
    from scipy.stats import bootstrap

    return bootstrap((data,), np.median, n_resamples=1000, method="BCa", rng=0)


CASES = [
    Case("confusion table and its measures by class", "scikit-learn", setup_names, our_table, sklearn_table),
    Case(
        "area under the ROC curve (ours with DeLong's interval)", "scikit-learn", setup_scores, our_area, sklearn_area
    ),
    Case(
        "calibration in ten groups of equal count",
        "scikit-learn",
        setup_probabilities,
        our_calibration,
        sklearn_calibration,
    ),
    Case(
        "Brier score in parts, by isotonic regression",
        "scikit-learn",
        setup_probabilities,
        our_isotonic,
        sklearn_isotonic,
    ),
    Case("BCa interval of a median of 1,000 rows", "SciPy", setup_few, our_bootstrap, scipy_bootstrap),
]
