"""Gaussian processes beside scikit-learn, GPyTorch and GPflow, and beside two steps of LAPACK that all of them take.

The carbon dioxide of Mauna Loa and Snelson's rows are looked for in ``../shared/data``, and their published answers are
checked before anything is timed; where they are not, a series like it is drawn.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable
from functools import cache, partial
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.harness import Case
from credo.gp import ConstantMean, Exact, GaussianProcessRegressor, Process, Toeplitz, ZeroMean
from credo.kernels import SE, Constant, Matern52, Noise, Periodic

DATA = Path(__file__).parents[2] / "shared" / "data"
COLUMNS = 8
CO2 = (
    "66**2 * SE(67) + 2.4**2 * SE(90) * Periodic(1.3, 1).fixed('period') + 0.66**2 * RationalQuadratic(1.2, 0.78)"
    " + 0.18**2 * SE(0.134) + Noise(0.19)"
)
NAIVE = (
    "1.0 * SE(1) + 1.0 * SE(1) * Periodic(1, 1).fixed('period') + 1.0 * RationalQuadratic(1, 1) + 1.0 * SE(1)"
    " + Noise(1)"
)


def problem(n: int) -> Any:
    """Rows of eight columns, and the squared exponential with a length for each and noise, ours and theirs."""
    from sklearn.gaussian_process import GaussianProcessRegressor as Peer
    from sklearn.gaussian_process.kernels import RBF, ConstantKernel, WhiteKernel

    rng = np.random.default_rng(0)
    X = rng.normal(size=(n, COLUMNS))
    y = np.sin(X[:, 0]) + X[:, 1] + 0.1 * rng.normal(size=n)
    ours = Constant(1.0) * SE(np.full(COLUMNS, 2.0)) + Noise(0.1)
    peer = Peer(ConstantKernel(1.0) * RBF(np.full(COLUMNS, 2.0)) + WhiteKernel(0.01), optimizer=None, alpha=0.0)
    return X, y, ours, peer


def small(n: int) -> Any:
    X, y, ours, peer = problem(n)
    return X, y, ours, peer.fit(X, y)


def matrix(n: int) -> Any:
    X, y, ours, _ = problem(n)
    return X, y, ours, np.asfortranarray(ours(X))


def slopes(data: Any) -> object:
    X, y, kernel, _ = data
    return Exact().slopes(kernel, X, np.zeros(len(X)), y)


def peer_slopes(data: Any) -> object:
    model = data[3]
    return model.log_marginal_likelihood(model.kernel_.theta, eval_gradient=True, clone_kernel=False)


def gpytorch_slopes(n: int) -> Callable[[], float]:
    """GPyTorch by Cholesky factors, as it is where it is exact."""
    import gpytorch
    import torch

    X, y, _, _ = problem(n)
    rows, targets = torch.from_numpy(X), torch.from_numpy(y)
    likelihood = gpytorch.likelihoods.GaussianLikelihood().double()

    class Model(gpytorch.models.ExactGP):  # type: ignore[misc]
        def __init__(self) -> None:
            super().__init__(rows, targets, likelihood)
            self.mean = gpytorch.means.ZeroMean()
            self.kernel = gpytorch.kernels.ScaleKernel(gpytorch.kernels.RBFKernel(ard_num_dims=COLUMNS))

        def forward(self, X: Any) -> Any:
            return gpytorch.distributions.MultivariateNormal(self.mean(X), self.kernel(X))

    model = Model().double()
    model.kernel.outputscale, model.kernel.base_kernel.lengthscale, likelihood.noise = 1.0, 2.0, 0.01
    model.train()
    evidence = gpytorch.mlls.ExactMarginalLogLikelihood(likelihood, model)

    def value_and_gradient() -> float:
        model.zero_grad()
        with gpytorch.settings.max_cholesky_size(10 * n), gpytorch.settings.fast_computations(False, False, False):
            value = n * evidence(model(rows), targets)
            value.backward()
        return float(value.item())

    return value_and_gradient


def gpflow_slopes(n: int) -> Callable[[], float]:
    """GPflow's exact regression, compiled to a graph."""
    import gpflow
    import tensorflow as tf

    X, y, _, _ = problem(n)
    kernel = gpflow.kernels.SquaredExponential(variance=1.0, lengthscales=np.full(COLUMNS, 2.0))
    model = gpflow.models.GPR((X, y[:, None]), kernel, noise_variance=0.01)

    @tf.function  # type: ignore[untyped-decorator]
    def graph() -> Any:
        with tf.GradientTape() as tape:
            value = model.log_marginal_likelihood()
        return value, tape.gradient(value, model.trainable_variables)

    def value_and_gradient() -> float:
        value, slopes = graph()
        for slope in slopes:
            slope.numpy()
        return float(value)

    return value_and_gradient


@cache
def checked(made: Callable[[int], Callable[[], float]], n: int) -> Callable[[], float]:
    """The work of one of these two, once its answer is ours."""
    work, (X, y, kernel, _) = made(n), problem(n)
    ours, theirs = Exact().slopes(kernel, X, np.zeros(n), y)[0].total, work()
    assert abs(theirs - ours) < 1e-4 * n, (theirs, ours)
    return work


def exact_peer(data: Any, made: Callable[[int], Callable[[], float]]) -> object:
    return checked(made, len(data[0]))()


