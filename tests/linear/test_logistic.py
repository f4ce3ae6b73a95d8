"""Logistic regression against scikit-learn, direct formulas and integrals, and data that is out to break it."""

from contextlib import contextmanager

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import sparse, special
from sklearn.linear_model import LogisticRegression as Theirs
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from credo.errors import BadParameter, CredoWarning, InvalidInput, NotFitted, Outcome, TooLarge
from credo.linear import LogisticRegression, logistic
from credo.tables import Encoder, Table
from credo.testing import check_estimator


def problem(n=150, d=3, classes=2, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, d)) * np.array([1, 5, 0.2, 1, 1])[:d] + 1
    scores = ((X - X.mean(axis=0)) / X.std(axis=0)) @ rng.normal(size=(d, classes)) + rng.gumbel(size=(n, classes))
    return X, np.array(["ash", "beech", "cedar", "date"])[scores.argmax(axis=1)]


@pytest.mark.parametrize("classes", [2, 3, 4])
@pytest.mark.parametrize("intercept", [True, False])
@pytest.mark.parametrize("alpha", [0.0, 0.3])
def test_the_weights_are_scikit_learns(classes, intercept, alpha):
    X, y = problem(classes=classes)
    weight = np.random.default_rng(1).integers(0, 3, len(y)).astype(float)
    ours = LogisticRegression(alpha=alpha, fit_intercept=intercept).fit(X, y, weight)
    C = 1 / alpha if alpha else np.inf
    theirs = Theirs(C=C, tol=1e-10, max_iter=10_000, solver="newton-cg", fit_intercept=intercept)
    theirs.fit(X, y, weight)
    np.testing.assert_allclose(ours.coef_, theirs.coef_, rtol=1e-4, atol=1e-5)
    np.testing.assert_allclose(ours.intercept_, theirs.intercept_, rtol=1e-4, atol=1e-5)
    plug_in = ours.predictive(X, averaged=False)
    assert list(plug_in.states) == list(theirs.classes_)
    np.testing.assert_allclose(plug_in.probs, theirs.predict_proba(X), rtol=1e-4, atol=1e-6)
    if classes > 2:
        np.testing.assert_allclose(ours.coef_.sum(axis=0), 0, atol=1e-12)
    own = np.searchsorted(ours.classes_, y)
    loss = -2 * weight @ plug_in.log_probs[np.arange(len(y)), own]
    assert ours.deviance_ == pytest.approx(loss)
    share = np.bincount(own, weights=weight) / weight.sum()
    null = -2 * weight.sum() * (share * np.log(share)).sum() if intercept else 2 * weight.sum() * np.log(classes)
    assert ours.null_deviance_ == pytest.approx(null)


def test_a_textbook_table():
    # Hours of study and passing an exam; the estimates and errors every statistics package prints for these 20 rows.
    hours = [0.5, 0.75, 1, 1.25, 1.5, 1.75, 1.75, 2, 2.25, 2.5, 2.75, 3, 3.25, 3.5, 4, 4.25, 4.5, 4.75, 5, 5.5]
    passed = [0, 0, 0, 0, 0, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 1, 1, 1, 1, 1]
    table = LogisticRegression(alpha=0).fit(pd.DataFrame({"hours": hours}), passed).summary()
    assert table.names == ("hours", "intercept")
    np.testing.assert_allclose(table.estimate, [1.5046, -4.0777], atol=1e-4)
    np.testing.assert_allclose(table.se, [0.6287, 1.7610], atol=1e-4)
    np.testing.assert_allclose(table.z, [2.393, -2.316], atol=1e-3)
    np.testing.assert_allclose(table.p, [0.0167, 0.0206], atol=1e-4)
    np.testing.assert_allclose([table.low[0], table.high[0]], [0.2722, 2.7369], atol=1e-3)
    assert "hours" in repr(table)
    assert "<th>estimate</th>" in table._repr_html_()


