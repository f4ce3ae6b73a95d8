"""``credo decide``."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from credo.cli.kinds import Missing, Written
from credo.cli.saved import Lines, Model, Out, Rows, beliefs, check_out, table_for, write_rows

if TYPE_CHECKING:
    from credo.beliefs import Belief
    from credo.decisions import Decision, Loss

__all__ = ["decide", "loss_over"]


def decide(  # noqa: PLR0913 (one parameter for each option)
    model: Model,
    data: Rows,
    *,
    loss: Annotated[
        Path | None,
        typer.Option(help="For classes, a CSV of losses: the classes in the first line, then an action in each."),
    ] = None,
    refuse: Annotated[
        float | None, typer.Option(help="What it costs to refuse to act, to ask or to test: one more action.")
    ] = None,
    over: Annotated[float | None, typer.Option(help="For numbers: what each unit too many costs.")] = None,
    under: Annotated[float | None, typer.Option(help="For numbers: what each unit too few costs.")] = None,
    risks: Annotated[bool, typer.Option("--risks", help="The expected loss of every action too.")] = False,
    missing: Missing = None,
    dialect: Written = None,
    out: Out = None,
    json: Lines = False,
) -> None:
    """What to do about every row of DATA: the action of least expected loss under what MODEL says, and its risk.

    For classes, losses are given by `--loss`; of equally good actions the first is taken. For numbers, the action is a
    number too: with `--over 3 --under 1` one too many costs 3 and one too few 1, and the best is the number that is
    too many with probability 1/4. How often each action is taken, and where the threshold between them lies for two
    classes, is said on standard error.
    """
    from credo.cli.output import note
    from credo.storage import load

    check_out(out, model, data, loss)
    choice = _Choice.asked(loss, refuse, over, under)
    fitted = load(model)
    table = table_for(fitted, data, missing=missing, dialect=dialect)
    for remark in table.notes:
        note(remark)
    write_rows((row for belief in beliefs(fitted, table) for row in choice.rows(belief, risks=risks)), out, json=json)
    for remark in choice.remarks():
        note(remark)


class _Choice:
    """What actions cost, and a tally of what was decided."""

    def __init__(self, losses: Loss | None, per_unit: tuple[float, float] | None) -> None:
        self._losses, self._per_unit = losses, per_unit
        self._taken: Counter[Any] = Counter()
        self._risk, self._rows, self._said = 0.0, 0, list[str]()

    @classmethod
    def asked(cls, loss: Path | None, refuse: float | None, over: float | None, under: float | None) -> _Choice:
        """What the options say, if they make sense together."""
        from credo import checks
        from credo.decisions import Loss
        from credo.errors import InvalidInput

        units = over is not None or under is not None
        if units and (loss is not None or refuse is not None):
            raise InvalidInput(
                "--over and --under are for numbers, --loss and --refuse for classes. Leave one pair out"
            )
        if refuse is not None and loss is None:
            raise InvalidInput("--refuse is one action more among those of --loss. Give that too")
        if units and (over is None or under is None):
            raise InvalidInput(f"--over and --under go together; --{'over' if over is None else 'under'} is missing")
        if over is not None and under is not None:
            for name, value in (("over", over), ("under", under)):
                checks.positive(name, value)
            return cls(None, (over, under))
        if loss is None:
            return cls(None, None)
        losses = Loss.read(loss)
        return cls(losses if refuse is None else losses.with_reject(refuse), None)

    def rows(self, belief: Belief, *, risks: bool) -> Iterator[dict[str, Any]]:
        """A row of output, by column, for each belief."""
        import numpy as np

        decision = self._decided(belief)
        actions = np.asarray(decision.action).tolist()
        columns = {"action": actions, "risk": np.asarray(decision.risk).tolist()}
        if risks:
            columns |= {f"risk({name})": held.tolist() for name, held in decision.table().items()}
        self._rows += len(actions)
        self._risk += sum(columns["risk"])
        self._taken.update(actions if decision.actions else [])
        for cells in zip(*columns.values(), strict=True):
            yield dict(zip(columns, cells, strict=True))

    def _decided(self, belief: Belief) -> Decision:
        from dataclasses import replace

        from credo.beliefs import Categorical
        from credo.decisions import PinballLoss
        from credo.decisions import decide as best
        from credo.errors import InvalidInput

        if isinstance(belief, Categorical):
            if self._losses is None:
                raise InvalidInput(_unsaid(belief.states))
            losses, said = loss_over(self._losses, belief.states)
            self._said = [*said, *_thresholds(losses)]
            return best(belief, losses)
        if self._per_unit is None:
            spare = ", and leave --loss out, which is for classes" if self._losses is not None else ""
            raise InvalidInput(
                "the model predicts numbers, and what to do depends on what being wrong costs: say by --over and "
                f"--under what each unit too many and each too few does{spare}. Where both cost the same, the median "
                "is best"
            )
        over, under = self._per_unit
        decision = best(belief, PinballLoss(under / (over + under)))
        return replace(decision, risk=decision.risk * (over + under))

    def remarks(self) -> list[str]:
        """What there is to say about all rows, once they are decided."""
        taken = ", ".join(f"{name} {count:,}" for name, count in self._taken.most_common())
        together = f"{self._rows:,} row{'s' * (self._rows != 1)}{f': {taken}' if taken else ''}"
        return [*self._said, f"{together}; expected loss {self._risk / self._rows:.4g} a row"]


def loss_over(losses: Loss, states: tuple[Any, ...]) -> tuple[Loss, list[str]]:
    """The losses for the states of a model, and a remark where they speak of others, which have no probability."""
    found = losses.over(states, others=True)
    spare = len(losses.states) - len(states)
    said = f"the losses speak of {spare} class{'es' * (spare != 1)} that the model never met, and never expects"
    return found, [said] if spare else []


def _unsaid(states: tuple[Any, ...]) -> str:
    names = [str(state) for state in states]
    return (
        f"the model tells {' from '.join(names[:3])}{' …' * (len(names) > 3)}, and what to do depends on what that "
        f"costs: give by --loss a CSV file with the first line ',{','.join(names[:6])}{',…' * (len(names) > 6)}' and a "
        f"line with an action and its costs for each thing that can be done, such as 'wait,0,…'. Where every error "
        "costs the same, the most probable class is best: credo predict"
    )


def _thresholds(losses: Loss) -> list[str]:
    """From which probability on which action is best, for two states."""
    if len(losses.states) != 2:
        return []
    *regions, last = losses.regions()
    state = f"P({losses.states[1]})"
    if not regions:
        return [f"{last.action} is best whatever {state} is"]
    parts = [f"{region.action} up to {state} = {region.high:.4g}" for region in regions]
    return [f"{', '.join(parts)}; {last.action} above"]
