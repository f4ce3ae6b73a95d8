"""The scores that are compared: from finished studies, or from a table."""

from __future__ import annotations

import itertools
import json
import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from credo import checks
from credo.errors import CredoWarning, FormatError, InvalidInput

if TYPE_CHECKING:
    from credo.checks import Floats
    from credo.tables import Table

__all__ = ["Scores", "of_studies", "of_table", "read_object"]

ACCURACY = "accuracy"


@dataclass(frozen=True, slots=True, eq=False)
class Scores:
    """Of two or more contenders, a column each, on one or more data sets, a table each; a row is a fold."""

    names: tuple[str, ...]
    data_sets: tuple[str, ...]
    tables: tuple[Floats, ...]
    share: float | None  # rows judged for each row learnt from, where the rows of a table are folds
    higher_is_better: bool
    measure: str

    @property
    def folds(self) -> int:
        """Into how many the rows of a data set were dealt, about; 1 if there are no folds."""
        return 1 if self.share is None else round(1 + 1 / self.share)

    @property
    def heading(self) -> str:
        """What was compared on what."""
        by = f"by {self.measure}, of which {'more' if self.higher_is_better else 'less'} is better:"
        if len(self.data_sets) == 1:
            return f"On {len(self.tables[0])} folds of {self.data_sets[0]}, {by}"
        return f"On {len(self.data_sets)} data sets, {by}"

    def mean_scores(self) -> Floats:
        """A row for each data set."""
        import numpy as np

        return np.array([table.mean(axis=0) for table in self.tables])


# ---------------------------------------------------------------- studies


@dataclass(frozen=True, slots=True, eq=False)
class _Finished:
    """What of a study.json is compared."""

    file: str
    conditions: Mapping[str, Any]  # what must be the same for folds to be the same
    share: float
    best: str
    baselines: Mapping[str, tuple[float, ...]]
    scores: Mapping[str, tuple[float, ...]]  # of the candidates that finished, the best mean first
    higher_is_better: bool
    measure: str


def read_object(path: Path) -> dict[str, Any]:
    """The JSON object in a file."""
    try:
        held = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise InvalidInput(f"there is no file {str(path)!r}.{checks.nearest_file(path)}") from None
    except (ValueError, RecursionError) as error:
        raise FormatError(f"it is no JSON ({error})", file=path) from None
    if not isinstance(held, dict):
        raise FormatError("it must hold one JSON object, such as the study.json of a study", file=path)
    return held


def of_studies(
    contents: Mapping[str, Mapping[str, Any]], *, candidates: Sequence[str], measure: str | None, across: bool
) -> Scores:
    """The winners of studies, or the named ``candidates``, on the folds they share; or ``across`` data sets."""
    studies = [_finished(file, content, measure) for file, content in contents.items()]
    first = studies[0]
    for other in studies[1:]:
        if other.measure != first.measure:
            raise InvalidInput(
                f"{first.file} is judged by {first.measure} and {other.file} by {other.measure}, which cannot be "
                f"compared. For classes, --score {ACCURACY} takes the share of right answers from both"
            )
    return _across(studies, candidates) if across else _on_the_same_folds(studies, candidates)


def _on_the_same_folds(studies: Sequence[_Finished], candidates: Sequence[str]) -> Scores:
    import numpy as np

    first = studies[0]
    for other in studies[1:]:
        _same_folds(first, other)
    if len(studies) == 1:
        chosen = [(first, name) for name in (candidates or tuple(first.scores)[:2])]
        if len(chosen) < 2:
            raise InvalidInput(f"{first.file}: two candidates are compared; name them with --candidate, once for each")
    elif not candidates:
        chosen = [(study, study.best) for study in studies]
    elif len(candidates) in (1, len(studies)):
        names = list(candidates) * len(studies) if len(candidates) == 1 else candidates
        chosen = list(zip(studies, names, strict=True))
    else:
        raise InvalidInput(
            f"--candidate must be given once for all {len(studies)} files, or once for each in their order; "
            f"got {len(candidates)}"
        )
    names = [name for _, name in chosen]
    labels = [f"{name} ({study.file})" if names.count(name) > 1 else name for study, name in chosen]
    table = np.array([_of(study, name) for study, name in chosen]).T
    return Scores(
        names=checks.unique("what is compared", labels),
        data_sets=(str(first.conditions["data"]),),
        tables=(table,),
        share=first.share,
        higher_is_better=first.higher_is_better,
        measure=first.measure,
    )


def _across(studies: Sequence[_Finished], candidates: Sequence[str]) -> Scores:
    import numpy as np

    for one, other in itertools.combinations(studies, 2):
        if all(one.conditions[what] == other.conditions[what] for what in ("data", "target", "number of rows")):
            warnings.warn(
                f"{one.file} and {other.file} seem to be of the same data, which then counts twice as evidence",
                CredoWarning,
                stacklevel=2,
            )
    common = [name for name in studies[0].scores if all(name in study.scores for study in studies)]
    chosen = checks.unique("candidates", candidates or common)
    if len(chosen) < 2 or len(studies) < 2:
        raise InvalidInput(
            f"--across needs two or more studies with two or more candidates that finished in all of them; got "
            f"{len(studies)} with {len(chosen)}"
        )
    return Scores(
        names=chosen,
        data_sets=tuple(f"{study.conditions['data']} ({study.file})" for study in studies),
        tables=tuple(np.array([_of(study, name) for name in chosen]).T for study in studies),
        share=max(study.share for study in studies),
        higher_is_better=studies[0].higher_is_better,
        measure=studies[0].measure,
    )