@pytest.mark.parametrize("classes", [2, 3])
@pytest.mark.parametrize("alpha", [0.0, 2.0])
def test_the_standard_errors_come_from_the_curvature(classes, alpha):
    X, y = problem(classes=classes)
    model = LogisticRegression(alpha=alpha).fit(X, y)
    own, k, d = np.searchsorted(model.classes_, y), classes, X.shape[1]
    F = np.column_stack([X, np.ones(len(X))])

    def gradient(free):
        """Of the log posterior by the weights of all classes but the last, which has minus their sum."""
        W = free.reshape(k - 1, d + 1)
        W = np.vstack([W, -W.sum(axis=0)]) if k > 2 else np.vstack([0 * W, W])
        off = np.eye(k)[own] - special.softmax(F @ W.T, axis=1)
        slope = off.T @ F - alpha * W * np.append(np.ones(d), 0.0)
        return (slope[:-1] - slope[-1]).ravel() if k > 2 else slope[1]

    at = np.column_stack([model.coef_, model.intercept_])[: max(k - 1, 1)].ravel()
    np.testing.assert_allclose(gradient(at), 0, atol=1e-6)
    H = np.array([(gradient(at - e) - gradient(at + e)) / 2e-5 for e in 1e-5 * np.eye(len(at))])
    covariance = np.linalg.inv(H)
    np.testing.assert_allclose(model.summary().se[: len(at)], np.sqrt(np.diag(covariance)), rtol=1e-5)
    if alpha:
        np.testing.assert_allclose(model.posterior_.mean, at, rtol=1e-9)
        np.testing.assert_allclose(model.posterior_.cov, covariance, rtol=1e-4, atol=1e-8)
    else:
        with pytest.raises(InvalidInput, match=r"alpha=0 is maximum likelihood.*summary"):
            model.posterior_  # noqa: B018


@pytest.mark.parametrize("alpha", [0.3, 3.0])
def test_the_belief_is_near_the_exact_average(alpha):
    x, y = np.array([-2.0, -1.2, -0.4, 0.1, 0.9, 1.4, 2.2, 3.0]), np.array([0, 0, 1, 0, 1, 0, 1, 1])
    model = LogisticRegression(alpha=alpha).fit(x[:, None], y)
    w, b = np.meshgrid(np.linspace(-8, 12, 500), np.linspace(-15, 15, 500), indexing="ij")
    log = -alpha / 2 * w**2
    for xi, si in zip(x, 2 * y - 1, strict=True):
        log = log + special.log_expit(si * (w * xi + b))
    posterior = np.exp(log - log.max())
    posterior /= posterior.sum()
    new = np.array([-6.0, -1.0, 0.5, 2.0, 6.0])
    exact = np.array([(posterior * special.expit(w * q + b)).sum() for q in new])
    ours = model.predictive(new[:, None]).probs[:, 1]
    plain = model.predictive(new[:, None], averaged=False).probs[:, 1]
    assert np.abs(ours - exact).max() < 0.03
    assert np.abs(ours - exact).max() < np.abs(plain - exact).max()


@pytest.mark.parametrize(("classes", "alone"), [(2, False), (4, True)])
def test_many_small_products_are_made_on_one_thread(monkeypatch, classes, alone):
    from threadpoolctl import threadpool_info

    X, y = problem(1000, 3, classes)
    monkeypatch.setattr(logistic, "LONG", 1000 * 3 * 2)
    seen, kept = [], logistic.one_blas_thread

    @contextmanager
    def watched(*, when):
        with kept(when=when):
            seen.append((when, {pool["num_threads"] for pool in threadpool_info() if pool["user_api"] == "blas"}))
            yield

    monkeypatch.setattr(logistic, "one_blas_thread", watched)
    LogisticRegression(alpha=1.0).fit(X, y).predict(X)
    assert [when for when, _ in seen] == [alone, alone]
    assert not alone or all(threads <= {1} for _, threads in seen)


def test_rows_far_from_all_others_are_doubted():
    X, y = problem(60)
    model = LogisticRegression(alpha=1.0).fit(X, y)
    far = X.mean(axis=0) + 30 * (X.std(axis=0) * [1, -1, 1])
    sure, unsure = (model.predictive([far], averaged=a).probs.max() for a in (False, True))
    assert unsure < sure


