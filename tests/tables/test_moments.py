"""Sufficient statistics, against NumPy and pandas."""

import numpy as np
import pytest

from credo.errors import InvalidInput, TooLarge
from credo.tables import Table


def test_against_numpy_where_cells_are_missing():
    rng = np.random.default_rng(1)
    X = rng.normal(size=(200, 3)) * [1, 10, 0.1] + [0, 1e9, 5]
    X[rng.random(X.shape) < 0.2] = np.nan
    group = rng.choice(["a", "b"], 200)
    table = Table({"x": X[:, 0], "y": X[:, 1], "z": X[:, 2], "g": group})
    for rows, found in [(slice(None), table.moments()), (group == "b", table.moments(by="g"))]:
        part = X[rows]
        whole = part[~np.isnan(part).any(axis=1)]
        pick = 1 if found.states else ...
        np.testing.assert_array_equal(found.count[pick], (~np.isnan(part)).sum(axis=0))
        np.testing.assert_allclose(found.mean[pick], np.nanmean(part, axis=0), rtol=1e-14)
        np.testing.assert_allclose(found.var[pick], np.nanvar(part, axis=0), rtol=1e-9)
        np.testing.assert_allclose(found.centre[pick], whole.mean(axis=0), rtol=1e-14)
        np.testing.assert_allclose(found.cov[pick], np.cov(whole.T, bias=True), rtol=1e-8)
        assert found.complete[pick] == len(whole)


@pytest.mark.parametrize("batch", [7, 1000])
def test_a_large_mean_does_not_drown_a_small_deviation(monkeypatch, batch):
    monkeypatch.setattr("credo.tables.table.BATCH_CELLS", batch)
    z = np.random.default_rng(2).normal(size=1000)
    found = Table({"x": 1e9 + z, "y": 2 * z}).moments()
    np.testing.assert_allclose(found.var, [np.var(z), 4 * np.var(z)], rtol=1e-6)
    np.testing.assert_allclose(found.cov[0, 1], 2 * np.var(z), rtol=1e-6)


def test_groups_without_rows_and_other_edges():
    table = Table({"x": [1.5, 2.5], "g": ["a", "a"], "h": ["u", "v"]}, types={"g": ["a", "b"]})
    found = table.moments(by="g")
    assert found.count.tolist() == [[2], [0]]
    assert np.isnan(found.mean[1]).all()
    assert np.isnan(found.cov[1]).all()
    assert table.moments([]).cov.shape == (0, 0)
    with pytest.raises(InvalidInput, match="no mean"):
        table.moments(["g"])
    with pytest.raises(InvalidInput, match="no states"):
        table.moments(by="x")


def test_counts_against_pandas():
    pandas = pytest.importorskip("pandas")
    rng = np.random.default_rng(3)
    frame = pandas.DataFrame({"a": rng.choice(["x", "y", None], 300), "b": rng.choice(["u", "v", "w"], 300)})
    found = Table(frame).counts(["b", "a"])
    assert found.names == ("b", "a")
    np.testing.assert_array_equal(found.counts, pandas.crosstab(frame["b"], frame["a"]).to_numpy())
    assert found.counts.sum() == frame["a"].notna().sum()


def test_counts_that_cannot_be():
    table = Table({"x": [1.5], **{f"g{i}": [True] for i in range(40)}})
    with pytest.raises(InvalidInput, match="no states"):
        table.counts(["x"])
    with pytest.raises(InvalidInput, match="at least one"):
        table.counts([])
    with pytest.raises(TooLarge):
        table.counts([f"g{i}" for i in range(40)])
    assert Table({"g": [None]}, types={"g": "category"}).states("g") == ()
