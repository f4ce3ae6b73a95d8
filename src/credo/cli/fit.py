"""``credo fit``."""

from __future__ import annotations

import warnings
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from credo.cli.kinds import Missing, Types, Written, read_table
from credo.cli.saved import check_out, digest

if TYPE_CHECKING:
    from credo.gp import GaussianProcessRegressor
    from credo.study.question import Question

__all__ = ["fit"]

OUT = Path("model.credo")
PROCESS = "Gaussian process"
USUAL = {"regression": PROCESS, "classification": "logistic regression"}


def fit(  # noqa: PLR0913 (one parameter for each option)
    data: Annotated[Path, typer.Argument(help="A table: CSV, Parquet, …", show_default=False)],
    target: Annotated[str, typer.Option(help="The column to predict.", show_default=False)],
    *,
    model: Annotated[
        str | None,
        typer.Option(
            help="A candidate of a study. [default: Gaussian process for numbers, logistic regression for classes]"
        ),
    ] = None,
    kernel: Annotated[
        str | None,
        typer.Option(help="Of the Gaussian process: 'SE(1) + Linear(1)', for example; its values are where it starts."),
    ] = None,
    types: Types = None,
    missing: Missing = None,
    dialect: Written = None,
    out: Annotated[Path | None, typer.Option(help=f"File of the model. [default: {OUT}; none with --json]")] = None,
    json: Annotated[bool, typer.Option("--json", help="What was learnt as JSON on standard output.")] = False,
) -> None:
    """Fit one model to all rows of a table, save it, and say what was learnt.

    Where all columns are numbers without gaps, a Gaussian process learns in their own units; others are encoded first,
    and then numbers are in standard deviations. `credo predict` and `credo plot` take the model from there.
    """
    from credo.cli import output
    from credo.storage import save
    from credo.study.question import ask

    place = out if out is not None or json else OUT
    check_out(place, data)
    table = read_table(data, types=types, missing=missing, dialect=dialect)
    question = ask(table, target, loss=None, holdout=0.2, types=None)
    name = _chosen(question, model, kernel)
    fitted, said = _fitted(question, name, kernel)
    found = _found(fitted, name, target, question, said)
    if place is not None:
        about = {"made_by": "credo fit", "target": target, "model": name, "made_from": digest(data)}
        save(fitted, place, about=about)
        found["file"] = str(place)
    if json:
        output.emit_json(found)
    else:
        _show(found)


def _chosen(question: Question, model: str | None, kernel: str | None) -> str:
    """The name of the model, in any case of letters, that answers a question of this kind."""
    from credo import checks
    from credo.errors import InvalidInput
    from credo.study.candidates import CANDIDATES

    names = [candidate.name for candidate in CANDIDATES[question.kind]]
    wanted = model if model is not None else PROCESS if kernel is not None else USUAL[question.kind]
    plain = {name.lower(): name for name in names}
    if wanted.lower() not in plain and wanted.lower() == PROCESS.lower():
        raise InvalidInput(
            f"a {PROCESS} predicts numbers, and the target is one of classes. Leave --kernel out and choose from: "
            f"{', '.join(names)}"
        )
    name = plain[checks.known("model", wanted.lower(), plain)]
    if kernel is not None and name != PROCESS:
        raise InvalidInput(f"--kernel goes with a {PROCESS}, and the model is {name!r}. Leave one of them out")
    return name


def _fitted(question: Question, name: str, kernel: str | None) -> tuple[Any, list[str]]:
    """The model, and what it warned of."""
    from credo.study.candidates import CANDIDATES

    if name == PROCESS:
        model = _process(question, kernel)
    else:
        model = next(candidate.make() for candidate in CANDIDATES[question.kind] if candidate.name == name)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        model.fit(question.table, question.y)
    return model, list(dict.fromkeys(str(warning.message) for warning in caught))


