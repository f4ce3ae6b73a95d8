from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

def set_threads(n: int) -> None: ...
def contingency(
    columns: Sequence[NDArray[np.int32]], sizes: Sequence[int], weights: NDArray[np.float64] | None
) -> NDArray[Any]: ...
def log_sum_exp(a: NDArray[np.float64]) -> NDArray[np.float64]: ...
def grouped_moments(
    X: NDArray[np.float64], groups: NDArray[np.int32], k: int
) -> tuple[NDArray[np.int64], NDArray[np.float64], NDArray[np.float64]]: ...
def gaussian_log_joint(
    X: NDArray[np.float64], mean: NDArray[np.float64], variance: NDArray[np.float64], log_prior: NDArray[np.float64]
) -> NDArray[np.float64]: ...
