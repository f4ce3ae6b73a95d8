"""From a table to the matrix of numbers that other models want."""

from __future__ import annotations

from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, TransformerMixin
from sklearn.utils.validation import check_array, check_is_fitted

from credo import checks
from credo.checks import Floats
from credo.errors import InvalidInput
from credo.tables.frames import as_frame
from credo.tables.schema import Kind, Schema
from credo.tables.table import Table, as_table

__all__ = ["Encoder"]

AT_ONCE = 256  # columns


class Encoder(TransformerMixin, BaseEstimator):
    """A scikit-learn transformer: a table, a data frame or an array becomes a matrix of floats.

    Numbers are centred and divided by their standard deviation (a constant one becomes 0). A category becomes one
    column of 0 and 1 for each state, all of them: models with a prior on their weights need no reference state, and
    none is then special. A boolean becomes one such column, for true. A missing number becomes the mean of the training
    rows, and if any was missing in training, a further column says where; a missing category, or a state that training
    did not show, is 0 in all its columns. Texts and times are refused, or left out with ``text="drop"``. Everything is
    learnt from the rows given to ``fit``.

    >>> encoder = Encoder().fit({"age": [20.0, 40.0, None], "sex": ["f", "m", "f"]})
    >>> list(encoder.get_feature_names_out())
    ['age', 'age missing', 'sex=f', 'sex=m']
    >>> encoder.transform({"sex": ["m", "x"], "age": [50.0, None]})
    array([[2., 0., 0., 1.],
           [0., 1., 0., 0.]])
    """

    def __init__(self, *, text: str = "refuse") -> None:
        self.text = text

    def fit(self, X: Any, y: Any = None) -> Self:  # noqa: ARG002
        """Learn kinds, means, deviations and states."""
        checks.choice("text", self.text, ("refuse", "drop"))
        table = self._table(X, fitting=True)
        wordy = [column for column in table.schema if column.kind in (Kind.TEXT, Kind.TIME)]
        if wordy and self.text == "refuse":
            raise InvalidInput(
                f"column {wordy[0].name!r} is {wordy[0].kind} ({wordy[0].reason}) and cannot become numbers by itself. "
                "Make numbers of it, or leave it out with text='drop'"
            )
        kept = table.drop([column.name for column in wordy])
        self.schema_ = Schema(kept.schema.columns, kept.schema.missing)
        self.n_features_in_ = len(table.columns)
        numbers = [name for name in kept.columns if kept.kind(name) in (Kind.CONTINUOUS, Kind.COUNT)]
        # Some at a time: moments come with the covariances of all columns, of which there may be many thousands.
        parts = [kept.moments(numbers[i : i + AT_ONCE]) for i in range(0, len(numbers), AT_ONCE)]
        count, mean, var = (
            np.concatenate([getattr(part, name) for part in parts]) if parts else np.empty(0)
            for name in ("count", "mean", "var")
        )
        sd = np.sqrt(var)
        self.numbers_ = tuple(numbers)
        self.mean_ = np.where(count > 0, mean, 0.0)
        # Rounding leaves a constant column a deviation of some 1e-16 of its size: it is none.
        self.scale_ = np.where(sd > 1e-12 * np.abs(self.mean_), sd, 1.0)
        self.incomplete_ = count < len(kept)
        return self

    def transform(self, X: Any) -> Floats:
        """The matrix of the rows of ``X``, with the columns of ``get_feature_names_out``."""
        check_is_fitted(self, "schema_")
        table = self._table(X, fitting=False)
        parts = [np.empty((len(table), 0))]
        place = {name: i for i, name in enumerate(self.numbers_)}
        for column in self.schema_:
            if column.name in place:
                parts += self._number(place[column.name], table[column.name])
            else:
                codes = table.codes(column.name)
                hot = (codes[:, None] == np.arange(len(column.states))).astype(np.float64)
                parts.append(hot[:, 1:] if column.kind is Kind.BOOLEAN else hot)
        return np.column_stack(parts)

    def _number(self, i: int, values: Floats) -> list[Floats]:
        gone = np.isnan(values)
        scaled = np.where(gone, 0.0, (values - self.mean_[i]) / self.scale_[i])
        return [scaled, gone.astype(np.float64)] if self.incomplete_[i] else [scaled]

    def get_feature_names_out(self, input_features: Any = None) -> NDArray[Any]:
        """The names of the columns of the matrix: ``age``, ``age missing``, ``sex=female``."""
        check_is_fitted(self, "schema_")
        if input_features is not None and len(input_features) != self.n_features_in_:
            raise InvalidInput(f"input_features must name the {self.n_features_in_} columns that fit saw")
        names: list[str] = []
        place = {name: i for i, name in enumerate(self.numbers_)}
        for column in self.schema_:
            if column.name in place:
                lacking = self.incomplete_[place[column.name]]
                names += [column.name, f"{column.name} missing"] if lacking else [column.name]
            elif column.kind is Kind.BOOLEAN:
                names.append(f"{column.name}=true")
            else:
                names += [f"{column.name}={state}" for state in column.states]
        return np.array(names, dtype=object)

    def _table(self, X: Any, *, fitting: bool) -> Table:
        """``X`` typed: named columns by the schema, a bare array by position."""
        frame = None if isinstance(X, Table) else as_frame(X) if not isinstance(X, (dict, np.ndarray, list)) else None
        named = isinstance(X, (Table, dict)) or frame is not None
        if not named:
            X = check_array(X, dtype=None, ensure_all_finite="allow-nan", estimator=self)
            if not fitting and X.shape[1] != self.n_features_in_:
                raise InvalidInput(
                    f"X has {X.shape[1]} features, but Encoder is expecting {self.n_features_in_} features as input"
                )
        table = as_table(X) if fitting else self.schema_.apply(X)
        if fitting and not len(table):
            raise InvalidInput("X must have at least one row to learn from; got none")
        return table

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        tags.input_tags.categorical = True
        tags.input_tags.string = True
        return tags
