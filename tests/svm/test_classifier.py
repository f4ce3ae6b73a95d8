"""The support vector classifier against scikit-learn's, the conditions of the optimum, and data out to break it."""

import sys
import warnings

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import sparse
from sklearn.svm import SVC

from credo.beliefs import Categorical
from credo.errors import BadParameter, CredoWarning, FormatError, InvalidInput, NotFitted, Outcome
from credo.kernels import SE, Linear, Polynomial
from credo.storage import load, save
from credo.svm import SupportVectorClassifier
from credo.tables import Table
from credo.testing import check_estimator


def rows(n=120, d=3, classes=2, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, d))
    signal = np.sin(2 * X[:, 0]) + X[:, 1] + 0.4 * rng.normal(size=n)
    cuts = np.quantile(signal, np.arange(1, classes) / classes)
    return X, np.array(list("abcdefgh"))[np.digitize(signal, cuts)]


def gamma(length):
    return 1 / (2 * length**2)


def dual_of(model, X, y, gram):
    """Σα − ½αᵀQα of a fitted SVC of two classes."""
    beta = model.dual_coef_.ravel()
    K = gram(X[model.support_])
    return np.abs(beta).sum() - 0.5 * beta @ K @ beta


@pytest.mark.parametrize("C", [0.05, 1.0, 30.0])
@pytest.mark.parametrize(
    ("kernel", "theirs"),
    [
        ("SE(1.3)", {"gamma": gamma(1.3)}),
        (Linear(), {"kernel": "linear"}),
        (Polynomial(3, 1.0), {"kernel": "poly", "degree": 3, "gamma": 1.0, "coef0": 1.0}),
        (None, {"gamma": "scale"}),
    ],
)
def test_it_finds_the_optimum_that_libsvm_finds(kernel, theirs, C):
    X, y = rows()
    ours = SupportVectorClassifier(C=C, kernel=kernel, tolerance=1e-6).fit(X, y)
    svc = SVC(C=C, tol=1e-8, **theirs).fit(X, y)
    report = ours.report_.machines[0]
    assert report.dual == pytest.approx(dual_of(svc, X, y, ours.kernel_), rel=1e-6)
    assert report.violation <= 1e-6
    assert 0 <= report.gap <= 1e-4 * report.dual
    if svc.kernel == "rbf":  # it keeps its kernel in single precision, which for larger kernels moves the decisions
        new = rows(50, seed=9)[0]
        np.testing.assert_allclose(ours.decision_function(new), svc.decision_function(new), atol=2e-4)
    assert abs(len(ours.support_) - len(svc.support_)) <= 1


@pytest.mark.parametrize("classes", [3, 5])
def test_many_classes_agree_machine_by_machine(classes):
    X, y = rows(300, 4, classes, seed=2)
    ours = SupportVectorClassifier(C=5, kernel="SE(1.0)", tolerance=1e-7).fit(X, y)
    svc = SVC(C=5, gamma=0.5, tol=1e-8, decision_function_shape="ovo", break_ties=False).fit(X, y)
    new = rows(80, 4, seed=9)[0]
    np.testing.assert_allclose(ours.pair_decisions(new), -svc.decision_function(new), atol=1e-4)
    assert len(ours.report_.machines) == classes * (classes - 1) // 2
    assert (ours.predict(new) == svc.predict(new)).mean() > 0.95  # between as many votes, ours takes the clearer ones
    scores = ours.decision_function(new)
    np.testing.assert_array_equal(ours.classes_[scores.argmax(axis=1)], ours.predict(new))
    np.testing.assert_array_equal(ours.n_support_, [np.sum(y[ours.support_] == c) for c in ours.classes_])
    np.testing.assert_array_equal(X[ours.support_], ours.support_vectors_)


