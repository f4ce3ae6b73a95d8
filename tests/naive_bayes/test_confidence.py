import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from scipy.special import log_softmax
from sklearn.datasets import load_breast_cancer
from sklearn.model_selection import cross_val_score

from credo.errors import BadParameter, BadShape, InvalidInput
from credo.naive_bayes import NaiveBayes
from credo.naive_bayes.confidence import FOLDS, LEAST, best_confidence
from credo.tables import Table
from credo.testing import check_estimator

GRID = np.exp(np.linspace(np.log(LEAST), 0, 1001))


def score(confidence, joint, y, weights):
    """The log likelihood, written out."""
    return weights @ log_softmax(confidence * joint, axis=1)[np.arange(len(y)), y]


@settings(deadline=None, max_examples=40, derandomize=True)
@given(
    hnp.arrays(np.float64, (12, 3), elements=st.floats(-200, 0)),
    hnp.arrays(np.intp, 12, elements=st.integers(0, 2)),
    hnp.arrays(np.float64, 12, elements=st.sampled_from([0.0, 0.5, 1.0, 3.0])),
)
def test_no_confidence_on_a_fine_grid_is_better(joint, y, weights):
    found = best_confidence(joint, y, weights)
    assert LEAST <= found <= 1
    best = max(score(confidence, joint, y, weights) for confidence in GRID)
    assert score(found, joint, y, weights) >= best - 1e-9 * max(1, abs(best))


def test_right_in_three_of_four_is_believed_three_quarters():
    for said in (0.76, 0.9, 0.999, 1 - 1e-12):
        joint = np.log([[said, 1 - said]] * 8)
        found = best_confidence(joint, np.array([0, 0, 1, 0, 0, 0, 0, 1]))
        np.testing.assert_allclose(np.exp(log_softmax(found * joint[0])), [0.75, 0.25])


def test_it_is_never_surer_than_the_model():
    joint = np.log([[0.6, 0.4]] * 4)
    assert best_confidence(joint, np.array([0, 0, 0, 1])) == 1
    assert best_confidence(joint, np.zeros(4, dtype=int)) == 1
    assert best_confidence(joint, np.ones(4, dtype=int)) == LEAST


def test_what_is_impossible_has_no_say():
    joint = np.log([[0.9, 0.1]] * 4 + [[1e-99, 1e-99]])
    joint[-1] = [-np.inf, 0]
    y = np.array([0, 0, 0, 1, 0])
    assert best_confidence(joint, y) == best_confidence(joint[:4], y[:4])
    y[-1] = 1  # right, and as sure as can be
    assert best_confidence(joint, y) == best_confidence(joint[:4], y[:4])
    assert best_confidence(np.array([[-np.inf, 0.0]]), np.array([0])) == 1
    assert best_confidence(np.array([[-1e308, 1e308], [1e308, -1e308]]), np.array([0, 0])) == LEAST


def test_rows_are_judged_by_models_that_did_not_meet_them():
    rng = np.random.default_rng(0)
    y = rng.permutation(np.arange(200) % 2)
    X = np.repeat(rng.normal(y[:, None], 1.0, (200, 2)), 3, axis=1)  # each column three times
    model = NaiveBayes(confidence="learnt").fit(X, y)
    order = np.argsort(y, kind="stable")
    fold = np.empty(200, dtype=int)  # as many folds, dealt out otherwise: nearly the same confidence
    fold[order] = np.arange(200) % FOLDS
    joint = np.empty((200, 2))
    for k in range(FOLDS):
        joint[fold == k] = NaiveBayes().fit(X[fold != k], y[fold != k]).predict_joint_log_proba(X[fold == k])
    by_grid = GRID[np.argmax([score(confidence, joint, y, np.ones(200)) for confidence in GRID])]
    assert 0.2 < by_grid < 0.5
    assert model.confidence_ == pytest.approx(by_grid, rel=0.05)


def test_repeated_columns_are_seen_through():
    rng = np.random.default_rng(1)
    y = np.arange(4000) % 2
    X = rng.normal(y[:, None], 1.0, (4000, 1))
    once, often = (NaiveBayes(confidence="learnt").fit(np.repeat(X, k, axis=1), y) for k in (1, 5))
    assert once.confidence_ == pytest.approx(1, abs=0.1)
    assert often.confidence_ == pytest.approx(once.confidence_ / 5, rel=1e-3)
    np.testing.assert_allclose(often.predict_proba(np.repeat(X, 5, axis=1)), once.predict_proba(X), atol=1e-3)


def test_unseen_rows_are_predicted_with_more_likelihood():
    X, y = load_breast_cancer(return_X_y=True)
    plain, learnt = (
        cross_val_score(NaiveBayes(confidence=confidence), X, y, cv=5, scoring="neg_log_loss").mean()
        for confidence in (1.0, "learnt")
    )
    assert learnt > plain + 0.3


