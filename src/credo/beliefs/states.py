"""The labels of a finite set of states: checked, found again, and laid out as arrays."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

from credo import checks
from credo.errors import InvalidInput

__all__ = ["are_numbers", "as_array", "as_states", "numeric"]

States = tuple[Hashable, ...]

# The types whose arrays give the labels back unchanged; a mixture of them, or any other label, is held as an object.
PLAIN = (bool, int, float, str)


def as_states(what: str, states: Iterable[Hashable]) -> States:
    """``states`` as a tuple of labels that all differ; there must be at least one.

    >>> as_states("states", np.array([1, 2]))
    (1, 2)
    """
    held = checks.unique(what, states.tolist() if isinstance(states, np.ndarray) else states)
    if not held:
        raise InvalidInput(f"{what} must hold at least one label; got none")
    return held


def as_array(states: Sequence[Hashable]) -> NDArray[np.generic]:
    """The labels as a one-dimensional array that gives them back unchanged.

    >>> as_array(("a", "b")), as_array((1, "b"))
    (array(['a', 'b'], dtype='<U1'), array([1, 'b'], dtype=object))
    """
    kind = type(states[0])
    if kind in PLAIN and all(type(state) is kind for state in states):
        return np.array(states)
    return np.fromiter(states, dtype=object, count=len(states))


def are_numbers(states: Sequence[Hashable]) -> bool:
    """Whether the labels are numbers (truth values count as 0 and 1)."""
    return all(isinstance(state, (bool, int, float, np.number, np.bool_)) for state in states)


def numeric(states: Sequence[Hashable], purpose: str) -> checks.Floats:
    """The labels as numbers; refused with the ``purpose`` they were needed for when they are not numbers.

    >>> numeric((False, True), "a mean")
    array([0., 1.])
    """
    if not are_numbers(states):
        raise InvalidInput(f"{purpose} needs states that are numbers; got {checks.shown(tuple(states))}. Try .mode")
    return np.array(states, dtype=np.float64)
