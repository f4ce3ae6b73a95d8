"""Names, values, bounds, priors and what is fixed."""

from __future__ import annotations

from math import inf, log

import numpy as np
import pytest
from scipy import stats

from credo.beliefs import Gamma, LogNormal, MultivariateNormal, Normal
from credo.errors import BadParameter, BadShape, InvalidInput, UnknownName
from credo.kernels import SE, GammaExponential, Index, Noise, Periodic, Polynomial, kernel

CO2 = kernel(
    "66**2 * SE(67) + 2.4**2 * SE(90) * Periodic(1.3, 1) + 0.66**2 * RationalQuadratic(1.2, 0.78) + Noise(0.19)"
)


def test_names_say_which_kernel_and_which_number() -> None:
    assert list(CO2.parameters) == [
        "Constant1.variance",
        "SE1.length",
        "Constant2.variance",
        "SE2.length",
        "Periodic.length",
        "Periodic.period",
        "Constant3.variance",
        "RationalQuadratic.length",
        "RationalQuadratic.alpha",
        "Noise.sd",
    ]
    assert list(SE([1.0, 2.0]).on([0, 1]).parameters) == ["length[0]", "length[1]"]
    assert list(Index([1.0, 1.0], [[1.0], [0.0]]).parameters) == ["own[0]", "own[1]", "shared[0,0]", "shared[1,0]"]


def test_theta_is_mostly_logarithms() -> None:
    np.testing.assert_allclose(CO2.theta, np.log(list(CO2.parameters.values())))
    mixed = Index([2.0, 1.0], [[-1.5], [0.0]])
    np.testing.assert_allclose(mixed.theta, [log(2), 0.0, -1.5, 0.0])
    assert mixed.with_theta(mixed.theta) == mixed


def test_a_zero_is_not_free() -> None:
    assert Polynomial(2, 0.0).free == ()
    assert Polynomial(2, 0.0).with_parameters({"offset": 1.0}).free == ("offset",)
    assert (0.0 * SE(1.0)).free == ("SE.length",)


@pytest.mark.parametrize(
    ("wanted", "meant"),
    [
        ("SE.length[0]", ["SE.length[0]"]),
        ("SE.length", ["SE.length[0]", "SE.length[1]"]),
        ("SE", ["SE.length[0]", "SE.length[1]"]),
        ("length", ["SE.length[0]", "SE.length[1]"]),
        ("length[1]", ["SE.length[1]"]),
        ("Noise", ["Noise.sd"]),
        ("sd", ["Noise.sd"]),
    ],
)
def test_a_name_may_be_short(wanted: str, meant: list[str]) -> None:
    held = (SE([1.0, 2.0]) + Noise(0.1)).fixed(wanted)
    assert [name for name, entry in held.hyperparameters.items() if entry.fixed] == meant


def test_a_name_that_could_be_two_is_refused() -> None:
    with pytest.raises(UnknownName, match=r"more than one hyperparameter 'length': SE\.length, Periodic\.length"):
        (SE(1.0) + Periodic(1.0, 2.0)).fixed("length")
    with pytest.raises(UnknownName, match=r"Did you mean 'SE\.length'"):
        (SE(1.0) + Noise(0.1)).fixed("SE.lenght")
    with pytest.raises(UnknownName):
        SE(1.0).with_parameters({"": 1.0})
    with pytest.raises(UnknownName):
        SE(1.0).fixed(3)  # type: ignore[arg-type]


def test_fixed_and_freed() -> None:
    made = SE([1.0, 2.0]) + Noise(0.1)
    held = made.fixed("Noise", "length[0]")
    assert held.free == ("SE.length[1]",)
    np.testing.assert_allclose(held.theta, [log(2.0)])
    assert held.with_theta([0.0]).parameters == {"SE.length[0]": 1.0, "SE.length[1]": 1.0, "Noise.sd": 0.1}
    assert held.freed() == made
    assert held.freed("sd").free == ("SE.length[1]", "Noise.sd")
    assert made.fixed().fixed() == made.fixed()


def test_what_was_fixed_in_a_part_can_be_freed_in_the_whole() -> None:
    whole = SE(1.0).fixed("length") + Noise(0.1)
    assert whole.free == ("Noise.sd",)
    freed = whole.freed("SE.length")
    assert freed.free == ("SE.length", "Noise.sd")
    assert kernel(str(freed)) == freed
    assert freed.fixed("SE.length") == whole


def test_bounds_are_in_units_and_on_the_scale_of_theta() -> None:
    held = (SE([1.0, 2.0]) + Noise(0.1)).bounded({"length": (0.5, 4), "sd": (0, 1)})
    np.testing.assert_allclose(held.bounds, [[log(0.5), log(4)], [log(0.5), log(4)], [-inf, 0.0]])
    assert SE(1.0).bounds.tolist() == [[-inf, inf]]
    assert GammaExponential(1.0, 1.0).bounds[1].tolist() == [-inf, log(2)]
    assert held.bounded({"sd": (0.01, 2)}).hyperparameters["Noise.sd"].high == 2.0  # the later word counts


