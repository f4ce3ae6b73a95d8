"""Measuring: splits, scores with intervals, calibration and paired comparison, on plain arrays.

What comes out is a number with an interval and the name of the method that made the interval. Most of it knows no
model, only predictions; ``validation`` and ``leaving`` fit models, and ``searching`` chooses their settings.

* :mod:`~credo.evaluation.splits` deals rows into folds and sets rows aside, whole groups where there are groups, and
  :mod:`~credo.evaluation.times` has the past judged by the future.
* :mod:`~credo.evaluation.guards` keeps the rows set aside out of the reach of every fit, and counts the looks at them.
* :mod:`~credo.evaluation.validation` learns without each fold and judges on it; :mod:`~credo.evaluation.leaving` leaves
  out one row at a time, by a formula where there is one; :mod:`~credo.evaluation.stopping` ends learning in time.
* :mod:`~credo.evaluation.scores` scores every row; the mean of a row score is what is reported.
  :mod:`~credo.evaluation.forecasts` does so for beliefs about numbers (CRPS, quantiles, intervals), and
  :mod:`~credo.evaluation.acting` says what acting on beliefs cost.
* :mod:`~credo.evaluation.intervals` says how far such a number can be trusted.
* :mod:`~credo.evaluation.resampling` is the bootstrap, for numbers that have no formula of their own.
* :mod:`~credo.evaluation.confusion` counts what was taken for what, and :mod:`~credo.evaluation.one_class` makes of
  four counts every measure there is, from recall to the diagnostic odds, under the names of both traditions.
* :mod:`~credo.evaluation.calibration` asks whether what is said to happen in 80 % of the cases happens in 80 % of them.
* :mod:`~credo.evaluation.curves` looks at a score at all thresholds, :mod:`~credo.evaluation.delong` at the area under
  its ROC curve, :mod:`~credo.evaluation.refusal` at what refusing to decide buys.
* :mod:`~credo.evaluation.coverage` asks whether believed intervals of numbers hold what they promise.
* :mod:`~credo.evaluation.comparing` says whether one model is better than another, how surely, and whether it matters.

>>> from credo.evaluation import proportion, wilson
>>> print(proportion(18, 100))
0.180 (0.105 to 0.255)
>>> print(wilson(18, 100))
0.180 (0.117 to 0.267)

Every measure has its interval, and one that does not exist is NaN and says why, never a silent 0:

>>> from credo.evaluation import confusion, roc_curve
>>> table = confusion(["ill", "ill", "well", "well", "well"], ["ill", "well", "well", "well", "ill"])
>>> table.of("ill").sensitivity == table.of("ill").measure("recall") == table.recall("ill")
True
>>> print(confusion(["well"], ["well"], ("ill", "well")).recall("ill"))
undefined: no row is ill
>>> roc_curve([0.9, 0.4, 0.5, 0.2, 0.3, 0.1], [1, 1, 0, 0, 1, 0])
RocCurve(5 points, area 0.778 (0.291 to 1.000))

Beliefs are scored row by row, and the mean of the rows is what is reported:

>>> from credo.beliefs import Normal
>>> from credo.evaluation import coverage_by_level, crps, mean
>>> belief, truth = Normal([0.0, 1.0, 2.0, 3.0], 1.0), [0.3, 0.8, 3.1, 2.2]
>>> print(mean(crps(belief, truth)))
0.417 (0.100 to 0.734)
>>> coverage_by_level(belief, truth, levels=[0.5, 0.9])
level  covered                  mean width
  50%  0.500 (0.150 to 0.850)        1.349
  90%  1.000 (0.510 to 1.000)         3.29
"""

from __future__ import annotations

from credo.evaluation.acting import Acted, decision_loss
from credo.evaluation.believing import Worth, believe, worth_of
from credo.evaluation.calibration import BrierParts, Reliability, brier_parts, calibration_error, reliability
from credo.evaluation.comparing import (
    Hierarchy,
    IndependentOutcomes,
    PairedOutcomes,
    Ranking,
    Significance,
    Verdict,
    correlated_t,
    five_by_two,
    fold_mean,
    fold_t,
    hierarchical,
    rank,
    signed_rank,
    wilcoxon,
)
from credo.evaluation.confusion import Confusion, confusion
from credo.evaluation.coverage import Coverage, Pit, coverage_by_level, pit
from credo.evaluation.curves import (
    CostCurve,
    PrecisionRecallCurve,
    RocCurve,
    cost_curve,
    precision_recall_curve,
    roc_curve,
)
from credo.evaluation.delong import AucDifference, auc, auc_difference, auc_interval, hand_till
from credo.evaluation.forecasts import crps, interval_score, log_density, pinball
from credo.evaluation.guards import GoldenRule, Sealed
from credo.evaluation.intervals import (
    Interval,
    clopper_pearson,
    credible,
    mean,
    posterior,
    proportion,
    undefined,
    wilson,
)
from credo.evaluation.leaving import LeftOut, leave_one_out
from credo.evaluation.one_class import OneClass
from credo.evaluation.refusal import RiskCoverage, risk_coverage
from credo.evaluation.resampling import bootstrap
from credo.evaluation.scores import brier, log_score, mae, r_squared, rmse
from credo.evaluation.splits import Nested, Split, folds, leave_one_group_out, nested, repeated, set_aside, strata
from credo.evaluation.stopping import Stopped, stop_early
from credo.evaluation.times import time_ordered
from credo.evaluation.validation import Validation, cross_validate

__all__ = [
    "Acted",
    "AucDifference",
    "BrierParts",
    "Confusion",
    "CostCurve",
    "Coverage",
    "GoldenRule",
    "Hierarchy",
    "IndependentOutcomes",
    "Interval",
    "LeftOut",
    "Nested",
    "OneClass",
    "PairedOutcomes",
    "Pit",
    "PrecisionRecallCurve",
    "Ranking",
    "Reliability",
    "RiskCoverage",
    "RocCurve",
    "Sealed",
    "Significance",
    "Split",
    "Stopped",
    "Validation",
    "Verdict",
    "Worth",
    "auc",
    "auc_difference",
    "auc_interval",
    "believe",
    "bootstrap",
    "brier",
    "brier_parts",
    "calibration_error",
    "clopper_pearson",
    "confusion",
    "correlated_t",
    "cost_curve",
    "coverage_by_level",
    "credible",
    "cross_validate",
    "crps",
    "decision_loss",
    "five_by_two",
    "fold_mean",
    "fold_t",
    "folds",
    "hand_till",
    "hierarchical",
    "interval_score",
    "leave_one_group_out",
    "leave_one_out",
    "log_density",
    "log_score",
    "mae",
    "mean",
    "nested",
    "pinball",
    "pit",
    "posterior",
    "precision_recall_curve",
    "proportion",
    "r_squared",
    "rank",
    "reliability",
    "repeated",
    "risk_coverage",
    "rmse",
    "roc_curve",
    "set_aside",
    "signed_rank",
    "stop_early",
    "strata",
    "time_ordered",
    "undefined",
    "wilcoxon",
    "wilson",
    "worth_of",
]
