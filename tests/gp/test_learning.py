"""Learning: where it starts, how far it may go, and what is said of how it ended."""

from __future__ import annotations

import numpy as np
import pytest

from credo.errors import Outcome
from credo.gp import Exact, Toeplitz
from credo.gp.learning import (
    RACE,
    ROUGH,
    THOROUGH,
    End,
    Problem,
    Progress,
    _different,
    _disagreement,
    at_bounds,
    ladder,
    search,
)
from credo.gp.starts import default_kernel, default_noise, drawn, limits, scales_of, typical
from credo.kernels import SE, Constant, Linear, Noise, Periodic, RationalQuadratic, SpectralMixture, Wiener
from credo.testing import check_gradient

X = np.linspace(0, 20, 41)[:, None] * [1.0, 10.0]
Y = np.sin(X[:, 0])
SCALES = scales_of(X, Y)


def ends(*values: float, outcome: Outcome = Outcome.CONVERGED) -> list[End]:
    return [End(SE(1.0), value, outcome, np.array([value])) for value in values]


def test_scales():
    np.testing.assert_allclose(SCALES.reach, [20, 200])
    np.testing.assert_allclose(SCALES.step, [0.5, 5])
    np.testing.assert_allclose(SCALES.spread, X.std(axis=0))
    still = scales_of(np.ones((3, 1)), np.full(3, 7.0))
    assert (still.reach[0], still.spread[0], still.step[0], still.target) == (1.0, 1.0, 1.0, 1.0)


def test_the_default_kernel_starts_from_the_data():
    kernel = default_kernel(SCALES) + default_noise(SCALES)
    held = kernel.hyperparameters
    assert held["Constant.variance"].value == pytest.approx(Y.var())
    assert held["Matern52.length[1]"].value == pytest.approx(X[:, 1].std() * np.sqrt(2))
    assert held["Noise.sd"].value == pytest.approx(0.1 * Y.std())
    for entry in held.values():  # the mode of each prior is where the search starts
        near = entry.prior.log_prob(entry.value * np.array([0.99, 1.0, 1.01]))
        assert near.argmax() == 1


def test_the_objective_with_priors_has_the_gradient_it_says():
    kernel = default_kernel(SCALES) + default_noise(SCALES)

    def objective(theta):
        held = kernel.with_theta(theta)
        evidence, slopes = Exact().slopes(held, X, np.zeros(41), Y)
        return evidence.total + held.log_prior(), slopes + held.log_prior_gradient()

    check_gradient(objective, kernel.theta + 0.1)


@pytest.mark.parametrize(
    "kernel",
    [
        2.0 * SE([1.0, 2.0]) + Noise(0.1),
        (Constant(1.0) * Periodic(1.0, 1.0).on(0) * SE(3.0).on(1) + 0.1 * RationalQuadratic(1.0)).fixed("alpha"),
        SpectralMixture([1.0, 2.0], [0.1, 0.2], [0.1, 0.1]).on(0) + Linear(),
        (SE(1.0) ** 2).on(1).bounded({"length": (1e-9, 1e-8 + 1)}),
        default_kernel(SCALES),
    ],
    ids=str,
)
def test_starts_are_within_the_limits(kernel):
    bounds = limits(kernel, SCALES)
    assert len(typical(kernel, SCALES)) == len(kernel.free)
    assert np.isfinite(bounds).all()
    starts = drawn(kernel, SCALES, 8, np.random.default_rng(0))
    for theta in [*starts, kernel.theta]:
        assert (bounds[:, 0] <= theta).all()
        assert (theta <= bounds[:, 1]).all()
        kernel.with_theta(theta)
    assert len({theta.tobytes() for theta in starts}) == 8
    again = drawn(kernel, SCALES, 8, np.random.default_rng(0))
    np.testing.assert_array_equal(starts, again)


def test_starts_spread_over_the_whole_range():
    kernel = SE(20.0).bounded({"length": (15.0, 1e4)})
    starts = np.sort(np.ravel(drawn(kernel, SCALES, 4, np.random.default_rng(0))))
    low, high = typical(kernel, SCALES)[0]
    bottom, top = max(low, np.log(15.0)), min(high, np.log(1e4))
    np.testing.assert_array_equal(np.floor((starts - bottom) / (top - bottom) * 4), np.arange(4))


