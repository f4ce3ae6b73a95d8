"""Support vector machines: classes kept apart by the widest margin, in the space of any kernel.

``SupportVectorClassifier`` is a scikit-learn estimator whose kernel is any of ``credo.kernels``, and a fitted one shows
that it is solved: between the primal and the dual there is next to no gap, and no row breaks the conditions of the
optimum by more than the tolerance.

>>> import numpy as np
>>> from credo.svm import SupportVectorClassifier
>>> rng = np.random.default_rng(0)
>>> X = rng.normal(size=(300, 2))
>>> y = np.where(X[:, 0] * X[:, 1] > 0, "alike", "unlike")
>>> model = SupportVectorClassifier(C=10, kernel="SE(1.0)").fit(X, y)
>>> round(model.score(X, y), 2)
0.98
>>> model.report_.violation < 1e-3, 0 <= model.report_.gap / model.report_.dual < 1e-4
(True, True)

``grid`` is the error over C and σ², each row judged by machines that had not seen it:

>>> from credo.svm import grid
>>> found = grid(X, y, C=[0.1, 1, 10, 100], variance=[0.01, 0.1, 1, 10])
>>> print(found)
          σ²    0.01     0.1       1      10
C
0.1        0.463   0.093   0.147   0.463
1          0.140   0.060   0.087   0.300
10         0.130   0.067   0.050   0.147
100        0.130   0.057  0.047*   0.053
>>> found.best
(100.0, 1.0)

How it is done: ``dual`` states the problem and solves it with its whole matrix at hand, by steps in native code;
``decomposition`` solves larger ones a few hundred rows at a time, with kernel rows made in blocks (``likeness``) and
kept while they are of use (``cache``); ``machines`` has one for each pair of classes; ``calibration`` learns how sure
to be from rows that were left out.
"""

from __future__ import annotations

from credo.svm.classifier import SupportVectorClassifier
from credo.svm.report import Machine, Report
from credo.svm.search import ErrorSurface, grid

__all__ = ["ErrorSurface", "Machine", "Report", "SupportVectorClassifier", "grid"]