@pytest.mark.parametrize("classes", [2, 3])
@pytest.mark.parametrize("slope", [0.5, 4.0])
def test_a_slope_is_a_unit_of_the_weights(classes, slope):
    X, y = problem(classes=classes)
    plain, steep = LogisticRegression(alpha=0).fit(X, y), LogisticRegression(alpha=0, slope=slope).fit(X, y)
    np.testing.assert_allclose(steep.coef_ * slope, plain.coef_, rtol=1e-9)
    np.testing.assert_allclose(steep.summary().se * slope, plain.summary().se, rtol=1e-9)
    np.testing.assert_allclose(steep.predict_proba(X), plain.predict_proba(X), rtol=1e-8)
    # With θw in place of w the prior of precision α becomes one of α / θ².
    plain = LogisticRegression(alpha=0.8 / slope**2, fit_intercept=False).fit(X, y)
    steep = LogisticRegression(alpha=0.8, slope=slope, fit_intercept=False).fit(X, y)
    np.testing.assert_allclose(steep.coef_ * slope, plain.coef_, rtol=1e-9)
    assert steep.log_evidence_ == pytest.approx(plain.log_evidence_)
    np.testing.assert_allclose(steep.predict_proba(X), plain.predict_proba(X), rtol=1e-8)
    learnt = LogisticRegression(slope=slope).fit(X, y)
    assert learnt.alpha_ == pytest.approx(LogisticRegression().fit(X, y).alpha_ * slope**2, rel=1e-6)


@pytest.mark.parametrize("alpha", [None, 0.0, 1.0])
@pytest.mark.parametrize("classes", [2, 3])
def test_sparse_rows_are_rows(alpha, classes):
    X, y = problem(classes=classes)
    X *= np.random.default_rng(2).random(X.shape) < 0.5
    dense = LogisticRegression(alpha=alpha).fit(X, y)
    for make in (sparse.csr_matrix, sparse.csc_array, sparse.coo_array):
        model = LogisticRegression(alpha=alpha).fit(make(X), y)
        np.testing.assert_allclose(model.coef_, dense.coef_, rtol=1e-6, atol=1e-9)
        np.testing.assert_allclose(model.predict_proba(make(X)), dense.predict_proba(X), rtol=1e-6)
        np.testing.assert_allclose(model.predict_proba(X), dense.predict_proba(X), rtol=1e-6)
    holes = sparse.csr_array([[0.0, np.nan], [1.0, 0.0]])
    with pytest.raises(InvalidInput, match="column 1 holds nan in row 0"):
        LogisticRegression().fit(holes, [0, 1])


@pytest.mark.filterwarnings("ignore:the classes are told apart so well")  # some of what is drawn is
@settings(max_examples=20, deadline=None, derandomize=True)
@given(seed=st.integers(0, 999), classes=st.integers(2, 3), alpha=st.sampled_from([None, 0.5]))
def test_a_weight_counts_rows(seed, classes, alpha):
    X, y = problem(60, 2, classes, seed=seed)
    weight = np.random.default_rng(seed).integers(0, 3, 60)
    again = np.repeat(np.arange(60), weight)
    by_weight = LogisticRegression(alpha=alpha).fit(X, y, weight)
    by_row = LogisticRegression(alpha=alpha).fit(X[again], y[again])
    np.testing.assert_allclose(by_weight.coef_, by_row.coef_, rtol=1e-5, atol=1e-8)
    assert by_weight.log_evidence_ == pytest.approx(by_row.log_evidence_, abs=1e-7)
    np.testing.assert_allclose(by_weight.predict_proba(X), by_row.predict_proba(X), rtol=1e-5, atol=1e-9)


def test_classes_can_be_weighed():
    X, y = problem(classes=3)
    count = dict(zip(*np.unique(y, return_counts=True), strict=True))
    balanced = LogisticRegression(alpha=1.0, class_weight="balanced").fit(X, y)
    theirs = Theirs(class_weight="balanced", tol=1e-9, max_iter=10_000).fit(X, y)
    np.testing.assert_allclose(balanced.coef_, theirs.coef_, rtol=1e-3, atol=1e-4)
    by_hand = LogisticRegression(alpha=1.0, class_weight={name: 150 / 3 / n for name, n in count.items()}).fit(X, y)
    np.testing.assert_allclose(by_hand.coef_, balanced.coef_, rtol=1e-9)
    with pytest.raises(InvalidInput, match=r"'birch'.*'beech'"):
        LogisticRegression(class_weight={"birch": 2.0}).fit(X, y)
    with pytest.raises(BadParameter, match="balanced"):
        LogisticRegression(class_weight="even").fit(X, y)
    with pytest.raises(InvalidInput, match=r"weights of the class 'cedar' are zero"):
        LogisticRegression().fit(X, y, y != "cedar")


