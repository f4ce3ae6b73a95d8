"""The report, section by section, for a person who has to decide."""

from __future__ import annotations

from collections import Counter
from html import escape

from credo.evaluation import Confusion, Interval
from credo.study import pictures
from credo.study.answer import answer, headline, named
from credo.study.page import figure_box, note, page, section, table
from credo.study.record import Actions, Run, Score, Study
from credo.study.words import between, chance, figure, listed, many

__all__ = ["report"]

BETTER = {"higher": "higher is better", "lower": "lower is better", "near": "should be near 0.90"}
MANY_COLUMNS = 12  # above which the table of columns is folded
MOST_COLUMNS = 1000  # what a page can show; study.json has them all
MANY_CLASSES = 20


def report(study: Study) -> str:
    """The whole page."""
    parts = [_top(study), _comparison(study), _holdout(study)]
    judged = study.judgement
    if judged.actions:
        parts.append(_decision(judged.actions, judged.rows))
    parts += [_calibration(study), _data(study), _method(study), _use(study), _foot(study)]
    return page(f"Study of {study.target}", [part for part in parts if part])


def _top(study: Study) -> str:
    rows = study.data.development + study.data.holdout
    told_from = many(study.data.used, "column")
    kicker = f"{study.data.source} · {many(rows, 'row')} · {study.task} of {study.target} from {told_from}"
    body = "".join(f"<p>{escape(words)}</p>" for words in answer(study))
    tiles = "".join(_tile(name, *shown) for name, shown in _figures(study).items())
    return (
        f'<header><p class="kicker">{escape(kicker)}</p><h1>{escape(headline(study))}</h1>'
        f'<div class="answer">{body}</div><div class="tiles">{tiles}</div></header>'
    )


def _figures(study: Study) -> dict[str, tuple[Interval, str]]:
    """The three or four numbers to remember, each with what it is."""
    scores, done = named(study.judgement.scores), study.judgement.actions
    wanted = ("accuracy", "AUC") if study.task == "classification" else ("RMSE", "R²", "coverage of the 90 % interval")
    held = {name: (scores[name].interval, "on the hold-out") for name in wanted if name in scores}
    if done:
        held["expected loss a row"] = (done.loss, "acting by the given losses")
        held["saved a row"] = (done.saving, f"against always {done.constant}")
    elif study.task == "classification":
        held["log score"] = (scores["log score"].interval, "on the hold-out; 0 is perfect")
    return held


def _tile(name: str, interval: Interval, what: str) -> str:
    ends = between(interval)
    value, _, spread = ends.partition(" (")
    where = f"95 %: {spread.rstrip(')')}" if spread else ""
    lines = f"<span>{escape(name)}</span><b>{value}</b><span>{where}</span><span>{escape(what)}</span>"
    return f'<div class="tile">{lines}</div>'


def _comparison(study: Study) -> str:
    sign = "higher" if study.criterion.higher_is_better else "lower"
    intro = (
        f"<p>Every candidate learnt from the same {study.method['folds']} selections of the development rows and was "
        f"judged on the rows left out each time. What chooses is the <strong>{escape(study.criterion.name)}</strong> "
        f"({sign} is better), {escape(study.criterion.reason)}.</p>"
    )
    rows = [_run_row(run, study) for run in study.runs]
    columns = [f"{study.criterion.name} ({sign} is better)", "difference to the guess", "P(better)"]
    failed = [f"{run.name} gave no answer: {run.error}" for run in study.runs if run.error]
    warned = [f"{run.name} warns: {remark}" for run in study.runs for remark in run.remarks]
    standing = [run for run in study.runs if run.mean]
    method = standing[0].mean.method if standing and standing[0].mean else ""
    return section(
        "The comparison",
        [
            intro,
            table(["candidate", *columns], rows, "hwwn"),
            note(failed + warned),
            figure_box(
                pictures.comparison(study.runs, study.criterion),
                f"A dot is a fold; below the dots, the mean and its 95 % interval ({method}). The last column and the "
                "difference come from the folds paired, which is sharper than comparing two intervals by eye.",
            ),
            _all_scores(study.runs),
        ],
    )


def _run_row(run: Run, study: Study) -> list[str]:
    if run.mean is None:
        return [run.name, "failed", "", ""]
    if run.gain is None:
        return [run.name, between(run.mean), "(the guess)", ""]
    better = run.gain.above_zero if study.criterion.higher_is_better else 1 - run.gain.above_zero
    return [run.name, between(run.mean), between(run.gain.difference), chance(better).removeprefix("= ")]


def _all_scores(runs: tuple[Run, ...]) -> str:
    """Every score of every candidate over the left-out rows; folded away, it is not what decides."""
    standing = [run for run in runs if run.scores]
    if not standing:
        return ""
    rows = [
        [score.name, *(between(run.scores[i].interval) for run in standing), _reading(score)]
        for i, score in enumerate(standing[0].scores)
    ]
    kinds = "h" + "w" * len(standing) + "m"
    held = table(["score", *(run.name for run in standing), "95 % interval by"], rows, kinds)
    return f"<details><summary>All scores in cross-validation</summary>{held}</details>"


