"""Loops that NumPy cannot vectorise, in C++, each with a NumPy twin that gives the same answers.

- `contingency`: how often each combination of codes occurs; what tables, networks and naive Bayes count with;
- `log_sum_exp`: log Σ exp along an axis;
- `grouped_moments`: count, mean and variance by group, missing cells left out;
- `gaussian_log_joint`: the log joint of rows and groups with independent normal columns;
- `sigmoid_pass`: the loss of two classes whose log odds are linear, its gradient and the probabilities, in one pass;
- `radial`, `radial_pull`: kernels of the distance between rows, and their slopes summed without a matrix for each;
- `network_model`, `network_engine`: exact beliefs about a product of tables over many variables, by messages in a
  junction tree. A `NetworkModel` holds the tables; a `NetworkEngine` is planned once for questions of one kind and then
  asked again and again (`answer`, `answer_rows`, `explain`).
- `smo`: the dual of a support vector machine, by steps along the pair of rows that promises most.

Arrays are checked at the border (`border.py` and the files beside it), then handed to the native module if it was
built, else to the twins in `reference.py`; nothing that calls them needs to know. `description` says which it is,
`CREDO_NATIVE=0` in the environment forces the twins, and `set_threads` (or `CREDO_THREADS`) limits the threads. Work is
divided by the data alone and joined in a fixed order, so the answers do not depend on the number of threads, to the
last bit. The interpreter is free while a loop runs.

>>> import numpy as np
>>> from credo.native import contingency
>>> contingency([np.array([0, 1, 1, -1], dtype=np.int32)], [2])
array([1, 2])
"""

from __future__ import annotations

from credo.native.border import contingency, gaussian_log_joint, grouped_moments, log_sum_exp
from credo.native.chosen import NetworkEngine, available, description, set_threads, threads
from credo.native.networks import NetworkModel, network_engine, network_model
from credo.native.radial import radial, radial_pull
from credo.native.sigmoid import sigmoid_pass
from credo.native.smo import smo

__all__ = [
    "NetworkEngine",
    "NetworkModel",
    "available",
    "contingency",
    "description",
    "gaussian_log_joint",
    "grouped_moments",
    "log_sum_exp",
    "network_engine",
    "network_model",
    "radial",
    "radial_pull",
    "set_threads",
    "sigmoid_pass",
    "smo",
    "threads",
]
