"""Is one model better than another, how surely, and does the difference matter?

Each method says what it assumes. What two are compared on decides which there are:

* one test set, or one each: :class:`PairedOutcomes`, :class:`IndependentOutcomes`;
* folds of one data set: :func:`correlated_t`, :func:`fold_t`, :func:`five_by_two`;
* many data sets: :func:`signed_rank` and :func:`wilcoxon` for a score on each, :func:`hierarchical` for folds on each,
  and for more than two algorithms :func:`rank`.

A :class:`Verdict` gives the probabilities that the first is better, that the two are practically equivalent, and that
the second is better; a :class:`Significance` is a classical test of the same question.
"""

from __future__ import annotations

from credo.evaluation.comparing.folds import correlated_t, five_by_two, fold_mean, fold_t
from credo.evaluation.comparing.hierarchy import Hierarchy, hierarchical
from credo.evaluation.comparing.outcomes import IndependentOutcomes, PairedOutcomes
from credo.evaluation.comparing.ranks import Ranking, rank
from credo.evaluation.comparing.signed_ranks import signed_rank, wilcoxon
from credo.evaluation.comparing.verdict import Significance, Verdict

__all__ = [
    "Hierarchy",
    "IndependentOutcomes",
    "PairedOutcomes",
    "Ranking",
    "Significance",
    "Verdict",
    "correlated_t",
    "five_by_two",
    "fold_mean",
    "fold_t",
    "hierarchical",
    "rank",
    "signed_rank",
    "wilcoxon",
]
