from __future__ import annotations

import math

import pytest

from credo.evaluation import Interval, Verdict
from credo.study.words import between, compared, figure, listed, many, plus_minus


def verdict(gap, better, *, same=0.0):
    return Verdict("A", "B", better, same, 1 - better - same, gap, 0.0, "t", "…")


def interval(value, low, high):
    return Interval(value, low, high, level=0.95, method="t")


@pytest.mark.parametrize(
    ("x", "shown"),
    [
        (0, "0"),
        (-0.0, "0"),
        (3, "3"),
        (1234567, "1,234,567"),
        (0.5, "0.500"),
        (-0.04567, "−0.0457"),
        (123.456, "123"),
        (1e-12, "1.00e−12"),
        (math.nan, "–"),
        (math.inf, "∞"),
        (-math.inf, "−∞"),
        (1e300, "1e+300"),
    ],
)
def test_numbers(x, shown):
    assert figure(x) == shown


def test_decimals_follow_the_width_of_the_interval():
    assert between(interval(0.123456, 0.1, 0.2)) == "0.12 (0.10 to 0.20)"
    assert between(interval(1234.56, 1100, 1300)) == "1,235 (1,100 to 1,300)"
    assert between(interval(-0.00001, -0.2, 0.2)) == "0.00 (−0.20 to 0.20)"
    assert between(interval(0.5, -math.inf, math.inf)) == "0.500"
    assert plus_minus(interval(12.345, 11.0, 14.0)) == "12.3 ± 1.5"


def test_counted_things_and_lists():
    assert many(1, "class", "classes") == "1 class"
    assert many(0, "row") == "no rows"
    assert many(10, "row") == "10 rows"
    assert listed([]) == "none"
    assert listed(["a"]) == "a"
    assert listed(["a", "b"]) == "a and b"


@pytest.mark.parametrize(
    ("gap", "better", "said"),
    [
        (interval(0.4, 0.3, 0.5), 0.999, "A beats B: score higher by 0.40 ± 0.10 a row; P(better) > 0.99"),
        (interval(-0.4, -0.5, -0.3), 0.999, "A beats B: score lower by"),
        (interval(-0.4, -0.5, -0.3), 0.001, "A is worse than B: score lower by"),
        (
            interval(0.1, -0.1, 0.3),
            0.8,
            "A cannot be told apart from B on these rows: score higher by 0.10 ± 0.20",
        ),
        (interval(0.1, -0.1, 0.3), 0.2, "P(better) = 0.20"),
    ],
)
def test_a_comparison_says_what_it_can_and_no_more(gap, better, said):
    assert said in compared(verdict(gap, better), "score")


def test_equal_scores_are_called_equal():
    said = compared(verdict(interval(0.0, 0.0, 0.0), 0.0, same=1.0), "score")
    assert said == "A cannot be told apart from B on these rows: the score is the same"


def test_a_trifle_is_no_difference_however_surely_it_was_measured():
    sure = verdict(interval(5e-4, 4.99e-4, 5.01e-4), 1.0)
    assert "beats" in compared(sure, "score")
    said = compared(sure, "score", trifle=1e-3)
    assert said == "A cannot be told apart from B: the score differs by less than 0.001 a row"


def test_what_takes_many_decimals_is_written_with_a_power_of_ten():
    assert between(interval(2.13e-14, 1.9e-14, 2.4e-14)) == "2.13e−14 (1.90e−14 to 2.40e−14)"
    assert plus_minus(interval(0.02817087, 0.02817087 - 6e-11, 0.02817087 + 6e-11)) == "0.0282 ± 6e−11"
    assert between(interval(1.23456e-5, 1.1e-5, 1.4e-5)) == "0.0000123 (0.0000110 to 0.0000140)"
