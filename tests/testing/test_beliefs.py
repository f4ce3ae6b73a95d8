"""The contract of beliefs must be able to fail: every promise is broken once, by a law that breaks only that one."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import pytest
from scipy import special

from credo import checks
from credo.beliefs import Belief, Categorical, Dirichlet, MultivariateNormal, Normal, Poisson
from credo.testing import check_belief


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Logistic(Belief):
    """A right law, with a fault to be switched on."""

    loc: np.ndarray
    fault: str = ""

    def __post_init__(self):
        self._hold(loc=checks.floats("loc", self.loc))
        if self.fault == "writable" and self.batch_shape:
            object.__setattr__(self, "loc", np.array(self.loc))

    @property
    def mean(self):
        return self.loc + (0.01 if self.fault == "mean" else 0.0)

    @property
    def var(self):
        if self.fault == "var shape":
            return np.array([np.pi**2 / 3] * 7)
        return np.full_like(self.loc, np.pi**2 / 3 * (1.001 if self.fault == "var" else 1))[()]

    @property
    def mode(self):
        return self.loc + (0.5 if self.fault == "mode" else 0.0)

    def entropy(self):
        return np.full_like(self.loc, 2.0 + (1e-4 if self.fault == "entropy" else 0))[()]

    def _log_prob(self, x):
        z = np.abs(x - self.loc)
        density = -z - 2 * np.log1p(np.exp(-z)) + (1e-4 if self.fault == "not normalised" else 0)
        if self.fault == "support":
            density = np.where(np.isfinite(x), density, 0.0)
        return density

    def _cdf(self, x):
        cdf = special.expit(x - self.loc)
        return np.clip(cdf + 1e-4, 0, 1) if self.fault == "cdf" else cdf

    def _quantile(self, below, above):
        z = np.log(below) - np.log(above)
        if self.fault == "quantile":
            z = z * 1.001
        return z + (self.loc if self.fault != "rows" or not self.batch_shape else self.loc[::-1])

    def _kl(self, other):
        return np.full_like(self.loc, 0.1 if self.fault == "kl" else 0.0)[()]

    def _draw(self, n, rng):
        if self.fault == "seed":
            rng = np.random.default_rng()
        if self.fault == "constant generator":
            rng = np.random.default_rng(0)
        draws = self.loc + rng.logistic(size=(n, *self.batch_shape)) * (1.1 if self.fault == "draws" else 1)
        return draws.T if self.fault == "draw shape" else draws

    def __repr__(self):
        return "Logistic(\n)" if self.fault == "repr" else f"Logistic({self.fault!r})"


FAULTS = [
    "mean", "var", "var shape", "mode", "entropy", "not normalised", "support", "cdf", "quantile", "rows", "kl", "seed",
    "constant generator", "draws", "draw shape", "repr", "writable",
]  # fmt: skip


def test_the_right_law_passes():
    check_belief(Logistic(0.5))
    check_belief(Logistic([0, 3, -7]))


@pytest.mark.parametrize("fault", FAULTS)
def test_every_fault_is_found(fault):
    with pytest.raises(AssertionError, match="breaks a promise"):
        check_belief(Logistic([0, 3, -7], fault))


@pytest.mark.parametrize("fault", sorted(set(FAULTS) - {"rows", "draw shape", "writable"}))
def test_and_in_a_single_law(fault):
    with pytest.raises(AssertionError, match="breaks a promise"):
        check_belief(Logistic(0.5, fault))


def test_a_generator_is_needed():
    class Lax(Normal):
        __slots__ = ()

        def sample(self, n, rng):
            return Normal.sample(self, n, 0 if rng is None else rng)

    with pytest.raises(AssertionError, match="rng None"):
        check_belief(Lax(0, 1))


def test_a_value_that_can_be_changed():
    class Loose(Normal):
        __slots__ = ()

        def __setattr__(self, name, value):
            object.__setattr__(self, name, value)

    with pytest.raises(AssertionError, match="could be set"):
        check_belief(Loose(0, 1))


def test_an_array_without_axes():
    class Wrapped(Normal):
        __slots__ = ()

        def entropy(self):
            return np.asarray(Normal.entropy(self))

    check_belief(Wrapped([0, 1], 1))
    with pytest.raises(AssertionError, match="not an array without axes"):
        check_belief(Wrapped(0, 1))


def test_only_refusals_are_forgiven():
    class Crashing(Normal):
        __slots__ = ()

        def entropy(self):
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        check_belief(Crashing(0, 1))


class Counts(Poisson):
    __slots__ = ()
    shift: ClassVar[float] = 0.0

    def _log_prob(self, x):
        return Poisson._log_prob(self, x) + self.shift


def test_faults_of_discrete_laws():
    check_belief(Counts([3.5, 0.2]))
    for changes in (
        {"shift": 1e-4},
        {"mode": property(lambda self: self.rate * 0 + 5)},
        {"var": property(lambda self: self.rate * 1.01)},
        {"entropy": lambda self: Poisson.entropy(self) + 1e-3},
        {"_cdf": lambda self, x: Poisson._cdf(self, x + 1)},
        {"_quantile": lambda self, below, above: Poisson._quantile(self, below, above) + 1},
        {"_draw": lambda self, n, rng: Poisson._draw(self, n, rng) // 1.2},
    ):
        with pytest.raises(AssertionError, match="breaks a promise"):
            check_belief(type("Faulty", (Counts,), {"__slots__": (), **changes})(3.5))


def test_faults_of_laws_of_vectors():
    for changes in (
        {"var": property(lambda self: np.diagonal(self.cov) * 1.3)},
        {"entropy": lambda self: MultivariateNormal.entropy(self) + 0.2},
        {"_quantile": lambda self, below, above: MultivariateNormal._quantile(self, below, above) + 0.3},
        {"mode": property(lambda self: self.mean + 1)},
        {"_kl": lambda self, other: np.float64(0.1)},
    ):
        law = type("Faulty", (MultivariateNormal,), {"__slots__": (), **changes})([0, 1], [[1, 0.5], [0.5, 2]])
        with pytest.raises(AssertionError, match="breaks a promise"):
            check_belief(law)
    wrong_mean = type("Faulty", (Dirichlet,), {"__slots__": (), "mean": property(lambda self: self.alpha / 5)})
    with pytest.raises(AssertionError, match="breaks a promise"):
        check_belief(wrong_mean([1, 2, 3]))


def test_faults_of_laws_of_labels():
    check_belief(Categorical({"a": 0.2, "b": 0.8}))
    for changes in (
        {"mode": property(lambda self: "a")},
        {"entropy": lambda self: Categorical.entropy(self) + 0.1},
        {"_draw": lambda self, n, rng: np.array(["b"] * n, dtype=object)},
    ):
        with pytest.raises(AssertionError, match="breaks a promise"):
            check_belief(type("Faulty", (Categorical,), {"__slots__": (), **changes})({"a": 0.2, "b": 0.8}))
