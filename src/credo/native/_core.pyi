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
def sigmoid_pass(
    X: NDArray[np.float64], w: NDArray[np.float64], b: float, codes: NDArray[np.int32], weight: NDArray[np.float64]
) -> tuple[float, NDArray[np.float64], NDArray[np.float64]]: ...
def radial(
    shape: int,
    U: NDArray[np.float64],
    V: NDArray[np.float64] | None,
    power: float,
    out: NDArray[np.float64],
) -> None: ...
def radial_pull(
    shape: int,
    U: NDArray[np.float64],
    along: NDArray[np.float64] | None,
    W: NDArray[np.float64],
    power: float,
) -> tuple[float, NDArray[np.float64], float]: ...
def smo(
    K: NDArray[np.float32] | NDArray[np.float64],
    beta: NDArray[np.float64],
    slack: NDArray[np.float64],
    low: NDArray[np.float64],
    high: NDArray[np.float64],
    tolerance: float,
    steps: int,
) -> tuple[NDArray[np.float64], NDArray[np.float64], int, float]: ...

class Model: ...

class Engine:
    def answer(
        self, codes: NDArray[np.int32], likelihood: Sequence[NDArray[np.float64] | None]
    ) -> tuple[NDArray[np.float64], float, bool]: ...
    def answer_rows(
        self, codes: NDArray[np.int32], likelihood: Sequence[NDArray[np.float64] | None]
    ) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.uint8]]: ...
    def explain(
        self, codes: NDArray[np.int32], likelihood: Sequence[NDArray[np.float64] | None]
    ) -> tuple[NDArray[np.int32], float, bool]: ...
    def draw(
        self,
        codes: NDArray[np.int32],
        likelihood: Sequence[NDArray[np.float64] | None],
        uniform: NDArray[np.float64],
    ) -> tuple[NDArray[np.int32], float, bool]: ...
    def answer_axes(self) -> list[list[int]]: ...
    def cancel(self) -> None: ...
    @property
    def progress(self) -> float: ...
    @property
    def entries(self) -> float: ...
    @property
    def widest(self) -> float: ...
    @property
    def message_cells(self) -> float: ...
    @property
    def cliques(self) -> list[list[int]]: ...
    @property
    def parents(self) -> list[int]: ...
    @property
    def order(self) -> list[int]: ...
    @property
    def orders_tried(self) -> int: ...

def network_model(
    sizes: Sequence[int],
    scopes: Sequence[Sequence[int]],
    values: Sequence[NDArray[np.float64]],
    laws: Sequence[bool],
) -> Model: ...
def network_engine(
    model: Model,
    factors: Sequence[int],
    observed: Sequence[int],
    soft: Sequence[int],
    wanted: Sequence[Sequence[int]],
    maximise: Sequence[bool],
    root_first: bool,
    effort: float,
) -> Engine: ...