def test_weights_of_rows_and_classes_multiply_the_limit():
    X, y = rows(90)
    weight = np.random.default_rng(1).integers(0, 4, 90).astype(float)
    ours = SupportVectorClassifier(C=2, kernel="SE(1.0)", class_weight={"b": 3.0}).fit(X, y, weight)
    svc = SVC(C=2, gamma=0.5, class_weight={"b": 3.0}, tol=1e-9).fit(X, y, sample_weight=weight)
    np.testing.assert_allclose(ours.decision_function(X), svc.decision_function(X), atol=1e-4)
    balanced = SupportVectorClassifier(kernel="SE(1.0)", class_weight="balanced", tolerance=1e-6).fit(X[:60], y[:60])
    theirs = SVC(gamma=0.5, class_weight="balanced", tol=1e-9).fit(X[:60], y[:60])
    np.testing.assert_allclose(balanced.decision_function(X), theirs.decision_function(X), atol=1e-4)


def test_sparse_dense_and_precomputed_rows_give_the_same():
    X, y = rows(150, 5)
    X[np.abs(X) < 0.7] = 0
    whole = SupportVectorClassifier(kernel=SE(1.2)).fit(X, y)
    thin = SupportVectorClassifier(kernel=SE(1.2)).fit(sparse.csr_matrix(X), y)
    made = SupportVectorClassifier(kernel="precomputed").fit(SE(1.2)(X), y)
    new = rows(20, 5, seed=3)[0]
    expected = whole.decision_function(new)
    np.testing.assert_allclose(thin.decision_function(sparse.csr_array(new)), expected, atol=1e-9)
    np.testing.assert_allclose(made.decision_function(SE(1.2)(new, X)), expected, atol=1e-9)
    default = SupportVectorClassifier().fit(sparse.csr_array(X), y).kernel_
    assert default.length == pytest.approx(SupportVectorClassifier().fit(X, y).kernel_.length)


@settings(max_examples=40, deadline=None, derandomize=True)
@given(st.integers(4, 60), st.sampled_from([1e-3, 1.0, 1e3]), st.integers(0, 2**32 - 1))
def test_the_conditions_of_the_optimum_hold_row_by_row(n, C, seed):
    rng = np.random.default_rng(seed)
    X, y = rng.normal(size=(n, 2)), rng.permutation(np.arange(n) % 2)
    model = SupportVectorClassifier(C=C, kernel="SE(0.7)").fit(X, y)
    alpha = np.zeros(n)
    alpha[model.support_] = np.abs(model.dual_coef_[0])
    margin = np.where(y == 1, 1, -1) * model.decision_function(X)
    assert (margin[alpha == 0] >= 1 - 2e-3).all()
    assert (margin[alpha == C] <= 1 + 2e-3).all()
    np.testing.assert_allclose(margin[(alpha > 0) & (alpha < C)], 1, atol=2e-3)
    assert alpha.max() <= C
    assert abs(model.dual_coef_.sum()) < 1e-9 * max(C, 1)


def test_the_report_says_what_the_definitions_say():
    X, y = rows(80)
    model = SupportVectorClassifier(C=3, kernel="SE(1.0)").fit(X, y)
    report, sign = model.report_.machines[0], np.where(y == "b", 1.0, -1.0)
    beta = model.dual_coef_[0]
    length = beta @ SE(1.0)(model.support_vectors_) @ beta
    loss = np.maximum(0, 1 - sign * model.decision_function(X)).sum()
    assert report.primal == pytest.approx(0.5 * length + 3 * loss)
    assert report.dual == pytest.approx(np.abs(beta).sum() - 0.5 * length)
    assert report.support == len(model.support_)
    assert report.bounded == (np.abs(beta) == 3).sum()
    assert (report.negative, report.positive, report.outcome) == ("a", "b", Outcome.CONVERGED)
    assert "1 machine, solved" in str(model.report_)
    assert model.report_.gap == report.gap


