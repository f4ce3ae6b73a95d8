"""Hyperparameters are told in the units of what they look at."""

from __future__ import annotations

from credo.gp.units import units
from credo.kernels import SE, Linear, Matern52, Noise, Periodic, RationalQuadratic, SpectralMixture


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
