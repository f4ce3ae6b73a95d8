"""Choosing settings: what may be chosen, how it is searched, and everything that was tried.

``Tuned`` is an estimator that chooses its settings within the rows it is fitted to, over folds of them or by the
evidence, and fits the best, or lets all candidates speak with the weight they deserve.

>>> import numpy as np
>>> from credo.evaluation import cross_validate, folds
>>> from credo.evaluation.searching import Grid, Real, Tuned
>>> from credo.linear import BayesianRegression, PolynomialBasis, Ridge
>>> x = np.linspace(-1, 1, 60)[:, None]
>>> y = np.sin(4 * x[:, 0]) + np.random.default_rng(0).normal(0, 0.3, 60)
>>> model = Tuned(Ridge(basis=PolynomialBasis(7)), {"strength": Real(1e-4, 100, log=True)}, method=Grid(tries=7))
>>> print(model.fit(x, y).tuning_)
 score  seconds  strength
...
>>> print(cross_validate(model, x, y, folds(60, 5, rng=0)))  # nested: it chooses anew in each fold
log -0.102 (-0.308 to 0.104) over 5 folds; more is better
>>> orders = {"basis": [PolynomialBasis(order) for order in range(1, 8)]}
>>> weighed = Tuned(BayesianRegression(), orders, method="grid", by="evidence", combine="average").fit(x, y)
>>> {model.basis.degree: round(float(weight), 2) for model, weight in zip(weighed.models_, weighed.weights_)}
{5: 0.39, 6: 0.12, 7: 0.48}

Four methods propose what to try next: ``Grid``, ``Random``, ``Halving`` (many settings by few rows, fewer by more) and
``Bayes`` (where a Gaussian process expects the most improvement). Each has its ``tries`` and may have ``seconds``. What
comes back is a ``Tuning``, with every ``Tried`` setting, its score, and its reason where it failed. ``maximise`` does
the same for any function of settings.

>>> from credo.evaluation.searching import Bayes, Whole, maximise
>>> space = {"rate": Real(1e-4, 1, log=True), "depth": Whole(1, 9), "rule": ["gini", "entropy"]}
>>> def score(at):
...     return -abs(at["depth"] - 4) - (at["rule"] == "gini") - at["rate"]
>>> found = maximise(score, space, method=Bayes(tries=25), rng=0)
>>> found.best.settings["depth"], found.best.settings["rule"]
(4, 'entropy')

How it is done: ``space`` turns settings into a unit cube, ``methods`` proposes points of it, ``driver`` has them judged
by ``judging`` and keeps the history, ``averaging`` weighs the candidates, and ``tuned`` joins them.
"""

from __future__ import annotations

from credo.evaluation.searching.driver import maximise
from credo.evaluation.searching.history import Tried, Tuning
from credo.evaluation.searching.methods import Bayes, Grid, Halving, Random
from credo.evaluation.searching.space import Choice, Real, Whole
from credo.evaluation.searching.tuned import Tuned

__all__ = ["Bayes", "Choice", "Grid", "Halving", "Random", "Real", "Tried", "Tuned", "Tuning", "Whole", "maximise"]
