import math

import numpy as np
import pandas as pd
import polars as pl
import pytest
from scipy import sparse, stats
from sklearn.base import clone
from sklearn.model_selection import cross_val_score
from sklearn.naive_bayes import CategoricalNB, GaussianNB
from sklearn.pipeline import make_pipeline

from credo.errors import (
    BadParameter,
    BadProbability,
    BadShape,
    CredoWarning,
    ImpossibleEvidence,
    InvalidInput,
    NotFitted,
    UnknownName,
)
from credo.naive_bayes import NaiveBayes
from credo.tables import Table
from credo.testing import check_estimator

NAN = float("nan")

# Quinlan's fourteen days, and whether tennis was played.
COLUMNS = ("outlook", "temperature", "humidity", "wind")
RECORD = """\
Sunny Hot High Weak No
Sunny Hot High Strong No
Overcast Hot High Weak Yes
Rain Mild High Weak Yes
Rain Cool Normal Weak Yes
Rain Cool Normal Strong No
Overcast Cool Normal Strong Yes
Sunny Mild High Weak No
Sunny Cool Normal Weak Yes
Rain Mild Normal Weak Yes
Sunny Mild Normal Strong Yes
Overcast Mild High Strong Yes
Overcast Hot Normal Weak Yes
Rain Mild High Strong No
"""
*_DAYS, PLAY = map(list, zip(*(line.split() for line in RECORD.splitlines()), strict=True))
DAYS = dict(zip(COLUMNS, _DAYS, strict=True))
TODAY = {"outlook": ["Sunny"], "temperature": ["Cool"], "humidity": ["High"], "wind": ["Strong"]}


def mixed(rows=200, seed=0):
    """Two columns of numbers and two of categories that depend on the class, a tenth of the cells missing."""
    rng = np.random.default_rng(seed)
    y = rng.choice(["no", "perhaps", "yes"], size=rows, p=[0.5, 0.2, 0.3])
    k = np.unique(y, return_inverse=True)[1]
    columns = {
        "x": rng.normal(k, 1.0 + k),
        "colour": np.array(["red", "green", "blue"], dtype=object)[(k + rng.integers(0, 2, rows)) % 3],
        "z": rng.gamma(1.0 + k),
        "big": np.array(["S", "L"], dtype=object)[(rng.random(rows) < 0.2 + 0.3 * k).astype(int)],
    }
    for column in columns.values():
        gone = rng.random(rows) < 0.1
        column[gone] = None if column.dtype == object else NAN
    return columns, y


def by_hand(columns, y, row, m):
    """log P(class, cells) for each class, written out."""
    logs = {}
    for state in sorted(set(y)):
        here = np.asarray(y) == state
        total = math.log(here.sum() / len(y))
        for name, values in columns.items():
            values, cell = np.asarray(values), row[name]
            if values.dtype == object:
                if cell is not None:
                    present = [v for v in values[here] if v is not None]
                    k = len({v for v in values if v is not None})
                    total += math.log((present.count(cell) + m / k) / (len(present) + m))
            elif not math.isnan(cell):
                seen = values[here & ~np.isnan(values)]
                total += stats.norm.logpdf(cell, seen.mean(), seen.std())
        logs[state] = total
    return list(logs.values())


def test_play_tennis():
    model = NaiveBayes(m=0).fit(DAYS, PLAY)
    joint = np.exp(model.predict_joint_log_proba(TODAY)[0])
    assert model.classes_.tolist() == ["No", "Yes"]
    np.testing.assert_allclose(joint.round(4), [0.0206, 0.0053])
    assert joint == pytest.approx([5 / 14 * 3 / 5 * 1 / 5 * 4 / 5 * 3 / 5, 9 / 14 * 2 / 9 * 3 / 9 * 3 / 9 * 3 / 9])
    belief = model.predictive(TODAY)[0]
    assert round(float(belief["No"]), 3) == 0.795
    assert belief.log_evidence == pytest.approx(math.log(joint.sum()))
    assert model.predict(TODAY).tolist() == ["No"]


