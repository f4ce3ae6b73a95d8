"""``credo fit``."""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from credo.cli.kinds import Missing, Types, Written, in_options, read_table
from credo.cli.saved import check_out, digest

if TYPE_CHECKING:
    from credo.gp import GaussianProcessRegressor, Search
    from credo.study.question import Question

__all__ = ["fit"]

OUT = Path("model.credo")
STARTS = 5
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
    starts: Annotated[
        int | None,
        typer.Option(help="Of the Gaussian process: from how many places learning begins. [default: 5]"),
    ] = None,
    search: Annotated[
        bool,
        typer.Option(
            "--search",
            help="Of the Gaussian process: find the kernel, from noise or from --kernel on, and say it in words.",
        ),
    ] = False,
    seconds: Annotated[
        float | None,
        typer.Option(help="Of the search: the best that was found by then is kept. [default: no end]"),
    ] = None,
    types: Types = None,
    missing: Missing = None,
    dialect: Written = None,
    out: Annotated[Path | None, typer.Option(help=f"File of the model. [default: {OUT}; none with --json]")] = None,
    json: Annotated[bool, typer.Option("--json", help="What was learnt as JSON on standard output.")] = False,
) -> None:
    """Fit one model to all rows of a table, save it, and say what was learnt.

    Where all columns are numbers without gaps, a Gaussian process learns in their own units; others are encoded first,
    and then numbers are in standard deviations. Ctrl-C ends its learning, and the best so far is kept. `credo predict`
    and `credo plot` take the model from there.
    """
    from credo.cli import output
    from credo.storage import save
    from credo.study.question import ask

    place = out if out is not None or json else OUT
    check_out(place, data)
    table = read_table(data, types=types, missing=missing, dialect=dialect)
    question = ask(table, target, loss=None, holdout=None, types=None)
    name = _chosen(question, model, {"--kernel": kernel, "--starts": starts, "--search": search or None})
    made, said = _fitted(question, name, _Wanted(kernel, starts, seconds, search))
    found = _found(made, name, target, question, said)
    if place is not None:
        about = {"made_by": "credo fit", "target": target, "model": name, "made_from": digest(data)}
        save(made.model, place, about=about)
        found["file"] = str(place)
    if json:
        output.emit_json(found)
    else:
        _show(found)


@dataclass(frozen=True, slots=True)
class _Wanted:
    """How a Gaussian process is to be learnt."""

    kernel: str | None
    starts: int | None
    seconds: float | None
    search: bool

    def __post_init__(self) -> None:
        from credo.errors import InvalidInput

        if self.seconds is not None and not self.search:
            raise InvalidInput("--seconds says how long to search, and goes with --search. Leave it out, or search")
        if self.starts is not None and self.search:
            raise InvalidInput("--starts is for a kernel that is given; a search has its own. Leave one of them out")


@dataclass(frozen=True, slots=True, eq=False)
class _Made:
    """A model that is fitted, or one at the end of a pipeline; and the search that found it."""

    model: Any
    search: Search | None = None

    @property
    def last(self) -> Any:
        from sklearn.pipeline import Pipeline

        return self.model[-1] if isinstance(self.model, Pipeline) else self.model


def _chosen(question: Question, model: str | None, of_process: dict[str, Any]) -> str:
    """The name of the model, in any case of letters, that answers a question of this kind."""
    from credo import checks
    from credo.errors import InvalidInput
    from credo.study.candidates import CANDIDATES

    names = [candidate.name for candidate in CANDIDATES[question.kind]]
    asked = next((option for option, value in of_process.items() if value is not None), None)
    wanted = model if model is not None else PROCESS if asked is not None else USUAL[question.kind]
    plain = {name.lower(): name for name in names}
    if wanted.lower() not in plain and wanted.lower() == PROCESS.lower():
        raise InvalidInput(
            f"a {PROCESS} predicts numbers, and the target is one of classes. Leave {asked or 'the model'} out and "
            f"choose from: {', '.join(names)}"
        )
    name = plain[checks.known("model", wanted.lower(), plain)]
    if asked is not None and name != PROCESS:
        raise InvalidInput(f"{asked} goes with a {PROCESS}, and the model is {name!r}. Leave one of them out")
    return name


