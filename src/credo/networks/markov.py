"""Markov networks: the joint as a product of potentials, normalised."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping
from dataclasses import dataclass

from credo import checks
from credo.beliefs.states import States
from credo.errors import InvalidInput
from credo.networks.factors.factor import Factor, as_variables

__all__ = ["MarkovNetwork"]


@dataclass(frozen=True, slots=True, eq=False, repr=False, init=False)
class MarkovNetwork:
    """P(x) = Π φ(x) / Z, a product of potentials on any subsets of the variables. A frozen value.

    ``variables`` need only be given for variables that are in no potential, or to set their order.

    >>> MarkovNetwork([Factor({"A": (0, 1), "B": (0, 1)}, [[30, 5], [1, 10]])])
    MarkovNetwork of 2 variables, 1 potential
    """

    variables: Mapping[str, States]
    potentials: tuple[Factor, ...]
    name: str

    def __init__(
        self,
        potentials: Iterable[Factor],
        *,
        variables: Mapping[str, Iterable[Hashable]] | None = None,
        name: str = "",
    ) -> None:
        factors = tuple(potentials)
        known = as_variables("variables", variables or {})
        for factor in factors:
            if not isinstance(factor, Factor):
                raise InvalidInput(f"a Markov network is made of Factors; got {checks.shown(factor)}")
            for each, states in factor.variables.items():
                if known.setdefault(each, states) != states:
                    raise InvalidInput(
                        f"{each!r} has the states {checks.shown(known[each])} in one place and {checks.shown(states)} "
                        "in another"
                    )
        object.__setattr__(self, "variables", known)
        object.__setattr__(self, "potentials", factors)
        object.__setattr__(self, "name", str(name))

    def __repr__(self) -> str:
        n = len(self.potentials)
        return f"MarkovNetwork of {len(self.variables):,} variables, {n:,} potential{'s' if n != 1 else ''}"
