from __future__ import annotations

import math
import warnings

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats
from sklearn import metrics

from credo.errors import BadParameter, UnknownName
from credo.evaluation import OneClass, wilson
from credo.evaluation.measures import MEASURES, Cells, measured

COUNTS = st.tuples(*[st.integers(0, 12)] * 4)


def rows(tp, fn, fp, tn):
    return np.repeat([1, 1, 0, 0], [tp, fn, fp, tn]), np.repeat([1, 0, 1, 0], [tp, fn, fp, tn])


def likelihood_ratios(truth, said):
    with warnings.catch_warnings():  # it warns of the other one of the two
        warnings.simplefilter("ignore")
        return metrics.class_likelihood_ratios(truth, said)


REFERENCES = {
    "accuracy": metrics.accuracy_score,
    "recall": metrics.recall_score,
    "precision": metrics.precision_score,
    "f1": metrics.f1_score,
    "jaccard": metrics.jaccard_score,
    "balanced accuracy": metrics.balanced_accuracy_score,
    "mcc": metrics.matthews_corrcoef,
    "kappa": metrics.cohen_kappa_score,
    "specificity": lambda truth, said: metrics.recall_score(truth, said, pos_label=0),
    "npv": lambda truth, said: metrics.precision_score(truth, said, pos_label=0),
    "lr+": lambda truth, said: likelihood_ratios(truth, said)[0],
    "lr-": lambda truth, said: likelihood_ratios(truth, said)[1],
    "odds ratio": lambda truth, said: (
        stats.contingency.odds_ratio(metrics.confusion_matrix(truth, said), kind="sample").statistic
    ),
}


@settings(max_examples=40, deadline=None, derandomize=True)
@given(COUNTS)
def test_measures_agree_with_scikit_learn(counts):
    truth, said = rows(*counts)
    for name, reference in REFERENCES.items():
        found = float(measured(MEASURES[name], Cells(*counts)))
        if not math.isnan(found):
            assert found == pytest.approx(reference(truth, said), abs=1e-12), name


@settings(max_examples=200, deadline=None, derandomize=True)
@given(COUNTS)
def test_a_measure_is_undefined_exactly_where_a_reason_is_given(counts):
    for name, measure in MEASURES.items():
        value = float(measured(measure, Cells(*counts)))
        if measure.kind == "resampled":
            continue
        interval = OneClass("ill", *counts).measure(name)
        assert math.isnan(value) == (not interval.defined), name
        if interval.defined:
            assert interval.value == pytest.approx(value)
            if interval.bounded:
                assert interval.low - 1e-12 <= value <= interval.high + 1e-12
        else:
            assert "ill" in interval.why or "no rows" in interval.why or "vary" in interval.why


def test_measures_that_complete_each_other():
    found = OneClass("ill", tp=8, fn=2, fp=1, tn=9)
    for one, other in (("recall", "fnr"), ("specificity", "fpr"), ("precision", "fdr"), ("npv", "for")):
        assert found.measure(one).value + found.measure(other).value == pytest.approx(1)
        assert found.measure(one).low == pytest.approx(1 - found.measure(other).high)
    assert found.mcc.value == pytest.approx(math.sqrt(found.informedness.value * found.markedness.value))
    assert found.odds_ratio.value == pytest.approx(
        found.positive_likelihood_ratio.value / found.negative_likelihood_ratio.value
    )


def test_both_traditions_names_lead_to_the_same():
    found = OneClass("ill", tp=8, fn=2, fp=1, tn=9)
    assert found.recall == found.sensitivity == found.tpr == found.measure("Hit rate") == found.measure("TPR")
    assert found.precision == found.ppv == found.measure("PPV")
    assert found.specificity == found.tnr
    assert found.informedness == found.youden_j == found.measure("Youden's J")
    assert found.fpr == found.fall_out
    assert found.fnr == found.miss_rate
    assert found.measure("for") == found.false_omission_rate
    with pytest.raises(UnknownName, match="recall"):
        found.measure("recal")


