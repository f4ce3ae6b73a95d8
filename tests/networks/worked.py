"""Worked examples."""

from __future__ import annotations

from credo.networks import BayesianNetwork, Node


def roof_climber() -> BayesianNetwork:
    """A climber (C) or a gust of wind (G) sets off the alarm (A), which makes two neighbours look (L1, L2)."""
    climber, gust = Node.event("C", 0.05), Node.event("G", 0.2)
    alarm = Node.event("A", [[0.98, 0.96], [0.2, 0.08]], given=[climber, gust])
    first = Node.event("L1", [0.99, 0.08], given=[alarm])
    second = Node.event("L2", [0.6, 0.001], given=[alarm])
    return BayesianNetwork([climber, gust, alarm, first, second], name="roof climber")