def test_nothing_to_learn():
    assert drawn(Wiener(), SCALES, 0, np.random.default_rng(0)) == []
    end = search(SE(1.0).fixed(), Problem(X[:3], Y[:3], np.ones(3), Exact()), np.empty((0, 2)), np.empty(0))
    assert end.outcome is Outcome.CONVERGED
    assert end.value == pytest.approx(Exact().slopes(SE(1.0), X[:3], np.ones(3), Y[:3])[0].total)


def test_what_is_said_of_starts():
    assert _disagreement(ends(1.0)) == []
    assert _disagreement(ends(1.0, 1.0, -50.0)) == []
    assert "nearly as good, with 0.00" in _disagreement(ends(1.0, 1.0, 0.0))[0]
    assert "only one of 3" in _disagreement(ends(1.0, -5.0, -np.inf))[0]
    assert _disagreement(ends(1.0, -5.0, outcome=Outcome.INTERRUPTED)) == []
    underway = ends(1.0, 0.5, outcome=Outcome.OUT_OF_STEPS)  # which may yet come to the same
    assert _disagreement(underway) == []
    assert _disagreement([*ends(1.0), *underway[1:], *ends(1.0)]) == []
    assert "evidence of 1.00 (of 256 rows that were drawn) were found" in _disagreement(ends(1.0, 0.0), 256)[0]


@pytest.mark.parametrize(
    ("rows", "starts", "expected"),
    [
        (511, 10, [(511, 10, THOROUGH)]),
        (512, 10, [(256, 10, ROUGH), (512, 3, RACE), (512, 1, THOROUGH)]),
        (1000, 2, [(256, 2, ROUGH), (1000, 2, RACE), (1000, 1, THOROUGH)]),
        (2000, 10, [(500, 10, ROUGH), (2000, 1, THOROUGH)]),
        (9000, 5, [(1000, 5, ROUGH), (9000, 1, THOROUGH)]),
        (9000, 1, [(9000, 1, THOROUGH)]),
    ],
)
def test_the_more_rows_the_fewer_starts(rows, starts, expected):
    held = np.arange(rows, dtype=np.float64)
    problem = Problem(held[:, None], held, held, Exact())
    rungs = ladder(problem, starts, np.random.default_rng(0))
    assert [(len(rung.problem.X), rung.starts, rung.effort) for rung in rungs] == expected
    for rung in rungs:  # what belongs together stays together, and no row is there twice
        assert len(np.unique(rung.problem.X)) == len(rung.problem.X)
        np.testing.assert_array_equal(rung.problem.X[:, 0], rung.problem.residual)
        np.testing.assert_array_equal(rung.problem.X[:, 0], rung.problem.noise)
    cheap = Problem(held[:, None], held, held, Toeplitz())
    assert ladder(cheap, starts, np.random.default_rng(0))[0].starts == starts
    assert len(ladder(cheap, starts, np.random.default_rng(0))) == 1


def test_what_was_found_twice_is_followed_once():
    assert [end.value for end in _different(ends(1.0, 0.99, 0.5, 0.48, -np.inf, -np.inf))] == [1.0, 0.5, -np.inf]


def test_what_is_said_of_bounds():
    end = End(SE(2.0) + Noise(0.5), 0.0, Outcome.CONVERGED, np.zeros(1))
    low = np.log([1.0, 0.5])
    assert at_bounds(end, np.column_stack([low, low + 5])) == [
        "Noise.sd sits at the least value it may have, 0.5: the data look free of noise. Fix it, bound it elsewhere, "
        "or give it a prior"
    ]
    high = np.log([2.0, 0.6])
    assert (
        "SE.length sits at the greatest value it may have, 2: what it looks at hardly"
        in at_bounds(end, np.column_stack([high - 5, high]))[0]
    )


def test_progress_is_shown_to_who_waits_at_a_terminal(monkeypatch, capsys):
    progress = Progress(3)
    progress.tell(-1.0)
    monkeypatch.setattr("sys.stderr.isatty", lambda: True)
    progress.tell(-1.0)
    assert capsys.readouterr().err == ""  # two seconds have not passed
    progress.line.begun = progress.line.shown = progress.line.begun - 10
    progress.done()
    progress.tell(-12.345)
    progress.tell(-12.3)  # too soon after the first
    assert capsys.readouterr().err.strip() == "start 2 of 3: log evidence -12.35"
    progress.line.close()
    assert capsys.readouterr().err.strip() == ""