def lapack(data: Any) -> object:
    """A factor and an inverse of the same size, without anything else."""
    from scipy.linalg.lapack import dpotrf, dpotri

    factor, _ = dpotrf(data[3], lower=1, clean=0)
    return dpotri(factor, lower=1, overwrite_c=1)


def fitted(n: int, m: int) -> Any:
    X, y, ours, peer = problem(n)
    asked = np.random.default_rng(1).normal(size=(m, COLUMNS))
    return asked, Process(ours.parts[0]).given(X, y, noise=0.1), peer.fit(X, y)


def predict(data: Any) -> object:
    return data[1].predictive(data[0], noise=0.1)


def peer_predict(data: Any) -> object:
    return data[2].predict(data[0], return_std=True)


def check_published() -> None:
    """The answers that are published for Snelson's even rows and for the carbon dioxide of Mauna Loa."""
    X, y = (np.loadtxt(DATA / "gp" / "snelson" / f"snelson_train_{part}.dat") for part in ("inputs", "outputs"))
    model = GaussianProcessRegressor(Constant(1.0) * SE(1.0), mean=ZeroMean()).fit(X[::2, None], y[::2])
    assert abs(model.log_evidence_ + 33.8923) < 1e-3, model.log_evidence_
    times, co2 = mauna_loa()
    process = Process(CO2, mean=ConstantMean(co2.mean())).given(times, co2)
    assert abs(process.log_evidence + 117.0226) < 1e-3, process.log_evidence


def mauna_loa() -> Any:
    place = DATA / "co2" / "sklearn_monthly_521.csv"
    if place.exists():
        held = np.loadtxt(place, delimiter=",", skiprows=1)
        return held[:, :1], held[:, 1]
    t = 1958 + np.delete(np.arange(526), [3, 80, 81, 82, 300]) / 12
    return t[:, None], 315 + 0.01 * (t - 1958) ** 2 + 3 * np.sin(2 * np.pi * t)


def series() -> Any:
    if DATA.exists():
        check_published()
    return mauna_loa()


def fit(data: Any, starts: int) -> object:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # (that starts disagree is known here)
        model = GaussianProcessRegressor(NAIVE, starts=starts).fit(*data)
    assert not DATA.exists() or starts < 10 or model.log_evidence_ > -115.051, model.log_evidence_
    return model


def peer_fit(data: Any, starts: int) -> object:
    from sklearn.gaussian_process import GaussianProcessRegressor as Peer
    from sklearn.gaussian_process.kernels import RBF, ExpSineSquared, RationalQuadratic, WhiteKernel

    season = 1.0 * RBF(1.0) * ExpSineSquared(1.0, 1.0, periodicity_bounds="fixed")
    kernel = 1.0 * RBF(1.0) + season + 1.0 * RationalQuadratic(1.0, 1.0) + 1.0 * RBF(1.0) + WhiteKernel(1.0)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return Peer(kernel, n_restarts_optimizer=starts - 1, random_state=0).fit(data[0], data[1] - data[1].mean())


def long_series(n: int) -> Any:
    x = np.arange(float(n))[:, None]
    y = np.sin(x[:, 0] / 50) + 0.1 * np.random.default_rng(0).normal(size=n)
    return x, y, 2.0 * Matern52(30.0) + SE(100.0) * Periodic(1.0, 365.0) + Noise(0.1)


def regular(data: Any) -> object:
    x, y, kernel = data
    return Toeplitz().slopes(kernel, x, np.zeros(len(x)), y)


def irregular(data: Any) -> object:
    """The same by the exact solver, on a tenth of the rows: the whole would take 3 GB and minutes."""
    x, y, kernel = data
    few = len(x) // 10
    return Exact().slopes(kernel, x[:few], np.zeros(few), y[:few])


PEER = "scikit-learn GaussianProcessRegressor"
CASES = [
    Case("log evidence and gradient, 1,000 rows of 8 columns", PEER, partial(small, 1000), slopes, peer_slopes),
    Case("log evidence and gradient, 2,000 rows", PEER, partial(small, 2000), slopes, peer_slopes, slow=True),
    Case("log evidence and gradient, 1,000 rows", "dpotrf + dpotri", partial(matrix, 1000), slopes, lapack),
    Case("log evidence and gradient, 2,000 rows", "dpotrf + dpotri", partial(matrix, 2000), slopes, lapack),
    Case("log evidence and gradient, 4,000 rows", "dpotrf + dpotri", partial(matrix, 4000), slopes, lapack, slow=True),
    *(
        Case(
            f"log evidence and gradient, {n:,} rows", name, partial(problem, n), slopes, partial(exact_peer, made=made)
        )
        for n in (1000, 2000)
        for name, made in (("GPyTorch, by Cholesky", gpytorch_slopes), ("GPflow GPR", gpflow_slopes))
    ),
    Case("mean and variance of 10,000 rows from 2,000", PEER, partial(fitted, 2000, 10_000), predict, peer_predict),
    Case(
        "learn the kernel of Mauna Loa, one start",
        PEER,
        series,
        partial(fit, starts=1),
        partial(peer_fit, starts=1),
        slow=True,
    ),
    Case(
        "learn the kernel of Mauna Loa, ten starts",
        PEER,
        series,
        partial(fit, starts=10),
        partial(peer_fit, starts=10),
        slow=True,
    ),
    Case(
        "log evidence and gradient of a regular series of 20,000",
        "2,000 of them by Cholesky",
        partial(long_series, 20_000),
        regular,
        irregular,
        slow=True,
    ),
]