def test_a_confidence_of_one_changes_no_bit():
    X, y = load_breast_cancer(return_X_y=True)
    plain, one = NaiveBayes().fit(X, y), NaiveBayes(confidence=1).fit(X, y)
    assert plain.confidence_ == one.confidence_ == 1
    joint = plain.predict_joint_log_proba(X)
    assert one.predict_log_proba(X).tobytes() == plain.predict_log_proba(X).tobytes()
    np.testing.assert_allclose(plain.predict_log_proba(X), log_softmax(joint, axis=1), rtol=1e-9, atol=1e-12)


@pytest.mark.parametrize("confidence", [1e-3, 0.3, 2.5, "learnt"])
def test_the_belief_is_tempered_and_the_answer_stays(confidence):
    X, y = load_breast_cancer(return_X_y=True)
    plain, model = NaiveBayes().fit(X, y), NaiveBayes(confidence=confidence).fit(X, y)
    joint = plain.predict_joint_log_proba(X)
    assert (model.predict_joint_log_proba(X) == joint).all()
    assert (model.predict(X) == plain.predict(X)).all()
    np.testing.assert_allclose(model.predict_log_proba(X), log_softmax(model.confidence_ * joint, axis=1), atol=1e-9)
    assert (model.predictive(X).log_evidence == plain.predictive(X).log_evidence).all()
    found, belief = model.explain(X[3]), model.predictive(X[3:4])[0]
    assert found.log_odds[0] == pytest.approx(belief.log_prob(found.predicted) - belief.log_prob(found.others[0]))


def test_it_depends_on_the_rows_and_not_on_their_order_or_how_they_are_counted():
    rng = np.random.default_rng(2)
    y = rng.integers(0, 3, 60)
    columns = {"x": rng.normal(y, 2.0), "c": rng.choice(["a", "b", "c"], 60), "z": np.round(rng.normal(y), 1)}
    columns["z"][::7] = np.nan
    weights = rng.integers(0, 4, 60)

    def learnt(rows, weights=None):
        held = {name: values[rows].tolist() for name, values in columns.items()}
        return NaiveBayes(confidence="learnt").fit(held, y[rows], sample_weight=weights).confidence_

    plain = learnt(np.arange(60))
    assert learnt(rng.permutation(60)) == pytest.approx(plain, rel=1e-9)
    assert learnt(np.repeat(np.arange(60), weights)) == pytest.approx(learnt(np.arange(60), weights), rel=1e-9)
    assert learnt(np.tile(np.arange(60), 2)) == pytest.approx(learnt(np.arange(60), np.full(60, 2)), rel=1e-9)


@pytest.mark.parametrize(
    ("X", "y"),
    [
        ([[1.0]], [0]),
        ([[1.0], [1.0], [1.0]], [0, 0, 0]),
        ([[1.0], [2.0]], [0, 1]),
        ([[1.0], [2.0], [3.0]], [0, 0, 0]),
        ([[1.0], [2.0], [3.0], [9.0]], [0, 0, 0, 1]),
        ([[np.nan], [np.nan], [np.nan]], [0, 1, 0]),
        ([[-0.0], [0.0], [5.0]], [0, 0, 1]),
        (np.zeros((5, 0)), [0, 1, 0, 1, 1]),
    ],
)
def test_a_handful_of_rows(X, y):
    X = {} if np.shape(X)[1] == 0 else np.array(X)
    if not len(X):
        X = Table({"t": [f"text {i}" for i in range(5)], "x": [1.0] * 5}).drop("t")
    model = NaiveBayes(confidence="learnt").fit(X, y)
    assert LEAST <= model.confidence_ <= 1
    assert np.isfinite(model.predict_log_proba(X)).any(axis=1).all()


def test_without_imagined_rows_what_was_left_out_can_be_impossible():
    X = {"c": ["a", "a", "b", "b", "c", "a", "b", "c"]}
    model = NaiveBayes(m=0, confidence="learnt").fit(X, [0, 0, 1, 1, 1, 0, 0, 0])
    assert 0 < model.confidence_ <= 1
    alone = NaiveBayes(m=0, confidence="learnt").fit({"c": ["a", "b"]}, [0, 1])
    assert alone.confidence_ == 1


@pytest.mark.parametrize(
    ("confidence", "error"),
    [(0, BadParameter), (-1, BadParameter), ("high", BadParameter), (np.nan, InvalidInput), ([1.0], BadShape)],
)
def test_what_is_no_confidence(confidence, error):
    with pytest.raises(error, match="confidence"):
        NaiveBayes(confidence=confidence).fit([[1.0], [2.0]], [0, 1])


def test_counts_alone_cannot_say_it():
    table = Table({"x": [1.5, 2.5, 3.5], "y": ["a", "b", "a"]})
    with pytest.raises(InvalidInput, match=r"fit\(table.drop\('y'\), table\['y'\]\)"):
        NaiveBayes(confidence="learnt").fit(table, "y")
    assert NaiveBayes(confidence=0.5).fit(table, "y").confidence_ == 0.5
    assert NaiveBayes(confidence="learnt").fit(table.drop("y"), table["y"]).confidence_ > 0


def test_contract():
    check_estimator(NaiveBayes(confidence="learnt"))
    check_estimator(NaiveBayes(confidence=0.2))
