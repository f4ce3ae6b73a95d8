"""The honest comparison of models on a table, end to end, and its report.

:func:`run_study` reads a table, finds out from the target whether classes or numbers are asked for, sets a hold-out
aside, compares every candidate with a naive guess on the same folds of the other rows, chooses by cross-validation
alone, and looks at the hold-out once. What it returns is a :class:`Study`:

* ``verdict`` says in a sentence what won, by how much and how surely;
* ``winner`` is the fitted model;
* ``report()`` is a page for a person who has to decide, ``to_dict()`` the same content for programs.

A family of models takes part by one line in :mod:`credo.study.candidates`.

>>> from credo.study import run_study
>>> sizes = [float(i) for i in range(60)]
>>> found = run_study({"size": sizes, "kind": ["small" if s < 30 else "large" for s in sizes]}, "kind", folds=5)
>>> found.best, found.judgement.scores[0].name
('logistic regression', 'accuracy')
"""

from __future__ import annotations

from credo.study.record import Study
from credo.study.run import run_study

__all__ = ["Study", "run_study"]
