from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from scipy import integrate, stats
from sklearn.dummy import DummyClassifier

from credo import storage
from credo.errors import InvalidInput, NotFitted, UnknownName
from credo.study.guesses import ClassFrequencies, TargetMean
from credo.tables import Table
from credo.testing import check_estimator

TABLE = Table({"x": [1.0, 2.5, 3.0, 4.0, None], "note": ["a", None, "b", "c", "d"]}, types={"note": "text"})
CLASSES = np.array(["b", "a", "b", "b", "a"])
NUMBERS = np.array([1.0, 2.0, 4.0, 8.0, 9.0])


def test_many_rows_of_unequal_classes_give_the_frequencies_of_scikit_learn():
    y = np.repeat(["b", "a", "c"], [3000, 2000, 1000])
    model = ClassFrequencies().fit(np.zeros((6000, 1)), y)
    reference = DummyClassifier(strategy="prior").fit(np.zeros((6000, 1)), y)
    belief = model.predictive(np.zeros((2, 1)))
    assert belief.states == tuple(reference.classes_)
    np.testing.assert_allclose(belief.probs, reference.predict_proba(np.zeros((2, 1))), atol=1e-4)
    assert model.predict(np.zeros((2, 1))).tolist() == ["b", "b"]


@pytest.mark.parametrize("counts", [(3, 2), (1, 3), (20, 20), (34, 66), (90, 2)])
def test_two_hypotheses_about_the_shares_are_averaged_by_their_evidence(counts):
    a, b = counts
    whole = integrate.quad(lambda p: p**a * (1 - p) ** b, 0, 1, epsabs=0)[0]
    free = integrate.quad(lambda p: p ** (a + 1) * (1 - p) ** b, 0, 1, epsabs=0)[0]
    equal = 0.5 ** (a + b)
    model = ClassFrequencies().fit(np.zeros((a + b, 1)), ["a"] * a + ["b"] * b)
    assert model.shares_[0] == pytest.approx((0.5 * equal + free) / (equal + whole), rel=1e-6)


def test_the_mean_is_predicted_as_one_more_normal_row():
    belief = TargetMean().fit(TABLE, NUMBERS).predictive(TABLE)
    low, high = belief.interval(0.9)
    reference = stats.t(4, loc=NUMBERS.mean(), scale=NUMBERS.std(ddof=1) * np.sqrt(1 + 1 / 5)).interval(0.9)
    assert (low[0], high[0]) == pytest.approx(reference)
    assert len(belief) == 5


@pytest.mark.parametrize(("kind", "y"), [(ClassFrequencies, CLASSES), (TargetMean, NUMBERS)])
def test_a_guess_asks_for_its_columns_and_does_not_look_at_them(kind, y, tmp_path):
    model = kind().fit(TABLE, y)
    storage.save(model, tmp_path / "guess.credo")
    again = storage.load(tmp_path / "guess.credo")
    other = Table({"note": ["new", "words"], "more": [1.0, 2.0], "x": [9e9, None]})
    assert again.predict(other).tolist() == model.predict(TABLE)[:2].tolist()
    with pytest.raises(UnknownName, match="'x'"):
        again.predict(other.drop("x"))
    frame = pd.DataFrame({"x": [1.0, np.nan, 3.0], "note": ["a", "b", None]})
    assert kind().fit(frame, y[:3]).predict(frame).shape == (3,)
    with pytest.raises(InvalidInput, match="x"):
        kind().fit(frame, y[:3]).predict(frame.drop(columns="x"))


@pytest.mark.parametrize("kind", [ClassFrequencies, TargetMean])
def test_what_is_refused(kind):
    with pytest.raises(NotFitted, match="Call fit"):
        kind().predictive(TABLE)
    with pytest.raises(InvalidInput, match="same number of rows"):
        kind().fit(TABLE, [1, 2])
    with pytest.raises(InvalidInput, match="NaN"):
        kind().fit(TABLE, [1.0, 1.0, 1.0, 1.0, np.nan])


def test_a_target_that_never_varies_has_no_spread():
    with pytest.raises(InvalidInput, match="y must vary"):
        TargetMean().fit([[1.0], [2.0]], [3.0, 3.0])
    with pytest.raises(InvalidInput, match="1 sample"):
        TargetMean().fit([[1.0]], [3.0])


@pytest.mark.parametrize("kind", [ClassFrequencies, TargetMean])
def test_contract(kind):
    check_estimator(kind())