def test_a_hard_margin():
    X = np.array([[0.0, 0.0], [0.0, 1.0], [3.0, 0.0], [3.0, 1.0], [9.0, 9.0]])
    y = np.array([0, 0, 1, 1, 1])
    model = SupportVectorClassifier(C=np.inf, kernel="Linear()").fit(X, y)
    w = model.dual_coef_[0] @ model.support_vectors_
    np.testing.assert_allclose(w, [2 / 3, 0], atol=1e-9)
    assert model.intercept_[0] == pytest.approx(-1)
    assert model.report_.gap == pytest.approx(0, abs=1e-6)
    X, y = rows(200)
    curved = SupportVectorClassifier(C=np.inf, kernel="SE(0.2)").fit(X, y)
    assert (np.where(y == "b", 1, -1) * curved.decision_function(X)).min() > 0.99


@pytest.mark.parametrize(
    ("X", "y"),
    [
        ([[0.0], [1.0], [2.0]], [0, 1, 0]),
        ([[0.0], [1.0], [1.0]], [0, 1, 0]),
        (rows(400)[0], rows(400)[1]),
    ],
)
def test_a_hard_margin_that_is_not_there_is_refused(X, y):
    with pytest.raises(InvalidInput, match=r"C=inf asks for a hard margin, but no hyperplane .* Give a finite C"):
        SupportVectorClassifier(C=np.inf, kernel="Linear()").fit(X, y)


def test_probabilities_are_honest_and_never_contradict_the_decision():
    X, y = rows(600, 3, 3, seed=5)
    model = SupportVectorClassifier(C=50, probability=True).fit(X[:300], y[:300])
    belief = model.predictive(X[300:])
    assert isinstance(belief, Categorical)
    np.testing.assert_array_equal(model.classes_[belief.probs.argmax(axis=1)], model.predict(X[300:]))
    own = belief.probs[np.arange(300), np.searchsorted(model.classes_, y[300:])]
    frequencies = np.bincount(np.searchsorted(model.classes_, y[:300])) / 300
    guess = frequencies[np.searchsorted(model.classes_, y[300:])]
    assert np.log(own).mean() > np.log(guess).mean() + 0.2
    sure = belief.probs.max(axis=1)
    right = model.predict(X[300:]) == y[300:]
    assert abs(sure.mean() - right.mean()) < 0.08
    plain = SupportVectorClassifier(C=50).fit(X[:300], y[:300])
    np.testing.assert_array_equal(plain.predict(X), model.predict(X))  # it decides the same with and without
    assert set(np.unique(plain.predict_proba(X))) == {0.0, 1.0}


def test_probabilities_of_noise_are_those_of_the_classes():
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(400, 2)), np.where(rng.random(400) < 0.2, "rare", "usual")
    model = SupportVectorClassifier(C=10, kernel="SE(0.5)", probability=True).fit(X, y)
    p = model.predict_proba(rng.normal(size=(200, 2)))
    assert abs(p[:, 1].mean() - 0.8) < 0.12


def test_columns_of_very_different_scales_are_told():
    X, y = rows(60)
    X[:, 1] *= 1e4
    with pytest.warns(CredoWarning, match=r"column 1 varies .* times as much as .* Standardise"):
        SupportVectorClassifier().fit(X, y)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        SupportVectorClassifier(kernel=SE([1.0, 1e4, 1.0])).fit(X, y)


def test_too_few_steps_are_told_and_reported():
    X, y = rows(300)
    with pytest.warns(CredoWarning, match="1 of 1 machines are not solved.*step limit"):
        model = SupportVectorClassifier(C=1e4, steps=10).fit(X, y)
    assert model.report_.machines[0].outcome is Outcome.OUT_OF_STEPS
    assert not model.report_.good
    assert "1 not solved" in str(model.report_)