def test_the_m_estimate():
    model = NaiveBayes(m=3.0).fit(DAYS, PLAY)
    joint = np.exp(model.predict_joint_log_proba(TODAY)[0])
    # Three outlooks and temperatures, two humidities and winds: (n_c + 3/k)/(n + 3).
    no = 5 / 14 * (3 + 1) / 8 * (1 + 1) / 8 * (4 + 1.5) / 8 * (3 + 1.5) / 8
    yes = 9 / 14 * (2 + 1) / 12 * (3 + 1) / 12 * (3 + 1.5) / 12 * (3 + 1.5) / 12
    assert joint == pytest.approx([no, yes], rel=1e-12)


@pytest.mark.parametrize("m", [0.5, 1.0, 7.0])
def test_mixed_columns_with_missing_cells_against_sums_by_hand(m):
    columns, y = mixed()
    model = NaiveBayes(m=m).fit(columns, y)
    joint = model.predict_joint_log_proba(columns)
    for i in range(0, 200, 13):
        expected = by_hand(columns, y, {name: values[i] for name, values in columns.items()}, m)
        np.testing.assert_allclose(joint[i], expected, rtol=1e-10)
    nothing = {name: [None] for name in columns}
    np.testing.assert_allclose(model.predict_proba(nothing)[0], [np.mean(y == state) for state in model.classes_])


def test_against_scikit_learns_gaussian():
    rng = np.random.default_rng(1)
    y = rng.integers(0, 4, 300)
    X = rng.normal(y[:, None], [1.0, 2.0, 5.0], size=(300, 3)) * [1, 1e-6, 1e6] + [0, 0, 1e8]
    ours, theirs = NaiveBayes().fit(X, y), GaussianNB(var_smoothing=0).fit(X, y)
    np.testing.assert_allclose(ours.predict_joint_log_proba(X), theirs.predict_joint_log_proba(X), rtol=1e-10)
    weights = rng.integers(0, 4, 300).astype(float)
    ours.fit(X, y, sample_weight=weights)
    theirs.fit(X, y, sample_weight=weights)
    np.testing.assert_allclose(ours.predict_joint_log_proba(X), theirs.predict_joint_log_proba(X), rtol=1e-9)
    given = NaiveBayes(prior=[0.1, 0.2, 0.3, 0.4]).fit(X, y)
    other = GaussianNB(var_smoothing=0, priors=[0.1, 0.2, 0.3, 0.4]).fit(X, y)
    np.testing.assert_allclose(given.predict_proba(X), other.predict_proba(X), rtol=1e-8, atol=1e-300)


def test_against_scikit_learns_categories():
    rng = np.random.default_rng(2)
    X = rng.integers(0, 4, size=(150, 3))
    y = np.where(rng.random(150) < 0.7, X[:, 0] % 2, rng.integers(0, 3, 150))
    for m in (1.0, 6.0):
        ours = NaiveBayes(m=m, categories=[0, 1, 2]).fit(X, y)
        theirs = CategoricalNB(alpha=m / 4, min_categories=4).fit(X, y)
        np.testing.assert_allclose(ours.predict_joint_log_proba(X), theirs.predict_joint_log_proba(X), rtol=1e-10)


def test_weights_count_rows_as_often():
    columns, y = mixed(120)
    weights = np.random.default_rng(3).integers(0, 4, 120)
    repeated = {name: np.repeat(values, weights) for name, values in columns.items()}
    once = NaiveBayes().fit(columns, y, sample_weight=weights)
    often = NaiveBayes().fit(repeated, np.repeat(y, weights))
    np.testing.assert_allclose(once.predict_joint_log_proba(columns), often.predict_joint_log_proba(columns), rtol=1e-9)


def test_a_class_without_weight_is_impossible():
    X, y = np.array([[0.0], [1.0], [2.0], [3.0]]), np.array([0, 0, 1, 1])
    model = NaiveBayes().fit(X, y, sample_weight=[0, 0, 1, 1])
    np.testing.assert_array_equal(model.predict_proba(X), [[0, 1]] * 4)


