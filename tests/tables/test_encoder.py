"""The encoder: scikit-learn's own checks, and what it makes of kinds, missing and unseen values."""

import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.utils.estimator_checks import parametrize_with_checks

from credo.errors import InvalidInput
from credo.tables import Encoder, Table


@parametrize_with_checks([Encoder()])
@pytest.mark.filterwarnings("ignore")
def test_keeps_scikit_learns_contract(estimator, check):
    check(estimator)


TRAINING = Table(
    {"x": [1.5, 2.5, None, 6.5], "g": ["a", "b", "b", None], "ok": [True, False, True, None], "c": [2.5] * 4}
)


def test_columns_and_values():
    encoder = Encoder().fit(TRAINING)
    assert encoder.get_feature_names_out().tolist() == ["x", "x missing", "g=a", "g=b", "ok=true", "c"]
    X = encoder.transform(TRAINING)
    known = np.array([1.5, 2.5, 6.5])
    np.testing.assert_allclose(X[[0, 1, 3], 0], (known - known.mean()) / known.std())
    np.testing.assert_array_equal(X[:, 1:], [[0, 1, 0, 1, 0], [0, 0, 1, 0, 0], [1, 0, 1, 1, 0], [0, 0, 0, 0, 0]])


def test_learns_from_training_rows_only():
    encoder = Encoder().fit(TRAINING)
    later = encoder.transform({"c": [9.0], "ok": [None], "g": ["z"], "x": [None]})
    assert later.tolist() == [[0, 1, 0, 0, 0, 6.5]]
    assert encoder.transform(TRAINING.head(0)).shape == (0, 6)


@pytest.mark.parametrize("library", ["pandas", "polars", "pyarrow"])
def test_frames(library):
    pytest.importorskip(library)
    encoder = Encoder().fit(TRAINING)
    np.testing.assert_allclose(encoder.transform(TRAINING.to_frame(library)), encoder.transform(TRAINING))


def test_without_numbers():
    assert Encoder().fit_transform({"g": ["a", "b"]}).tolist() == [[1, 0], [0, 1]]


def test_texts_are_refused_or_left_out():
    data = {"w": [f"word {i}" for i in range(50)], "x": np.arange(50) / 2}
    with pytest.raises(InvalidInput, match=r"'w' is text .* text='drop'"):
        Encoder().fit(data)
    assert Encoder(text="drop").fit_transform(data).shape == (50, 1)
    with pytest.raises(InvalidInput):
        Encoder(text="keep").fit(data)
    with pytest.raises(InvalidInput, match="at least one row"):
        Encoder().fit(TRAINING.head(0))


def test_in_a_pipeline():
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame({"x": np.arange(20) / 7, "g": ["a", "b"] * 10})
    model = make_pipeline(Encoder(), LogisticRegression()).fit(frame, [0, 1] * 10)
    assert model.score(frame, [0, 1] * 10) == 1
