"""Pictures of what models believe, to look at in a notebook or to put in a paper.

Each function takes fitted models or what they returned, draws on the matplotlib axes given as ``ax`` or on new ones,
and returns the axes, for anything that remains to be said on them:

- `decision_regions`: two columns as a classifier sees them, with its margin and support vectors;
- `posterior_lines` and `narrowing_lines`: the lines a Bayesian regression holds to be probable, and how they close in
  on one as data arrive;
- `occams_hill`: the evidence of models of growing order;
- `belief_band`: what any model believes along a column, with the data it comes from; `process_parts`: the parts of a
  Gaussian process, a panel each;
- `irls_path` and `irls_trace`: the steps of logistic regression up its hill;
- `error_surface`: the error of a support vector machine over C and σ².

Colours are ones that the colour blind can tell apart, and what differs in colour differs in its mark as well.
matplotlib is an extra (``pip install 'credo-bayes[plot]'``), loaded when the first picture is drawn.

>>> import numpy as np
>>> from credo.linear import LinearSeparator
>>> rng = np.random.default_rng(0)
>>> y = np.repeat(["ground", "tree"], 20)
>>> X = rng.normal(size=(40, 2)) + np.where(y == "tree", 2.5, -2.5)[:, None]
>>> ax = decision_regions(LinearSeparator(maximum_margin=True).fit(X, y), X, y)
>>> _ = ax.set_title("the widest margin")
>>> len(ax.figure.axes)
1
"""

from __future__ import annotations

from credo.pictures.belief_band import belief_band
from credo.pictures.decision_regions import decision_regions
from credo.pictures.error_surface import error_surface
from credo.pictures.irls_path import irls_path, irls_trace
from credo.pictures.occams_hill import occams_hill
from credo.pictures.posterior_lines import narrowing_lines, posterior_lines
from credo.pictures.process_parts import process_parts

__all__ = [
    "belief_band",
    "decision_regions",
    "error_surface",
    "irls_path",
    "irls_trace",
    "narrowing_lines",
    "occams_hill",
    "posterior_lines",
    "process_parts",
]
