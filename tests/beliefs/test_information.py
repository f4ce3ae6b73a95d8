"""Entropy, divergence, and the bound that EM climbs."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import entropy as reference
from sklearn.metrics import mutual_info_score

from credo.beliefs import code_length, entropy, evidence_bound, kl, mutual_information
from credo.errors import BadParameter, BadProbability, BadShape, InvalidInput


@settings(max_examples=30, deadline=None, derandomize=True)
@given(st.integers(0, 10_000), st.integers(1, 6))
def test_entropy_and_divergence_are_those_of_scipy(seed: int, k: int) -> None:
    p, q = np.random.default_rng(seed).dirichlet(np.full(k, 0.5), (2, 4))
    np.testing.assert_allclose(entropy(p), reference(p, axis=-1), atol=1e-12)
    np.testing.assert_allclose(kl(p, q), reference(p, q, axis=-1), atol=1e-12)
    np.testing.assert_allclose(entropy(p, unit="bits"), reference(p, axis=-1, base=2), atol=1e-12)


def test_zeros_and_impossible_things() -> None:
    assert entropy([1.0, 0.0]) == 0
    assert kl([1.0, 0.0], [0.5, 0.5], unit="bits") == pytest.approx(1)
    assert kl([0.5, 0.5], [1.0, 0.0]) == math.inf
    np.testing.assert_array_equal(code_length([1.0, 0.25, 0.0]), [0, 2, math.inf])
    assert code_length(0.5, unit="nats") == pytest.approx(math.log(2))
    assert (kl([[0.1, 0.2, 0.7]] * 5, [0.1, 0.2, 0.7]) >= 0).all()


def test_mutual_information_within_strata() -> None:
    counts = np.random.default_rng(5).integers(0, 9, (2, 3, 4))
    expected = sum(part.sum() * mutual_info_score(None, None, contingency=part) for part in counts) / counts.sum()
    assert mutual_information(counts / counts.sum()) == pytest.approx(expected)


@settings(max_examples=30, deadline=None, derandomize=True)
@given(st.integers(0, 10_000), st.integers(1, 5))
def test_the_bound_falls_short_of_the_evidence_by_the_divergence(seed: int, k: int) -> None:
    rng = np.random.default_rng(seed)
    log_joint, q = rng.normal(-500, 3, k), rng.dirichlet(np.ones(k))
    evidence = np.logaddexp.reduce(log_joint)
    posterior = np.exp(log_joint - evidence)
    assert evidence_bound(q, log_joint) == pytest.approx(evidence - kl(q, posterior), abs=1e-9)
    assert evidence_bound(posterior, log_joint) == pytest.approx(evidence, abs=1e-9)


def test_the_bound_with_impossible_states() -> None:
    assert evidence_bound([1.0, 0.0], [-1.0, -math.inf]) == -1.0
    assert evidence_bound([0.5, 0.5], [-1.0, -math.inf]) == -math.inf


def test_bad_input_is_refused() -> None:
    with pytest.raises(BadProbability):
        entropy([0.5, 0.6])
    with pytest.raises(BadParameter, match="nats"):
        entropy([1.0], unit="shannon")
    with pytest.raises(BadShape):
        kl([1.0], [0.5, 0.5])
    with pytest.raises(BadShape):
        mutual_information([0.5, 0.5])
    with pytest.raises(BadShape):
        evidence_bound([0.5, 0.5], [1.0])
    with pytest.raises(InvalidInput):
        evidence_bound([0.5, 0.5], [1.0, math.nan])
    with pytest.raises(BadProbability):
        code_length([1.5])
