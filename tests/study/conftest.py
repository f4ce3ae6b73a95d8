"""Small tables with known answers."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest

from credo.study.record import Timing


def classes(n=120, *, seed=0, gap=3.0):
    """Two classes that a number and a colour tell apart, mostly."""
    rng = np.random.default_rng(seed)
    ill = rng.random(n) < 0.4
    return {
        "size": rng.normal(gap * ill, 1.0).tolist(),
        "colour": np.where(rng.random(n) < 0.3 + 0.4 * ill, "red", "blue").tolist(),
        "state": np.where(ill, "ill", "well").tolist(),
    }


def numbers(n=120, *, seed=0, noise=1.0):
    """A number that is linear in another one."""
    rng = np.random.default_rng(seed)
    x = rng.normal(size=n)
    return {"x": x.tolist(), "z": rng.normal(size=n).tolist(), "y": (3 * x + rng.normal(0, noise, n)).tolist()}


def timeless(found):
    """A study without what differs from run to run."""
    runs = tuple(dataclasses.replace(run, seconds=0.0) for run in found.runs)
    return dataclasses.replace(found, runs=runs, timing=Timing())


@pytest.fixture(scope="session", name="timeless")
def timeless_():
    return timeless


@pytest.fixture(scope="session")
def two_classes():
    return classes


@pytest.fixture(scope="session")
def line():
    return numbers
