"""The contract of kernels finds what is wrong."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import ClassVar

import numpy as np
import pytest

from credo.errors import InvalidInput
from credo.kernels import SE, Kernel, Noise
from credo.kernels.hyperparameters import POSITIVE, Domain
from credo.testing import check_kernel

X = np.random.default_rng(0).normal(size=(8, 2))


@dataclass(frozen=True, slots=True, init=False, repr=False)
class Mine(Kernel):
    """A right kernel, with something wrong if that is wanted."""

    length: float
    wrong: str

    _domains: ClassVar[Mapping[str, Domain]] = MappingProxyType({"length": POSITIVE})

    def __init__(self, length: float = 1.0, wrong: str = "") -> None:
        if wrong != "negative lengths" and not length > 0:
            raise InvalidInput("length must be positive")
        self._hold(length=float(length), wrong="" if wrong == "text" else wrong)

    def _check(self, name: str, X: np.ndarray) -> None:
        pass

    def _rows(self, name: str, value: object) -> np.ndarray:
        rows = Kernel._rows(self, name, np.nan_to_num(value) if self.wrong == "rows" else value)
        if self.wrong == "X is changed":
            rows[0, 0] += 1
        return rows

    def _matrix(self, X: np.ndarray, Z: np.ndarray | None) -> np.ndarray:
        K = SE(abs(self.length))(X, Z)
        match self.wrong:
            case "symmetric":
                K[0, -1] *= 1.1
            case "semidefinite":
                K -= 0.5
            case "rows alone":
                K *= len(X)
            case "beside":
                K *= 1.0 if Z is None else 1.01
            case "single":
                return K.astype(np.float32)  # type: ignore[return-value]
        return K

    def _diagonal(self, X: np.ndarray) -> np.ndarray:
        return np.full(len(X), 1.1 if self.wrong == "diagonal" else 1.0)

    def _pull(self, X: np.ndarray, W: np.ndarray) -> tuple[float, np.ndarray]:
        value, gradient = SE(abs(self.length))._pull(X, W)
        if self.wrong == "W is changed":
            W += 1
        return value, gradient * (1.01 if self.wrong == "gradient" else 1.0)


def test_a_right_kernel_passes() -> None:
    check_kernel(Mine(), X, functions={"Mine": Mine})
    check_kernel(2.0 * Mine(0.5) + Noise(0.1), X, functions={"Mine": Mine})


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        ("symmetric", r"k\(X\) is symmetric"),
        ("semidefinite", "positive semidefinite"),
        ("single", "float32"),
        ("diagonal", r"diagonal\(X\) is the diagonal"),
        ("rows alone", r"diagonal\(X\) is|between them"),
        ("beside", "between them"),
        ("gradient", "the gradient's entry 0"),
        ("negative lengths", "length = -1.0 is refused|length = -1 is refused"),
        ("rows", "X with nan is refused"),
        ("X is changed", "X is left alone"),
        ("W is changed", "W is left alone"),
    ],
)
def test_what_is_wrong_is_found(wrong: str, words: str) -> None:
    with pytest.raises(AssertionError, match=words):
        check_kernel(Mine(1.0, wrong), X.copy(), functions={"Mine": Mine})


def test_text_that_is_not_read_back_is_found() -> None:
    with pytest.raises(AssertionError, match="its text is read back"):
        check_kernel(Mine(), X, functions={"Mine": lambda length, wrong: Mine(2 * length, wrong)})


def test_too_few_rows() -> None:
    with pytest.raises(InvalidInput, match="at least 4 rows"):
        check_kernel(SE(1.0), X[:3])
