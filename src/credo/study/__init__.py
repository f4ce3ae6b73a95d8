"""The honest comparison of models on a table, end to end, and its report.

:func:`run_study` reads a table, finds out from the target whether classes or numbers are asked for, sets a hold-out
aside, compares every candidate with a naive guess on the same folds of the other rows, chooses by cross-validation
alone, and looks at the hold-out once. What it returns is a :class:`Study`:

* ``concerns`` say what a careful reader must know of the data first: columns that give the target away, rows that
  belong together or follow each other in time, copies, rare classes, too few rows;
* ``verdict`` says in a sentence what won, by how much and how surely;
* ``winner`` is the fitted model;
* ``report()`` is a page for a person who has to decide, ``to_dict()`` the same content for programs.

* ``learning_curve`` says what more rows would be worth, ``pairwise`` how any two candidates compare.

What is seldom said is a :class:`Plan`: who takes part, which rows stay together (``groups``) or in order (``time``),
which columns must not be used, a budget of time, how many folds go on at a time, here or on a Dask cluster, and where
finished folds are kept, so that a study that was interrupted goes on. The result depends on none of the last three.

A family of models takes part by one line in :mod:`credo.study.candidates`.

>>> from credo.study import run_study
>>> sizes = [float(i) for i in range(60)]
>>> found = run_study({"size": sizes, "kind": ["small" if s < 30 else "large" for s in sizes]}, "kind", folds=5)
>>> found.best, found.judgement.scores[0].name
('logistic regression', 'accuracy')
>>> from credo.study import Plan
>>> days = {"day": list(range(60)), "size": sizes, "kind": [["small", "large"][i % 2] for i in range(60)]}
>>> later = run_study(days, "kind", folds=5, plan=Plan(candidates=("naive Bayes",), time="day"))
>>> later.method["dealt"]
'in order of time, each fold judged by what came before it'
"""

from __future__ import annotations

from credo.study.plan import Plan
from credo.study.record import Study
from credo.study.run import run_study

__all__ = ["Plan", "Study", "run_study"]
