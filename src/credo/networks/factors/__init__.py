"""Tables over named variables.

- ``Factor``: a potential, as people write it down;
- ``product``, ``marginal``, ``best``, ``restrict``: multiply factors, sum or maximise variables out, fix a state;
- ``SUM``, ``MAX``, ``LOG_SUM``, ``LOG_MAX``: the semirings, which say what multiplying and summing are.

>>> rain = Factor({"rain": ("yes", "no")}, [0.2, 0.8])
>>> coat = Factor({"rain": ("yes", "no"), "coat": ("on", "off")}, [[0.9, 0.1], [0.3, 0.7]])
>>> marginal(product([rain, coat]), ["coat"]).values
array([0.42, 0.58])
"""

from __future__ import annotations

from credo.networks.factors.contraction import Choice, Table, best, marginal, product, restrict
from credo.networks.factors.factor import Factor
from credo.networks.factors.semiring import LOG_MAX, LOG_SUM, MAX, SUM, Semiring

__all__ = [
    "LOG_MAX",
    "LOG_SUM",
    "MAX",
    "SUM",
    "Choice",
    "Factor",
    "Semiring",
    "Table",
    "best",
    "marginal",
    "product",
    "restrict",
]
