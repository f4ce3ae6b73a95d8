"""The report, section by section, for a person who has to decide."""

from __future__ import annotations

from html import escape

from credo.evaluation import Interval
from credo.study import section_beliefs, section_comparison, section_data, section_holdout
from credo.study.answer import answer, headline, named
from credo.study.page import Section, nav, note, page, paragraph, section
from credo.study.record import Study
from credo.study.words import between, many

__all__ = ["report"]

SERIOUS = 3  # concerns that stand at the top; the section on the data has all


def report(study: Study) -> str:
    """The whole page: what a busy person needs first, then what a careful one asks for."""
    judged = study.judgement
    parts = [
        section_comparison.comparison(study),
        section_holdout.holdout(study),
        section_holdout.acting(judged.actions, judged.rows) if judged.actions else None,
        section_beliefs.measured(study),
        section_beliefs.believing(judged),
        section_beliefs.telling_apart(judged),
        section_beliefs.refusing(judged),
        section_comparison.learning(study),
        section_data.data(study),
        section_data.method(study),
        _use(study),
    ]
    there = [part for part in parts if part]
    body = [_top(study, nav(there)), *(part.html for part in there), _foot(study)]
    return page(f"Study of {study.target}", body)


def _top(study: Study, links: str) -> str:
    rows = study.data.development + study.data.holdout
    told_from = many(study.data.used, "column")
    kicker = f"{study.data.source} · {many(rows, 'row')} · {study.task} of {study.target} from {told_from}"
    body = "".join(paragraph(words) for words in answer(study))
    tiles = "".join(_tile(name, *shown) for name, shown in _figures(study).items())
    serious = [f"{concern.words} {concern.remedy}".strip() for concern in study.concerns if concern.serious]
    if len(serious) > SERIOUS:
        serious = [*serious[:SERIOUS], f"{len(serious) - SERIOUS} more doubts stand under “The data”."]
    return (
        f'<header><p class="kicker">{escape(kicker)}</p><h1>{escape(headline(study))}</h1>'
        f'<div class="answer">{body}</div>{note(serious)}<div class="tiles">{tiles}</div>{links}</header>'
    )


def _figures(study: Study) -> dict[str, tuple[Interval, str]]:
    """The three or four numbers to remember, each with what it is."""
    scores, done = named(study.judgement.scores), study.judgement.actions
    wanted = (
        ("accuracy", "AUC", "AUC over pairs")
        if study.task == "classification"
        else ("RMSE", "R²", "coverage of the 90 % interval")
    )
    held = {
        name: (scores[name].interval, "on the hold-out")
        for name in wanted
        if name in scores and scores[name].interval.defined
    }
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


def _use(study: Study) -> Section:
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
            f"<pre>{escape(_commands(study))}</pre>",
            f"<pre>{python}</pre>",
        ],
    )


def _commands(study: Study) -> str:
    """What may be done with the model in a shell, each line with the reason."""
    lines = {"credo predict winner.credo new.csv": "what it says of new rows, and how surely"}
    if study.task == "regression":
        lines["credo decide winner.credo new.csv --over 3 --under 1"] = "a number, if one too many costs thrice as much"
    else:
        lines["credo decide winner.credo new.csv --loss losses.csv"] = "the action of least expected loss for each row"
        if study.judgement.actions is None or not study.judgement.actions.refusals:
            lines["credo decide winner.credo new.csv --loss losses.csv --refuse 0.2"] = "or none, where it is unsure"
    lines["credo evaluate winner.credo later.csv"] = "how good it is on rows whose answers came later"
    return "\n".join(f"# {why}\n{command}" for command, why in lines.items())


def _foot(study: Study) -> str:
    version = escape(str(study.method["versions"]["credo"]))
    return f"<footer>Made by Credo {version}. The same content for programs is in study.json.</footer>"
