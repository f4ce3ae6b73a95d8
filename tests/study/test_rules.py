from __future__ import annotations

import math

import numpy as np
import pytest
from scipy import stats

from credo import storage
from credo.errors import NotFitted
from credo.study.guesses import ClassFrequencies, TargetMean
from credo.study.rules import OneRule, OneRuleRegressor
from credo.tables import Table
from credo.testing import check_estimator

RNG = np.random.default_rng(0)


def dirichlet(y, k):
    """The probability of a sequence of classes, one after another: (n_k + 1)/(n + K) each time."""
    seen, found = np.ones(k), 0.0
    for code in y:
        found += math.log(seen[code] / seen.sum())
        seen[code] += 1
    return found


def brute(columns, y, k):
    """Every rule of numeric columns and its log posterior, up to a constant, by going through them."""
    found = {None: math.log(0.5) + dirichlet(y, k)}
    for name, x in columns.items():
        values = np.unique(x)
        cuts = (values[1:] + values[:-1]) / 2
        for cut in cuts:
            prior = math.log(0.5 / len(columns) / len(cuts))
            found[name, cut] = prior + dirichlet(y[x <= cut], k) + dirichlet(y[x > cut], k)
    return found


@pytest.mark.parametrize("signal", [0.0, 2.0])
def test_the_rule_and_the_evidence_are_those_of_going_through_all_of_them(signal):
    y = RNG.integers(3, size=40)
    columns = {"a": np.round(RNG.normal(size=40), 1), "b": np.round(signal * y + RNG.normal(size=40), 1)}
    model = OneRule().fit(columns, y)
    every = brute(columns, y, 3)
    best = max(every, key=every.get)
    assert model.log_evidence_ == pytest.approx(np.logaddexp.reduce(list(every.values())))
    assert (model.rule_.column, model.rule_.cut) == (best if best else (None, pytest.approx(math.nan, nan_ok=True)))


def test_states_are_cells_of_their_own():
    c = RNG.choice(["red", "green", "blue"], 60)
    y = np.where((c == "green") ^ (RNG.random(60) < 0.05), "yes", "no")
    model = OneRule().fit(Table({"c": c, "x": RNG.normal(size=60)}), y)
    assert model.rule_.column == "c"
    for state in ("red", "green", "blue"):
        counts = np.array([((c == state) & (y == label)).sum() for label in ("no", "yes")])
        expected = (counts + 1) / (counts.sum() + 2)
        assert model.predict_proba(Table({"c": [state], "x": [0.0]}))[0] == pytest.approx(expected)


def test_that_a_cell_is_missing_may_be_the_rule():
    y = np.repeat(["a", "b"], 30)
    x = np.where(y == "a", np.nan, RNG.normal(size=60))
    for given in (x, np.where(np.isnan(x), np.nan, 1.0)):
        model = OneRule().fit({"x": given, "z": RNG.normal(size=60)}, y)
        assert model.rule_.column == "x"
        assert model.predict({"x": [np.nan, 1.0], "z": [0.0, 0.0]}).tolist() == ["a", "b"]


def test_of_many_columns_of_noise_none_is_believed():
    X, y = RNG.normal(size=(60, 500)), RNG.choice(["a", "b"], 60)
    model = OneRule().fit(X, y)
    assert model.rule_.column is None
    assert (model.predict_proba(X) == ClassFrequencies().fit(X, y).predict_proba(X)).all()
    z = RNG.normal(size=60)
    numbers = OneRuleRegressor().fit(X, z)
    assert numbers.rule_.column is None
    assert (numbers.predictive(X).scale == TargetMean().fit(X, z).predictive(X).scale).all()


def test_a_state_that_was_not_met_says_what_all_rows_say():
    table = Table({"c": ["u", "v"] * 20}, types={"c": ["u", "v", "w"]})
    y = np.array(["a", "b"] * 20)
    model = OneRule().fit(table, y)
    assert model.rule_.column == "c"
    assert model.predict_proba({"c": ["w", None]}) == pytest.approx(np.full((2, 2), 0.5))


def test_many_values_are_cut_at_some_of_them():
    x = RNG.normal(size=5000)
    model = OneRule().fit({"x": x}, np.where(x > 0.3, "high", "low"))
    assert abs(model.rule_.cut - 0.3) < 0.02
    assert (model.predict({"x": x}) == np.where(x > 0.3, "high", "low")).mean() > 0.99


def test_the_evidence_of_numbers_is_that_of_one_after_another():
    """Student's law of each number given those before it, from one imagined row at the mean."""
    y = np.array([1.3, 0.2, -0.4, 2.0])
    model = OneRuleRegressor().fit(np.zeros((4, 1)), y)
    z = (y - y.mean()) / y.std()
    found, n, mean, shape, rate = 0.0, 1.0, 0.0, 1.0, 1.0
    for value in z:
        found += stats.t(2 * shape, mean, math.sqrt(rate * (n + 1) / (shape * n))).logpdf(value)
        rate += 0.5 * n / (n + 1) * (value - mean) ** 2
        mean, n, shape = (n * mean + value) / (n + 1), n + 1, shape + 0.5
    # One column that never varies makes no rule: half of the prior has nowhere to go.
    assert model.log_evidence_ == pytest.approx(math.log(0.5) + found - 4 * math.log(y.std()))


def test_numbers_have_students_law_in_each_cell():
    x = np.repeat([0.0, 1.0], 50)
    y = 10 * x + RNG.normal(size=100)
    model = OneRuleRegressor().fit({"x": x}, y)
    assert model.rule_.cut == 0.5
    belief = model.predictive({"x": [0.0, 1.0, None]})
    assert belief.mean[:2] == pytest.approx([y[:50].mean(), y[50:].mean()], abs=0.2)
    assert belief.mean[2] == pytest.approx(y.mean())
    low, high = belief.interval(0.9)
    assert 0.85 < ((low[0] < y[:50]) & (y[:50] < high[0])).mean() <= 1


@pytest.mark.parametrize(
    ("kind", "y"), [(OneRule, ["a", "a", "b", "b"] * 5), (OneRuleRegressor, [0.0, 0.1, 5.0, 5.1] * 5)]
)
def test_files_and_refusals(kind, y, tmp_path):
    table = Table({"x": [1.0, 2.0, 7.0, 8.0] * 5, "c": ["u", "v"] * 10})
    model = kind().fit(table, np.array(y))
    storage.save(model, tmp_path / "rule.credo")
    again = storage.load(tmp_path / "rule.credo")
    assert again.rule_ == model.rule_
    assert again.predict(table).tolist() == model.predict(table).tolist()
    with pytest.raises(NotFitted, match="Call fit"):
        kind().predictive(table)


@pytest.mark.parametrize("kind", [OneRule, OneRuleRegressor])
def test_contract(kind):
    check_estimator(kind())
