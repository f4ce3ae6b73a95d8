"""The grid against a plain loop over scikit-learn's machines on the same folds."""

import numpy as np
import pytest
from sklearn.svm import SVC

from credo.errors import BadParameter, InvalidInput, TooLarge
from credo.estimators import dealt
from credo.svm import ErrorSurface, grid


def rows(n, classes, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, 2))
    signal = np.sin(2 * X[:, 0]) + X[:, 1] + 0.3 * rng.normal(size=n)
    return X, np.digitize(signal, np.quantile(signal, np.arange(1, classes) / classes))


@pytest.mark.parametrize("classes", [2, 3])
def test_the_errors_are_those_of_a_plain_loop(classes):
    X, y = rows(150, classes)
    C, variance = [30.0, 0.3, 3.0], [0.05, 1.0]
    found = grid(X, y, C=C, variance=variance, folds=4, tolerance=1e-5)
    folds = dealt(X, y, 4)
    for i, c in enumerate(C):
        for j, v in enumerate(variance):
            wrong = 0
            for fold in range(4):
                out = folds == fold
                model = SVC(C=c, gamma=1 / (2 * v), tol=1e-6, break_ties=classes > 2).fit(X[~out], y[~out])
                wrong += np.sum(model.predict(X[out]) != y[out])
            assert abs(found.error[i, j] * 150 - wrong) <= 1.01  # one row may lie as good as on a boundary
    assert found.error.min() == found.error[C.index(found.best[0]), variance.index(found.best[1])]


def test_the_order_of_rows_and_settings_does_not_matter():
    X, y = rows(120, 2)
    one = grid(X, y, C=[1, 10], variance=[0.1, 1.0])
    other = grid(X[::-1], y[::-1], C=[10, 1], variance=[1.0, 0.1])
    np.testing.assert_array_equal(one.error, other.error[::-1, ::-1])


def test_of_equal_errors_the_smoothest_is_best_and_the_table_marks_it():
    surface = ErrorSurface(np.array([10.0, 1.0]), np.array([0.5, 2.0, 1.0]), np.full((2, 3), 0.25))
    assert surface.best == (1.0, 2.0)
    assert str(surface).count("*") == 1
    assert "0.250*" in str(surface).splitlines()[-1]


def test_classes_too_rare_for_every_fold_are_left_to_the_others():
    X, y = rows(60, 2)
    y[:2] = 7
    assert grid(X, y, C=[1.0], variance=[1.0]).error.shape == (1, 1)


def test_what_cannot_be_searched_is_refused(monkeypatch):
    X, y = rows(60, 2)
    with pytest.raises(BadParameter, match="C must be positive"):
        grid(X, y, C=[0.0], variance=[1.0])
    with pytest.raises(InvalidInput, match="at least one value"):
        grid(X, y, C=[], variance=[1.0])
    with pytest.raises(InvalidInput, match="one class"):
        grid(X, np.zeros(60), C=[1], variance=[1.0])
    with pytest.raises(BadParameter, match="folds must be"):
        grid(X, y, C=[1], variance=[1.0], folds=1)
    monkeypatch.setattr("credo.svm.search.MOST", 50)
    with pytest.raises(TooLarge, match=r"60 rows have a matrix .* a sample of the rows"):
        grid(X, y, C=[1], variance=[1.0])
