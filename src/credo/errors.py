"""What can go wrong, and what each outcome means.

Every error Credo raises on purpose is a ``CredoError``::

    CredoError
    ├── InvalidInput (ValueError)    something given is not acceptable; nothing was changed
    │   ├── UnknownName              a column, state or option that does not exist; the nearest name is suggested
    │   ├── BadShape                 an array with the wrong number of axes, rows or columns
    │   ├── BadProbability           negative, above one, or not summing to one
    │   └── BadParameter             a setting outside its range
    ├── ImpossibleEvidence           what was observed has probability zero under the model
    ├── TooLarge (MemoryError)       it would not fit; says what it costs and what could be done instead
    ├── NotConverged                 an iterative method ran out of steps; the message says how far it came
    ├── NumericalFailure (ArithmeticError)  no trustworthy number can be given, e.g. a matrix that cannot be factored
    ├── FormatError (ValueError)     a file that cannot be read, with file, line and column
    └── NotFitted                    asked for an answer before ``fit``; also scikit-learn's ``NotFittedError``

A message names the argument, the value, the rule that was broken and the remedy.
"""

from __future__ import annotations

import enum
from pathlib import Path
from typing import TYPE_CHECKING, Any

__all__ = [
    "BadParameter",
    "BadProbability",
    "BadShape",
    "CredoError",
    "CredoWarning",
    "FormatError",
    "ImpossibleEvidence",
    "InvalidInput",
    "NotConverged",
    "NotFitted",
    "NumericalFailure",
    "Outcome",
    "TooLarge",
    "UnknownName",
]


class CredoError(Exception):
    """Anything Credo refuses to do, with the reason."""


class CredoWarning(UserWarning):
    """An answer was given, and there is something to know about it."""


class InvalidInput(CredoError, ValueError):
    """Something given is not acceptable; nothing was changed."""


class UnknownName(InvalidInput):
    """A column, state or option that does not exist."""


class BadShape(InvalidInput):
    """An array with the wrong number of axes, rows or columns."""


class BadProbability(InvalidInput):
    """A probability that is negative, above one, or does not sum to one."""


class BadParameter(InvalidInput):
    """A setting outside its range."""


class ImpossibleEvidence(CredoError):
    """What was observed has probability zero under the model."""


class TooLarge(CredoError, MemoryError):
    """It would not fit; the message says what it costs and what could be done instead."""


class NotConverged(CredoError):
    """An iterative method ran out of steps."""


class NumericalFailure(CredoError, ArithmeticError):
    """No trustworthy number can be given."""


class FormatError(CredoError, ValueError):
    """A file that cannot be read.

    >>> str(FormatError("3 fields where the header has 4", file="a.csv", line=7))
    'a.csv, line 7: 3 fields where the header has 4'
    """

    def __init__(
        self,
        message: str,
        *,
        file: str | Path | None = None,
        line: int | None = None,
        column: int | None = None,
    ) -> None:
        self.file = None if file is None else str(file)
        self.line = line
        self.column = column
        place = [] if self.file is None else [self.file]
        place += [] if line is None else [f"line {line}"]
        place += [] if column is None else [f"column {column}"]
        super().__init__(f"{', '.join(place)}: {message}" if place else message)


class Outcome(enum.Enum):
    """How an iterative method ended.

    >>> Outcome.CONVERGED.good
    True
    """

    CONVERGED = "the change fell below the tolerance"
    OUT_OF_STEPS = "the step limit was reached first; allow more steps or loosen the tolerance"
    STALLED = "no step improved the objective although the gradient is not zero; check scaling and gradient"
    UNBOUNDED = "there is no optimum: along some direction the objective improves without end"
    NOT_FINITE = "the objective or its gradient became infinite or NaN"
    INTERRUPTED = "stopped by hand; the best point so far was kept"

    @property
    def good(self) -> bool:
        """Whether the answer can be relied on."""
        return self is Outcome.CONVERGED


if TYPE_CHECKING:

    class NotFitted(CredoError, ValueError, AttributeError):
        """Asked for an answer before ``fit``."""


def __getattr__(name: str) -> Any:
    # NotFitted must be an instance of scikit-learn's class, and importing that costs a second:
    # it is made when it is first asked for.
    if name != "NotFitted":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from sklearn.exceptions import NotFittedError

    made = type(
        "NotFitted",
        (CredoError, NotFittedError),
        {"__doc__": "Asked for an answer before ``fit``.", "__module__": __name__},
    )
    globals()[name] = made
    return made
