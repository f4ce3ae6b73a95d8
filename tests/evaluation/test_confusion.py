from __future__ import annotations

import json
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn import metrics

from credo.errors import BadParameter, BadShape, InvalidInput, UnknownName
from credo.evaluation import bootstrap, confusion

RNG = np.random.default_rng(0)
TRUTH = RNG.choice(["a", "b", "c"], size=80)
ANSWERS = np.where(RNG.random(80) < 0.6, TRUTH, RNG.choice(["a", "b", "c"], size=80))
FOUND = confusion(TRUTH, ANSWERS)


def test_counts_and_measures_agree_with_scikit_learn():
    assert (FOUND.counts == metrics.confusion_matrix(TRUTH, ANSWERS)).all()
    assert FOUND.accuracy.value == pytest.approx(metrics.accuracy_score(TRUTH, ANSWERS))
    assert FOUND.balanced_accuracy.value == pytest.approx(metrics.balanced_accuracy_score(TRUTH, ANSWERS))
    assert FOUND.mcc.value == FOUND.correlation.value == pytest.approx(metrics.matthews_corrcoef(TRUTH, ANSWERS))
    for weights, theirs in (("equal", None), ("linear", "linear"), ("quadratic", "quadratic")):
        reference = metrics.cohen_kappa_score(TRUTH, ANSWERS, weights=theirs)
        assert FOUND.kappa(weights).value == pytest.approx(reference)
    assert FOUND.kappa(1 - np.eye(3)).value == pytest.approx(FOUND.kappa().value)
    for i, state in enumerate("abc"):
        assert FOUND.recall(state).value == pytest.approx(metrics.recall_score(TRUTH, ANSWERS, average=None)[i])
        assert FOUND.precision(state).value == pytest.approx(metrics.precision_score(TRUTH, ANSWERS, average=None)[i])
        assert (metrics.multilabel_confusion_matrix(TRUTH, ANSWERS)[i].ravel() == table(FOUND.of(state))).all()


def table(one):
    return one.tn, one.fp, one.fn, one.tp


@pytest.mark.parametrize("how", ["macro", "micro", "weighted"])
@pytest.mark.parametrize("name", ["precision", "recall", "f1", "jaccard"])
def test_averages_agree_with_scikit_learn(how, name):
    reference = getattr(metrics, f"{name}_score")(TRUTH, ANSWERS, average=how)
    found = FOUND.average(name, how)
    assert found.value == pytest.approx(reference)
    assert found.low < found.value < found.high


@settings(max_examples=60, deadline=None, derandomize=True)
@given(st.lists(st.tuples(st.sampled_from("abc"), st.sampled_from("abc")), min_size=1, max_size=12))
def test_what_is_left_out_is_what_is_undefined(pairs):
    truth, answers = zip(*pairs, strict=True)
    found = confusion(truth, answers, ("a", "b", "c"))
    recalls = [one.value for one in map(found.recall, "abc") if one.defined]
    kept = found.average("recall", skip_undefined=True)
    assert kept.value == pytest.approx(np.mean(recalls))
    assert found.average("recall").defined == (len(recalls) == 3)
    assert found.average("recall", "weighted").value == pytest.approx(found.accuracy.value)
    assert found.average("recall", "micro").value == found.accuracy.value


def test_intervals_are_those_of_drawing_the_rows():
    def correlation(rows):
        return metrics.matthews_corrcoef(TRUTH[rows], ANSWERS[rows])

    reference = bootstrap(correlation, 80, rng=1, draws=400)
    assert (FOUND.mcc.low, FOUND.mcc.high) == pytest.approx((reference.low, reference.high), abs=0.04)
    assert FOUND.mcc == FOUND.mcc
    assert "BCa" in FOUND.mcc.method


def test_what_was_never_seen_or_said_is_undefined_and_says_why():
    found = confusion(["a", "a"], ["a", "a"], ("a", "b"))
    assert found.recall("b").why == "no row is b"
    assert found.precision("b").why == "no row was taken for b"
    assert math.isnan(found.recall("b").value)
    assert found.mcc.why == "the truth is always a"
    assert confusion(["a", "b"], ["a", "a"]).mcc.why == "the answer is always a"
    assert "alike" in found.kappa().why
    assert found.balanced_accuracy.why == "no row is b"
    empty = confusion([], [], ("a", "b"))
    assert empty.accuracy.why == empty.mcc.why == empty.kappa().why == empty.average("f1").why == "there are no rows"


def test_names_may_be_anything_and_keep_their_kind():
    assert confusion([1, 0, 1], [1, 1, 1]).states == (0, 1)
    assert confusion(np.array([True, False]), np.array([True, True])).states == (False, True)
    assert confusion([1, "b"], ["b", 1]).states == (1, "b")
    assert confusion([2, 10], [10, 2]).of(10).tp == 0


def test_many_rows_are_counted_as_few_are():
    truth = RNG.integers(5, size=20_000)
    answers = RNG.integers(5, size=20_000)
    assert (confusion(truth, answers).counts == metrics.confusion_matrix(truth, answers)).all()


def test_it_shows_itself_and_goes_into_json():
    text = repr(FOUND)
    assert text.splitlines()[0].split()[:7] == ["truth", "\\", "answer", "a", "b", "c", "rows"]
    assert "balanced accuracy" in text
    assert "&lt;" in confusion(["<"], ["<"])._repr_html_()
    many = confusion(range(40), range(40))
    assert repr(many).startswith("Confusion of 40 classes, 40 rows")
    held = json.loads(json.dumps(FOUND.to_dict(), allow_nan=False))
    assert held["states"] == ["a", "b", "c"]
    assert held["classes"][1]["recall"]["value"] == pytest.approx(FOUND.recall("b").value)


def test_bad_input_is_refused():
    with pytest.raises(UnknownName, match="'c'"):
        confusion(["a"], ["c"], ("a", "b"))
    with pytest.raises(UnknownName, match="state"):
        confusion(["a"], ["a"]).recall("z")
    with pytest.raises(BadShape, match="same number of rows"):
        confusion(["a"], ["a", "a"])
    with pytest.raises(BadShape, match="list of classes"):
        confusion([["a"]], [["a"]])
    with pytest.raises(BadParameter, match="how"):
        FOUND.average("recall", "mean")
    with pytest.raises(BadParameter, match="weights"):
        FOUND.kappa("squared")
    with pytest.raises(BadShape, match="weights"):
        FOUND.kappa(np.eye(2))
    with pytest.raises(BadParameter, match="level"):
        confusion(["a"], ["a"], level=95)


@pytest.mark.parametrize("missing", [None, float("nan")])
def test_a_row_without_a_class_is_no_class(missing):
    with pytest.raises(InvalidInput, match=r"truth must be known for every row; row 1 has none"):
        confusion(np.array(["a", missing], dtype=object), ["a", "a"])
