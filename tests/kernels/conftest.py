"""Rows to compare, and one random generator with a seed."""

from __future__ import annotations

import numpy as np
import pytest


@pytest.fixture
def rng() -> np.random.Generator:
    return np.random.default_rng(20)


@pytest.fixture(name="X")
def rows_of_two_columns(rng: np.random.Generator) -> np.ndarray:
    """Rows of two columns, one of which is there twice."""
    rows = rng.normal(size=(13, 2))
    rows[7] = rows[3]
    return rows