def test_a_table_on_disk_gives_the_same_model(tmp_path):
    columns, y = mixed(300)
    answer = y.astype(object)
    answer[::29] = None
    pl.DataFrame({**{name: values.tolist() for name, values in columns.items()}, "answer": answer.tolist()}).write_csv(
        tmp_path / "rows.csv"
    )
    there = np.array([value is not None for value in answer])
    known = {name: values[there] for name, values in columns.items()}
    plain = NaiveBayes().fit(known, answer[there].tolist())
    for in_memory in (True, False):
        table = Table.read(tmp_path / "rows.csv", in_memory=in_memory)
        model = NaiveBayes().fit(table, "answer")
        assert model.classes_.tolist() == plain.classes_.tolist()
        assert model.feature_names_in_.tolist() == list(columns)
        np.testing.assert_allclose(
            model.predict_joint_log_proba(columns), plain.predict_joint_log_proba(columns), rtol=1e-9
        )
        np.testing.assert_allclose(model.predict_proba(table), plain.predict_proba(columns), rtol=1e-9)


def test_only_classes_that_occur_in_a_table_are_classes():
    table = Table({"x": ["a", "b", "a"], "y": ["n", "p", "y"]}, types={"y": ["y", "p", "n"]}).take([0, 2])
    model = NaiveBayes().fit(table, "y")
    assert model.classes_.tolist() == ["n", "y"]
    np.testing.assert_allclose(model.predict_proba({"x": ["b"]}), [[0.5, 0.5]])
    with pytest.raises(InvalidInput, match="no class"):
        NaiveBayes().fit(Table({"x": [1.5], "y": ["a"]}).take([]), "y")


@pytest.mark.parametrize("kind", [pd.DataFrame, pl.DataFrame, Table, dict])
def test_every_way_to_give_columns_is_the_same(kind):
    columns, y = mixed(80)
    plain = NaiveBayes().fit({name: values.tolist() for name, values in columns.items()}, y).predict_proba(columns)
    given = kind({name: values.tolist() for name, values in columns.items()})
    model = NaiveBayes().fit(given, y)
    np.testing.assert_allclose(model.predict_proba(given), plain, rtol=1e-12)
    assert model.n_features_in_ == 4
    assert model.feature_names_in_.tolist() == list(columns)
    array = np.column_stack([values.astype(object) for values in columns.values()])
    positions = NaiveBayes(categories=[1, 3]).fit(array, y)
    np.testing.assert_allclose(positions.predict_proba(array), plain, rtol=1e-12)


def test_a_model_of_named_columns_reads_an_array_by_position():
    columns, y = mixed(80)
    frame = pd.DataFrame(columns)
    model = NaiveBayes().fit(frame, y)
    with pytest.warns(UserWarning, match="valid feature names"):
        answer = model.predict_proba(frame.to_numpy(dtype=object))
    np.testing.assert_allclose(answer, model.predict_proba(frame))


def test_states_never_seen():
    model = NaiveBayes().fit({"x": ["a", "b", "a", "b"], "n": [1.0, 2.0, 3.0, 4.5]}, [0, 1, 0, 1])
    unseen, missing = {"x": ["c"], "n": [2.0]}, {"x": [None], "n": [2.0]}
    np.testing.assert_array_equal(model.predict_proba(unseen), model.predict_proba(missing))
    strict = NaiveBayes(unseen="refuse").fit({"x": ["a", "b", "a", "b"], "n": [1.0, 2.0, 3.0, 4.5]}, [0, 1, 0, 1])
    with pytest.raises(InvalidInput, match="'c' is not one of its states"):
        strict.predict(unseen)


def test_a_row_that_cannot_be_is_refused_and_the_m_estimate_is_the_remedy():
    columns, y = {"a": ["p", "p", "q"], "b": ["s", "t", "t"]}, [0, 0, 1]
    impossible = {"a": ["p", "q"], "b": ["s", "s"]}
    with pytest.raises(ImpossibleEvidence, match=r"the first is row 1\. Either"):
        NaiveBayes(m=0).fit(columns, y).predict_proba(impossible)
    assert np.isfinite(NaiveBayes(m=1e-3).fit(columns, y).predict_proba(impossible)).all()


