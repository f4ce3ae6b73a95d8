import numpy as np
from scipy import special, stats

from credo.beliefs import gamma_functions as gf

K = np.array([1e-8, 0.1, 0.5, 1, 3, 15.9, 16.1, 50, 170])


def test_small_arguments_against_the_plain_formulas():
    np.testing.assert_allclose(
        gf.stirling(K), special.gammaln(K) - ((K - 0.5) * np.log(K) - K + np.log(2 * np.pi) / 2), atol=1e-12
    )
    np.testing.assert_allclose(gf.log_minus_digamma(K), np.log(K) - special.digamma(K), rtol=1e-11)
    np.testing.assert_allclose(
        gf.gamma_entropy(K), K + special.gammaln(K) + (1 - K) * special.digamma(K), rtol=1e-9, atol=1e-11
    )
    plain = special.gammaln(3.0) - special.gammaln(K) - (3 - K) * special.digamma(K)
    np.testing.assert_allclose(gf.bregman(np.array(3.0), K), plain, rtol=1e-9, atol=1e-9)


def test_the_two_branches_meet():
    for function in (gf.stirling, gf.log_minus_digamma):
        at = np.array([16 - 1e-9, 16 + 1e-9])
        low, high = function(at)
        assert abs(high / low - 1) < 1e-9


def test_arguments_of_any_shape():
    for function in (gf.stirling, gf.log_minus_digamma):
        np.testing.assert_array_equal(function(K.reshape(3, 3).T), function(K).reshape(3, 3).T)
        np.testing.assert_array_equal(function(np.broadcast_to(K, (2, 9))), [function(K)] * 2)
        assert [type(function(k)) for k in K] == [np.float64] * 9


def test_large_arguments_against_the_first_terms_of_the_series():
    k = np.array([1e6, 1e12, 1e300])
    np.testing.assert_allclose(gf.stirling(k), 1 / (12 * k), rtol=1e-12)
    np.testing.assert_allclose(gf.log_minus_digamma(k), 1 / (2 * k) + 1 / (12 * k) / k, rtol=1e-12)


def test_gap():
    # exp(t) − 1 − t, summed by its series near zero
    t = np.array([-1e-9, 1e-6, 1e-3, 0.3])
    series = sum(t**n / special.factorial(n) for n in range(2, 14))
    np.testing.assert_allclose(gf.gap(np.exp(t)), series, rtol=1e-5)
    with np.errstate(divide="ignore"):
        assert gf.gap(np.array(0.0)) == np.inf


def test_power_term_is_the_density_of_a_gamma_law():
    x = np.array([1e-300, 1e-3, 0.7, 1, 30])
    for k in (0.01, 0.5, 1.0, 4.0, 100.0):
        with np.errstate(divide="ignore", invalid="ignore"):
            found = gf.power_term(np.array(k), np.array(2 / k), x)
        np.testing.assert_allclose(found, stats.gamma(k, scale=0.5).logpdf(x), rtol=1e-9, atol=1e-11)


def test_weighted_gap_of_zeros():
    p, q = np.array([0.0, 0, 2, 2]), np.array([0.0, 3, 0, 2])
    with np.errstate(divide="ignore", invalid="ignore"):
        np.testing.assert_array_equal(gf.weighted_gap(p, q), [0, 3, np.inf, 0])