def test_an_optimiser_may_stand_on_a_bound() -> None:
    held = SE(1.0).bounded({"length": (0.3, 7.7)})
    assert held.with_theta(held.bounds[:, 1]).parameters["length"] == 7.7
    assert held.with_theta(held.bounds[:, 0]).parameters["length"] == 0.3
    assert GammaExponential(1.0, 1.0).with_theta([0.0, log(2)]).parameters["gamma"] == 2.0
    with pytest.raises(BadParameter, match=r"theta of SE\.length must lie within its bounds"):
        held.with_theta([3.0])
    with pytest.raises(BadParameter, match="must be the logarithm of a number"):
        SE(1.0).with_theta([1000.0])
    with pytest.raises(BadParameter, match="must be the logarithm of a number"):
        SE(1.0).with_theta([-1000.0])


def test_the_log_prior_is_that_of_the_free() -> None:
    held = (SE([1.0, 2.0]) + Noise(0.1)).with_priors({"length": LogNormal(0, 1), "sd": Gamma(2, 3)})
    lengths = stats.lognorm(1.0).logpdf([1.0, 2.0]).sum()
    assert held.log_prior() == pytest.approx(lengths + stats.gamma(2, scale=1 / 3).logpdf(0.1))
    assert held.fixed("sd").log_prior() == pytest.approx(lengths)
    assert SE(1.0).log_prior() == 0.0


def test_the_slope_of_the_log_prior_is_along_theta() -> None:
    from credo.testing import check_gradient

    held = (SE([1.0, 2.0]) + Noise(0.1)).with_priors({"length[1]": LogNormal(0, 1), "sd": Gamma(2, 3)})
    check_gradient(lambda t: (held.with_theta(t).log_prior(), held.with_theta(t).log_prior_gradient()), held.theta)
    assert SE(1.0).log_prior_gradient().tolist() == [0.0]
    normal = Index([1.0], [[0.5]]).with_priors({"shared": Normal(0, 2)})
    np.testing.assert_allclose(normal.log_prior_gradient(), [0.0, -0.125], atol=1e-9)


def test_equal_kernels_say_the_same_in_whatever_order() -> None:
    made = SE([1.0, 2.0])
    one = made.bounded({"length[1]": (1, 3)}).with_priors({"length": LogNormal(0, 1)}).fixed("length[0]")
    two = made.fixed("length[0]").with_priors({"length": LogNormal(0, 1)}).bounded({"length[1]": (1, 3)})
    assert one == two
    assert hash(one) == hash(two)
    assert one != two.with_priors({"length[0]": LogNormal(0, 1.1)})
    assert one != made


def test_fixed_kernels_are_scales_and_noise_as_before(X) -> None:
    held = 2.0 * SE(1.0) + Noise(0.1)
    W = np.arange(169.0).reshape(13, 13)
    np.testing.assert_allclose(held.fixed("variance").pullback(X, W), held.pullback(X, W)[1:])
    np.testing.assert_array_equal((SE(1.0) + Noise(0.1).fixed())(X), (SE(1.0) + Noise(0.1))(X))


def test_what_is_refused() -> None:
    with pytest.raises(BadParameter, match="length is 1, which is not within its bounds 2 to 3"):
        SE(1.0).bounded({"length": (2, 3)})
    with pytest.raises(BadParameter, match="bounds of length must be low < high, from 0 to inf"):
        SE(1.0).bounded({"length": (-1, 3)})
    with pytest.raises(BadParameter, match="bounds of gamma must be low < high, from 0 to 2"):
        GammaExponential(1.0, 1.0).bounded({"gamma": (0.1, 3)})
    with pytest.raises(BadShape, match=r"bounds of length must be a pair \(low, high\)"):
        SE(1.0).bounded({"length": (1, 2, 3)})  # type: ignore[dict-item]
    with pytest.raises(InvalidInput, match="bounds of length must be a number"):
        SE(1.0).bounded({"length": (np.nan, 3)})
    with pytest.raises(BadParameter, match="bounds must be a mapping"):
        SE(1.0).bounded((1, 2))  # type: ignore[arg-type]
    with pytest.raises(BadParameter, match="the prior of length must be a belief"):
        SE(1.0).with_priors({"length": 1.0})  # type: ignore[dict-item]
    with pytest.raises(BadShape, match="the prior of length must be one law of one number"):
        SE(1.0).with_priors({"length": Normal([0, 1], 1)})
    with pytest.raises(BadShape, match="one law of one number"):
        SE(1.0).with_priors({"length": MultivariateNormal([0.0], [[1.0]])})
    with pytest.raises(BadShape, match="theta must have an entry for each of length; got 2"):
        SE(1.0).with_theta([0.0, 0.0])
    with pytest.raises(BadShape, match="theta must have an entry for each of none; got 1"):
        SE(1.0).fixed().with_theta([0.0])
    with pytest.raises(BadParameter, match="length is 9, which is not within its bounds"):
        SE(1.0).bounded({"length": (0.5, 2)}).with_parameters({"length": 9.0})
    with pytest.raises(BadShape, match="W must have a row and a column for each row of X"):
        SE(1.0).pullback([[1.0], [2.0]], [[1.0]])
    with pytest.raises(InvalidInput, match=r"W must be finite; got nan at \[0, 1\]"):
        SE(1.0).pullback([[1.0], [2.0]], [[1.0, np.nan], [0.0, 0.0]])
