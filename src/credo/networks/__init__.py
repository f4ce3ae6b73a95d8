"""Graphical models over discrete variables, answered exactly."""

from __future__ import annotations

from credo.networks.bayesian import BayesianNetwork
from credo.networks.factors import Factor
from credo.networks.markov import MarkovNetwork
from credo.networks.nodes import Node

__all__ = ["BayesianNetwork", "Factor", "MarkovNetwork", "Node"]
