"""Compact forms of a table: laws with many parents that take few numbers to write down.

Each function makes a `Node`. Where the whole table would be much larger than what the form needs, the node is held in
parts (`Node.of_parts`), so that inference stays cheap however many parents there are.

A parent is a node, or the name of one that is True or False. Where a number is said about a parent, it is about the
state True; about one with other states, ``{state: number}`` says it for each.

>>> print(noisy_or("fever", {"cold": 0.4, "flu": {"severe": 0.9, "mild": 0.5, "none": 0}}, leak=0.01))
fever: noisy-or
cause  probability of fever=True
cold   0.4
flu    severe: 0.9, mild: 0.5, none: 0
leak   0.01
"""

from __future__ import annotations

import functools
import itertools
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from credo import checks
from credo.beliefs.layout import aligned
from credo.beliefs.states import States, as_states
from credo.checks import Floats
from credo.errors import InvalidInput, TooLarge
from credo.networks.branches import read_branch
from credo.networks.factors.factor import cells_of, counted
from credo.networks.nodes import MOST_CELLS, SHOWN_ROWS, Given, Node, as_parents

__all__ = ["function", "logistic", "noisy_and", "noisy_or", "tree"]

Weights = Mapping[str, Any] | Mapping[Node, Any]  # for each parent a number, or {state: number}
Said = dict[str, dict[Hashable, float]]

EVENT: States = (True, False)
SHOWN_LINES = 40


def noisy_or(name: str, causes: Weights, *, leak: float = 0.0, states: Iterable[Hashable] = EVENT) -> Node:
    """Each cause alone brings the effect about with its probability; ``leak`` is that of the effect without a cause.

    P(no effect | causes) = (1 − leak) Π (1 − pᵢ) over the causes that are present. The effect is the first of
    ``states``.

    >>> noisy_or("fever", {"cold": 0.4, "flu": 0.8}, leak=0.1).probs[:, 0].round(4)
    array([0.892, 0.46 , 0.82 , 0.1  ])
    """
    present, absent = _two(name, states)
    said = _said("causes", causes, 0.0)
    kept = [1 - _chances(cause, each) for cause, each in said.items()]
    kept[0] = kept[0] * (1 - _chance("leak", leak))
    text = _lines(f"{name}: noisy-or", "cause", f"probability of {name}={present}", said, {"leak": leak})
    return _all_kept(name, (present, absent), absent, said, kept, text)


def noisy_and(name: str, conditions: Weights, *, leak: float = 0.0, states: Iterable[Hashable] = EVENT) -> Node:
    """The effect needs every condition: each holds with its probability if present, with probability ``leak`` if not.

    P(effect | conditions) = Π pᵢ over the conditions that are present × leak for each that is not. The effect is the
    first of ``states``.

    >>> noisy_and("fire", {"fuel": 0.9, "spark": 0.5}, leak=0.1).probs[:, 0].round(4)
    array([0.45, 0.09, 0.05, 0.01])
    """
    present, absent = _two(name, states)
    said = _said("conditions", conditions, _chance("leak", leak))
    kept = [_chances(condition, each) for condition, each in said.items()]
    text = _lines(f"{name}: noisy-and", "condition", f"probability for {name}={present}", said, {})
    return _all_kept(name, (present, absent), present, said, kept, text)


def logistic(name: str, weights: Weights, *, bias: float = 0.0, states: Iterable[Hashable] = EVENT) -> Node:
    """The log odds of the first of ``states`` are a sum: log P/(1 − P) = bias + Σ wᵢ over the parents that are True.

    The table is written out, so that there may be some twenty parents.

    >>> logistic("buys", {"likes": 2.0, "rich": 1.0}, bias=-1.5).probs[:, 0].round(4)
    array([0.8176, 0.6225, 0.3775, 0.1824])
    """
    present, absent = _two(name, states)
    said = _said("weights", weights, 0.0)
    parents = _states_of(said)
    _refuse_large(name, {**parents, name: (present, absent)})
    start = float(checks.floats("bias", bias, ndim=0))
    sums = functools.reduce(np.add.outer, (list(each.values()) for each in said.values()), np.array(start)).ravel()
    # Each of the two from its own side, so that the smaller one is exact.
    probs = np.exp(-np.logaddexp(0.0, np.stack([-sums, sums], axis=1)))
    text = _lines(f"{name}: logistic", "parent", f"adds to the log odds of {name}={present}", said, {"bias": bias})
    return Node(name, (present, absent), probs, given=parents, text=text)


def function(name: str, states: Iterable[Hashable], parents: Given, f: Callable[..., Hashable]) -> Node:
    """The variable is what ``f`` makes of the states of its parents, which it is called with in their order.

    >>> die = {"first": range(1, 4), "second": range(1, 4)}
    >>> function("highest", range(1, 4), die, max).probs[:4]
    array([[1., 0., 0.],
           [0., 1., 0.],
           [0., 0., 1.],
           [0., 1., 0.]])
    """
    own, given = as_states(f"states of {name!r}", states), as_parents(parents)
    _refuse_large(name, {**given, name: own})
    what, code = f"state of {name!r}", {state: i for i, state in enumerate(own)}
    made = [code[checks.known(what, f(*row), code)] for row in itertools.product(*given.values())]
    probs = np.zeros((len(made), len(own)))
    probs[np.arange(len(made)), made] = 1
    first = zip(itertools.product(*given.values()), made[:SHOWN_ROWS], strict=False)
    lines = [[*given, name], *([*map(str, row), str(own[i])] for row, i in first)]
    more = len(made) - SHOWN_ROWS
    text = aligned(lines, right=[False] * len(lines[0])) + (f"\n… and {more:,} more rows" if more > 0 else "")
    return Node(name, own, probs, given=given, text=text)


