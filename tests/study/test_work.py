"""Results do not depend on where the folds are carried out."""

from __future__ import annotations

import os
import warnings

import numpy as np
import pytest

from credo import native
from credo.errors import InvalidInput, TooLarge
from credo.study import run_study
from credo.study.candidates import CANDIDATES, Candidate
from credo.study.plan import Plan

FEW = ("naive Bayes", "logistic regression")


@pytest.fixture(autouse=True)
def impatient(monkeypatch):
    """Other processes are worth it at once."""
    monkeypatch.setattr("credo.study.work.PATIENCE", 0.0)


@pytest.fixture(scope="module")
def alone(two_classes):
    return run_study(two_classes(), "state", folds=4, plan=Plan(candidates=FEW))


def test_results_do_not_depend_on_the_jobs(alone, two_classes, timeless, tmp_path):
    threads, told = native.threads(), []
    plan = Plan(candidates=FEW, jobs=2, journal=tmp_path / "journal.jsonl", watch=lambda *what: told.append(what))
    both = run_study(two_classes(), "state", folds=4, plan=plan)
    assert timeless(both).to_dict() == timeless(alone).to_dict()
    assert both.timing.jobs == 2
    assert native.threads() == threads
    assert max(done for _, done, _ in told) == 12
    assert sorted(done for _, done, _ in told[:12]) == list(range(1, 13))


class Broken:
    def fit(self, X, y):
        raise ZeroDivisionError("oh dear")


def test_a_candidate_that_fails_elsewhere_is_reported_alike(monkeypatch, two_classes, timeless):
    everyone = CANDIDATES["classification"][:3:2]
    monkeypatch.setitem(CANDIDATES, "classification", (*everyone, Candidate("broken", Broken)))
    one, two = (run_study(two_classes(), "state", folds=3, plan=Plan(jobs=jobs)) for jobs in (1, 2))
    assert two.runs[2].error == "ZeroDivisionError: oh dear"
    assert timeless(one).to_dict() == timeless(two).to_dict()


class Deadly:
    def fit(self, X, y):
        os._exit(3)


def test_a_process_that_dies_says_how_to_go_on(monkeypatch, two_classes, tmp_path):
    monkeypatch.setitem(CANDIDATES, "classification", (CANDIDATES["classification"][0], Candidate("deadly", Deadly)))
    plan = Plan(jobs=2, journal=tmp_path / "journal.jsonl")
    with pytest.raises(TooLarge, match=r"one of 2 processes was ended .* \(--jobs 1\)\. .* --resume goes on"):
        run_study(two_classes(), "state", folds=3, plan=plan)


def test_ctrl_c_stops_the_others_too(two_classes):
    def stop(what, done, whole):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        run_study(two_classes(), "state", folds=3, plan=Plan(candidates=FEW, jobs=2, watch=stop))


def test_a_cluster_takes_the_folds(alone, two_classes, timeless, tmp_path):
    distributed = pytest.importorskip("distributed")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # what a cluster says of its ports and of how it ends
        settings = {"n_workers": 1, "threads_per_worker": 1, "processes": False, "dashboard_address": None}
        with distributed.LocalCluster(**settings, local_directory=str(tmp_path)) as cluster:
            plan = Plan(candidates=FEW, dask=cluster.scheduler_address)
            there = run_study(two_classes(), "state", folds=4, plan=plan)
    assert timeless(there).to_dict() == timeless(alone).to_dict()


def test_a_scheduler_that_is_not_there_is_named(two_classes):
    pytest.importorskip("distributed")
    with pytest.raises(InvalidInput, match=r"no Dask scheduler answers at 'nowhere'"):
        run_study(two_classes(), "state", folds=3, plan=Plan(dask="nowhere"))


def test_tables_travel_with_everything_that_is_asked(two_classes, timeless):
    """Categories, dates that order, and missing cells reach the other processes unchanged."""
    rng = np.random.default_rng(3)
    data = two_classes()
    data["size"][::7] = [None] * len(data["size"][::7])
    data["day"] = list(np.datetime64("2020-01-01") + rng.permutation(120))
    plans = [Plan(candidates=("naive Bayes",), time="day", jobs=jobs) for jobs in (1, 2)]
    one, two = (run_study(data, "state", folds=3, plan=plan) for plan in plans)
    assert timeless(one).to_dict() == timeless(two).to_dict()
