"""``credo compare``."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

if TYPE_CHECKING:
    from collections.abc import Sequence

    from credo.cli.scores import Scores
    from credo.evaluation import Hierarchy, Ranking, Verdict
    from credo.tables import Table

__all__ = ["compare"]

METHODS = ("auto", "correlated-t", "signed-rank", "hierarchical")


@dataclass(frozen=True, slots=True, eq=False)
class _Answer:
    """What came out: a verdict for each pair, and the ranks where there are more than two on several data sets."""

    heading: str
    verdicts: tuple[Verdict, ...]
    hierarchies: tuple[Hierarchy, ...] = ()
    ranking: Ranking | None = None


def compare(  # noqa: PLR0913 (one parameter for each option)
    files: Annotated[
        list[Path],
        typer.Argument(
            help="One or more studies (the folder, or its study.json), or one table of scores.", show_default=False
        ),
    ],
    *,
    candidate: Annotated[
        list[str] | None,
        typer.Option(help="Whom to compare, once for each. [default: the winners; all columns of a table]"),
    ] = None,
    rope: Annotated[float, typer.Option(help="The difference that does not matter, in units of the score.")] = 0.0,
    method: Annotated[str, typer.Option(help=f"One of {', '.join(METHODS)}.")] = "auto",
    across: Annotated[
        bool, typer.Option("--across", help="Each study is a data set; compare their candidates.")
    ] = False,
    score: Annotated[
        str | None, typer.Option(help="'accuracy': the share of right answers. [default: what the studies chose by]")
    ] = None,
    folds: Annotated[
        int | None, typer.Option(help="The rows of a table are folds, of so many; repetitions may follow each other.")
    ] = None,
    truth: Annotated[
        str | None, typer.Option(help="The column with what was true; the others are what each contender answered.")
    ] = None,
    lower_is_better: Annotated[
        bool, typer.Option("--lower-is-better", help="The scores of a table are losses.")
    ] = False,
    level: Annotated[float, typer.Option(help="How sure intervals are.")] = 0.95,
    seed: Annotated[int, typer.Option(help="Of what is sampled.")] = 0,
    json: Annotated[bool, typer.Option("--json", help="One JSON document instead of text.")] = False,
) -> None:
    """Which is better, how probably, and does it matter? Compares two or more learners, or two or more classifiers.

    For example `credo compare monday friday --rope 0.01`. Studies are compared on the folds they share;
    with `--across` each is a data set. A table (CSV, …) has a column of scores for each learner and a row for each data
    set; or a row for each fold (`--folds`), with a column of texts that names the data sets where there are several; or
    a row for each test row, what was true in the column `--truth`. Of more than two, the best is compared with each.
    """
    from credo import checks
    from credo.cli.output import emit_json
    from credo.study.folder import CONTENT

    checks.choice("--method", method, METHODS)
    checks.count("--seed", seed)
    names, options = tuple(candidate or ()), _Options(rope, method, level, seed)
    files = [path / CONTENT if path.is_dir() else path for path in files]
    studies = _studies(files)
    if studies is not None:
        _not_for("studies", {"--folds": folds, "--truth": truth, "--lower-is-better": lower_is_better or None})
        answer = _of_studies(studies, names, options, score=score, across=across)
    else:
        _not_for("tables", {"--across": across or None, "--score": score})
        answer = _of_table(files[0], names, options, folds=folds, truth=truth, lower_is_better=lower_is_better)
    if json:
        emit_json(_document(answer))
        return
    typer.echo("\n\n".join(_paragraphs(answer)))


@dataclass(frozen=True, slots=True)
class _Options:
    rope: float
    method: str
    level: float
    seed: int


# ---------------------------------------------------------------- what is compared


def _studies(files: Sequence[Path]) -> dict[str, dict[str, Any]] | None:
    """The contents of study files by their names; None if it is a table of scores."""
    from credo.cli.scores import read_object
    from credo.errors import InvalidInput

    documents = {str(path): read_object(path) for path in files if path.suffix == ".json"}
    if len(documents) == len(files) and any("runs" in content for content in documents.values()):
        return documents
    if len(files) > 1:
        wrong = next((str(path) for path in files if path.suffix != ".json"), str(files[0]))
        raise InvalidInput(f"several files must all be the study.json of studies; {wrong!r} is none, or is given twice")
    return None


def _table(path: Path) -> Table:
    """A table of scores that is a JSON object of columns."""
    from credo.cli.scores import read_object
    from credo.errors import FormatError
    from credo.tables import Table

    columns = read_object(path)
    if not columns or not all(isinstance(column, list) for column in columns.values()):
        raise FormatError("it is neither a study.json nor an object of columns of scores", file=path)
    return Table(columns)


def _not_for(what: str, options: dict[str, object]) -> None:
    from credo.errors import InvalidInput

    for name, value in options.items():
        if value is not None:
            raise InvalidInput(f"{name} is not for {what}; leave it out")


def _of_studies(
    studies: dict[str, dict[str, Any]], names: Sequence[str], options: _Options, *, score: str | None, across: bool
) -> _Answer:
    from credo import checks
    from credo.cli.scores import ACCURACY, of_studies

    if score is not None:
        checks.choice("--score", score, (ACCURACY,))
    return _compared(of_studies(studies, candidates=names, measure=score, across=across), options)


def _of_table(
    path: Path, names: Sequence[str], options: _Options, *, folds: int | None, truth: str | None, lower_is_better: bool
) -> _Answer:
    from credo.cli.scores import of_table
    from credo.tables import Table

    table = _table(path) if path.suffix == ".json" else Table.read(path)
    if truth is not None:
        given = {"--folds": folds, "--lower-is-better": lower_is_better or None}
        _not_for("answers (--truth)", given | {"--method": None if options.method == "auto" else options.method})
        return _answers(table, truth, names, options)
    return _compared(of_table(table, candidates=names, folds=folds, lower_is_better=lower_is_better), options)


# ---------------------------------------------------------------- comparing


def _compared(held: Scores, options: _Options) -> _Answer:
    from credo.errors import InvalidInput
    from credo.evaluation import rank

    method = _method(held, options.method)
    means = held.mean_scores()
    pairs = _pairs(means.mean(axis=0) * (1 if held.higher_is_better else -1))
    several = len(held.names) > 2 and method != "correlated-t"
    ranking = rank(means, names=held.names, higher_is_better=held.higher_is_better) if several else None
    hierarchies: tuple[Hierarchy, ...] = ()
    if method == "hierarchical":
        if any(len(table) < 3 for table in held.tables):
            raise InvalidInput("--method hierarchical needs three or more folds of each data set; use signed-rank")
        hierarchies = tuple(_hierarchy(held, pair, options) for pair in pairs)
        verdicts = tuple(hierarchy.verdict for hierarchy in hierarchies)
    else:
        verdicts = tuple(_pair(held, means, pair, method, options) for pair in pairs)
    named = tuple(replace(verdict, measure=held.measure) for verdict in verdicts)
    return _Answer(held.heading, named, hierarchies, ranking)


def _method(held: Scores, wanted: str) -> str:
    """The method that fits: folds of one data set, one score for each of several, or folds of several."""
    from credo.errors import InvalidInput

    single = len(held.data_sets) == 1
    if single and held.share is None:
        raise InvalidInput(
            f"there is one score each, on {held.data_sets[0]!r}, and nothing can be concluded from that; give scores "
            "of two or more data sets, or of folds (--folds)"
        )
    folded = held.share is not None and all(len(table) > 2 for table in held.tables)
    if wanted == "auto":
        return "correlated-t" if single else "hierarchical" if folded else "signed-rank"
    if (wanted == "correlated-t") != single or (wanted == "hierarchical" and held.share is None):
        rule = "two or more folds of one data set" if wanted == "correlated-t" else "two or more data sets"
        more = ", with their folds" if wanted == "hierarchical" else ""
        raise InvalidInput(f"--method {wanted} is for {rule}{more}; leave it out, and the one that fits is taken")
    return wanted


def _pairs(merit: Any) -> list[tuple[int, int]]:
    """The two in the order given; or, of more, the best with each of the others."""
    if len(merit) == 2:
        return [(0, 1)]
    order = (-merit).argsort(kind="stable").tolist()
    return [(order[0], other) for other in order[1:]]


def _pair(held: Scores, means: Any, pair: tuple[int, int], method: str, options: _Options) -> Verdict:
    from credo.evaluation import correlated_t, five_by_two, signed_rank

    first, second = pair
    names = (held.names[first], held.names[second])
    if method == "correlated-t":
        assert held.share is not None  # noqa: S101 (folds of one data set)
        one, other = held.tables[0][:, first], held.tables[0][:, second]
        verdict = correlated_t(
            one,
            other,
            share=held.share,
            rope=options.rope,
            names=names,
            higher_is_better=held.higher_is_better,
            level=options.level,
        )
        if (len(one), held.folds) != (10, 2):
            return verdict
        return replace(verdict, tests=(*verdict.tests, five_by_two(one.reshape(5, 2), other.reshape(5, 2))))
    return signed_rank(
        means[:, first],
        means[:, second],
        rope=options.rope,
        names=names,
        higher_is_better=held.higher_is_better,
        rng=options.seed,
        level=options.level,
    )


def _hierarchy(held: Scores, pair: tuple[int, int], options: _Options) -> Hierarchy:
    from credo.evaluation import hierarchical

    first, second = pair
    assert held.share is not None  # noqa: S101 (the method was checked)
    return hierarchical(
        [table[:, first] for table in held.tables],
        [table[:, second] for table in held.tables],
        share=held.share,
        rope=options.rope,
        names=(held.names[first], held.names[second]),
        higher_is_better=held.higher_is_better,
        rng=options.seed,
        level=options.level,
    )


def _answers(table: Table, truth: str, candidates: Sequence[str], options: _Options) -> _Answer:
    """Classifiers on the same test rows."""
    import numpy as np

    from credo import checks
    from credo.errors import InvalidInput
    from credo.evaluation import PairedOutcomes

    checks.known("column", truth, table.columns)
    others = tuple(name for name in table.columns if name != truth)
    names = tuple(checks.known("column of answers", name, others) for name in candidates or others)
    if len(names) < 2:
        raise InvalidInput(f"two or more columns of answers are compared with {truth!r}; got {len(names)}")
    for name in (truth, *names):
        if table.missing(name).any():
            raise InvalidInput(f"column {name!r} must have an answer in every row; one is missing. Remove such rows")
    held = {name: [str(value) for value in table[name].tolist()] for name in (truth, *names)}
    right = [sum(one == true for one, true in zip(held[name], held[truth], strict=True)) for name in names]
    return _Answer(
        f"On {len(table):,} test rows:",
        tuple(
            PairedOutcomes.of(held[truth], held[names[first]], held[names[second]]).verdict(
                rope=options.rope, names=(names[first], names[second]), level=options.level
            )
            for first, second in _pairs(np.array(right))
        ),
    )


# ---------------------------------------------------------------- what is said


def _document(answer: _Answer) -> dict[str, Any]:
    return {
        "heading": answer.heading,
        "verdicts": [verdict.to_dict() for verdict in answer.verdicts],
        "hierarchies": [hierarchy.to_dict() for hierarchy in answer.hierarchies],
        "ranking": None if answer.ranking is None else answer.ranking.to_dict(),
    }


def _paragraphs(answer: _Answer) -> list[str]:
    """The ranks first, then a paragraph for each verdict."""
    found = [answer.heading] if answer.ranking is None else [answer.heading, str(answer.ranking)]
    for i, verdict in enumerate(answer.verdicts):
        lines = [f"{verdict}.", f"By the {verdict.method}, if {verdict.assumes}."]
        if answer.hierarchies:
            lines.insert(1, answer.hierarchies[i].outlook)
        lines += [f"Beside it, {test}." for test in verdict.tests]
        found.append("\n".join(lines))
    return found
