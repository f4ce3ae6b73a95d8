from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from scipy import stats
from sklearn.dummy import DummyClassifier

from credo import storage
from credo.errors import InvalidInput, NotFitted, UnknownName
from credo.study.guesses import ClassFrequencies, TargetMean
from credo.tables import Table
from credo.testing import check_estimator

TABLE = Table({"x": [1.0, 2.5, 3.0, 4.0, None], "note": ["a", None, "b", "c", "d"]}, types={"note": "text"})
CLASSES = np.array(["b", "a", "b", "b", "a"])
NUMBERS = np.array([1.0, 2.0, 4.0, 8.0, 9.0])


def test_class_frequencies_are_those_of_scikit_learn():
    model = ClassFrequencies().fit(TABLE, CLASSES)
    reference = DummyClassifier(strategy="prior").fit(np.zeros((5, 1)), CLASSES)
    belief = model.predictive(TABLE)
    assert belief.states == tuple(reference.classes_)
    assert belief.probs == pytest.approx(reference.predict_proba(np.zeros((5, 1))))
    assert model.predict(TABLE).tolist() == ["b"] * 5


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
