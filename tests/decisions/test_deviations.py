"""The formulas for how far an outcome lies above and below a number, against quadrature."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import integrate, stats

from credo.beliefs import Gamma, Normal, StudentT
from credo.decisions import AbsoluteLoss, PinballLoss, decide
from credo.decisions.deviations import deviations
from credo.decisions.expected import expected_loss


@pytest.mark.parametrize("at", [-7.0, -1.0, 0.5, 3.0, 40.0])
@pytest.mark.parametrize(
    ("belief", "law"),
    [
        (Normal(0.5, 2.0), stats.norm(0.5, 2.0)),
        (StudentT(3.5, 0.5, 2.0), stats.t(3.5, 0.5, 2.0)),
        (StudentT(40.0, -1.0, 0.3), stats.t(40.0, -1.0, 0.3)),
    ],
)
def test_they_are_what_quadrature_says(belief, law, at):
    above, below = deviations(belief, np.asarray(at))
    # E max(X − at, 0) is the integral of the upper tail beyond it, and likewise below.
    assert above == pytest.approx(integrate.quad(law.sf, at, np.inf, epsabs=1e-13)[0], rel=1e-6, abs=1e-11)
    assert below == pytest.approx(integrate.quad(law.cdf, -np.inf, at, epsabs=1e-13)[0], rel=1e-6, abs=1e-11)


@settings(max_examples=100, deadline=None, derandomize=True)
@given(st.floats(1.01, 1e6), st.floats(-1e3, 1e3), st.floats(1e-3, 1e3), st.floats(-1e4, 1e4))
def test_their_difference_is_that_from_the_mean(df, loc, scale, at):
    for belief in (Normal(loc, scale), StudentT(df, loc, scale)):
        above, below = deviations(belief, np.asarray(at))
        assert above >= 0
        assert below >= 0
        assert above - below == pytest.approx(loc - at, rel=1e-8, abs=1e-8 * (scale + above + below))


@pytest.mark.parametrize("q", [0.02, 0.5, 0.75])
def test_decisions_are_those_of_quadrature(q):
    for belief in (Normal([0.0, 3.0], [1.0, 2.0]), StudentT([2.5, 9.0], [0.0, 3.0], [1.0, 2.0])):
        decision = decide(belief, PinballLoss(q))
        wanted = expected_loss(PinballLoss(q), belief, decision.action, decision.action)
        np.testing.assert_allclose(decision.risk, wanted, rtol=1e-8)
        np.testing.assert_allclose(
            AbsoluteLoss().risk(belief, decision.action),
            expected_loss(AbsoluteLoss(), belief, decision.action, decision.action),
            rtol=1e-8,
        )


def test_other_laws_are_left_to_quadrature():
    assert deviations(Gamma(2, 1), np.asarray(1.0)) is None
    assert deviations(StudentT([3.0, 1.0], 0.0, 1.0), np.zeros(2)) is None
