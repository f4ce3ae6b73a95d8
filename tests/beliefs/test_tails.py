import numpy as np

from credo.beliefs.tails import from_nearer_tail, normal_quantile


def test_each_half_is_counted_from_its_own_end():
    below = np.array([0.1, 0.4, 0.5, 0.9])
    found = from_nearer_tail(below, 1 - below, lambda q: -q, lambda q: q)
    np.testing.assert_allclose(found, [-0.1, -0.4, 0.5, 0.1])


def test_only_what_is_needed_is_computed():
    def never(q):
        raise AssertionError(q)

    low = np.array([0.1, 0.2])
    np.testing.assert_array_equal(from_nearer_tail(low, 1 - low, np.array, never), low)
    np.testing.assert_array_equal(from_nearer_tail(1 - low, low, never, np.array), low)


def test_the_upper_tail_of_the_normal_law_keeps_its_digits():
    tiny = np.array([1e-300, 1e-20])
    np.testing.assert_array_equal(normal_quantile(1 - tiny, tiny), -normal_quantile(tiny, 1 - tiny))