def test_columns_that_say_nothing_leave_the_prior():
    rng = np.random.default_rng(0)
    X = np.column_stack([np.full(50, 0.1), np.full(50, NAN), np.full(50, 1e9 / 3)])
    y = np.repeat([0, 1], [15, 35])
    model = NaiveBayes().fit(X, y)
    for rows in (X[:2], X[:2] * 2, rng.normal(size=(2, 3)) * 1e12):
        np.testing.assert_allclose(model.predict_proba(rows), [[0.3, 0.7]] * 2, rtol=1e-12)


def test_a_class_without_cells_in_a_column_is_given_the_law_of_the_column():
    X = np.array([[1.0, 0.0], [3.0, 1.0], [NAN, 5.0], [NAN, 6.0]])
    model = NaiveBayes().fit(X, [0, 0, 1, 1])
    np.testing.assert_allclose(model.numeric_.mean[:, 0], [2, 2])
    np.testing.assert_allclose(model.predict_proba([[2.5, NAN]]), [[0.5, 0.5]])
    named = NaiveBayes(m=0).fit({"x": ["a", "b", None, None], "n": [0.5, 1, 5, 6]}, [0, 0, 1, 1])
    np.testing.assert_allclose(named.predict_proba({"x": ["a"], "n": [None]}), [[0.5, 0.5]])


def test_texts_and_times_are_left_out_with_a_warning():
    columns = {
        "note": [f"free text number {i}" for i in range(40)],
        "when": list(np.arange("2020-01-01", "2020-02-10", dtype="datetime64[D]")),
        "x": np.arange(40) / 7,
    }
    with pytest.warns(CredoWarning, match="leaves out 'note', 'when'"):
        model = NaiveBayes().fit(columns, np.arange(40) > 20)
    assert model.schema_.names == ("x",)
    assert model.predict({"x": [0.0]}).tolist() == [False]
    assert model.n_features_in_ == 3


def test_priors_by_name_and_in_order():
    X, y = np.array([[0.0], [1.0], [4.0]]), ["a", "a", "b"]
    by_name = NaiveBayes(prior={"b": 0.9, "a": 0.1}).fit(X, y)
    in_order = NaiveBayes(prior=[0.1, 0.9]).fit(X, y)
    np.testing.assert_array_equal(by_name.predict_proba(X), in_order.predict_proba(X))
    np.testing.assert_allclose(np.exp(by_name.log_prior_), [0.1, 0.9])
    assert NaiveBayes(prior=[0.0, 1.0]).fit(X, y).predict(X).tolist() == ["b", "b", "b"]


def test_single_class_and_single_row():
    assert NaiveBayes().fit([[1.0], [2.0]], ["a", "a"]).predict_proba([[9.0]]).tolist() == [[1.0]]
    alone = NaiveBayes().fit(np.array([[1.0, 2.0]]), [7])
    assert alone.predict([[0.0, 0.0]]).tolist() == [7]


def test_far_away_rows_are_still_answered():
    X, y = np.array([[0.0], [1.0], [10.0], [11.0]]), [0, 0, 1, 1]
    model = NaiveBayes().fit(X, y)
    assert model.predict([[1e6], [-1e6]]).tolist() == [1, 0]
    np.testing.assert_allclose(model.predict_proba([[1e6]]).sum(), 1)


def test_it_works_inside_scikit_learn():
    columns, y = mixed(150)
    frame = pd.DataFrame(columns)
    model = NaiveBayes()
    assert cross_val_score(make_pipeline(model), frame, y, cv=3, error_score="raise").mean() > 0.5
    assert clone(NaiveBayes(m=2, prior={"no": 1.0})).get_params()["m"] == 2


def fit(X=((0.0, 1.0), (1.0, 2.0)), y=(0, 1), sample_weight=None, **settings):
    return NaiveBayes(**settings).fit(
        X if isinstance(X, (dict, Table, pd.DataFrame)) else np.array(X), y, sample_weight
    )


