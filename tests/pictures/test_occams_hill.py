"""The evidence of models of growing order."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np

from credo.linear import evidence_by_order
from credo.pictures import occams_hill

HILL = SimpleNamespace(orders=(0, 1, 2, 3), log_evidence=np.array([-30.0, -4.0, -2.0, -5.0]), best=2)
PLAIN = SimpleNamespace(orders=(0, 1, 2, 3), log_evidence=np.array([-30.0, -4.0, -1.5, -1.5]), best=2)


def test_every_order_is_there_and_the_best_is_ringed() -> None:
    ax = occams_hill(HILL)
    line, ring = ax.lines
    np.testing.assert_array_equal(line.get_xydata(), np.column_stack([HILL.orders, HILL.log_evidence]))
    np.testing.assert_array_equal(ring.get_xydata(), [[2, -2.0]])
    assert ring.get_markerfacecolor() == "none"
    assert (ax.get_xlabel(), ax.get_ylabel()) == ("order", "log evidence (nats)")
    assert ax.get_legend() is None
    assert all(tick == int(tick) for tick in ax.get_xticks())


def test_two_results_on_one_picture_can_be_told_apart_without_colour() -> None:
    ax = occams_hill(HILL, label="one prior")
    assert occams_hill(PLAIN, ax=ax, label="a prior each") is ax
    first, _, second, _ = ax.lines
    assert first.get_marker() != second.get_marker()
    assert first.get_color() != second.get_color()
    assert [text.get_text() for text in ax.get_legend().get_texts()] == [
        "one prior (best: 2)",
        "a prior each (best: 2)",
    ]


def test_what_evidence_by_order_returns() -> None:
    x = np.linspace(-1, 1, 30)
    found = evidence_by_order(x, x - 2 * x**3 + np.random.default_rng(0).normal(0, 0.1, 30), range(5))
    line, ring = occams_hill(found).lines
    np.testing.assert_array_equal(line.get_xydata(), np.column_stack([range(5), found.log_evidence]))
    assert ring.get_xdata() == [3]
