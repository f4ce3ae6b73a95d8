from __future__ import annotations

import numpy as np
import pandas as pd
import polars as pl
import pytest
from scipy import sparse
from sklearn.feature_selection import SelectKBest
from sklearn.model_selection import cross_val_score
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline

from credo.errors import BadParameter, CredoWarning, InvalidInput
from credo.evaluation import GoldenRule, folds, set_aside
from credo.linear import BayesianRegression, LogisticRegression
from credo.naive_bayes import NaiveBayes
from credo.tables import Table

RULE = "nothing may be learnt from rows that are set aside"


@pytest.fixture
def data():
    rng = np.random.default_rng(0)
    return rng.normal(size=(40, 3)), rng.integers(0, 2, 40)


@pytest.mark.parametrize(
    "model", [GaussianNB(), SelectKBest(k=1), NaiveBayes(), LogisticRegression(), BayesianRegression()]
)
def test_no_fit_sees_the_rows_set_aside(model, data):
    X, y = data
    split = set_aside(40, 0.25, rng=0)
    rule = GoldenRule(split.test)
    with pytest.raises(InvalidInput, match=RULE):
        model.fit(rule.sealed(X), y)
    with pytest.raises(InvalidInput, match=RULE):
        model.fit(X, rule.sealed(y))
    with pytest.raises(InvalidInput, match=RULE):
        model.fit(rule.sealed(X)[np.append(split.train, split.test[3])], y)
    model.fit(rule.sealed(X)[split.train], rule.sealed(y)[split.train])


def test_every_way_to_the_rows_is_closed(data):
    X, _ = data
    sealed = GoldenRule([7, 9]).sealed(X)
    for way in (np.asarray, list, sum, lambda rows: rows[:], lambda rows: rows[5:8], lambda rows: rows[-31]):
        with pytest.raises(InvalidInput, match=RULE):
            way(sealed)
    mask = np.ones(40, dtype=bool)
    with pytest.raises(InvalidInput, match="2: 7, 9"):
        sealed[mask]
    mask[[7, 9]] = False
    assert (sealed[mask] == X[mask]).all()
    assert (sealed[3] == X[3]).all()
    assert (sealed[10:] == X[10:]).all()
    assert sealed.shape == (40, 3)
    with pytest.raises(InvalidInput, match="row numbers"):
        sealed["age"]
    with pytest.raises(IndexError, match="no row 40"):
        sealed[40]


@pytest.mark.parametrize(
    "kind",
    [pd.DataFrame, pl.DataFrame, Table, dict, lambda columns: sparse.csr_matrix(np.column_stack([*columns.values()]))],
)
def test_data_of_any_kind_are_sealed(kind):
    columns = {"x": np.arange(6.0), "y": np.arange(6.0) ** 2}
    sealed = GoldenRule([2]).sealed(kind(columns))
    assert sealed.shape == (6, 2)
    taken = sealed[np.array([5, 1])]
    assert type(taken) is (Table if kind is dict else type(kind(columns)))
    if not sparse.issparse(taken):
        assert list(taken["y"]) == [25.0, 1.0]
    with pytest.raises(InvalidInput, match=RULE):
        sealed[[1, 2]]


def test_scikit_learn_validates_within_the_training_rows(data):
    X, y = data
    split = set_aside(40, 0.25, rng=0)
    rule = GoldenRule(split.test)
    inside = [(split.train[train], split.train[test]) for train, test in folds(30, 3, rng=0)]
    honest = cross_val_score(GaussianNB(), rule.sealed(X), rule.sealed(y), cv=inside)
    assert honest.tolist() == cross_val_score(GaussianNB(), X, y, cv=inside).tolist()
    with pytest.raises(InvalidInput, match=RULE):
        cross_val_score(GaussianNB(), rule.sealed(X), rule.sealed(y), cv=folds(40, 3, rng=0), error_score="raise")


def test_looks_are_counted_and_the_second_one_is_told():
    rule = GoldenRule(np.array([4, 2]))
    assert str(rule) == "2 rows set aside, not looked at yet"
    assert rule.look("naive Bayes is judged").tolist() == [2, 4]
    assert str(rule) == "2 rows set aside, looked at once: naive Bayes is judged"
    with pytest.warns(
        CredoWarning, match="second time .another try; before: naive Bayes is judged.. They judge honestly"
    ):
        rule.look("another try")
    with pytest.warns(CredoWarning, match="third time"):
        rule.look()
    with pytest.warns(CredoWarning, match="4th time"):
        rule.look()
    assert rule.looks == ("naive Bayes is judged", "another try", "to judge", "to judge")
    assert "looked at 4 times" in repr(rule)


def test_cheating_looks_far_better_than_honesty():
    """Labels that nothing can foretell; columns chosen by all rows seem to, columns chosen inside the folds do not."""
    cheating, honest = [], []
    for seed in range(3):
        X, y = np.random.default_rng(seed).normal(size=(100, 2000)), np.repeat([0, 1], 50)
        dealt = folds(100, 10, rng=seed, labels=y)
        chosen = SelectKBest(k=20).fit(X, y).transform(X)  # has seen the rows of every fold
        cheating.append(cross_val_score(GaussianNB(), chosen, y, cv=dealt).mean())
        honest.append(cross_val_score(make_pipeline(SelectKBest(k=20), GaussianNB()), X, y, cv=dealt).mean())
    assert min(cheating) > 0.8
    assert 0.4 < np.mean(honest) < 0.6
    for fold in dealt:  # under the guard there is no way to cheat
        with pytest.raises(InvalidInput, match=RULE):
            SelectKBest(k=20).fit(GoldenRule(fold.test).sealed(X), y)


@pytest.mark.parametrize("rows", [[], [[1]], [0.5], [-1], "a"])
def test_what_numbers_no_rows_is_refused(rows):
    with pytest.raises(BadParameter, match="rows must be the numbers"):
        GoldenRule(rows)


def test_rows_beyond_the_data_are_refused():
    with pytest.raises(BadParameter, match="up to row 6; it has 3 rows"):
        GoldenRule([6]).sealed([1, 2, 3])