def _process(question: Question, kernel: str | None) -> Any:
    from sklearn.pipeline import Pipeline

    from credo.gp import GaussianProcessRegressor
    from credo.kernels import kernel as kernel_of
    from credo.tables import Encoder

    held = None if kernel is None else kernel_of(kernel)
    table = question.table
    if all(table.kind(name).is_number and not table.missing(name).any() for name in table.columns):
        return GaussianProcessRegressor(held)
    return Pipeline([("encoder", Encoder()), ("regression", GaussianProcessRegressor(held))])


def _found(fitted: Any, name: str, target: str, question: Question, said: list[str]) -> dict[str, Any]:
    """Everything there is to say, for people and for programs alike."""
    from sklearn.pipeline import Pipeline

    from credo.gp import GaussianProcessRegressor
    from credo.linear import BayesianRegression, LogisticRegression

    found: dict[str, Any] = {
        "model": name,
        "target": target,
        "task": question.kind,
        "rows": len(question.y),
        "columns": list(question.table.columns),
    }
    last = fitted[-1] if isinstance(fitted, Pipeline) else fitted
    found["log_evidence"] = vars(last).get("log_evidence_")
    names = list(question.table.columns)
    if isinstance(fitted, Pipeline):
        names = [str(column) for column in fitted[0].get_feature_names_out()]
    match last:
        case GaussianProcessRegressor():
            from credo.gp import describe

            found["in_words"] = describe(last, names=names, units=_time(names))
            standard = set(fitted[0].numbers_) if isinstance(fitted, Pipeline) else set[str]()
            found |= _of_process(last, [f"sd of {name}" if name in standard else name for name in names], target)
        case BayesianRegression():
            found["weights"] = dict(zip(names, last.coef_.tolist(), strict=True)) | {"intercept": last.intercept_}
            found["noise_sd"] = float(last.beta_) ** -0.5
        case LogisticRegression():
            found["summary"] = str(last.summary())
    return found | {"notes": list(question.notes), "warnings": said}


def _time(names: list[str]) -> str | None:
    """The unit of time that the only column is named after."""
    from credo.gp.calendar import DAYS

    word = names[0].lower().removesuffix("s")
    return f"{word}s" if len(names) == 1 and word in DAYS else None


def _of_process(model: GaussianProcessRegressor, columns: list[str], target: str) -> dict[str, Any]:
    from credo.gp import units
    from credo.gp.process import summands

    measured = units(model.kernel_, columns, target)
    entries = model.kernel_.hyperparameters
    return {
        "kernel": " + ".join(str(part) for part in summands(model.kernel_)),
        "hyperparameters": [
            {"name": name, "value": entry.value, "unit": measured[name], "learnt": entry.free}
            for name, entry in entries.items()
        ],
        "outcome": model.outcome_.value,
    }


def _show(found: dict[str, Any]) -> None:
    from credo.cli import output

    lines = f"{found['model']} for {found['target']}, from {found['rows']:,} rows of {len(found['columns'])} columns"
    typer.echo(lines.replace(" of 1 columns", " of one column"))
    if found["log_evidence"] is not None:
        typer.echo(f"log evidence {found['log_evidence']:.2f} nats")
    if "in_words" in found:
        typer.echo(f"it is {found['in_words']}")
    if "hyperparameters" in found:
        rows = [
            [entry["name"], entry["value"], entry["unit"], "learnt" if entry["learnt"] else "given"]
            for entry in found["hyperparameters"]
        ]
        output.table("", ["hyperparameter", "value", "unit", ""], rows)
    if "weights" in found:
        output.table("", ["weight", "value"], [[name, value] for name, value in found["weights"].items()])
        typer.echo(f"noise: a standard deviation of {found['noise_sd']:.4g} in {found['target']}")
    if "summary" in found:
        typer.echo(f"\n{found['summary']}")
    for note in [*found["notes"], *found["warnings"]]:
        typer.echo(f"note: {note}")
    typer.echo(f"\nThe model: {found['file']}")
