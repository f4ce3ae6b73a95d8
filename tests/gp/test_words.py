"""Kernels in plain words: clause by clause, in the units of the columns, with the way that trends go."""

from __future__ import annotations

import numpy as np
import pytest

from credo.errors import BadParameter, BadShape, InvalidInput, NotFitted
from credo.gp import GaussianProcessRegressor, Process, describe
from credo.gp.calendar import amount, season
from credo.kernels import (
    SE,
    Constant,
    Cosine,
    Linear,
    Matern32,
    Noise,
    Periodic,
    Polynomial,
    RationalQuadratic,
    SpectralMixture,
    Wiener,
)

YEARS = [[1960.0], [2000.0]]
TWO = [[0.0, 0.0], [40.0, 4.0]]


@pytest.mark.parametrize(
    ("kernel", "said"),
    [
        (SE(60.0), "a smooth trend"),
        (4.0 * Matern32(3.0), "fairly rough changes over about 3 years"),
        (RationalQuadratic(1.2, 0.8), "smooth changes over many lengths, about 1.2 years"),
        (RationalQuadratic(1.2, 500), "smooth changes over about 1.2 years"),
        (
            RationalQuadratic(1.5, 0.1) * Periodic(1.3, 1),
            "a yearly season that changes shape over many lengths, about 1.5 years",
        ),
        (Periodic(1.0, 1.003), "a yearly season"),
        (Periodic(1.0, 11.0), "a season of about 11 years"),
        (Cosine(0.25), "a quarterly wave"),
        (SE(88.0) * Periodic(1.0, 1.0), "a yearly season that changes shape over about 88 years"),
        (SE(1e4) * Periodic(1.0, 1.0), "a yearly season"),
        (Linear() * Periodic(1.0, 1.0), "a yearly season, whose size changes in a straight line"),
        (Periodic(1.0, 1.0) * Periodic(1.0, 11.0), "a yearly season, times a season of about 11 years"),
        (Linear(2.0), "a straight line"),
        (Linear() * Linear(), "a parabola"),
        (Linear() ** 3, "a polynomial of degree 3"),
        (Polynomial(2), "a parabola"),
        (SE(3.0) * Matern32(2.0), "fairly rough changes over about 2 years"),
        (SE(1.0) * Linear(), "smooth changes over about 1 year, whose size changes in a straight line"),
        (Wiener(), "a random walk"),
        (Wiener() * SE(1.0), "a random walk that changes"),
        (Constant(3.0), "a constant level"),
        (Constant(0.0), "nothing"),
        (SpectralMixture([1.0, 1.0], [0.25, 2.0], [0.1, 0.1]), "waves of about 4 years and 0.5 years"),
        (Noise(1.0) + SE(60.0) + 2.0, "a smooth trend, plus a constant level, plus noise"),
        (Periodic(1.0, 1.0) + SE(60.0), "a smooth trend, plus a yearly season"),
        (Linear() * Noise(0.1), "noise, of a size that changes"),
        ((2.0 + Linear()) * Periodic(1.0, 1.0), "a yearly season, plus a yearly season, whose size changes in a "
            "straight line"),
        ((SE(60.0) + Noise(0.1)).fixed("sd"), "a smooth trend, plus noise"),
        ("2 * SE(60) + Noise(0.1)", "a smooth trend, plus noise"),
    ],
)  # fmt: skip
def test_sentences(kernel, said):
    assert describe(kernel, YEARS, units="years") == said


@pytest.mark.parametrize(
    ("kernel", "said"),
    [
        (SE(60.0).on(0), "a smooth trend of age"),
        (SE(1.0).on(1) * SE(3.0).on(0), "smooth changes over about 1 m of depth and 3 years of age"),
        (SE([3.0, 1.0]), "smooth changes over about 3 years of age and 1 m of depth"),
        (Periodic(1.0, 1.0).on(0) * SE(2.0).on(1), "a yearly season of age that changes over about 2 m of depth"),
        (Linear(), "a plane of age and depth"),
        (Linear().on(0) * Linear().on(1), "a product of straight lines of age and depth"),
        (Linear().on(1) * SE(1.0).on(0), "smooth changes over about 1 year of age, whose size changes in a straight "
            "line with depth"),
    ],
)  # fmt: skip
def test_sentences_of_several_columns(kernel, said):
    assert describe(kernel, TWO, units=["years", "m"], names=["age", "depth"]) == said


def test_without_names_columns_are_counted():
    assert describe(Linear().on(1), TWO) == "a straight line of column 1"


@pytest.mark.parametrize(("slope", "way"), [(1.0, "rising "), (-1.0, "falling "), (0.0, "")])
def test_of_what_was_seen_it_is_said_which_way_it_goes(slope, way):
    x = np.linspace(0, 10, 30)
    y = slope * x + np.cos(2 * np.pi * x)
    process = Process(9.0 * SE(30.0) + 1.0 * Periodic(1.0, 1.0)).given(x[:, None], y - y.mean(), noise=0.01)
    said = describe(process, units="days")
    assert said == f"a smooth {way}trend, plus a daily season, plus noise"
    if slope:
        line = Process(Linear() + 100.0).given(x[:, None], y, noise=1.0)
        assert describe(line) == f"a {way}straight line, plus a constant level, plus noise"


def test_a_regressor_is_described_in_units_of_its_columns():
    x = np.linspace(1960, 2000, 60)
    y = 3e5 * np.sin(2 * np.pi * x / 12)
    kernel = 1.0 * SE(100.0) * Periodic(1.0, 12 / x.std())
    model = GaussianProcessRegressor(kernel.fixed(), noise=0.1, standardise=True).fit(x[:, None], y)
    assert describe(model, units="months") == "a yearly season, plus noise"
    assert describe(model) == "a season of about 12, plus noise"


def test_amounts():
    assert [amount(v) for v in (0.0, 1.0, 0.123, 99.7, 1234.0, 12345678.0)] == [
        "0", "1", "0.12", "100", "1,200", "1.2e+07",
    ]  # fmt: skip
    assert season(24.0, "hours") == "a daily season"
    assert season(60.0, "Minutes") == "an hourly season"
    assert season(168.0, "hour") == "a weekly season"
    assert season(30.4, "days") == "a monthly season"
    assert season(365.0, "m") == "a season of about 360 m"


@pytest.mark.parametrize(
    ("model", "options", "error", "words"),
    [
        (SE(1.0), {}, InvalidInput, "X is missing"),
        (3.0, {"X": YEARS}, BadParameter, "a kernel, its text"),
        (SE(1.0), {"X": [1.0, 2.0]}, BadShape, "table"),
        (SE(1.0).on(2), {"X": YEARS}, BadShape, "column 2"),
        (SE(1.0), {"X": TWO, "units": ["years"]}, BadParameter, "units"),
        (SE(1.0), {"X": TWO, "names": ["a"]}, BadParameter, "names"),
        (Process(SE(1.0)), {}, InvalidInput, "X is missing"),
        (GaussianProcessRegressor(), {}, NotFitted, "fit"),
    ],
)
def test_what_cannot_be_described_is_refused(model, options, error, words):
    with pytest.raises(error, match=words):
        describe(model, **options)
