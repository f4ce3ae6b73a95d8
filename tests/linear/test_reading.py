"""The same numbers are the same problem, whatever holds them."""

import numpy as np
import pandas as pd
import pytest

from credo.errors import InvalidInput, UnknownName
from credo.linear import BayesianRegression
from credo.tables import Table


@pytest.fixture(scope="module")
def data():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(300, 3)) * [1, 50, 1e-3] + [0, 1000, 5]
    return {"a": X[:, 0], "b": X[:, 1], "c": X[:, 2], "y": X @ [1.0, 0.1, 100.0] + rng.normal(size=300)}


@pytest.fixture(scope="module")
def model(data):
    return BayesianRegression().fit(np.column_stack([data["a"], data["b"], data["c"]]), data["y"])


def _on_disk(data, folder):
    pd.DataFrame(data).to_csv(folder / "rows.csv", index=False)
    return Table.read(folder / "rows.csv", in_memory=False)


@pytest.mark.parametrize("where", ["memory", "disk", "table and array"])
def test_a_table_is_the_rows_it_holds(data, model, where, tmp_path):
    table = _on_disk(data, tmp_path) if where == "disk" else Table(data)
    if where == "table and array":
        other = BayesianRegression().fit(table.drop("y"), data["y"])
    else:
        other = BayesianRegression().fit(table, "y")
    np.testing.assert_allclose(other.coef_, model.coef_, rtol=1e-8)
    assert other.log_evidence_ == pytest.approx(model.log_evidence_, rel=1e-9)
    assert list(other.feature_names_in_) == ["a", "b", "c"]
    shuffled = table.select(["y", "c", "a", "b"])  # tables are known by their names
    X = np.column_stack([data["a"], data["b"], data["c"]])
    np.testing.assert_allclose(other.predictive(shuffled).sd, model.predictive(X).sd, rtol=1e-8)
    np.testing.assert_allclose(other.predict(pd.DataFrame(X, columns=["a", "b", "c"])), model.predict(X), rtol=1e-8)
    np.testing.assert_allclose(model.predict(table.drop("y")), model.predict(X))


def test_what_a_table_must_hold(data, tmp_path):
    table = Table(data)
    model = BayesianRegression().fit(table, "y")
    with pytest.raises(UnknownName, match="'b'"):
        model.predict(table.drop("b"))
    with pytest.raises(UnknownName, match="'z'"):
        model.fit(table, "z")
    labelled = Table({**data, "sex": ["f", "m"] * 150})
    for target in ("y", "sex"):
        with pytest.raises(InvalidInput, match=r"'sex' is category.*tables\.Encoder"):
            model.fit(labelled, target)
    holes = {**data, "a": [*data["a"][:-1], None]}
    with pytest.raises(InvalidInput, match="'a' holds nan in row 299"):
        model.fit(Table(holes), "y")
    with pytest.raises(InvalidInput, match="1 rows have missing values, in the columns 'a'"):
        model.fit(_on_disk(holes, tmp_path), "y")
    plain = BayesianRegression().fit(np.eye(4)[:, :2], np.arange(4.0))
    with pytest.raises(InvalidInput, match="4 features"):
        plain.predict(table)


def test_columns_by_name_are_a_table(data):
    columns = {name: values for name, values in data.items() if name != "y"}
    model = BayesianRegression().fit(columns, data["y"])
    expected = BayesianRegression().fit(Table(columns), data["y"])
    turned = dict(reversed(columns.items()))
    np.testing.assert_array_equal(model.predict(turned), expected.predict(Table(columns)))
    with pytest.raises(InvalidInput, match="no column"):
        model.predict({"other": [1.0]})


def test_the_name_of_a_column_needs_a_table(data):
    with pytest.raises(InvalidInput, match="goes with a Table"):
        BayesianRegression().fit(pd.DataFrame(data), "y")
    with pytest.raises(InvalidInput, match="without sample_weight"):
        BayesianRegression().fit(Table(data), "y", np.ones(300))


def test_what_is_not_finite_is_refused_by_name(data):
    frame = pd.DataFrame(data).drop(columns="y")
    frame.loc[7, "b"] = np.nan
    with pytest.raises(InvalidInput, match=r"column 'b' holds nan in row 7.*tables\.Encoder"):
        BayesianRegression().fit(frame, data["y"])
    target = data["y"].copy()
    target[3] = np.inf
    with pytest.raises(InvalidInput, match="y"):
        BayesianRegression().fit(frame.drop(columns="b"), target)


def test_labels_are_refused_with_the_remedy(data):
    frame = pd.DataFrame(data).assign(sex=["f", "m"] * 150)
    with pytest.raises(InvalidInput, match=r"tables\.Encoder"):
        BayesianRegression().fit(frame, data["y"])
