"""Data frames of any kind (pandas, polars, pyarrow, ...), by way of narwhals."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from credo import checks
from credo.errors import InvalidInput
from credo.tables.cells import Cells, cells, coded, object_array
from credo.tables.evidence import in_order
from credo.tables.schema import Column, Kind

if TYPE_CHECKING:
    import narwhals as nw

__all__ = ["as_frame", "frame_columns", "native_frame", "series_cells"]

BACKENDS = ("pandas", "polars", "pyarrow")


def as_frame(data: Any) -> nw.DataFrame[Any] | None:
    """``data`` as a narwhals data frame if it is one of any kind; a lazy one is collected."""
    import narwhals as nw

    try:
        frame = nw.from_native(data, pass_through=True)
        if isinstance(frame, nw.LazyFrame):
            frame = frame.collect()
    except nw.exceptions.NarwhalsError as cause:
        raise InvalidInput(f"the data frame cannot be read: {' '.join(str(cause).split())}") from None
    return frame if isinstance(frame, nw.DataFrame) else None


def frame_columns(frame: nw.DataFrame[Any]) -> dict[str, nw.Series[Any]]:
    """The columns by name; a name that is not a text, such as the 0, 1, 2 of pandas, is written as one."""
    columns = [(str(series.name), series) for series in frame.iter_columns()]
    checks.unique("column names", [name for name, _ in columns])
    return dict(columns)


def series_cells(name: str, series: nw.Series[Any], missing: Collection[str]) -> Cells:
    """One column of a data frame sorted out."""
    import narwhals as nw

    kind = series.dtype
    gone = series.is_null().to_numpy()
    if kind.is_integer() and not gone.any():
        return cells(name, series.to_numpy(), missing)
    if kind.is_numeric():
        values = np.where(gone, np.nan, series.cast(nw.Float64).to_numpy().astype(np.float64))
        return replace(cells(name, values, missing), whole=kind.is_integer())
    if isinstance(kind, (nw.Date, nw.Datetime)):
        if isinstance(kind, nw.Datetime) and kind.time_zone is not None:
            series = series.dt.convert_time_zone("UTC").dt.replace_time_zone(None)
        return cells(name, series.cast(nw.Datetime("us")).to_numpy().astype("datetime64[us]"), missing)
    if isinstance(kind, (nw.Categorical, nw.Enum)):
        return replace(_categories(name, series), declared=_declared(name, series))
    listed = object_array(series.to_list())
    listed[gone] = None
    return cells(name, listed, missing)


def _categories(name: str, series: nw.Series[Any]) -> Cells:
    """A categorical column, by its codes where the library shows them."""
    import narwhals as nw

    native = series.to_native()
    if nw.dependencies.is_pandas_series(native):
        values, codes = native.cat.categories.tolist(), native.cat.codes.to_numpy()
    elif nw.dependencies.is_pyarrow_chunked_array(native):
        whole = native.unify_dictionaries().combine_chunks()
        values, codes = whole.dictionary.to_pylist(), whole.indices.fill_null(-1).to_numpy()
    else:
        return cells(name, series.to_list(), ())
    if all(isinstance(value, str) for value in values):
        return coded(name, values, codes, ())
    return cells(name, object_array([*values, None])[codes], ())


def _declared(name: str, series: nw.Series[Any]) -> Column | None:
    """The states a categorical column was declared with, even those that do not occur."""
    import narwhals as nw

    native, kind = series.to_native(), series.dtype
    if nw.dependencies.is_pandas_series(native):
        states, ordered = native.cat.categories.tolist(), native.cat.ordered
    elif isinstance(kind, nw.Enum):
        states, ordered = list(kind.categories), True
    else:
        states, ordered = list(in_order(series.drop_nulls().unique().to_list())), False
    return Column(name, Kind.ORDERED if ordered else Kind.CATEGORY, states, "declared by the data frame")


def native_frame(columns: Mapping[str, list[Any]], backend: str) -> Any:
    """A data frame of the library called ``backend``."""
    import narwhals as nw

    checks.choice("backend", backend, BACKENDS)
    try:
        return nw.from_dict(columns, backend=backend).to_native()  # type: ignore[arg-type]
    except ImportError:
        raise InvalidInput(f"{backend} is not installed: pip install {backend}, or ask for another backend") from None