def _holdout(study: Study) -> str:
    judged = study.judgement
    words = (
        f"<p>{escape(study.best[0].upper() + study.best[1:])} was chosen without them, learnt once more from all "
        f"{many(study.data.development, 'development row')}, and met these {many(judged.rows, 'row')} once. "
    )
    if judged.gain:
        clear = judged.gain.low > 0 or judged.gain.high < 0
        way = "better" if judged.gain.value > 0 else "worse"
        verdict = f"{way} than the guess" if clear else "not clearly different from the guess"
        words += (
            f"Here too it is {verdict}: by {between(judged.gain)} a row in {escape(study.criterion.name)}, "
            "row by row (t on the mean over rows)."
            if clear and way == "better"
            else f"Here it is {verdict}: a gain of {between(judged.gain)} a row in {escape(study.criterion.name)}."
        )
    parts = [f"{words}</p>", _score_table(judged.scores, judged.baseline)]
    if judged.confusion:
        parts.append(_confusion(judged.confusion))
    return section("The verdict of unseen rows", parts)


def _score_table(scores: tuple[Score, ...], baseline: tuple[Score, ...]) -> str:
    other = named(baseline)
    rows = [
        [
            score.name,
            between(score.interval),
            *([between(other[score.name].interval)] if other else []),
            _reading(score),
        ]
        for score in scores
    ]
    columns = ["score", "the winner", *(["the guess"] if other else []), "95 % interval by"]
    return table(columns, rows, "hw" + ("w" if other else "") + "m")


def _reading(score: Score) -> str:
    """The method of the interval, and which way is better."""
    return f"{score.interval.method}; {BETTER[score.better]}"


def _confusion(found: Confusion) -> str:
    states = found.states[:MANY_CLASSES]
    head = "".join(f'<th scope="col" class="n">answered {escape(state)}</th>' for state in states)
    lines = []
    for i, state in enumerate(states):
        cells = "".join(
            f'<td class="n{" hit" if i == j else ""}">{int(found.counts[i, j]):,}</td>' for j in range(len(states))
        )
        recall = found.recall(state)
        share = between(recall) if recall.defined else "–"
        lines.append(f'<tr><th scope="row">truly {escape(state)}</th>{cells}<td class="w">{share}</td></tr>')
    cut = f"<p>The first {MANY_CLASSES} of {len(found.states)} classes.</p>" if len(found.states) > MANY_CLASSES else ""
    return (
        "<h3>What was taken for what</h3>"
        f'<div class="scroll" tabindex="0"><table><thead><tr><td></td>{head}<th scope="col">recognised (Wilson)</th>'
        "</tr>"
        f"</thead><tbody>{''.join(lines)}</tbody></table></div>{cut}"
    )


def _calibration(study: Study) -> str:
    judged = study.judgement
    if judged.fit:
        return section(
            "Predicted and measured",
            [
                figure_box(
                    pictures.fitted(judged.fit, study.target),
                    "Each dot is a hold-out row, each pale line its 90 % interval. Rows outside their interval are "
                    "marked in the warm colour; one in ten should be.",
                )
            ],
        )
    found = judged.calibration
    assert found is not None  # noqa: S101 (classes always have it)
    off = sum(not came.low <= said <= came.high for said, came in zip(found.said, found.happened, strict=True))
    groups = many(len(found.said), "group")
    if off:
        words = (
            f"In {off} of {groups} the share that came true lies outside what chance allows: "
            "use the order of these probabilities, but do not take them at their word."
        )
    else:
        words = f"In all {groups} the share that came true agrees with the probability given, as far as the rows tell."
    return section(
        "Can its probabilities be believed?",
        [
            f"<p>{words}</p>",
            figure_box(
                pictures.calibration(found, judged.calibration_of),
                f"Hold-out rows grouped by the probability they were given for {judged.calibration_of}. Dots on the "
                "dashed line mean that what is said to happen in 80 % of the cases does happen in 80 %; bars are "
                "Wilson's intervals.",
            ),
        ],
    )


def _decision(done: Actions, rows: int) -> str:
    saved = done.saving
    if saved.low > 0:
        verdict = f"Choosing row by row saves {between(saved)} a row against always “{done.constant}”."
    elif saved.high < 0:
        verdict = (
            f"Choosing row by row costs more than always “{done.constant}”, by {between(saved)} a row: do that instead."
        )
    else:
        verdict = (
            f"Choosing row by row cannot be told apart from always “{done.constant}” (saving {between(saved)} a row)."
        )
    ranges = {str(region.action): f"{region.low:.3f} to {region.high:.3f}" for region in done.ranges}
    lines = []
    for row, (name, count) in enumerate(zip(done.names, done.counts, strict=True)):
        costs = [figure(float(cost)) for cost in done.losses[row]]
        lines.append([name, *costs, f"{count:,}", *([ranges.get(name, "never")] if ranges else [])])
    columns = ["action", *(f"loss if {state}" for state in done.states), f"taken (of {rows:,})"]
    kinds = "h" + "n" * (len(done.states) + 1)
    if ranges:
        columns, kinds = [*columns, f"best for P({done.state})"], kinds + "n"
    parts = [f"<p>{escape(verdict)}</p>", table(columns, lines, kinds), f"<p>{escape(_refused(done, rows))}</p>"]
    if ranges:
        key = "".join(
            f'<span class="swatch a{row % 4}"></span>{escape(name)} &ensp;' for row, name in enumerate(done.names)
        )
        parts.append(
            figure_box(
                pictures.acting(done),
                f"The expected loss of each action by the probability of {done.state}; the lowest line is taken. The "
                "band says which that is, and the marks below it are the hold-out rows.",
            )
        )
        parts.append(f'<p class="kicker">{key}</p>')
    return section("Acting on it", parts)


