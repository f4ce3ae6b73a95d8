"""``credo evaluate``."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from credo.cli.kinds import Missing, Written, read_table
from credo.cli.saved import Model, beliefs, digest, schema_of, table_for

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy as np
    from numpy.typing import NDArray

    from credo.beliefs import Belief
    from credo.decisions import Loss
    from credo.evaluation import Interval
    from credo.storage import Saved
    from credo.study.answers import Answers, ClassAnswers, ClassTask, NumberTask
    from credo.tables import Table

__all__ = ["evaluate"]

MOST_SHOWN = 12  # classes in a table for people
SEED = 0  # of resampling: the same rows give the same intervals


def evaluate(
    model: Model,
    data: Annotated[Path, typer.Argument(help="Rows with answers, which were not learnt from.", show_default=False)],
    *,
    target: Annotated[
        str | None, typer.Option(help="The column with the answers. [default: the one the model learnt to predict]")
    ] = None,
    loss: Annotated[
        Path | None,
        typer.Option(help="For classes, a CSV of losses: adds what the actions of least expected loss cost."),
    ] = None,
    missing: Missing = None,
    dialect: Written = None,
    json: Annotated[bool, typer.Option("--json", help="One JSON document instead of text.")] = False,
) -> None:
    """How good MODEL is on the rows of DATA: scores with intervals, what was taken for what, and calibration.

    Rows without an answer are set aside. A class that the model never met counts as an error. A model is judged fairly
    only by rows that had no part in making it: neither those it learnt from, nor those it was chosen by. It is said if
    DATA is the very file that `credo fit` or `credo study` made it from; whether other rows are the same is not known.
    """
    from credo.cli.output import emit_json
    from credo.decisions import Loss
    from credo.storage import load_with_about

    saved = load_with_about(model)
    losses = None if loss is None else Loss.read(loss)
    name = _target(saved, target)
    table = table_for(saved.model, data, missing=missing, dialect=dialect)
    notes = [] if schema_of(saved.model) is not None else list(table.notes)
    if saved.about.get("made_from") == digest(data):
        notes.append("the model was made from this very file, so the scores flatter it. Judge it by rows it never saw")
    if name in table.columns:  # a model without names must not take the answers for a column
        table = table.drop(name)
    first = next(beliefs(saved.model, table.head(1)))
    answers = read_table(data, types=_kind(name, first), missing=missing, dialect=dialect).select([name])
    task, truth, said = _asked(answers, first, losses)
    found = {
        "model": saved.about.get("model"),
        "target": name,
        **_judged(saved.model, table, ~answers.missing(name), truth, task),
        "notes": [*notes, *said],
    }
    if json:
        emit_json(found)
    else:
        _show(found, data)


def _target(saved: Saved, target: str | None) -> str:
    """The column with the answers."""
    from credo.errors import InvalidInput

    name = target if target is not None else saved.about.get("target")
    if not isinstance(name, str):
        raise InvalidInput("the model does not say what it predicts. Name the column with the answers by --target")
    schema = schema_of(saved.model)
    columns = schema.names if schema is not None else vars(saved.model).get("feature_names_in_", ())
    if name in columns:
        raise InvalidInput(
            f"the model predicts from {name!r}, so it cannot be judged by it. Name another column by --target"
        )
    return name


def _kind(name: str, belief: Belief) -> list[str]:
    """What the column with the answers must be, as ``--types`` says it."""
    from credo.beliefs import Categorical

    if not isinstance(belief, Categorical):
        return [f"{name}=continuous"]
    return [f"{name}={'boolean' if all(isinstance(state, bool) for state in belief.states) else 'category'}"]


def _asked(answers: Table, belief: Belief, losses: Loss | None) -> tuple[ClassTask | NumberTask, Any, list[str]]:
    """What is asked, the answers that are there as the model writes them, and what there is to say about them."""
    import numpy as np

    from credo.beliefs import Categorical
    from credo.errors import InvalidInput
    from credo.study.answers import ClassTask, NumberTask
    from credo.study.words import listed, many

    (name,) = answers.columns
    there = ~answers.missing(name)
    if not there.any():
        raise InvalidInput(f"column {name!r} has no values, so there is nothing to judge by")
    gone = int((~there).sum())
    notes = [f"{many(gone, 'row')} without a value of {name} set aside"] if gone else []
    if not isinstance(belief, Categorical):
        if losses is not None:
            raise InvalidInput("--loss is a table of actions by classes, but the model predicts numbers. Leave it out")
        return NumberTask(), answers[name][there], notes
    codes = answers.codes(name)[there]
    states, unmet = _as_the_model_writes(answers.states(name), belief.states)
    counts = np.bincount(codes, minlength=len(states))
    unmet = [state for state in unmet if counts[states.index(state)]]
    if unmet:
        names = listed([f"{state} ({counts[states.index(state)]:,})" for state in unmet])
        notes.append(
            f"{many(len(unmet), 'class was', 'classes were')} never met by the model: {names}. Rows of such a class "
            "count as errors, and the log score of one is −∞"
        )
    if losses is not None:
        from credo.cli.decide import loss_over

        losses, said = loss_over(losses, (*belief.states, *unmet))
        notes += said
    held = np.empty(len(states), dtype=object)
    held[:] = states
    return ClassTask((*belief.states, *unmet), losses), held[codes], notes


def _as_the_model_writes(read: Sequence[Any], states: Sequence[Any]) -> tuple[list[Any], list[Any]]:
    """The states of a column as the model knows them (a file's "1" may be its 1), and those it does not know."""
    from credo.tables.schema import label

    known = {label(state): state for state in states}
    return [known.get(label(state), state) for state in read], [s for s in read if label(s) not in known]


def _judged(
    model: Any, table: Table, there: NDArray[np.bool_], truth: NDArray[Any], task: ClassTask | NumberTask
) -> dict[str, Any]:
    """Every score, and for classes what was taken for what, calibration, and the actions if losses were given."""
    import numpy as np

    from credo.study.answers import ClassAnswers, join

    parts: list[Answers] = []
    done = 0
    for belief in beliefs(model, table, there):
        parts.append(task.read(belief, truth[done : done + len(belief)]))
        done += len(belief)
    whole = join(parts)
    classes = isinstance(whole, ClassAnswers)
    scores = whole.scores(np.random.default_rng(SEED))
    found = {
        "task": "classification" if classes else "regression",
        "rows": done,
        "scores": [{"name": one.name, **_ends(one.interval), "better": one.better} for one in scores],
    }
    return found | _of_classes(whole) if isinstance(whole, ClassAnswers) else found


def _ends(interval: Interval) -> dict[str, Any]:
    return {
        "value": interval.value,
        "low": interval.low,
        "high": interval.high,
        "level": interval.level,
        "method": interval.method,
    }


def _of_classes(answers: ClassAnswers) -> dict[str, Any]:
    import numpy as np

    from credo.evaluation import confusion, reliability

    task = answers.task
    names = np.array(task.names, dtype=object)
    table = confusion(names[answers.truth], names[answers.answers], task.names)
    two = len(names) == 2
    said = answers.probabilities[:, 1] if two else answers.probabilities.max(axis=1)
    groups = reliability(said, answers.truth == 1 if two else answers.right)
    found: dict[str, Any] = {
        "confusion": {
            "classes": task.names,
            "counts": table.counts,
            "recall": [_ends(held) if (held := table.recall(name)).defined else None for name in task.names],
            "precision": [_ends(held) if (held := table.precision(name)).defined else None for name in task.names],
        },
        "calibration": {
            "of": task.names[1] if two else None,
            "error": groups.error,
            "groups": [
                {"said": p, "happened": _ends(share), "rows": rows}
                for p, share, rows in zip(groups.said, groups.happened, groups.counts, strict=True)
            ],
        },
    }
    if task.loss is not None:
        counts = np.bincount(answers.actions, minlength=len(task.loss.actions))
        found["actions"] = {str(name): int(n) for name, n in zip(task.loss.actions, counts, strict=True)}
    return found


def _show(found: dict[str, Any], data: Path) -> None:
    from credo.cli import output
    from credo.study.words import many

    model = found["model"] or "the model"
    typer.echo(f"{model} for {found['target']}, judged by {many(found['rows'], 'row')} of {data.name}")
    output.table(
        "",
        ["score", "value", "low", "high", "better", "95 % interval by"],
        [[s["name"], s["value"], s["low"], s["high"], s["better"], s["method"]] for s in found["scores"]],
    )
    if "confusion" in found:
        _show_classes(found)
    for note in found["notes"]:
        output.note(note)


def _show_classes(found: dict[str, Any]) -> None:
    from credo.cli import output
    from credo.study.words import many

    held, groups = found["confusion"], found["calibration"]
    classes = held["classes"]
    if len(classes) <= MOST_SHOWN:
        rows = [
            [name, *counts, _share(recall)]
            for name, counts, recall in zip(classes, held["counts"].tolist(), held["recall"], strict=True)
        ]
        right = ["precision", *map(_share, held["precision"]), ""]
        typer.echo()
        output.table("What was true (a line each) and what was answered", ["", *classes, "recall"], [*rows, right])
    else:
        typer.echo(f"\nWhat was taken for what among {many(len(classes), 'class', 'classes')}: see --json")
    said = f"P({groups['of']})" if groups["of"] is not None else "P(answer)"
    typer.echo()
    output.table(
        f"Calibration: what was said and what came true; off by {groups['error']:.3f} on average",
        [said, "came true", "low", "high", "rows"],
        [[g["said"], *(g["happened"][end] for end in ("value", "low", "high")), g["rows"]] for g in groups["groups"]],
    )
    if "actions" in found:
        typer.echo(f"\nActions: {', '.join(f'{name} {n:,}' for name, n in found['actions'].items())}")


def _share(interval: dict[str, Any] | None) -> str:
    return "–" if interval is None else f"{interval['value']:.3f}"
