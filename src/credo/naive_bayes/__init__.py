"""Naive Bayes: the class of a row from cells that are taken to be independent once the class is known.

P(class | row) ∝ P(class) Π P(cell | class). One model takes columns of categories and of numbers together; a missing
cell says nothing, and so does a state that was never seen before. Fourteen days on which tennis was played or not:

>>> from credo.naive_bayes import NaiveBayes
>>> days = {
...     "outlook": "sun sun cloud rain rain rain cloud sun sun rain sun cloud cloud rain".split(),
...     "temperature": "hot hot hot mild cool cool cool mild cool mild mild mild hot mild".split(),
...     "humidity": "high high high high normal normal normal high normal normal normal high normal high".split(),
...     "wind": "weak strong weak weak weak strong strong weak weak weak strong strong weak strong".split(),
... }
>>> play = "no no yes yes yes no yes no yes yes yes yes yes no".split()
>>> model = NaiveBayes(m=0).fit(days, play)
>>> today = {"outlook": ["sun"], "temperature": ["cool"], "humidity": ["high"], "wind": ["strong"]}
>>> model.predictive(today)[0]
Categorical({'no': 0.7954, 'yes': 0.2046})

``m`` is the equivalent sample size of the m-estimate; 0, as here, gives plain relative frequencies. Each column's share
in the answer is a weight of evidence:

>>> model.explain(today)
for no       against yes
(prior)           -0.588
outlook           +0.993
humidity          +0.875
wind              +0.588
temperature       -0.511
(log odds)        +1.358

Columns that say the same thing are counted twice, and the model is too sure; ``NaiveBayes(confidence="learnt")`` finds
out how far it is to be believed.

``NaiveBayes`` keeps scikit-learn's contract. It also learns from a ``Table`` that stays on disk, given the name of the
column to predict: ``NaiveBayes().fit(table, "play")``.

How it is made: ``rows`` reads what is given into ``Cells``; ``Statistics`` are their counts and moments, or those of a
table; each kind of column has a ``ColumnsLaw`` that is learnt from them (``GaussianColumns``, ``CategoryColumns``);
with the classes they make the ``Joint`` law, and ``confidence`` says how far to believe it.
"""

from __future__ import annotations

from credo.naive_bayes.classifier import NaiveBayes
from credo.naive_bayes.explanation import Explanation

__all__ = ["Explanation", "NaiveBayes"]