def _refused(done: Actions, rows: int) -> str:
    if not done.refusals:
        return "No action of the table is a refusal: each costs more in one state than in another."
    count = sum(n for name, n in zip(done.names, done.counts, strict=True) if name in done.refusals)
    names = listed([f"“{name}”" for name in done.refusals])
    said = f"{names} costs the same whatever is true, and so refuses to decide: {many(count, 'row')} of {rows:,}."
    if done.unrefused:
        said += f" Where it did not refuse, the most probable class was right in {between(done.unrefused)} of the rows."
    return said


def _data(study: Study) -> str:
    data = study.data
    rows = [
        [column.name, column.kind, f"{column.missing:,}" if column.missing else "", column.role, column.reason]
        for column in data.columns[:MOST_COLUMNS]
    ]
    columns = table(["column", "read as", "missing", "part", "why"], rows, "htntm")
    if len(rows) > MANY_COLUMNS:
        more = len(data.columns) - len(rows)
        shown = f"The first {len(rows):,} columns ({more:,} more in study.json)" if more else f"All {len(rows)} columns"
        columns = f"<details><summary>{shown}, how each is read and why</summary>{columns}</details>"
    kinds = Counter(column.kind for column in data.columns if column.role == "used")
    missing = sum(column.missing for column in data.columns)
    told_from = f"{listed([f'{n} {kind}' for kind, n in kinds.items()])} {'column' if data.used == 1 else 'columns'}"
    told = (
        f"{many(data.rows, 'row')} and {many(len(data.columns), 'column')} in {data.source}. {study.target} is told "
        f"from {told_from}; {many(missing, 'cell is', 'cells are')} missing."
    )
    return section("The data", [f"<p>{escape(told)}</p><p>{escape(study.asked)}</p>", note(data.notes), columns])


def _method(study: Study) -> str:
    method, data, judged = study.method, study.data, study.judgement
    spread = "every class" if study.task == "classification" else "high and low values"
    steps = [
        f"The table was read and each column's kind inferred from all rows ({many(data.rows, 'row')}).",
        f"{many(data.holdout, 'row')} ({100 * method['holdout']:g} %) were set aside at random as a hold-out, "
        f"{spread} in like shares.",
        f"The other {many(data.development, 'row')} were dealt into {method['folds']} folds, {spread} in like shares, "
        "the same for all candidates. Everything that is learnt, encodings included, was learnt without the "
        "fold that judges.",
        *(f"{name[0].upper()}{name[1:]}: {how}." for name, how in method["candidates"].items() if how),
        f"The candidate with the best mean {study.criterion.name} over the folds was chosen; the hold-out had no "
        "part in it.",
        "Differences between candidates are paired by fold, with the variance corrected for training rows that folds "
        "share (Nadeau and Bengio 2003); P(better) reads the same Student t law as a posterior (Corani and "
        "Benavoli 2015).",
        "The winner learnt once more from all development rows and was judged once on "
        f"{many(judged.rows, 'hold-out row')}.",
        "All intervals are 95 % intervals unless they say otherwise; the method stands beside each number. Logarithms "
        "are natural.",
    ]
    versions = ", ".join(f"{name} {version}" for name, version in method["versions"].items())
    held = "".join(f"<li>{escape(step)}</li>" for step in steps)
    again = f"Seed {method['seed']}. The same data, seed and versions give the same numbers: {versions}."
    return section("How this was done", [f'<ol class="method">{held}</ol>', f'<p class="method">{escape(again)}</p>'])


def _use(study: Study) -> str:
    python = (
        "from credo.storage import load\n\nmodel = load(&quot;winner.credo&quot;)\nmodel.predict(new_rows)\n"
        "model.predictive(new_rows)   # a belief for every row"
    )
    warning = (
        "<p>A guess won: what lies here says the same of every row, whatever it holds, and earns no trust. More rows, "
        "or other columns, may change that.</p>"
        if study.chosen.baseline
        else ""
    )
    return section(
        "How to use it",
        [
            f"{warning}<p>The fitted model lies beside this page in <code>winner.credo</code>: plain numbers, safe to "
            "open and to send.</p>",
            "<pre>credo predict winner.credo new.csv</pre>",
            f"<pre>{python}</pre>",
        ],
    )


def _foot(study: Study) -> str:
    version = escape(str(study.method["versions"]["credo"]))
    return f"<footer>Made by Credo {version}. The same content for programs is in study.json.</footer>"
