"""GeNIe's noisy-MAX: each parent alone brings about an effect of some strength, and the strongest of them is seen."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from credo.beliefs.states import States
from credo.checks import shown
from credo.errors import FormatError
from credo.networks.formats.assembly import Draft, Expanding, Fail, Refuse, rows_of
from credo.networks.formats.numbers import complaint, numbers

__all__ = ["noisy_max"]


def noisy_max(
    variables: Mapping[str, States],
    name: str,
    parents: Sequence[str],
    strengths: Sequence[str],
    text: str,
    fail: Fail,
    expanding: Expanding,
) -> Draft:
    """The whole table of a noisy-MAX.

    The states of the variable go from the strongest effect to none. ``text`` lists the law of the effect of each parent
    in each of its states, from the strongest state to the weakest as ``strengths`` numbers them, and the law of the
    effect of what is not among the parents. The effect is at most y if each of these is:
    P(effect ≤ y | parents) = Π P(effectᵢ ≤ y | parentᵢ).
    """

    def refuse(message: str, _: int | None) -> FormatError:
        return fail(message, 0)

    width = len(variables[name])
    rows = rows_of(variables, name, parents, refuse)
    expanding.allow(rows * width, refuse)
    sizes = [len(variables[parent]) for parent in parents]
    cells = (sum(sizes) + 1) * width
    found = numbers([text], cells)
    if found is None:
        raise fail(*complaint(text, cells))
    # From the end: how likely an effect is at most as strong as each state.
    laws = found.reshape(-1, width)[:, ::-1].cumsum(axis=1)[:, ::-1]
    at_most, start = laws[-1:], 0
    for parent, size in zip(parents, sizes, strict=True):
        order = _order(parent, strengths[start : start + size], size, refuse)
        at_most = (at_most[:, np.newaxis] * laws[start : start + size][order]).reshape(-1, width)
        start += size
    if len(strengths) > start:
        raise fail(f"expected {start} strengths, one for each state of each parent; found {len(strengths)}", 0)
    return Draft(name, parents, at_most - np.pad(at_most[:, 1:], ((0, 0), (0, 1))), refuse)


def _order(parent: str, strengths: Sequence[str], size: int, refuse: Refuse) -> list[int]:
    """For each state of a parent, which of its laws it has."""
    digits = {str(code): code for code in range(size)}
    order = [digits.get(each, -1) for each in strengths]
    if sorted(order) != list(range(size)):
        raise refuse(f"expected the numbers from 0 to {size - 1} in some order for {shown(parent)}", None)
    if any(order[order[code]] != code for code in range(size)):
        # Such an order reads differently as the ranks of the states or as the states of the ranks.
        raise refuse(f"the order of the strengths of {shown(parent)} is ambiguous; write this node as a table", None)
    return order
