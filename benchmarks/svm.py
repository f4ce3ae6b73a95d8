"""Support vector machines beside libsvm, as scikit-learn's SVC has it: the same tolerance and the same cache.

The letters and the census are looked for in ``../shared/data/tables``; where they are not, rows like them are drawn.
"""

from __future__ import annotations

import csv
import gzip
from pathlib import Path
from typing import Any

import numpy as np
from scipy import sparse

from benchmarks.harness import Case
from credo.kernels import SE
from credo.svm import SupportVectorClassifier
from credo.svm import grid as search

TABLES = Path(__file__).parents[2] / "shared" / "data" / "tables"
GRID_C, GRID_VARIANCE = np.logspace(-1, 3, 10), np.logspace(0, 3, 10)


def length(gamma: float) -> float:
    """libsvm's γ as a length: exp(−γr²) = exp(−r²/(2 length²))."""
    return float(np.sqrt(1 / (2 * gamma)))


def drawn(n: int, d: int, seed: int = 0) -> tuple[np.ndarray, np.ndarray]:
    """Rows of a curved boundary with noise."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, d))
    signal = np.sin(X[:, 0]) + X[:, 1] * X[:, 2] + 0.5 * X[:, 3:8].sum(axis=1) + 0.5 * rng.normal(size=n)
    return X, (signal > 0).astype(int)


def letters() -> Any:
    """16,000 letters in 16 columns scaled to [−1, 1], C = 16 and γ = 4."""
    path = TABLES / "mlbench__LetterRecognition.csv.gz"
    if path.exists():
        with gzip.open(path, "rt") as file:
            rows = list(csv.reader(file))[1:16_001]
        X, y = np.array([row[1:] for row in rows], dtype=float), np.array([row[0] for row in rows])
    else:
        rng = np.random.default_rng(0)
        y = rng.integers(0, 26, 16_000)
        X = rng.normal(size=(26, 16))[y] * 4 + rng.normal(size=(16_000, 16)) * 2
    low, high = X.min(axis=0), X.max(axis=0)
    return 2 * (X - low) / (high - low) - 1, y, 16.0, 4.0


def census() -> Any:
    """a9a: 32,561 sparse rows of 123 columns, C = 1 and γ = 1/123."""
    parts = [TABLES / "a1a.gz", TABLES / "a1a.t.gz"]
    if all(part.exists() for part in parts):
        from sklearn.datasets import load_svmlight_file

        read = [load_svmlight_file(str(part), n_features=123) for part in parts]
        X, y = sparse.vstack([rows for rows, _ in read]).tocsr(), np.concatenate([classes for _, classes in read])
    else:
        rng = np.random.default_rng(0)
        X = sparse.csr_matrix((rng.random((32_561, 123)) < 14 / 123).astype(float))
        y = np.where(X @ rng.normal(size=123) + rng.normal(size=32_561) > 1, 1, -1)
    return X, y, 1.0, 1 / 123


def dense() -> Any:
    """50,000 rows of 20 columns, C = 1 and γ = 1/20."""
    return (*drawn(50_000, 20), 1.0, 1 / 20)


def table() -> Any:
    return drawn(1_000, 20)


def ours(data: Any) -> object:
    X, y, C, gamma = data
    return SupportVectorClassifier(C=C, kernel=SE(length(gamma)), tolerance=1e-3, cache=200).fit(X, y)


def peer(data: Any) -> object:
    from sklearn.svm import SVC

    X, y, C, gamma = data
    return SVC(C=C, gamma=gamma, tol=1e-3, cache_size=200).fit(X, y)


def our_grid(data: Any) -> object:
    return search(*data, C=GRID_C, variance=GRID_VARIANCE, folds=5)


def peer_grid(data: Any) -> object:
    from sklearn.model_selection import GridSearchCV
    from sklearn.svm import SVC

    settings = {"C": GRID_C, "gamma": 1 / (2 * GRID_VARIANCE)}
    return GridSearchCV(SVC(cache_size=200), settings, cv=5, refit=False).fit(*data)


PEER = "libsvm (scikit-learn SVC)"
CASES = [
    Case("fit 16,000 letters of 26 classes", PEER, letters, ours, peer, slow=True),
    Case("fit 32,561 sparse rows of the census (a9a)", PEER, census, ours, peer, slow=True),
    Case("fit 50,000 rows of 20 columns", PEER, dense, ours, peer, slow=True),
    Case("10 × 10 settings, 5 folds of 1,000 rows", f"{PEER}, GridSearchCV", table, our_grid, peer_grid, slow=True),
]
