from __future__ import annotations

import numpy as np
import pytest

from credo.beliefs import Categorical, Mixture, Normal
from credo.errors import InvalidInput, NumericalFailure
from credo.evaluation import cross_validate, folds, leave_one_out
from credo.gp import ConstantMean, GaussianProcessRegressor
from credo.kernels import SE
from credo.linear import BayesianRegression, LinearRegression, LogisticRegression, PolynomialBasis, Ridge, SplineBasis
from credo.naive_bayes import NaiveBayes


@pytest.fixture
def data():
    rng = np.random.default_rng(3)
    X = rng.normal(size=(24, 3))
    return X, X @ [1.0, -2.0, 0.5] + 3 + rng.normal(0, 0.4, 24)


EXACT = [
    LinearRegression(),
    LinearRegression(fit_intercept=False),
    LinearRegression(basis=PolynomialBasis(2, interactions=False)),
    Ridge(strength=2.5),
    Ridge(strength=0.3, fit_intercept=False),
    Ridge(strength=1.0, basis=PolynomialBasis(3)),
    BayesianRegression(alpha=0.7, beta=4.0),
    BayesianRegression(alpha=[0.1, 2.0, 5.0], beta=4.0, prior="each", fit_intercept=False),
    GaussianProcessRegressor(SE(1.2).fixed(), noise=0.3, mean=ConstantMean(3.0)),
]


@pytest.mark.parametrize("model", EXACT, ids=str)
def test_the_formula_is_what_refitting_gives(model, data):
    X, y = data
    closed, refitted = leave_one_out(model, X, y), leave_one_out(model, X, y, relearn=True)
    assert (closed.how, refitted.how) == ("closed form", "24 fits")
    assert type(closed.belief) is type(refitted.belief)
    np.testing.assert_allclose(closed.belief.mean, refitted.belief.mean, rtol=1e-9, atol=1e-9)
    np.testing.assert_allclose(closed.belief.log_prob(y), refitted.belief.log_prob(y), rtol=1e-8)
    assert closed.judge().value == pytest.approx(refitted.judge().value, rel=1e-9)


def test_weights_found_by_steps_are_found_again_without_each_row(data):
    X, y = data
    assert leave_one_out(LinearRegression(method="gradient"), X, y).how == "24 fits"


def test_what_is_learnt_from_all_rows_is_said():
    rng = np.random.default_rng(0)
    x = np.sort(rng.uniform(0, 6, 25))[:, None]
    y = np.sin(x[:, 0]) + rng.normal(0, 0.1, 25)
    process = leave_one_out(GaussianProcessRegressor(), x, y)
    assert process.how == "closed form, with what all rows say of hyperparameters and mean"
    line = BayesianRegression(basis=PolynomialBasis(4))
    found = leave_one_out(line, x, y)
    assert found.how == "closed form, with what all rows say of alpha and beta"
    learnt = line.fit(x, y)
    held = line.set_params(alpha=learnt.alpha_, beta=learnt.beta_)
    again = leave_one_out(held, x, y, relearn=True)
    np.testing.assert_allclose(found.belief.mean, again.belief.mean, rtol=1e-7)


def test_refitting_is_cross_validation_with_a_fold_for_each_row(data):
    X, y = data
    model = Ridge(basis=SplineBasis(5), strength=3.0)
    found = leave_one_out(model, X, y)
    assert found.how == "24 fits"
    validated = cross_validate(model, X, y, folds(24, 24, rng=0))
    assert found.judge().value == pytest.approx(validated.mean.value, rel=1e-12)


def test_classes_and_a_class_of_one_row():
    rng = np.random.default_rng(1)
    X = rng.normal(size=(13, 2))
    y = np.array(["a", "b"] * 6 + ["rare"])
    found = leave_one_out(NaiveBayes(), X, y)
    assert isinstance(found.belief, Categorical)
    assert found.belief.states == ("a", "b", "rare")
    assert found.belief.probs[-1, 2] == 0  # without its only row nobody has heard of it
    assert found.judge().value == -np.inf
    for row in (0, 7):
        others = np.delete(np.arange(13), row)
        alone = NaiveBayes().fit(X[others], y[others]).predictive(X[[row]])
        np.testing.assert_array_equal(found.belief.probs[row], alone.probs[0])
    binary = leave_one_out(LogisticRegression(), X[:12], y[:12])
    assert 0 <= binary.judge("accuracy").value <= 1


def test_beliefs_of_several_parts_are_joined():
    class Both:
        """A mixture whose parts follow the mean of the targets; scikit-learn's clone copies it."""

        def __sklearn_clone__(self):
            return Both()

        def fit(self, X, y):
            self.centre = float(np.mean(y))
            return self

        def predictive(self, X):
            centre = np.full(len(X), self.centre)
            return Mixture([0.25, 0.75], [Normal(centre, 1.0), Normal(centre + 1, 2.0)])

    y = np.array([0.0, 1.0, 2.0, 6.0])
    found = leave_one_out(Both(), np.zeros((4, 1)), y)
    np.testing.assert_allclose(found.belief.mean, (y.sum() - y) / 3 + 0.75)


def test_a_row_that_alone_determines_a_weight_is_named():
    X = np.array([[0.0], [0.0], [0.0], [0.0], [1.0]])
    with pytest.raises(NumericalFailure, match="row 4 alone determines a weight"):
        leave_one_out(LinearRegression(), X, [1.0, 2.0, 3.0, 2.5, 5.0])


def test_too_few_rows_are_refused():
    with pytest.raises(InvalidInput, match="0 degrees of freedom are left"):
        leave_one_out(LinearRegression(), [[0.0], [1.0], [2.0]], [0.0, 1.0, 2.5])


def test_where_the_other_rows_lie_on_a_line():
    found = leave_one_out(LinearRegression(), np.arange(5.0)[:, None], np.array([0, 0.1, 0.2, 0.3, 1.7]))
    assert float(found.belief.mean[4]) == pytest.approx(0.4)
    assert 0 < float(found.belief.scale[4]) < 1e-6
