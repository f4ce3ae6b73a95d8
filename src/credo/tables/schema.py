"""What a table's columns are: names, kinds and states, as frozen values that are plain enough to be written as JSON."""

from __future__ import annotations

import enum
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from credo import checks
from credo.errors import InvalidInput

if TYPE_CHECKING:
    from credo.tables.table import Table

__all__ = ["BLANKS", "MISSING", "Column", "Kind", "Schema", "State", "label"]

#: A state of a category: whatever JSON can hold exactly. Files have text states; data frames keep their own.
State = str | int | float | bool

#: How a missing value may be written; an empty cell always is one. "None" is not among them: it is a label as often as
#: not ("accidents: None, Mild, Severe"). "NA" may be one too: then say ``missing=()``, or list the states.
MISSING = ("", "NA", "N/A", "n/a", "#N/A", "NaN", "nan", "null", "NULL", "?")

#: What is stripped from both ends of every text.
BLANKS = " \t\r\n"

_WHOLE_FLOATS = 2.0**53


class Kind(enum.StrEnum):
    """What the values of a column are, and so which laws can describe them.

    >>> Kind("ordered").has_states
    True
    """

    CONTINUOUS = "continuous"  # a measurement
    COUNT = "count"  # 0, 1, 2, ...: how many
    CATEGORY = "category"  # one of a few labels
    ORDERED = "ordered"  # one of a few labels with an order
    BOOLEAN = "boolean"  # false or true
    TEXT = "text"  # words: neither numbers nor a few labels
    TIME = "time"  # a date, or a date and a time of day

    @property
    def has_states(self) -> bool:
        """Whether the values are a finite set of states: categories, ordered ones and booleans."""
        return self in (Kind.CATEGORY, Kind.ORDERED, Kind.BOOLEAN)

    @property
    def is_number(self) -> bool:
        """Whether means and covariances make sense: measurements, counts, and booleans as 0 and 1."""
        return self in (Kind.CONTINUOUS, Kind.COUNT, Kind.BOOLEAN)


def label(value: Any) -> str:
    """How a state is written; two values that are written alike are the same state (1, 1.0 and "1" are).

    >>> label(1.0), label(True), label(" red ")
    ('1', 'true', 'red')
    """
    if isinstance(value, str):
        return value.strip(BLANKS)
    if type(value).__name__ in ("bool", "bool_"):
        return "true" if value else "false"
    if isinstance(value, float) and value.is_integer() and abs(value) < _WHOLE_FLOATS:
        return str(int(value))
    if isinstance(value, float):
        return repr(float(value))
    return str(value)


@dataclass(frozen=True, slots=True)
class Column:
    """One column: its name, its kind, its states in order (if it has any), and why it is held to be of that kind.

    >>> Column("size", "ordered", ("S", "M", "L"))
    Column(name='size', kind=<Kind.ORDERED: 'ordered'>, states=('S', 'M', 'L'), reason='')
    """

    name: str
    kind: Kind
    states: tuple[State, ...] = ()
    reason: str = ""

    def __post_init__(self) -> None:
        if not isinstance(self.name, str):
            raise InvalidInput(f"a column name must be a text; got {checks.shown(self.name)}")
        object.__setattr__(self, "kind", Kind(checks.choice("kind", self.kind, tuple(kind.value for kind in Kind))))
        states = tuple(self.states)
        if self.kind is Kind.BOOLEAN:
            states = (False, True)
        elif states and not self.kind.has_states:
            raise InvalidInput(f"column {self.name!r} is {self.kind} and so has no states; got {checks.shown(states)}")
        for state in states:
            if not isinstance(state, (str, int, float)) or (isinstance(state, float) and not math.isfinite(state)):
                raise InvalidInput(
                    f"the states of column {self.name!r} must be texts, finite numbers or booleans; "
                    f"got {checks.shown(state)}"
                )
        checks.unique(f"the states of column {self.name!r}", [label(state) for state in states])
        object.__setattr__(self, "states", states)


@dataclass(frozen=True, slots=True)
class Schema:
    """The columns of a table in order, and how missing values are written in it: learnt once, enforced later.

    >>> schema = Schema.learn({"age": [31.5, 22.0], "sex": ["m", "f"]})
    >>> schema["sex"].states
    ('f', 'm')
    >>> later = schema.apply({"sex": ["f", "x"], "age": [40, 41]})
    >>> later.columns, later.codes("sex")
    (('age', 'sex'), array([ 0, -1], dtype=int32))
    >>> schema.apply({"sex": ["f", "x"], "age": [40, 41]}, unseen="refuse")
    Traceback (most recent call last):
    ...
    credo.errors.InvalidInput: column 'sex', row 2: 'x' is not one of its states ('f', 'm')...
    """

    columns: tuple[Column, ...]
    missing: tuple[str, ...] = MISSING
    _by_name: dict[str, Column] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        columns = tuple(self.columns)
        for column in columns:
            if not isinstance(column, Column):
                raise InvalidInput(f"a schema is made of Columns; got {checks.shown(column)}")
        checks.unique("column names", [column.name for column in columns])
        object.__setattr__(self, "columns", columns)
        object.__setattr__(self, "_by_name", {column.name: column for column in columns})
        object.__setattr__(self, "missing", missing_tokens(self.missing))

    @classmethod
    def learn(cls, data: Any) -> Schema:
        """The schema of ``data``: a table, a mapping, a data frame, an array or a file."""
        from credo.tables.table import as_table

        return as_table(data).schema

    def apply(self, data: Any, *, unseen: str = "missing") -> Table:
        """``data`` as a table with exactly these columns, kinds and states, whatever the order of its columns.

        A state that is not in the schema becomes missing, or is refused (``unseen="refuse"``). A column that is not
        there, or whose values are not of its kind, is always refused. Columns the schema does not know are left out,
        and ``Table.notes`` names them.
        """
        from credo.tables.table import conform

        return conform(data, self, checks.choice("unseen", unseen, ("missing", "refuse")))

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the columns."""
        return tuple(self._by_name)

    def select(self, names: Sequence[str]) -> Schema:
        """The schema of these columns only, in this order."""
        return Schema(tuple(self[name] for name in checks.unique("columns", names)), self.missing)

    def __getitem__(self, name: str) -> Column:
        return self._by_name[checks.known("column", name, self._by_name)]

    def __contains__(self, name: object) -> bool:
        return name in self._by_name

    def __len__(self) -> int:
        return len(self.columns)

    def __iter__(self) -> Iterator[Column]:
        return iter(self.columns)


def missing_tokens(missing: Sequence[str]) -> tuple[str, ...]:
    """``missing`` as a clean tuple of texts."""
    tokens = checks.unique("missing", missing)
    for token in tokens:
        if not isinstance(token, str):
            raise InvalidInput(f"missing must be a list of texts such as ('NA', '?'); got {checks.shown(token)}")
    return tuple(dict.fromkeys(token.strip(BLANKS) for token in tokens))
