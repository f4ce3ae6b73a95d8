"""From what was seen in a column to its kind, with the reason in words."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from credo import checks
from credo.errors import InvalidInput
from credo.tables.schema import Column, Kind, State, label

__all__ = [
    "FEW_COUNTS",
    "INFINITE",
    "MANY_LABELS",
    "NUMBER",
    "TIME",
    "TRUTHS",
    "Evidence",
    "Types",
    "as_labels",
    "as_numbers",
    "guess",
    "in_order",
    "settle",
    "tokens",
]

# How numbers, infinities and times are written. The patterns mean the same to Python's re and to DuckDB's RE2.
NUMBER = re.compile(r"[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?")
INFINITE = re.compile(r"[+-]?[iI][nN][fF]([iI][nN][iI][tT][yY])?")
TIME = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}([T ][0-9]{2}:[0-9]{2}(:[0-9]{2}(\.[0-9]{1,6})?)?Z?)?")

#: How false and true may be written where a column is said to be boolean, besides as the numbers 0 and 1; unasked, only
#: false and true are read so.
TRUTHS = {"false": 0, "true": 1, "no": 0, "yes": 1, "n": 0, "y": 1, "f": 0, "t": 1}

#: What may be said of a column: a kind ("category"), a list of states in their order, or a whole Column.
Types = Mapping[str, str | Sequence[State] | Column]

#: Whole numbers with more distinct values than this are measurements rather than counts.
FEW_COUNTS = 32
#: Texts with at most this many distinct values are labels, however few rows there are ...
FEW_LABELS = 20
#: ... and with at most this many when each stands at least twice on average.
MANY_LABELS = 1000


@dataclass(frozen=True, slots=True)
class Evidence:
    """What was seen in one column. Only the fields that matter for its values are filled."""

    rows: int
    present: int
    tokens: Collection[str] = ()  # how missing values were written
    numbers: int = 0  # how many present values are finite numbers
    whole: bool = False  # all of those are whole, and may be counts
    low: float = 0.0
    high: float = 0.0
    truths: int = 0  # how many are true or false
    times: int = 0  # how many are dates or times
    distinct: int = 0  # exact when states is given, otherwise about
    states: tuple[State, ...] | None = None  # all distinct values in order, when they are few
    oddity: str = ""  # where most are numbers: the first that is not
    remark: str = ""  # what else a person should know


def guess(name: str, seen: Evidence) -> Column:
    """The kind that ``seen`` speaks for, and why.

    >>> guess("npreg", Evidence(768, 768, numbers=768, whole=True, high=17.0, distinct=17, states=(0, 1))).reason
    "17 distinct whole numbers from 0 to 17: kept as a count; say types={'npreg': 'category'} if they are labels"
    """
    kind, reason = _kind(name, seen)
    states = seen.states if kind is Kind.CATEGORY and seen.states is not None else ()
    notes = [reason, _missing(seen), seen.remark]
    return Column(name, kind, states, "; ".join(note for note in notes if note))


def _kind(name: str, seen: Evidence) -> tuple[Kind, str]:
    if seen.present == 0:
        return Kind.CONTINUOUS, "every value is missing, so there is nothing to go by: held as a number"
    if seen.numbers == seen.present:
        return _number(name, seen)
    if seen.truths == seen.present:
        return Kind.BOOLEAN, "only true and false"
    if seen.times == seen.present:
        return Kind.TIME, "dates or times throughout"
    if seen.states is not None and len(seen.states) <= max(FEW_LABELS, min(MANY_LABELS, seen.present // 2)):
        plural = "s" if seen.distinct != 1 else ""
        return Kind.CATEGORY, f"{seen.distinct:,} distinct label{plural} in {seen.present:,} values" + _mostly(seen)
    about = "" if seen.states is not None else "about "
    return Kind.TEXT, (
        f"{about}{seen.distinct:,} distinct texts in {seen.present:,} values, too many for labels; "
        f"say types={{{name!r}: 'category'}} if they are" + _mostly(seen)
    )


def _number(name: str, seen: Evidence) -> tuple[Kind, str]:
    span = f"from {seen.low:.6g} to {seen.high:.6g}"
    if not seen.whole:
        return Kind.CONTINUOUS, f"numbers {span}"
    if seen.distinct == 2 and (seen.low, seen.high) == (0, 1):
        return (
            Kind.BOOLEAN,
            f"only 0 and 1: read as false and true; say types={{{name!r}: 'count'}} for numbers",
        )
    about = "" if seen.states is not None else "about "
    plural = "s" if seen.distinct != 1 else ""
    many = f"{about}{seen.distinct:,} distinct whole number{plural} from {seen.low:.15g} to {seen.high:.15g}"
    # Counts fill their range from near zero; codes, years and measurements in few rows leave gaps.
    if seen.low >= 0 and seen.distinct <= FEW_COUNTS and seen.high <= 3 * seen.distinct:
        return Kind.COUNT, f"{many}: kept as a count; say types={{{name!r}: 'category'}} if they are labels"
    labels = f"; say types={{{name!r}: 'category'}} if they are labels" if seen.states is not None else ""
    return Kind.CONTINUOUS, f"{many}: read as a measurement{labels}"


def _mostly(seen: Evidence) -> str:
    odd = seen.present - seen.numbers
    if not seen.numbers or odd * 10 > seen.present:
        return ""
    return (
        f"; but {seen.numbers:,} of them are numbers and only {odd:,} {'is' if odd == 1 else 'are'} not "
        f"(first {checks.shown(seen.oddity)}): if such values mean missing, list them in missing="
    )


def _missing(seen: Evidence) -> str:
    gone = seen.rows - seen.present
    written = ", ".join(f"{token!r}" if token else "empty" for token in sorted(seen.tokens))
    return f"{gone:,} missing{f' (written {written})' if written else ''}" if gone else ""


def as_numbers(name: str) -> str:
    """What to say of a column of texts, not from a text file, that could all be numbers."""
    return f"all are written as numbers: say types={{{name!r}: 'continuous'}} to read them so"


def as_labels(name: str, padded: str) -> str:
    """What to say of whole numbers some of which, such as ``padded``, have zeros in front that a number would lose.

    >>> as_labels("zip", "01234")
    "zeros in front, as in '01234', speak for labels; say types={'zip': 'continuous'} for numbers"
    """
    return f"zeros in front, as in {padded!r}, speak for labels; say types={{{name!r}: 'continuous'}} for numbers"


def settle(types: Types | None, names: Sequence[str]) -> dict[str, Column | Kind]:
    """What the user said about columns: for each name a finished Column, or a kind whose states are still to be seen.

    >>> settle({"size": ["S", "M"]}, ["size", "age"])["size"].states
    ('S', 'M')
    """
    said: dict[str, Column | Kind] = {}
    if types is not None and not isinstance(types, Mapping):
        raise InvalidInput(
            f"types must map column names to kinds, such as {{'age': 'count'}}; got {checks.shown(types)}"
        )
    for name, wanted in (types or {}).items():
        checks.known("column", name, names)
        if isinstance(wanted, Column):
            said[name] = wanted
        elif wanted == Kind.ORDERED:
            raise InvalidInput(f"types[{name!r}] = 'ordered' does not say which order: list the states, lowest first")
        elif isinstance(wanted, str):
            said[name] = Kind(checks.choice(f"types[{name!r}]", wanted, tuple(kind.value for kind in Kind)))
        else:
            said[name] = _ordered(name, wanted)
    return said


def tokens(missing: Sequence[str], said: Column | Kind | None) -> frozenset[str]:
    """How a missing value of one column may be written: a listed state is never missing.

    >>> sorted(tokens(("", "None"), Column("risk", "ordered", ("None", "some"))))
    ['']
    """
    states = said.states if isinstance(said, Column) else ()
    return frozenset(missing).difference(map(label, states))


def in_order(states: Iterable[State]) -> tuple[State, ...]:
    """Distinct states as a person would list them: by value if all are numbers, even as text, else alphabetically.

    >>> in_order(["10", "9", "1"]), in_order(["b", "a"])
    (('1', '9', '10'), ('a', 'b'))
    """
    held = list(states)
    if all(not isinstance(state, str) or NUMBER.fullmatch(state) for state in held):
        return tuple(sorted(held, key=lambda state: (float(state), str(state))))
    return tuple(sorted(held, key=str))


def _ordered(name: str, wanted: Any) -> Column:
    try:
        states = tuple(wanted)
    except TypeError:
        raise InvalidInput(f"types[{name!r}] must be a kind or a list of states; got {checks.shown(wanted)}") from None
    if len(states) < 1:
        raise InvalidInput(f"types[{name!r}] is an empty list; list the states in their order")
    return Column(name, Kind.ORDERED, states, "the states and their order were given")