def test_reasons_name_the_class_and_what_is_missing():
    assert OneClass("ill", 0, 0, 1, 2).recall.why == "no row is ill"
    assert OneClass("ill", 2, 1, 0, 0).specificity.why == "every row is ill"
    assert OneClass("ill", 0, 1, 0, 2).precision.why == "no row was taken for ill"
    assert OneClass("ill", 1, 0, 2, 0).npv.why == "every row was taken for ill"
    assert OneClass("ill", 0, 0, 0, 2).f1.why == "no row is ill or was taken for it"
    assert OneClass("ill", 3, 0, 0, 0).kappa.why == "truth and answers never vary"
    assert OneClass("ill", 3, 1, 0, 2).positive_likelihood_ratio.why == "no row was wrongly taken for ill"
    assert OneClass("ill", 0, 0, 0, 0).accuracy.why == "there are no rows"
    assert OneClass("ill", 3, 1, 0, 0).mcc.why == "every row is ill"


def test_shares_have_wilsons_interval():
    found = OneClass("ill", tp=8, fn=2, fp=1, tn=9, level=0.9)
    assert found.recall == wilson(8, 10, level=0.9)
    assert found.npv == wilson(9, 11, level=0.9)
    assert found.jaccard == wilson(8, 11, level=0.9)


def test_newcombes_published_difference():
    # 56/70 − 48/80, the first example of Newcombe (1998), method 10.
    found = OneClass("ill", tp=56, fn=14, fp=48, tn=32).informedness
    assert (round(found.low, 4), round(found.high, 4)) == (0.0524, 0.3339)


def test_ratios_agree_with_scipy():
    found = OneClass("ill", tp=30, fn=10, fp=12, tn=48)
    reference = stats.contingency.relative_risk(30, 40, 12, 60).confidence_interval(0.95)
    assert (found.positive_likelihood_ratio.low, found.positive_likelihood_ratio.high) == pytest.approx(reference[:])
    odds = stats.contingency.odds_ratio([[30, 10], [12, 48]], kind="sample").confidence_interval(0.95)
    assert (found.odds_ratio.low, found.odds_ratio.high) == pytest.approx(odds[:])
    never = OneClass("ill", tp=30, fn=0, fp=12, tn=48).negative_likelihood_ratio
    assert never.value == 0
    assert not never.bounded
    assert "zero" in never.why


@pytest.mark.parametrize("beta", [0.5, 1, 2])
def test_f_beta_agrees_with_scikit_learn(beta):
    found = OneClass("ill", tp=8, fn=2, fp=4, tn=9).f_beta(beta)
    assert found.value == pytest.approx(metrics.fbeta_score(*rows(8, 2, 4, 9), beta=beta))
    assert 0 <= found.low < found.value < found.high <= 1


def test_f_beta_can_be_undefined_and_needs_a_positive_beta():
    assert OneClass("ill", 0, 0, 0, 3).f_beta(2).why == "no row is ill or was taken for it"
    with pytest.raises(BadParameter, match="beta"):
        OneClass("ill", 1, 1, 1, 1).f_beta(0)


@pytest.mark.parametrize("name", ["f1", "informedness", "markedness", "mcc", "kappa", "balanced accuracy", "lr+"])
def test_intervals_cover_the_truth_about_as_often_as_they_say(name):
    rng = np.random.default_rng(3)
    law = np.array([0.3, 0.1, 0.15, 0.45])
    truth = float(measured(MEASURES[name], Cells(*law)))
    tables = rng.multinomial(120, law, size=150)
    covered = [
        found.low <= truth <= found.high
        for found in (OneClass("ill", *map(int, t), level=0.9).measure(name) for t in tables)
    ]
    assert 0.83 <= np.mean(covered) <= 0.96


def test_millions_of_rows_do_not_overflow():
    found = OneClass("ill", *[3_000_000] * 3, 5_000_000)
    assert found.measure("mcc").value == pytest.approx(0.125, abs=1e-3)
    assert found.informedness.high - found.informedness.low < 0.002


def test_it_shows_itself_and_goes_into_json():
    import json

    found = OneClass("<ill>", tp=8, fn=2, fp=0, tn=9)
    assert "TP 8, FN 2, FP 0, TN 9" in repr(found)
    assert "undefined: no row was wrongly taken for <ill>" in repr(found)
    assert "&lt;ill&gt;" in found._repr_html_()
    held = json.loads(json.dumps(found.to_dict(), allow_nan=False))
    assert held["recall"]["value"] == 0.8
    assert held["lr+"]["value"] is None
    assert "no row" in held["lr+"]["why"]


def test_counts_must_be_whole():
    with pytest.raises(BadParameter, match="fn"):
        OneClass("ill", 1, -1, 0, 0)
