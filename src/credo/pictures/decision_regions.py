"""Where a classifier decides for which class, how sure it is there, and what holds its boundary."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import narwhals as nw
import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import is_classifier
from sklearn.pipeline import Pipeline

from credo import checks
from credo.checks import Floats
from credo.errors import BadShape, InvalidInput, NotFitted
from credo.pictures.canvas import COLOURS, INK, MARKS, axes_for, between, legend_above, tinted
from credo.tables import Table

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["decision_regions"]

TINT = 0.35  # how much colour a region has where the model is certain
FINE = 300  # cells along each side


def decision_regions(model: Any, X: Any, y: ArrayLike, *, ax: Axes | None = None) -> Axes:
    """The plane of two columns as a fitted classifier sees it, with the rows ``X`` of the classes ``y``.

    The tint of a place is the mixture of the classes' colours by their probability there: full where the model is
    certain, pale or mixed where it is not. The line is where the most probable class changes. Where the model has a
    margin, dashed lines are its edges; rows that hold the boundary (support vectors) are ringed.

    ``model`` is any classifier with scikit-learn's contract, also in a pipeline; ``X`` holds the rows it was fitted to,
    as an array, a data frame or a table, whose columns then give the axes their names.

    >>> from credo.linear import LinearSeparator
    >>> X, y = [[0.0, 1.0], [1.0, 0.0], [3.0, 3.0], [4.0, 2.0]], ["low", "low", "high", "high"]
    >>> ax = decision_regions(LinearSeparator(maximum_margin=True).fit(X, y), X, y)
    >>> [text.get_text() for text in ax.get_legend().get_texts()]
    ['high', 'low', 'support vectors']
    """
    rows, names = _columns(X)
    labels, classes = np.asarray(y), _classes(model)
    checks.rows_match("X", len(rows), "y", len(labels))
    for label in np.unique(labels).tolist():
        checks.known("class", label, classes)
    ax = axes_for(ax)
    across, up = (np.linspace(*between(rows[:, j]), FINE) for j in (0, 1))
    plane = np.column_stack([a.ravel() for a in np.meshgrid(across, up)])
    there = _like(X, plane)
    shares, decisions = _probabilities(model, there), _decisions(model, there)
    tints = np.array([tinted(COLOURS[k % len(COLOURS)], TINT) for k in range(len(classes))])
    extent = (float(across[0]), float(across[-1]), float(up[0]), float(up[-1]))
    ax.imshow((shares @ tints).reshape(FINE, FINE, 3), origin="lower", extent=extent, aspect="auto", zorder=0)
    for ahead in _leads(shares, decisions):
        ax.contour(across, up, ahead.reshape(FINE, FINE), levels=[0.0], colors=INK, linewidths=1.4, zorder=2)
    edge = _margin(model)
    if edge is not None and decisions is not None:
        at, style = decisions.reshape(FINE, FINE), "dashed"
        ax.contour(across, up, at, levels=[-edge, edge], colors=INK, linewidths=1.0, linestyles=style, zorder=2)
    _mark(ax, rows, labels, classes)
    held = _support(model, rows)
    if len(held):
        ring: dict[str, Any] = {"facecolors": "none", "edgecolors": INK, "linewidths": 0.9}
        ax.scatter(held[:, 0], held[:, 1], s=80, label="support vectors", zorder=4, **ring)
    ax.set(xlabel=names[0], ylabel=names[1], xlim=extent[:2], ylim=extent[2:])
    legend_above(ax)
    return ax


def _mark(ax: Axes, rows: Floats, labels: NDArray[Any], classes: list[Any]) -> None:
    """The rows of each class, in its colour and with its mark."""
    for k, name in enumerate(classes):
        of = rows[labels == name]
        ax.scatter(
            of[:, 0],
            of[:, 1],
            s=26,
            color=COLOURS[k % len(COLOURS)],
            marker=MARKS[k % len(MARKS)],
            edgecolors="white",
            linewidths=0.6,
            label=str(name),
            zorder=3,
        )


def _classes(model: Any) -> list[Any]:
    if not is_classifier(model):
        raise InvalidInput(f"model must be a classifier, which decides between classes; got {checks.shown(model)}")
    classes = getattr(model, "classes_", None)
    if classes is None:
        raise NotFitted("the model has not been fitted yet. Call its fit with X and y first")
    held: list[Any] = np.asarray(classes).tolist()
    return held


def _columns(X: Any) -> tuple[Floats, tuple[str, str]]:
    """The two columns as numbers, and their names."""
    if isinstance(X, Table):
        held, names = np.column_stack([X[name] for name in X.columns]), X.columns
    elif nw.dependencies.is_into_dataframe(X):
        frame = nw.from_native(X, eager_only=True)
        held, names = frame.to_numpy(), tuple(frame.columns)
    else:
        held, names = np.asarray(X), ("first column", "second column")
    rows = checks.floats("X", held, ndim=2)
    if rows.shape[1] != 2:
        raise BadShape(
            f"decision regions are drawn for two columns; X has {rows.shape[1]}. Fit the model to two of them"
        )
    return rows, (str(names[0]), str(names[1]))


def _like(X: Any, rows: Floats) -> Any:
    """The rows as the kind of thing that X is, so that the model finds the columns it knows."""
    if isinstance(X, Table):
        return Table(dict(zip(X.columns, rows.T, strict=True)))
    if nw.dependencies.is_into_dataframe(X):
        frame = nw.from_native(X, eager_only=True)
        columns = dict(zip(frame.columns, rows.T, strict=True))
        return nw.from_dict(columns, backend=frame.implementation).to_native()
    return rows


def _probabilities(model: Any, X: Any) -> Floats:
    """P(class) where the model has a belief; where it only decides, all on what it decides for."""
    if callable(getattr(model, "predict_proba", None)):
        return np.asarray(model.predict_proba(X))
    return np.asarray(np.asarray(model.predict(X))[:, None] == model.classes_, dtype=np.float64)


def _decisions(model: Any, X: Any) -> Floats | None:
    """What the model decides by, if it has such numbers."""
    return np.asarray(model.decision_function(X)) if callable(getattr(model, "decision_function", None)) else None


def _leads(shares: Floats, decisions: Floats | None) -> list[Floats]:
    """For each class by how much it leads the others, zero on its boundary; of two classes one is enough.

    Of a model that only decides, decisions are smoother than what it decides; but they need not be one for each class.
    """
    best = shares.argmax(axis=1)
    if decisions is not None and decisions.ndim == 1:
        return [decisions]
    certain = bool((shares.max(axis=1) == 1).all())
    if certain and decisions is not None and decisions.shape == shares.shape:
        shares = decisions if (decisions.argmax(axis=1) == best).all() else shares
    others = [np.delete(shares, k, axis=1).max(axis=1) for k in range(shares.shape[1])]
    leads = [shares[:, k] - other for k, other in enumerate(others)]
    return leads[:1] if len(leads) == 2 else leads


def _last(model: Any) -> Any:
    return model[-1] if isinstance(model, Pipeline) else model


def _margin(model: Any) -> float | None:
    """The decision value at the edge of the margin, of a machine of two classes that has one."""
    last = _last(model)
    if len(last.classes_) != 2:
        return None
    if len(_rows_of_support(last)):
        return float(last.margin_[0]) if "margin_" in vars(last) else 1.0
    return None


def _support(model: Any, rows: Floats) -> Floats:
    """Where the support vectors lie."""
    places = _rows_of_support(_last(model))
    return rows[places[places < len(rows)]]


def _rows_of_support(last: Any) -> NDArray[np.intp]:
    held = vars(last)
    if "support_" in held:
        return np.asarray(held["support_"])
    widest = held.get("maximum_margin", False) and len(held["certificates_"]) == 1
    if widest and held["separable_"][0]:
        return np.asarray(held["certificates_"][0].rows)
    return np.empty(0, dtype=np.intp)
