"""The table of coefficients."""

import numpy as np
import pytest

from credo.linear import Summary


def table(level=0.95):
    se = np.array([0.5, np.inf, np.nan])
    return Summary(("two lines", "above"), ("a<b", "endless", "twin"), np.array([1.0, 30.0, 0.0]), se, level)


def test_the_numbers_are_those_of_a_normal_law():
    found = table().table()["a<b"]
    assert found["z"] == 2
    assert found["p"] == pytest.approx(0.0455003)
    assert [found["low"], found["high"]] == pytest.approx([0.0200180, 1.9799820])
    assert table(0.5).high[0] == pytest.approx(1 + 0.5 * 0.6744898)


def test_it_prints_what_there_is():
    lines = repr(table()).splitlines()
    assert lines[:2] == ["two lines", "above"]
    assert lines[2].split() == ["estimate", "se", "z", "p", "95%", "interval"]
    assert lines[4].split() == ["endless", "30.000", "inf", "0.00", "1.0000", "-inf,", "inf"]
    assert lines[5].split() == ["twin", "0.000", "–", "–", "–", "–"]
    assert "a&lt;b" in table()._repr_html_()


def test_far_out_the_p_values_keep_their_digits():
    found = Summary((), ("x",), np.array([30.0]), np.array([1.0]), 0.95)
    assert found.p[0] == pytest.approx(9.813e-198, rel=1e-3)