def test_more_columns_than_rows():
    rng = np.random.default_rng(3)
    X = rng.normal(size=(25, 60))
    y = X[:, 0] + 0.5 * rng.logistic(size=25) > 0
    wide = LogisticRegression(alpha=2.0).fit(X, y)
    # The same without the detour by the space of the rows: sparse columns are never rotated.
    direct = LogisticRegression(alpha=2.0).fit(sparse.csr_array(X), y)
    np.testing.assert_allclose(wide.coef_, direct.coef_, rtol=1e-6, atol=1e-9)
    assert wide.log_evidence_ == pytest.approx(direct.log_evidence_)
    assert wide.effective_parameters_ == pytest.approx(direct.effective_parameters_)
    new = rng.normal(size=(10, 60))
    np.testing.assert_allclose(wide.predict_proba(new), direct.predict_proba(new), rtol=1e-6)
    np.testing.assert_allclose(wide.posterior_.cov, direct.posterior_.cov, rtol=1e-6, atol=1e-9)
    assert LogisticRegression().fit(X, y).alpha_ == pytest.approx(
        LogisticRegression().fit(sparse.csr_array(X), y).alpha_, rel=1e-5
    )


def test_columns_far_from_zero_lose_no_digits():
    X, y = problem()
    moved = X + np.array([1e8, -1e7, 0])
    near, far = LogisticRegression().fit(X, y), LogisticRegression().fit(moved, y)
    np.testing.assert_allclose(far.coef_, near.coef_, rtol=1e-5)
    np.testing.assert_allclose(far.predict_proba(moved), near.predict_proba(X), rtol=1e-5)
    assert far.log_evidence_ == pytest.approx(near.log_evidence_)


@pytest.mark.parametrize("size", [1e-20, 1e20])
def test_units_change_nothing_but_units(size):
    X, y = problem()
    for options in ({"alpha": 0.0}, {}):
        near, far = LogisticRegression(**options).fit(X, y), LogisticRegression(**options).fit(X * size, y)
        np.testing.assert_allclose(far.coef_ * size, near.coef_, rtol=1e-6)
        np.testing.assert_allclose(far.predict_proba(X * size), near.predict_proba(X), rtol=1e-6)


@pytest.mark.parametrize("size", [1e200, 1e-200])
@pytest.mark.parametrize("make", [np.asarray, sparse.csr_array])
def test_sizes_that_overflow_are_refused_by_name(size, make):
    X, y = problem()
    X[:, 1] *= size
    with pytest.raises(InvalidInput, match="'x1' of X must be of a size between"):
        LogisticRegression().fit(make(X), y)


def test_columns_that_say_nothing_new_are_said_to():
    X, y = problem()
    more = np.column_stack([X, np.full(len(X), 7.0), X[:, 0] - 2 * X[:, 2]])
    with pytest.warns(CredoWarning, match=r"2 columns are constant or sums of multiples of others.*'x3', 'x4'"):
        model = LogisticRegression(alpha=0).fit(more, y)
    plain = LogisticRegression(alpha=0).fit(X, y)
    np.testing.assert_allclose(model.predict_proba(more), plain.predict_proba(X), rtol=1e-6)
    np.testing.assert_allclose(model.coef_[0, :3], plain.coef_[0], rtol=1e-6)
    np.testing.assert_allclose(model.summary().se[[0, 1, 2, 5]], plain.summary().se, rtol=1e-6)
    assert np.isnan(model.summary().se[3:5]).all()
    assert model.aliased_.tolist() == [3, 4]
    LogisticRegression().fit(more, y)  # a prior decides


def test_what_the_evidence_cannot_choose_is_said():
    x = np.arange(10.0)[:, None]
    with pytest.warns(CredoWarning, match=r"cannot choose.*Give alpha"):
        model = LogisticRegression().fit(x, x[:, 0] > 4)
    assert model.predict_proba([[9.0]])[0, 1] > 0.97
    np.testing.assert_array_equal(model.predict(x), x[:, 0] > 4)