@pytest.mark.parametrize(
    ("call", "error", "match"),
    [
        (lambda: NaiveBayes().predict([[1.0]]), NotFitted, "Call fit"),
        (lambda: NaiveBayes().explain([1.0]), NotFitted, "Call fit"),
        (lambda: fit(m=-1), BadParameter, "m must be"),
        (lambda: fit(m=[1, 2]), BadShape, "m must be"),
        (lambda: fit(variance_floor=0), BadParameter, "variance_floor"),
        (lambda: fit(unseen="ignore"), BadParameter, "unseen must be one of"),
        (lambda: fit(prior=[0.5, 0.6]), BadProbability, "prior"),
        (lambda: fit(prior=[1.0]), BadShape, "each of the 2 classes"),
        (lambda: fit(prior={0: 0.5, 2: 0.5}), UnknownName, "no class 2"),
        (lambda: fit(prior={0: 0.5}), BadProbability, "sum to 1"),
        (lambda: fit(y=[0, 1, 1]), BadShape, "X and y must have the same number of rows; got 2 and 3"),
        (lambda: fit(y=[0.5, 1.7]), InvalidInput, "continuous"),
        (lambda: fit(y=[0, NAN]), InvalidInput, "NaN"),
        (lambda: fit(y=np.array(["a", None], dtype=object)), InvalidInput, "all of one type and none missing"),
        (lambda: fit(y=np.array(["a", 1], dtype=object)), InvalidInput, "all of one type"),
        (lambda: fit(categories=0), InvalidInput, "categories"),
        (lambda: fit(X={"x": [1.0, 2.0]}, categories="x"), InvalidInput, "categories must be a list"),
        (lambda: fit().predict({"a": [1.0], "b": [2.0]}), InvalidInput, "give an array"),
        (lambda: fit(y=None), InvalidInput, "requires y"),
        (lambda: fit(y="answer"), InvalidInput, "names a column where X is a Table"),
        (lambda: fit(X=[[1.0, np.inf], [1.0, 2.0]]), InvalidInput, "column 1 holds inf in row 0"),
        (lambda: fit(X=[1.0, 2.0]), InvalidInput, "2D"),
        (lambda: fit(X=np.empty((0, 2)), y=[]), InvalidInput, "0 sample"),
        (lambda: fit(X={"x": []}, y=[]), InvalidInput, "0 sample"),
        (lambda: fit(X=[["a", "b"], ["a", "c"]]), InvalidInput, "categories="),
        (lambda: fit(categories=[2]), BadParameter, "position in categories"),
        (lambda: fit(categories=["x"]), BadParameter, "position in categories"),
        (lambda: fit(X={"x": [1.0, 2.0]}, categories=["z"]), UnknownName, "no column 'z'"),
        (lambda: fit(X=Table({"x": [1.0, 2.0]}), categories=["x"]), InvalidInput, "when it is made"),
        (lambda: fit(X=Table({"x": [1.0, 2.0], "y": [0, 1]}), y="z"), UnknownName, "no column 'z'"),
        (lambda: fit(X=Table({"x": [1.0, 2.0], "y": [0.5, 1.5]}), y="y"), InvalidInput, "no states"),
        (
            lambda: fit(X=Table({"x": [1.0, 2.0], "y": [0, 1]}), y="y", sample_weight=[1, 2]),
            InvalidInput,
            "sample_weight",
        ),
        (lambda: fit(sample_weight=[1, -1]), BadParameter, "sample_weight"),
        (lambda: fit(sample_weight=[0, 0]), InvalidInput, "every weight is zero"),
        (lambda: fit(sample_weight=[1, 1, 1]), BadShape, "sample_weight"),
        (lambda: fit(sample_weight=[[1, 1]]), BadShape, "sample_weight"),
        (lambda: fit().predict([[1.0]]), InvalidInput, "expecting 2 features"),
        (lambda: fit().explain([[1.0, 2.0], [3.0, 4.0]]), BadShape, "single row"),
        (lambda: fit(X={"x": [1.0, 2.0]}).predict({"z": [1.0]}), InvalidInput, "no column 'x'"),
        (lambda: fit(X=pd.DataFrame({"x": [1.0, 2.0]})).predict(pd.DataFrame({"z": [1.0]})), InvalidInput, "- x"),
    ],
)
def test_what_is_refused(call, error, match):
    with pytest.raises(error, match=match):
        call()


def test_sparse_rows_are_refused_in_scikit_learns_words():
    with pytest.raises(TypeError, match="Sparse data was passed"):
        NaiveBayes().fit(sparse.csr_array(np.eye(3)), [0, 1, 1])


def test_contract():
    check_estimator(NaiveBayes())
