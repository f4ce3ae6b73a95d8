"""Engines for many rows: the same answers as one by one, gaps and impossible rows included."""

from __future__ import annotations

import math

import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.oracles import networks as oracle

from credo.errors import ImpossibleEvidence, InvalidInput, TooLarge, UnknownName
from credo.networks import BayesianNetwork
from credo.networks.formats import read_network
from credo.networks.inference.limits import Limits


@pytest.fixture(scope="module")
def alarm() -> BayesianNetwork:
    net = read_network("examples/networks/alarm.bif")
    assert isinstance(net, BayesianNetwork)
    return net


@settings(max_examples=80, deadline=None)
@given(st.data())
def test_rows_are_answered_as_one_by_one(data: st.DataObject) -> None:
    net = data.draw(st.one_of(oracle.bayesian_networks(least=2, most=6), oracle.markov_networks(least=2)))
    names = data.draw(st.lists(st.sampled_from(list(net.variables)), unique=True, min_size=1, max_size=3))
    cells = st.tuples(*(st.one_of(st.none(), st.sampled_from(net.variables[name])) for name in names))
    rows = [dict(zip(names, row, strict=True)) for row in data.draw(st.lists(cells, min_size=1, max_size=5))]
    beliefs = net.compile(names).posteriors(rows, impossible="missing")
    for i, row in enumerate(rows):
        found = {name: state for name, state in row.items() if state is not None}
        log_evidence = oracle.log_partition(net, found)
        if log_evidence == -math.inf:
            assert beliefs.log_evidence[i] == -math.inf
            assert all(np.isnan(beliefs.probs(name)[i]).all() for name in beliefs)
            continue
        assert beliefs.log_evidence[i] == pytest.approx(log_evidence, abs=1e-9)
        expected = oracle.posteriors(net, found)
        for name in beliefs:
            np.testing.assert_allclose(beliefs.probs(name)[i], expected[name], atol=1e-12)


def test_a_table_a_frame_and_columns_give_the_same(alarm: BayesianNetwork) -> None:
    pandas = pytest.importorskip("pandas")
    table = alarm.sample(200, rng=0)
    names = ["HR", "CVP", "BP"]
    engine = alarm.compile(names)
    columns = {name: table[name] for name in names}
    first = engine.posteriors(table)
    for rows in (columns, pandas.DataFrame(columns), table.select(names)):
        again = engine.posteriors(rows)
        assert all(np.array_equal(again.probs(name), first.probs(name)) for name in first)
    assert len(first["LVFAILURE"]) == 200
    assert set(first) == set(alarm) - set(names)
    one = engine.posteriors({name: table[name][7] for name in names})
    np.testing.assert_array_equal(one.probs("LVFAILURE"), first.probs("LVFAILURE")[7])


def test_columns_may_be_those_of_data_frames(alarm: BayesianNetwork) -> None:
    engine = alarm.compile(["HR", "CVP"])
    columns = {"HR": ["LOW", "HIGH"], "CVP": ["HIGH", None]}
    expected = engine.posteriors(columns).probs("CO")
    for frame in (pd.DataFrame(columns), pl.DataFrame(columns)):
        given = {name: frame[name] for name in columns}
        np.testing.assert_array_equal(engine.posteriors(given).probs("CO"), expected)


def test_only_what_is_wanted_is_answered(alarm: BayesianNetwork) -> None:
    engine = alarm.compile(["HR"], names=["CVP", "BP"])
    assert list(engine.posteriors({"HR": "HIGH"})) == ["CVP", "BP"]
    assert engine.posteriors({"HR": {"HIGH", "LOW"}})["BP"].probs.sum() == pytest.approx(1)
    assert engine.plan.entries < alarm.plan(given="HR").entries


def test_an_impossible_row_is_named() -> None:
    net = read_network("examples/networks/asia.bif")
    engine = net.compile(["tub", "either"])
    rows = {"tub": ["no", "yes", "yes"], "either": ["no", "no", None]}
    with pytest.raises(ImpossibleEvidence, match=r"row 2: the findings tub=yes, either=no .* such rows: 1 of 3"):
        engine.posteriors(rows)
    beliefs = engine.posteriors(rows, impossible="missing")
    assert np.isnan(beliefs.probs("lung")[1]).all()
    assert beliefs.probs("lung")[0].sum() == pytest.approx(1)


def test_wrong_rows_are_refused(alarm: BayesianNetwork) -> None:
    engine = alarm.compile(["HR", "CVP"])
    with pytest.raises(InvalidInput, match="compiled for findings about"):
        engine.posteriors({"BP": "LOW"})
    with pytest.raises(InvalidInput, match="HIHG"):
        engine.posteriors({"HR": ["HIGH", "HIHG"], "CVP": ["LOW", "LOW"]})
    with pytest.raises(InvalidInput):
        engine.posteriors({"HR": ["HIGH"]})
    with pytest.raises(InvalidInput):
        engine.posteriors({"HR": ["HIGH"], "CVP": ["LOW", "LOW"]})
    with pytest.raises(UnknownName):
        alarm.compile(["HRR"])
    assert len(engine.posteriors({"HR": [], "CVP": []})["BP"]) == 0


def test_answers_do_not_depend_on_the_number_of_threads(alarm: BayesianNetwork) -> None:
    from credo import native

    rows = alarm.sample(500, rng=1).select(["HR", "CVP", "BP", "PRESS"])
    engine = alarm.compile(["HR", "CVP", "BP", "PRESS"])
    before = native.threads()
    try:
        found = []
        for threads in (1, 2, 5):
            native.set_threads(threads)
            found.append(engine.posteriors(rows).probs("LVFAILURE"))
    finally:
        native.set_threads(before)
    assert np.array_equal(found[0], found[1])
    assert np.array_equal(found[0], found[2])


def test_posteriors_print_as_a_table(alarm: BayesianNetwork) -> None:
    beliefs = alarm.posteriors(given={"HR": "HIGH"})
    assert "LVFAILURE" in repr(beliefs)
    assert beliefs.as_dict()["LVFAILURE"]["TRUE"] == beliefs["LVFAILURE"]["TRUE"]
    assert "BP" in beliefs
    assert "HR" not in beliefs
    with pytest.raises(UnknownName, match="LVFAILURE"):
        beliefs["LVFAIL"]


def test_what_would_not_fit_is_refused_when_it_is_planned(alarm: BayesianNetwork) -> None:
    with pytest.raises(TooLarge, match="limit is 10 bytes"):
        alarm.compile(["HR"], limits=Limits(memory=10))


def test_a_plan_is_made_once(alarm: BayesianNetwork) -> None:
    engine = alarm.compile(["PRESS", "EXPCO2"])
    kept = dict(engine.system._engines)
    assert engine.plan.entries > 0
    engine.posteriors({"PRESS": "LOW", "EXPCO2": "ZERO"})
    engine.posteriors({"PRESS": ["LOW"], "EXPCO2": ["ZERO"]})
    assert engine.system._engines == kept


def test_more_rows_than_fit_are_refused_before_they_are_answered() -> None:
    engine = read_network("examples/networks/asia.bif").compile(["smoke"], limits=Limits(memory=2**20))
    engine.posteriors({"smoke": ["yes"] * 100})
    with pytest.raises(TooLarge, match=r"limit is 1 MiB\. Ask for fewer rows at a time"):
        engine.posteriors({"smoke": ["yes"] * 100_000})