def tree(name: str, states: Iterable[Hashable], parents: Given, rule: Any) -> Node:
    """Which parents matter depends on the states of others: a tree of questions with a row of probabilities below each.

    ``rule`` is a pair ``(parent, {state: rule})``, or a row: a list, or ``{state: probability}``.

    >>> tree("wet", ["yes", "no"], {"rain": (True, False), "hose": ("on", "off")},
    ...      ("rain", {True: [0.9, 0.1], False: ("hose", {"on": [0.8, 0.2], "off": [0, 1]})}))
    wet: tree
    rain=True: yes 0.9, no 0.1
    rain=False
      hose=on: yes 0.8, no 0.2
      hose=off: yes 0, no 1
    """
    own, given = as_states(f"states of {name!r}", states), as_parents(parents)
    root = read_branch(name, own, given, rule)
    lines = list(root.lines(own))
    if len(lines) > SHOWN_LINES:
        lines[SHOWN_LINES:] = [f"… and {len(lines) - SHOWN_LINES:,} more lines"]
    parts = list(root.parts(name, own, (f"{name}·{i}" for i in itertools.count(1))))
    return _smaller(parts, given, lambda: root.table(given, own), "\n".join([f"{name}: tree", *lines]))


# -- what is said about the parents


def _said(what: str, weights: Weights, absent: float) -> Said:
    """For each parent a number for each of its states; ``absent`` is that of False."""
    if not isinstance(weights, Mapping) or not weights:
        raise InvalidInput(f"{what} must map at least one parent to its number; got {checks.shown(weights)}")
    said: Said = {}
    for parent, number in weights.items():
        name, states = (parent.name, parent.states) if isinstance(parent, Node) else (parent, None)
        each = dict(number) if isinstance(number, Mapping) else {True: number, False: absent}
        if name in said:
            raise InvalidInput(f"{what} must name each parent once; {name!r} stands twice")
        if states is not None and set(states) != set(each):
            raise InvalidInput(
                f"{what} must hold a number for each state of {name!r}, {checks.shown(states)}; "
                f"got {checks.shown(number)}"
            )
        numbers = checks.floats(f"{what} of {name!r}", list(each.values()), ndim=1).tolist()
        known = dict(zip(each, numbers, strict=True))
        said[name] = {state: known[state] for state in states or known}
    return said


def _states_of(said: Said) -> dict[str, States]:
    return {name: tuple(each) for name, each in said.items()}


def _two(name: str, states: Iterable[Hashable]) -> States:
    own = as_states(f"states of {name!r}", states)
    if len(own) != 2:
        raise InvalidInput(f"states of {name!r} must be two, the effect and its absence; got {checks.shown(own)}")
    return own


def _chance(what: str, value: Any) -> float:
    return float(checks.probabilities(what, value, axis=None))


def _chances(parent: str, each: Mapping[Hashable, float]) -> Floats:
    return checks.probabilities(f"the probabilities of {parent!r}", list(each.values()), axis=None)


def _lines(title: str, kind: str, meaning: str, said: Said, last: Mapping[str, float]) -> str:
    cells = [[kind, meaning]]
    for name, each in said.items():
        plain = set(each) == set(EVENT) and not each[False]
        cells.append([name, f"{each[True]:.4g}" if plain else ", ".join(f"{s}: {v:.4g}" for s, v in each.items())])
    cells += [[name, f"{value:.4g}"] for name, value in last.items()]
    if len(cells) > SHOWN_LINES:
        cells[SHOWN_LINES:] = [[f"… and {len(cells) - SHOWN_LINES:,} more", ""]]
    return f"{title}\n{aligned(cells, right=[False, False])}"


# -- tables and parts


def _all_kept(name: str, states: States, last: Hashable, said: Said, kept: Sequence[Floats], text: str) -> Node:
    """P(``last`` of two states) is the product of what each parent keeps, one parent after the other."""
    parents = _states_of(said)
    turn = 1 if last == states[0] else -1
    parts: list[Node] = []
    for i, (parent, keeps) in enumerate(zip(parents, kept, strict=True)):
        rows = np.stack([keeps, 1 - keeps], axis=-1)
        given = {parent: parents[parent]}
        if parts:
            rows = np.stack([rows, np.broadcast_to([0.0, 1.0], rows.shape)])
            given = {parts[-1].name: EVENT, **given}
        if i < len(parents) - 1:
            parts.append(Node(f"{name}·{i + 1}", EVENT, rows, given=given))
        else:
            parts.append(Node(name, states, rows[..., ::turn], given=given))

    def table() -> Floats:
        all_kept = functools.reduce(np.multiply.outer, kept)
        return np.stack([all_kept, 1 - all_kept], axis=-1)[..., ::turn]

    return _smaller(parts, parents, table, text)


def _smaller(parts: Sequence[Node], parents: Mapping[str, States], table: Callable[[], Floats], text: str) -> Node:
    """The node in parts if these are much smaller than its table; a little is not worth auxiliary variables."""
    last = parts[-1]
    if cells_of({**parents, last.name: last.states}) < 2 * sum(part.cells for part in parts):
        return Node(last.name, last.states, table(), given=parents, text=text)
    return Node.of_parts(parts, given=parents, text=text)


def _refuse_large(name: str, variables: Mapping[str, States]) -> None:
    cells = cells_of(variables)
    if cells > MOST_CELLS:
        raise TooLarge(
            f"the table of {name!r} would have {counted(cells)}, more than {MOST_CELLS:,}; use fewer parents, or "
            "variables between them and it"
        )
