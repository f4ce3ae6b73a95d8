"""How sure to be of a decision."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from scipy.optimize import minimize
from scipy.special import log_softmax

from credo.svm.calibration import agreeing, learn_calibration


@settings(max_examples=200, deadline=None, derandomize=True)
@given(
    hnp.arrays(np.float64, st.tuples(st.integers(1, 6), st.integers(2, 6)), elements=st.floats(0, 1)),
    st.integers(0, 5),
)
def test_the_class_decided_for_leads_and_the_rest_keeps_its_order(raw, choice):
    p = (raw + 1e-6) / (raw + 1e-6).sum(axis=1, keepdims=True)
    decided = np.full(len(p), choice % p.shape[1])
    made = agreeing(p, decided)
    np.testing.assert_allclose(made.sum(axis=1), 1)
    np.testing.assert_array_equal(made.argmax(axis=1), decided)
    for before, after, own in zip(p, made, decided, strict=True):
        if before.argmax() == own and np.sum(before == before.max()) == 1:
            np.testing.assert_allclose(after, before)
        order = np.argsort(np.delete(before, own))
        assert (np.diff(np.delete(after, own)[order]) >= -1e-12).all()


@pytest.mark.parametrize("k", [2, 4])
def test_it_finds_the_most_probable_slope_and_shifts(k):
    rng = np.random.default_rng(k)
    codes = rng.integers(0, k, 300)
    scores = rng.normal(size=(300, k)) + 1.5 * np.eye(k)[codes]
    weights = rng.integers(1, 4, 300).astype(float)
    found = learn_calibration(scores, codes, weights)
    counts = np.bincount(codes, weights)
    wanted = np.ones((300, k)) / (counts + k)[codes, None]
    wanted[np.arange(300), codes] *= counts[codes] + 1

    def loss(position):
        return -(weights[:, None] * wanted * log_softmax(position[0] * scores + position[1:], axis=1)).sum()

    theirs = minimize(loss, np.append(1.0, np.zeros(k)), method="BFGS")
    assert loss(np.append(found.slope, found.shift)) <= theirs.fun + 1e-6
    np.testing.assert_allclose(found.probabilities(scores).sum(axis=1), 1)


def test_scores_that_point_the_wrong_way_count_for_nothing():
    rng = np.random.default_rng(0)
    codes = rng.integers(0, 2, 200)
    score = np.where(codes == 1, -1.0, 1.0)
    found = learn_calibration(np.column_stack([-score, score]), codes, np.ones(200))
    assert found.slope == 0