@pytest.mark.parametrize("probability", [False, True])
def test_ctrl_c_keeps_what_there_is(monkeypatch, probability):
    from credo.native import smo

    X, y = rows(300, classes=3)
    calls = []

    def interrupted(*arguments, **options):
        calls.append(1)
        if len(calls) == 2:
            raise KeyboardInterrupt
        return smo(*arguments, **options)

    monkeypatch.setattr("credo.native.threads", lambda: 1)
    monkeypatch.setattr("credo.native.smo", interrupted)
    with pytest.warns(CredoWarning, match="stopped by hand"):
        model = SupportVectorClassifier(probability=probability).fit(X, y)
    assert [machine.outcome.good for machine in model.report_.machines].count(True) <= 1
    assert set(model.predict(X)) <= set("abc")


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ({"C": 0}, "C must be above zero"),
        ({"C": np.nan}, "C must be"),
        ({"kernel": 3}, "kernel must be a kernel, its text"),
        ({"class_weight": "equal"}, "class_weight"),
        ({"class_weight": {"z": 1.0}}, "'z'"),
        ({"class_weight": 3}, "class_weight, unless it is a mapping"),
        ({"tolerance": 0}, "tolerance must be positive"),
        ({"steps": 0}, "steps must be at least 1"),
        ({"cache": -1}, "cache must be"),
        ({"probability": "yes"}, "probability must be"),
    ],
)
def test_bad_settings_are_refused_by_name(settings, words):
    X, y = rows(20)
    with pytest.raises(InvalidInput, match=words):
        SupportVectorClassifier(**settings).fit(X, y)


def test_what_cannot_be_learnt_from_is_refused():
    X, y = rows(20)
    with pytest.raises(FormatError, match="there is no 'rbf'"):
        SupportVectorClassifier(kernel="rbf").fit(X, y)
    with pytest.raises(InvalidInput, match="at least two classes to tell apart; got one class"):
        SupportVectorClassifier().fit(X, ["a"] * 20)
    with pytest.raises(InvalidInput, match="all weights of the class 'a' are zero"):
        SupportVectorClassifier().fit(X, y, sample_weight=(y == "b").astype(float))
    with pytest.raises(InvalidInput, match="X must be square"):
        SupportVectorClassifier(kernel="precomputed").fit(X, y)
    with pytest.raises(NotFitted):
        SupportVectorClassifier().pair_decisions(X)
    with pytest.raises(BadParameter, match="C must be above zero"):
        SupportVectorClassifier(C=-1).fit(X, y)


def test_tables_are_read_by_the_names_of_their_columns():
    X, y = rows(60)
    table = Table({"a": X[:, 0], "b": X[:, 1], "c": X[:, 2], "kind": y})
    model = SupportVectorClassifier().fit(table, "kind")
    expected = SupportVectorClassifier().fit(X, y).decision_function(X)
    turned = Table({"c": X[:, 2], "b": X[:, 1], "a": X[:, 0]})
    np.testing.assert_allclose(model.decision_function(turned), expected)
    with pytest.raises(InvalidInput, match=r"column 'kind' is .* Encode the table"):
        SupportVectorClassifier().fit(table, y)


def test_a_machine_with_a_composite_kernel_comes_back_from_a_file(tmp_path):
    X, y = rows(60, classes=3)
    model = SupportVectorClassifier(kernel="0.5 * SE(1.0) + Linear()", probability=True).fit(X, y)
    save(model, tmp_path / "machine.credo")
    again = load(tmp_path / "machine.credo")
    np.testing.assert_array_equal(again.predict_proba(X), model.predict_proba(X))
    assert str(again.report_) == str(model.report_)


def test_it_works_without_native_loops(monkeypatch):
    from credo.native import reference

    X, y = rows(70)
    native = SupportVectorClassifier(kernel="SE(1.0)").fit(X, y)
    monkeypatch.setattr(sys.modules["credo.native.smo"], "loops", reference)
    twin = SupportVectorClassifier(kernel="SE(1.0)").fit(X, y)
    np.testing.assert_allclose(twin.decision_function(X), native.decision_function(X), atol=1e-8)


@pytest.mark.parametrize("settings", [{}, {"probability": True, "C": 10.0}])
def test_keeps_the_contract(settings):
    check_estimator(SupportVectorClassifier(**settings))
