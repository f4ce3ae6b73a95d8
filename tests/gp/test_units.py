"""Hyperparameters are told in the units of what they look at."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from credo.beliefs import HalfNormal, LogNormal
from credo.errors import InvalidInput
from credo.gp.units import rescaled, units
from credo.kernels import (
    SE,
    Constant,
    Linear,
    Matern52,
    Noise,
    Periodic,
    Polynomial,
    RationalQuadratic,
    SpectralMixture,
)


def test_each_length_has_the_unit_of_its_column() -> None:
    kernel = 2.0 * Matern52([1.0, 2.0]) + SE(1.0).on(1) * RationalQuadratic(1.0, 0.5).on([0, 1]) + Noise(0.1)
    assert units(kernel, ["age", "size"], "price") == {
        "Constant.variance": "price²",
        "Matern52.length[0]": "age",
        "Matern52.length[1]": "size",
        "SE.length": "size",
        "RationalQuadratic.length": "distance",  # of several columns at once
        "RationalQuadratic.alpha": "",
        "Noise.sd": "price",
    }


def test_slopes_waves_and_what_is_held_fixed() -> None:
    kernel = (Linear(0.5) + Periodic(1.0, 2.0)).fixed("period") + SpectralMixture([1.0], [[0.5]], [[0.1]])
    assert list(units(kernel, ["year"], "ppm").values()) == ["ppm²/year²", "", "year", "ppm²", "1/year", "1/year"]


@settings(max_examples=20, deadline=None, derandomize=True)
@given(st.floats(0.01, 100), st.floats(0.01, 100), st.floats(0.01, 100))
def test_a_kernel_in_other_units_is_the_same_law(first, second, target):
    kernel = (
        2.0 * SE(1.5).on(0) * Linear(0.5).on(1)
        + 0.3 * Periodic(0.7, 2.0).on(1)
        + RationalQuadratic(1.2, 0.8).on(0)
        + 0.1 * Matern52(0.4).on(1)
        + Noise(0.2)
    )
    rows, scale = np.random.default_rng(0).normal(size=(6, 2)), np.array([first, second])
    moved = rescaled(kernel, scale, target)
    np.testing.assert_allclose(moved(rows * scale), target**2 * kernel(rows), rtol=1e-9)
    back = rescaled(moved, 1 / scale, 1 / target)
    np.testing.assert_allclose(back(rows), kernel(rows), rtol=1e-9)


def test_what_was_said_of_a_kernel_is_said_in_other_units():
    kernel = (3.0 * SE(2.0).bounded({"length": (1, 4)}) + 1.0 * Periodic(0.5, 1.0)).fixed("period")
    kernel = kernel.with_priors({"SE.length": LogNormal(0.0, 1.0), "Periodic.length": HalfNormal(1.0)})
    moved = rescaled(kernel, [10.0], 2.0).hyperparameters
    assert (moved["SE.length"].low, moved["SE.length"].high) == (10.0, 40.0)
    assert moved["SE.length"].prior.mu == pytest.approx(np.log(10))
    assert moved["Periodic.length"].prior == kernel.hyperparameters["Periodic.length"].prior  # which has no unit
    assert moved["Periodic.period"].fixed
    assert [entry.free for entry in moved.values()] == [True, True, True, True, False]


@pytest.mark.parametrize(
    ("kernel", "words"),
    [
        (Polynomial(2), "has no other units here"),
        (SE(1.0) * (SE(1.0) + 1.0), "as a factor of a sum"),
        (SE(1.0) ** 2, "has no other units here"),
        (SE([1.0, 2.0]).on([0, 1]), "by .on"),
        (2.0 * SE(1.0) * Constant(3.0), "one variance"),
        (SE(1.0) * Noise(1.0), "no noise"),
        (SE(1.0).with_priors({"length": HalfNormal(1.0)}), "Give a LogNormal"),
    ],
)
def test_what_has_no_other_units_is_refused(kernel, words):
    with pytest.raises(InvalidInput, match=words):
        rescaled(kernel, [2.0], 3.0)
