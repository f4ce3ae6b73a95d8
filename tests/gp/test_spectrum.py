"""Spectra: planted waves are found, regular or not, and what is no series is refused."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.signal import lombscargle

from credo.errors import BadParameter, BadShape, InvalidInput
from credo.gp import GaussianProcessRegressor, spectral_mixture
from credo.gp.spectrum import _scattered, _sums, waves
from credo.kernels import SpectralMixture

REGULAR = np.linspace(0, 20, 120)
SCATTERED = np.random.default_rng(0).permutation(np.sort(np.random.default_rng(1).uniform(0, 20, 120)))


@pytest.mark.parametrize("x", [REGULAR, SCATTERED, SCATTERED + 1e4], ids=["regular", "scattered", "far"])
def test_planted_frequencies_are_found(x):
    noise = np.random.default_rng(2).normal(0, 0.2, len(x))
    y = 3 + 2 * np.sin(2 * np.pi * 0.4 * x + 1) + np.sin(2 * np.pi * 1.3 * x) + noise
    kernel = spectral_mixture(x, y, components=2)
    np.testing.assert_allclose(kernel.frequencies, [0.4, 1.3], atol=0.005)
    np.testing.assert_allclose(np.array(kernel.weights) / y.var(), [0.8, 0.2], atol=0.03)
    assert max(kernel.widths) < 1 / np.ptp(x)


@settings(max_examples=20, deadline=None, derandomize=True)
@given(st.floats(0.15, 2.5), st.floats(0, 6), st.floats(1e-3, 1e3), st.floats(1e-3, 1e3))
def test_one_wave_is_found_in_any_units(frequency, phase, scale, size):
    y = size * np.cos(2 * np.pi * frequency * SCATTERED + phase)
    (wave,) = waves(SCATTERED * scale, y, 1)
    assert wave.frequency * scale == pytest.approx(frequency, abs=1e-3)
    assert wave.variance == pytest.approx(y.var(), rel=1e-3)


def test_even_steps_and_uneven_ones_have_the_same_humps():
    y = np.sin(2 * np.pi * 0.4 * REGULAR + 1) + 0.5 * np.sin(2 * np.pi * 1.3 * REGULAR) + 0.1 * REGULAR
    uneven = REGULAR + 1e-5 * np.sin(np.arange(120))
    for even, other in zip(waves(REGULAR, y, 3), waves(uneven, y, 3), strict=True):
        assert other.frequency == pytest.approx(even.frequency, rel=1e-2)
        assert other.variance == pytest.approx(even.variance, rel=2e-2)


@settings(max_examples=15, deadline=None, derandomize=True)
@given(st.integers(5, 80), st.integers(1, 300), st.integers(0, 1000))
def test_sums_of_waves_are_what_they_are_written_as(rows, last, seed):
    rng = np.random.default_rng(seed)
    turns, weights = rng.uniform(-2, 2, rows), rng.normal(size=rows)
    expected = np.exp(2j * np.pi * np.outer(np.arange(last + 1), turns)) @ weights
    np.testing.assert_allclose(_sums(turns, weights, last), expected, atol=1e-10 * np.abs(weights).sum())


def test_the_spectrum_of_uneven_steps_is_that_of_lomb_and_scargle():
    y = np.random.default_rng(0).normal(size=120)
    places = np.arange(3, 500)
    turns = (SCATTERED - SCATTERED.min()) / np.ptp(SCATTERED) / 5
    expected = lombscargle(turns, y, 2 * np.pi * places)
    np.testing.assert_allclose(_scattered(turns, y, places), expected, atol=1e-9 * expected.max())


def test_a_wave_with_its_zeros_at_all_rows_explains_nothing():
    even = np.arange(20.0)
    power = _scattered(even / 40, even % 3 - 1.0, np.array([7, 20]))  # the last turns by a half from row to row
    assert power[1] == pytest.approx(np.sum((even % 3 - 1.0) * (-1.0) ** even) ** 2 / 40)


def test_a_few_rows_close_together_do_not_ask_for_a_billion_waves():
    x = np.concatenate([np.linspace(0, 100, 100), 48 + 1e-9 * np.arange(150)])
    kernel = spectral_mixture(x, np.sin(2 * np.pi * x / 8), components=1)
    assert 1 / kernel.frequencies[0] == pytest.approx(8, rel=0.01)


def test_a_trend_is_longer_than_the_series():
    kernel = spectral_mixture(REGULAR, REGULAR + np.sin(2 * np.pi * REGULAR), components=2)
    assert 1 / kernel.frequencies[0] > 20
    assert kernel.frequencies[1] == pytest.approx(1.0, abs=0.01)


def test_a_hump_is_as_wide_as_what_it_is_made_of():
    rng = np.random.default_rng(0)
    x = np.linspace(0, 100, 500)
    truth = SpectralMixture([1.0], [1.0], [0.1])
    y = np.linalg.cholesky(truth(x[:, None]) + 1e-6 * np.eye(500)) @ rng.normal(size=500)
    found = spectral_mixture(x, y, components=4)
    assert all(0.6 < frequency < 1.4 for frequency in found.frequencies)  # no two at one place, all in the hump
    assert np.abs(np.subtract.outer(found.frequencies, found.frequencies)[np.triu_indices(4, 1)]).min() >= 0.005


def test_it_stops_where_nothing_is_left():
    flat = np.where(np.arange(120) % 2 == 0, 1.0, -1.0)
    kernel = spectral_mixture(REGULAR, flat, components=50)
    assert len(kernel.weights) <= 50
    assert sum(kernel.weights) == pytest.approx(flat.var())


def test_it_is_a_good_start():
    rng = np.random.default_rng(3)
    y = np.sin(2 * np.pi * 0.55 * SCATTERED) + 0.1 * rng.normal(size=120)
    start = spectral_mixture(SCATTERED[:, None], y, components=1).fixed("widths")
    model = GaussianProcessRegressor(start, starts=1).fit(SCATTERED[:, None], y)
    assert model.noise_ == pytest.approx(0.1, rel=0.3)
    assert model.kernel_.parameters["SpectralMixture.frequencies[0]"] == pytest.approx(0.55, abs=0.01)


@pytest.mark.parametrize(
    ("x", "y", "components", "error", "words"),
    [
        (np.zeros((5, 2)), np.arange(5.0), 1, BadShape, "one column"),
        (np.arange(5.0), np.arange(4.0), 1, BadShape, "rows"),
        ([0.0, 0.0, 1.0, 2.0], np.arange(4.0), 1, InvalidInput, "4 values that differ; got 3"),
        (np.arange(5.0), np.ones(5), 1, InvalidInput, "no spectrum"),
        (np.arange(5.0), np.arange(5.0), 0, BadParameter, "components"),
        ([0.0, 1.0, 2.0, np.nan], np.arange(4.0), 1, InvalidInput, "x"),
    ],
)
def test_what_is_no_series_is_refused(x, y, components, error, words):
    with pytest.raises(error, match=words):
        spectral_mixture(x, y, components=components)