def test_tables_frames_and_mappings():
    X, y = problem()
    columns = {"a": X[:, 0], "b": X[:, 1], "c": X[:, 2]}
    plain = LogisticRegression(alpha=1.0).fit(X, y)
    for rows, target in (
        (Table({**columns, "tree": y}), "tree"),
        (Table(columns), y),
        (columns, y),
        ({**columns, "tree": y}, "tree"),
    ):
        model = LogisticRegression(alpha=1.0).fit(rows, target)
        np.testing.assert_allclose(model.coef_, plain.coef_, rtol=1e-12)
        assert list(model.feature_names_in_) == ["a", "b", "c"]
        shuffled = Table(columns).select(["c", "a", "b"])
        np.testing.assert_allclose(model.predict_proba(shuffled), plain.predict_proba(X), rtol=1e-12)
    assert model.summary().names == ("a", "b", "c", "intercept")
    with pytest.raises(InvalidInput, match="goes with a Table"):
        LogisticRegression().fit(X, "tree")
    with pytest.raises(InvalidInput, match=r"'tree' is category.*tables\.Encoder"):
        LogisticRegression().fit(Table({**columns, "tree": y}), y)


def test_odd_labels():
    X, y = problem()
    for labels in (y == "ash", np.where(y == "ash", -1, 7), np.where(y == "ash", 0.0, 1.0)):
        model = LogisticRegression(alpha=1.0).fit(X, labels)
        assert set(model.predict(X)) <= set(labels.tolist())
        assert list(model.predictive(X).states) == sorted(set(labels.tolist()))
    for labels in (X[:, 0], [None, *y[1:]], np.array([0, *y[1:]], dtype=object)):
        with pytest.raises(InvalidInput, match="class"):
            LogisticRegression().fit(X, labels)


def test_what_cannot_be_learnt_is_refused():
    X, y = problem()
    with pytest.raises(InvalidInput, match=r"at least two classes.*got one class, 'ash'"):
        LogisticRegression().fit(X, ["ash"] * len(y))
    with pytest.raises(InvalidInput, match="one class"):
        LogisticRegression().fit(X[:1], y[:1])
    holes = X.copy()
    holes[4, 2] = np.nan
    with pytest.raises(InvalidInput, match=r"column 2 holds nan in row 4.*tables\.Encoder"):
        LogisticRegression().fit(holes, y)
    with pytest.raises(NotFitted, match="Call fit"):
        LogisticRegression().summary()
    with pytest.raises(TooLarge, match=r"20001 weights.*GB"):
        LogisticRegression().fit(sparse.csr_array((4, 20_001)), [0, 1, 0, 1])
    for options, message in (
        ({"alpha": -1.0}, "alpha"),
        ({"alpha": 1e-80}, "alpha must be zero, for maximum likelihood"),
        ({"alpha": "learnt"}, "alpha must be numbers"),
        ({"slope": 0.0}, "slope must be positive"),
        ({"steps": 0}, "steps"),
        ({"fit_intercept": "no"}, "fit_intercept"),
    ):
        with pytest.raises(InvalidInput, match=message):
            LogisticRegression(**options).fit(X, y)
    with pytest.raises(BadParameter, match="level"):
        LogisticRegression().fit(X, y).summary(level=95)


def test_too_few_steps_are_said():
    X, y = problem()
    with pytest.warns(CredoWarning, match="step limit"):
        model = LogisticRegression(alpha=1.0, steps=1).fit(X, y)
    assert model.outcome_ is Outcome.OUT_OF_STEPS
    assert "step limit" in repr(model.summary())


def test_a_second_fit_forgets_the_first():
    X, y = problem()
    model = LogisticRegression(alpha=1.0).fit(X, y).set_params(alpha=0).fit(X, y)
    assert "log_evidence_" not in vars(model)
    assert "effective_parameters_" not in vars(model)


def test_it_works_in_pipelines_and_searches():
    X, y = problem(classes=3)
    table = Table({"a": X[:, 0], "b": X[:, 1], "kind": np.where(X[:, 2] > 1, "up", "down")})
    model = make_pipeline(Encoder(), LogisticRegression()).fit(table, y)
    assert model.score(table, y) > 0.5
    search = GridSearchCV(
        make_pipeline(StandardScaler(), LogisticRegression()),
        {"logisticregression__alpha": [0.01, 1.0, 1e4]},
        scoring="neg_log_loss",
    ).fit(X, y)
    assert search.best_params_["logisticregression__alpha"] < 1e4


# The checks are made of odd data, some of it separated, and that is warned of.
@pytest.mark.filterwarnings("ignore::credo.errors.CredoWarning")
@pytest.mark.parametrize("alpha", [None, 1.0, 0.0])
def test_keeps_the_contract(alpha):
    check_estimator(LogisticRegression(alpha=alpha))