def _of(study: _Finished, name: str) -> tuple[float, ...]:
    return study.scores[checks.known(f"finished candidate of {study.file}", name, tuple(study.scores))]


def _same_folds(one: _Finished, other: _Finished) -> None:
    """Refuse studies that did not judge on the same folds of the same rows."""
    hint = "Run both with the same data, --folds, --holdout and --seed; or, to take each for a data set, add --across"
    for what, value in one.conditions.items():
        if other.conditions[what] != value:
            raise InvalidInput(
                f"{one.file} and {other.file} did not judge on the same folds: the {what} differs "
                f"({checks.shown(value)} and {checks.shown(other.conditions[what])}). {hint}"
            )
    for name in one.baselines.keys() & other.baselines.keys():
        if one.baselines[name] != other.baselines[name]:
            raise InvalidInput(
                f"{one.file} and {other.file} did not judge on the same folds: “{name}”, which looks at nothing but "
                f"the target, scored differently in them. {hint}"
            )


def _finished(file: str, content: Mapping[str, Any], measure: str | None) -> _Finished:
    try:
        criterion, data, method = content["criterion"], content["data"], content["method"]
        part = "right" if measure == ACCURACY else "folds"
        runs = {str(run["name"]): run for run in content["runs"] if run["error"] is None}
        scores = {name: tuple(float(score) for score in run[part]) for name, run in runs.items()}
        baselines = {name: scores[name] for name, run in runs.items() if run["baseline"]}
        higher = bool(criterion["higher_is_better"]) or measure == ACCURACY
        conditions = {
            "data": data["source"],
            "target": content["target"],
            "number of rows": data["rows"],
            "number of rows set aside": data["holdout"],
            "seed": method["seed"],
            "number of folds": method["folds"],
            "number of repetitions": method.get("repeats", 1),
            "column of groups": method.get("groups"),
            "column of times": method.get("time"),
        }
        found = _Finished(
            file=file,
            conditions=conditions,
            share=float(method["share"]) if "share" in method else 1 / (int(method["folds"]) - 1),
            best=str(content["best"]),
            baselines=baselines,
            scores=dict(sorted(scores.items(), key=lambda item: sum(item[1]), reverse=higher)),
            higher_is_better=higher,
            measure=measure or str(criterion["name"]),
        )
    except (KeyError, TypeError, ValueError, AttributeError, ZeroDivisionError) as error:
        raise FormatError(f"it is not the study.json of a study ({type(error).__name__}: {error})", file=file) from None
    if not all(scores.values()):
        raise InvalidInput(f"{file}: there is no accuracy, as a number was predicted there. Leave --score out")
    if len({len(folds) for folds in scores.values()}) > 1:
        raise FormatError("its candidates were not judged on the same folds", file=file)
    return found


# ---------------------------------------------------------------- tables


def of_table(table: Table, *, candidates: Sequence[str], folds: int | None, lower_is_better: bool) -> Scores:
    """A column of scores for each contender; a column of texts names the data sets, whose folds have a row each.

    Without such a column each row is a data set, or with ``folds`` a fold of a single one.
    """
    import numpy as np

    numbers = {name: held for name in table.columns if (held := _numbers(table, name)) is not None}
    texts = [name for name in table.columns if name not in numbers]
    if len(texts) > 1:
        raise InvalidInput(
            f"a table of scores may have one column of texts, with the names of the data sets; got "
            f"{', '.join(map(repr, texts))}"
        )
    names = tuple(checks.known("column of scores", name, tuple(numbers)) for name in candidates or numbers)
    if len(checks.unique("what is compared", names)) < 2:
        raise InvalidInput(f"two or more columns of scores are compared; got {', '.join(map(repr, names)) or 'none'}")
    scores = checks.floats("scores", np.stack([numbers[name] for name in names], axis=1))
    if texts:
        labels = [str(label) for label in table[texts[0]].tolist()]
    else:
        labels = ["the table"] * len(scores) if folds else [f"row {i + 1}" for i in range(len(scores))]
    data_sets = tuple(dict.fromkeys(labels))
    parts = tuple(scores[[label == name for label in labels]] for name in data_sets)
    share = None
    if folds is not None:
        share = 1 / (checks.count("--folds", folds, least=2) - 1)
    elif any(len(part) > 1 for part in parts):
        raise InvalidInput(
            f"{parts[0].shape[0]} rows belong to {data_sets[0]!r}: say with --folds how many folds its rows were dealt "
            "into, once or more often"
        )
    return Scores(names, data_sets, parts, share, not lower_is_better, "score")


def _numbers(table: Table, name: str) -> Floats | None:
    """A column as numbers, if it is one of numbers; a table takes a few whole numbers for names."""
    import numpy as np

    try:
        return None if table[name].dtype.kind == "M" else np.asarray(table[name], dtype=np.float64)
    except (TypeError, ValueError):
        return None
