from __future__ import annotations

import xml.etree.ElementTree as ET
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from credo.study.svg import Axis, across, bar, box, dot, picture, text, ticks, up


@settings(max_examples=60, deadline=None, derandomize=True)
@given(st.floats(-1e6, 1e6), st.floats(1e-6, 1e6))
def test_ticks_are_few_evenly_spaced_and_inside(low, width):
    high = low + width
    if high - low < 1e-6 * abs(low):
        return
    found = ticks(low, high)
    assert 2 <= len(found) <= 7
    steps = [b - a for a, b in pairwise(found)]
    assert max(steps) == pytest.approx(min(steps), rel=1e-3)
    room = 1e-6 * width + 1e-9
    assert low - room <= found[0] <= found[-1] <= high + room


def test_an_axis_never_leaves_the_picture():
    axis = Axis("x", 0, 2, start=10, stop=110)
    assert axis.at(1) == 60
    assert axis.at(9) == 110
    assert axis.at(-9) == 10
    assert Axis("y", 0, 1, start=100, stop=0).at(0.25) == 75


def test_an_axis_around_equal_values_or_none_has_room():
    for values in ([3.0, 3.0], [0.0], [], [float("inf")]):
        axis = Axis.around("x", values, 0, 100)
        assert axis.low < axis.high


def test_a_picture_is_well_formed_says_itself_and_harms_nobody():
    axis, tall = Axis("<b>&", 0, 1, 40, 200), Axis("y", 0, 1, 100, 10)
    parts = [across(axis, 100, 10), up(tall, 40, 200), dot(1, 2, 3, "candidate", "<script>"), box(0, 0, -1, 2, "count")]
    parts += [bar(0, 5, 9, 5, "interval"), text(0, 0, '"><script>alert(1)</script>')]
    drawn = picture("A & B", 'He said "<i>"', (200, 120), parts)
    root = ET.fromstring(drawn)
    assert root.get("role") == "img"
    assert root.get("aria-label") == 'A & B. He said "<i>"'
    assert root.find("title").text == "A & B"
    assert root.find("desc").text == 'He said "<i>"'
    assert "script" not in {element.tag for element in root.iter()}
