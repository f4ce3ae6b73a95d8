"""Which precisions a model takes: those that were given, and for the others those of largest evidence."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Literal

import numpy as np

from credo.checks import Floats
from credo.linear.ascent import Ascent
from credo.linear.axes import Axes, rescaled
from credo.linear.evidence import Precisions, learn_precisions
from credo.linear.relevance import Relevance, search_relevances

__all__ = ["METHODS", "Method", "find_precisions"]

Method = Literal["search", "fixed-point", "gradient"]
METHODS: tuple[Method, ...] = ("search", "fixed-point", "gradient")


def find_precisions(
    axes: Axes,
    alpha: Floats | None,
    beta: float | None,
    *,
    intercept: bool,
    each: bool,
    method: Method = "search",
    starts: Sequence[Floats] = (),
) -> Precisions:
    """α, one for all weights or for ``each``, and β.

    ``starts`` are further ratios α / β, one for each weight, from which a search for relevances begins.
    """
    if alpha is not None and alpha.ndim:  # in units of its prior, every weight has precision one
        found = learn_precisions(rescaled(axes, 1 / np.sqrt(alpha)), intercept=intercept, alpha=1.0, beta=beta)
        return replace(found, alpha=alpha)
    given = None if alpha is None else float(alpha)
    learns_alpha, learns_beta = given is None, beta is None
    if method != "search" and (learns_alpha or learns_beta):
        ascent = Ascent(Relevance(axes, intercept=intercept, beta=None), not each, learns_alpha, learns_beta)
        return ascent.climb(method, *_first_guess(axes, given, beta))
    shared = learn_precisions(axes, intercept=intercept, alpha=given, beta=beta)
    if each and learns_alpha:
        problem = Relevance(axes, intercept=intercept, beta=beta)
        return search_relevances(problem, [float(shared.alpha) / shared.beta, *starts])
    return shared


def _first_guess(axes: Axes, alpha: float | None, beta: float | None) -> tuple[float, float]:
    """Half of the squares of y for the noise, half for the weights together, whose columns have the squares of X."""
    half = (axes.rest + float(axes.target @ axes.target)) / 2
    noise = axes.total / half if beta is None else beta
    return (float(axes.singular @ axes.singular) or 1.0) / half if alpha is None else alpha, noise
