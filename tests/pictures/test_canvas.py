"""What all pictures share: axes, colours that can be told apart, and what is said when matplotlib is not there."""

from __future__ import annotations

import sys
from itertools import combinations

import numpy as np
import pytest
from matplotlib import pyplot as plt
from matplotlib.colors import to_rgb

from credo.errors import InvalidInput
from credo.pictures import occams_hill
from credo.pictures.canvas import COLOURS, MARKS, axes_for, between, tinted

# What people who lack one kind of cone see (Machado, Oliveira and Fernandes 2009, severity 1).
BLINDNESS = {
    "protanopia": [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]],
    "deuteranopia": [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.01182, 0.04294, 0.968881]],
    "tritanopia": [[1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602], [0.004733, 0.691367, 0.3039]],
}


def test_without_matplotlib_it_says_how_to_get_it(monkeypatch) -> None:
    for name in ("matplotlib", "matplotlib.pyplot", "matplotlib.axes"):
        monkeypatch.setitem(sys.modules, name, None)
    with pytest.raises(InvalidInput, match=r"pip install 'credo-bayes\[plot\]'"):
        axes_for(None)
    with pytest.raises(InvalidInput, match="credo-bayes"):
        occams_hill(object())


def test_axes_are_new_or_the_ones_given() -> None:
    _, ax = plt.subplots()
    assert axes_for(ax) is ax
    assert axes_for(None) is not ax
    assert not ax.spines["top"].get_visible()
    with pytest.raises(InvalidInput, match="ax must be"):
        axes_for(plt.figure())


# Where blue and yellow are not seen, which is very rare, only two are far apart; marks differ for everyone.
@pytest.mark.parametrize(("kind", "colours"), [("protanopia", 3), ("deuteranopia", 3), ("tritanopia", 2)])
def test_the_first_colours_can_be_told_apart_by_the_colour_blind(kind: str, colours: int) -> None:
    linear = [np.array(to_rgb(colour)) ** 2.2 for colour in COLOURS[:colours]]
    seen = [np.clip(np.array(BLINDNESS[kind]) @ colour, 0, 1) ** (1 / 2.2) for colour in linear]
    assert all(np.linalg.norm(a - b) > 0.3 for a, b in combinations(seen, 2))


def test_there_is_a_mark_for_every_colour_and_tints_run_from_white() -> None:
    assert len(COLOURS) == len(MARKS) == len(set(MARKS))
    np.testing.assert_allclose(tinted("#0072B2", 0.0), 1.0)
    np.testing.assert_allclose(tinted("#0072B2", 1.0), to_rgb("#0072B2"))


def test_a_range_has_some_room_even_around_one_number() -> None:
    low, high = between(np.array([3.0, 3.0]))
    assert low < 3 < high
