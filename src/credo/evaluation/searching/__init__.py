"""Choosing settings: what may be chosen, how it is searched, and everything that was tried.

>>> from credo.evaluation.searching import Bayes, Real, Whole, maximise
>>> space = {"rate": Real(1e-4, 1, log=True), "depth": Whole(1, 9), "rule": ["gini", "entropy"]}
>>> def score(at):
...     return -abs(at["depth"] - 4) - (at["rule"] == "gini") - at["rate"]
>>> found = maximise(score, space, method=Bayes(tries=25), rng=0)
>>> found.best.settings["depth"], found.best.settings["rule"]
(4, 'entropy')

Four methods propose what to try next: ``Grid``, ``Random``, ``Halving`` (many settings by few rows, fewer by more) and
``Bayes`` (where a Gaussian process expects the most improvement). Each has its ``tries`` and may have ``seconds``. What
comes back is a ``Tuning``, with every ``Tried`` setting, its score, and its reason where it failed.

How it is done: ``space`` turns settings into a unit cube, ``methods`` proposes points of it, and ``driver`` has them
judged.
"""

from __future__ import annotations

from credo.evaluation.searching.driver import maximise
from credo.evaluation.searching.history import Tried, Tuning
from credo.evaluation.searching.methods import Bayes, Grid, Halving, Random
from credo.evaluation.searching.space import Choice, Real, Whole

__all__ = ["Bayes", "Choice", "Grid", "Halving", "Random", "Real", "Tried", "Tuning", "Whole", "maximise"]
