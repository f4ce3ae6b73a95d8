"""Findings about the variables of a network, as they are typed."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from credo.errors import InvalidInput

__all__ = ["read_findings"]

SIGNS = (":=", "~", "=")  # a belief that is to hold, a likelihood, a state or some
FORM = "must be written A=yes, A={yes,maybe}, A~yes:0.8,no:0.1 or A:=yes:0.7,no:0.3"

Variables = Mapping[str, tuple[Hashable, ...]]


def read_findings(variables: Variables, texts: Iterable[str], evidence: Path | None = None) -> dict[str, Any]:
    """What was found, as ``net.posteriors(given=…)`` takes it: from options and from a UAI evidence file.

    >>> variables = {"rain": ("yes", "no"), "sky": ("blue", "grey", "black")}
    >>> read_findings(variables, ["rain~yes:0.8,no:0.1", "sky=grey"])
    {'rain': {'yes': 0.8, 'no': 0.1}, 'sky': 'grey'}
    """
    found: dict[str, Any] = {}
    if evidence is not None:
        from credo.networks.formats import read_evidence

        for name, state in read_evidence(evidence).items():
            found[_known(name, variables)] = _state(name, state, variables)
    for text in texts:
        name, sign, said = _taken_apart(text, variables)
        if name in found:
            raise InvalidInput(f"there are two findings about {name!r}; give one")
        found[name] = _finding(name, sign, said, variables)
    return found


def _taken_apart(text: str, variables: Variables) -> tuple[str, str, str]:
    """Name, sign and finding. A name may hold signs itself: the longest that is the name of a variable is meant."""
    splits = []
    for i in range(1, len(text)):
        sign = next((sign for sign in SIGNS if text.startswith(sign, i)), None)
        if sign is not None:
            splits.append((text[:i].strip(), sign, text[i + len(sign) :].strip()))
    if not splits or not splits[0][2]:
        raise InvalidInput(f"--given {FORM}; got {text!r}")
    name, sign, said = next((split for split in reversed(splits) if split[0] in variables), splits[0])
    return _known(name, variables), sign, said


def _finding(name: str, sign: str, said: str, variables: Variables) -> Any:
    labels = {str(state) for state in variables[name]}
    if sign == "=":
        if said not in labels and said.startswith("{") and said.endswith("}"):
            return {_state(name, each, variables) for each in _pieces(said[1:-1], labels.__contains__)}
        return _state(name, said, variables)
    pairs = _pieces(said, lambda piece: piece.rpartition(":")[0].strip() in labels)
    numbers: dict[Hashable, float] = {}
    for state, number in (_number(name, pair, variables) for pair in pairs):
        if state in numbers:
            raise InvalidInput(f"the finding about {name!r} must name each state once; {str(state)!r} stands twice")
        numbers[state] = number
    if sign == "~":
        return numbers
    from credo.beliefs.categorical import Categorical

    return Categorical({state: numbers.get(state, 0.0) for state in variables[name]})


def _pieces(text: str, is_one: Callable[[str], bool]) -> Iterator[str]:
    """What commas set apart. A state may hold commas itself: the longest piece that is one is meant."""
    held, start = text.split(","), 0
    while start < len(held):
        ends = range(len(held), start, -1)
        longest = next((end for end in ends if is_one(",".join(held[start:end]).strip())), start + 1)
        yield ",".join(held[start:longest]).strip()
        start = longest


def _number(name: str, pair: str, variables: Variables) -> tuple[Hashable, float]:
    state, colon, number = pair.rpartition(":")
    if not colon:
        raise InvalidInput(f"a finding about {name!r} in numbers must be written yes:0.8,no:0.1; got {pair!r}")
    try:
        return _state(name, state.strip(), variables), float(number)
    except ValueError as cause:
        if isinstance(cause, InvalidInput):
            raise
        raise InvalidInput(
            f"the finding about {name!r} must be in numbers; got {number.strip()!r} in {pair!r}"
        ) from None


def _state(name: str, text: str, variables: Variables) -> Hashable:
    from credo import checks

    labels = {str(state): state for state in variables[name]}
    return labels[checks.known(f"state of {name!r}", text, labels)]


def _known(name: str, variables: Variables) -> str:
    from credo import checks

    return checks.known("variable", name, variables)