def _fitted(question: Question, name: str, wanted: _Wanted) -> tuple[_Made, list[str]]:
    """The model, and what it warned of."""
    from credo.study.candidates import CANDIDATES

    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        if name == PROCESS:
            made = _process(question, wanted)
        else:
            model = next(candidate.make() for candidate in CANDIDATES[question.kind] if candidate.name == name)
            made = _Made(model.fit(question.table, question.y))
    return made, list(dict.fromkeys(str(warning.message) for warning in caught))


def _process(question: Question, wanted: _Wanted) -> _Made:
    """A Gaussian process, behind an encoder where columns are no numbers or have gaps."""
    from sklearn.pipeline import Pipeline

    from credo.gp import GaussianProcessRegressor, search
    from credo.kernels import kernel as kernel_of
    from credo.tables import Encoder

    held = None if wanted.kernel is None else kernel_of(wanted.kernel)
    rows: Any = question.table
    plain = all(rows.kind(name).is_number and not rows.missing(name).any() for name in rows.columns)
    encoder = None if plain else Encoder().fit(rows)
    rows = rows if encoder is None else encoder.transform(rows)
    if wanted.search:
        found = search(rows, question.y, kernel=held, seconds=wanted.seconds)
        model = found.model
    else:
        found = None
        model = GaussianProcessRegressor(held, starts=STARTS if wanted.starts is None else wanted.starts)
        model.fit(rows, question.y)
    return _Made(model if encoder is None else Pipeline([("encoder", encoder), ("regression", model)]), found)


def _found(made: _Made, name: str, target: str, question: Question, said: list[str]) -> dict[str, Any]:
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
    last = made.last
    found["log_evidence"] = vars(last).get("log_evidence_")
    encoder = made.model[0] if isinstance(made.model, Pipeline) else None
    names = list(question.table.columns)
    if encoder is not None:
        names = [str(column) for column in encoder.get_feature_names_out()]
    match last:
        case GaussianProcessRegressor():
            from credo.gp import describe

            found["in_words"] = describe(last, names=names, units=_time(names))
            standard = set[str]() if encoder is None else set(encoder.numbers_)
            columns = [f"sd of {name}" if name in standard else name for name in names]
            found |= _of_process(last, made.search, columns, target)
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


def _of_process(
    model: GaussianProcessRegressor, search: Search | None, columns: list[str], target: str
) -> dict[str, Any]:
    """The kernel, in the units of the columns and of the target; and how it was found, if it was."""
    from credo.gp import units
    from credo.gp.process import summands

    kernel = model.kernel_ if search is None else search.own_kernel
    measured = units(kernel, columns, target)
    found: dict[str, Any] = {
        "kernel": " + ".join(str(part) for part in summands(kernel)),
        "hyperparameters": [
            {"name": name, "value": entry.value, "unit": measured[name], "learnt": entry.free}
            for name, entry in kernel.hyperparameters.items()
        ],
        "outcome": model.outcome_.value if search is None else search.ended,
    }
    if search is not None:
        found["climbed"] = [
            {"step": held.step, "kernel": held.structure, "log_evidence": held.log_evidence, "score": held.score}
            for held in search.climbed
        ]
        found["origin"] = dict(zip(columns, search.model.scaling_.centre.tolist(), strict=True))
    return found


def _show(found: dict[str, Any]) -> None:
    from credo.cli import output

    lines = f"{found['model']} for {found['target']}, from {found['rows']:,} rows of {len(found['columns'])} columns"
    typer.echo(lines.replace(" of 1 columns", " of one column"))
    if found["log_evidence"] is not None:
        typer.echo(f"log evidence {found['log_evidence']:.2f} nats")
    if "in_words" in found:
        typer.echo(f"it is {found['in_words']}")
    if "climbed" in found:
        steps = [list(step.values()) for step in found["climbed"]]
        output.table("", ["step", "kernel", "log evidence", "score"], steps)
        if not any(found["outcome"] in note for note in found["warnings"]):
            typer.echo(found["outcome"])
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
    if "origin" in found and "Linear(" in found["kernel"]:
        places = ", ".join(f"{name} {value:.8g}" for name, value in found["origin"].items())
        typer.echo(f"lines go through zero at the mean: {places}")
    for note in [*found["notes"], *found["warnings"]]:
        typer.echo(f"note: {in_options(note)}")
    typer.echo(f"\nThe model: {found['file']}")
