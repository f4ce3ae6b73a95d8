"""``credo bayes``: Bayes' rule for tests and hypotheses, step by step."""

from __future__ import annotations

import math
import shlex
from collections.abc import Iterable
from dataclasses import dataclass
from decimal import Decimal, DecimalException, InvalidOperation
from typing import TYPE_CHECKING, Annotated, Any

import typer

from credo.cli import output
from credo.errors import BadProbability, BadShape, ImpossibleEvidence, InvalidInput

if TYPE_CHECKING:
    from credo.beliefs import Categorical, Hypotheses

__all__ = ["bayes"]

FEWEST = 100  # cases in the smallest group that natural frequencies speak of
MOST_CASES = 10**12
SURPRISE = 0.05  # a guess that is further off is worth a word


@dataclass(frozen=True, slots=True)
class Step:
    """One result: its probability under each hypothesis, and the belief before and after it."""

    name: str
    likelihood: list[float]
    before: Categorical
    after: Categorical

    @property
    def evidence(self) -> float:
        """P(this result | the results before it)."""
        return math.exp(self.after.log_evidence - self.before.log_evidence)


def bayes(
    prior: Annotated[
        list[str],
        typer.Option(
            metavar="NAME=P",
            help="A hypothesis and its probability, once for each. One without a number takes what is left; a single "
            "one gets its opposite.",
        ),
    ],
    test: Annotated[
        list[str],
        typer.Option(
            metavar="'NAME: P P …'",
            help="How probable a positive result is under each hypothesis, in their order or as hypothesis=P. Write "
            "'NAME=negative: P P …' if the result was negative.",
        ),
    ],
    json: Annotated[bool, typer.Option("--json", help="One JSON document instead of text.")] = False,  # noqa: FBT002
) -> None:
    """Bayes' rule, one test result after another, and what is easily guessed wrong.

    For example `credo bayes --prior disease=0.001 --test "T1: 1.0 0.01" --test "T2: 0.9 0.05"`. Numbers may be written
    0.01, 1e-2, 1/100 or 1%. Results are taken to be independent of each other once the hypothesis is known.
    """
    from credo.beliefs import Hypotheses

    model = Hypotheses(_prior(prior))
    steps: list[Step] = []
    for text in test:
        name, likelihood = _likelihood(text, model.prior.states)
        before = model.posterior
        try:
            model = model.given(likelihood)
        except ImpossibleEvidence as error:
            raise ImpossibleEvidence(f"{name}: {error}") from None
        steps.append(Step(name, likelihood, before, model.posterior))
    if json:
        output.emit_json(_document(model, steps))
    else:
        _print(model, steps)


# ---------------------------------------------------------------- what was typed


def _prior(texts: list[str]) -> Categorical:
    from credo import checks
    from credo.beliefs import Categorical

    pairs = [_assigned(text) for text in texts]
    for (name, _), text in zip(pairs, texts, strict=True):
        if "=" in name:
            raise InvalidInput(f"--prior takes one hypothesis, and is given once for each; got {text!r}")
    names = checks.unique("hypotheses", [name for name, _ in pairs])
    numbers = [None if number is None else _probability(f"the prior of {name!r}", number) for name, number in pairs]
    left = 1 - sum((number for number in numbers if number is not None), start=Decimal(0))
    if len(names) == 1 and None not in numbers:
        names, numbers = (*names, f"not {names[0]}"), [*numbers, None]
    if numbers.count(None) > 1 or numbers == [None]:
        raise InvalidInput(f"only one of several hypotheses may go without a probability; got {checks.shown(texts)}")
    if left < 0 if None in numbers else abs(float(left)) > checks.SUM_TOLERANCE:
        raise BadProbability(f"the prior probabilities must sum to 1; got a sum of {float(1 - left):g}")
    return Categorical(
        {name: float(left if number is None else number) for name, number in zip(names, numbers, strict=True)}
    )


def _likelihood(text: str, hypotheses: tuple[Any, ...]) -> tuple[str, list[float]]:
    """The name of a result, such as "T1 positive", and its probability under each hypothesis."""
    from credo import checks

    head, colon, rest = text.partition(":")
    test, result = _assigned(head)
    if not colon:
        raise InvalidInput(f"a test must be written 'NAME: P P …' with a colon after the name; got {text!r}")
    result = checks.choice(f"the result of {test!r}", result or "positive", ("positive", "negative"))
    try:
        words = shlex.split(rest)
    except ValueError as error:
        raise InvalidInput(f"test {test!r} cannot be read: {error} in {rest!r}") from None
    pairs = [_assigned(word) if "=" in word else (None, word) for word in words]
    if len({name is None for name, _ in pairs}) > 1:
        raise InvalidInput(f"test {test!r} must name the hypothesis of every probability or of none; got {rest!r}")
    if pairs and pairs[0][0] is not None:
        names = checks.unique("hypotheses", [checks.known("hypothesis", name, hypotheses) for name, _ in pairs])
    else:
        names = hypotheses[: len(pairs)]
    if len(pairs) != len(hypotheses):
        raise BadShape(
            f"test {test!r} must have one probability for each of {', '.join(hypotheses)}, with blanks between them; "
            f"got {len(pairs)}: {rest!r}"
        )
    found = {
        name: _probability(f"P({test} positive | {name})", number or "")
        for name, (_, number) in zip(names, pairs, strict=True)
    }
    positive = [found[name] for name in hypotheses]
    return f"{test} {result}", [float(p if result == "positive" else 1 - p) for p in positive]


def _assigned(text: str) -> tuple[str, str | None]:
    """``name=value`` in its two parts, or a name alone."""
    name, equals, value = text.rpartition("=")
    name, number = (name.strip(), value.strip()) if equals else (text.strip(), None)
    if not name:
        raise InvalidInput(f"a name is missing in {text!r}")
    return name, number


def _probability(what: str, text: str) -> Decimal:
    try:
        above, _, below = text.removesuffix("%").partition("/")
        number = Decimal(above) / Decimal(below or 1) / (100 if text.endswith("%") else 1)
        if not number.is_finite():
            raise InvalidOperation
    except DecimalException:
        raise InvalidInput(f"{what} must be a number such as 0.01, 1/100 or 1%; got {text!r}") from None
    if not 0 <= number <= 1:
        raise BadProbability(f"{what} must lie between 0 and 1; got {text}")
    return number


# ---------------------------------------------------------------- what is answered


def _frequencies(model: Hypotheses, steps: list[Step]) -> tuple[int, list[tuple[str, list[float]]]]:
    """How many of how many cases show the results so far, under each hypothesis."""
    joint = model.prior.probs
    rows = [("all", joint)]
    for step in steps:
        joint = joint * step.likelihood
        rows.append((step.name, joint))
    rarest = min(p for p in joint.tolist() if p > 0) if joint.any() else 1 / MOST_CASES
    cases = min(10 ** math.ceil(math.log10(FEWEST) - math.log10(rarest) - 1e-9), MOST_CASES)
    return cases, [(name, (cases * row).tolist()) for name, row in rows]


def _guesses(step: Step) -> dict[str, float]:
    """The probabilities of the first of two hypotheses that people answer when they forget what was known before."""
    if len(step.likelihood) != 2:
        return {}
    first, second = step.before.states
    guesses = {
        f"P({step.name} | {first})": step.likelihood[0],
        f"1 − P({step.name} | {second})": 1 - step.likelihood[1],
    }
    return {name: guess for name, guess in guesses.items() if abs(guess - step.after[first]) > SURPRISE}


def _document(model: Hypotheses, steps: list[Step]) -> dict[str, Any]:
    names = model.prior.states
    cases, rows = _frequencies(model, steps)
    return {
        "prior": model.prior.as_dict(),
        "steps": [
            {
                "result": step.name,
                "before": step.before.as_dict(),
                "likelihood": dict(zip(names, step.likelihood, strict=True)),
                "unnormalised": dict(zip(names, step.before.probs * step.likelihood, strict=True)),
                "evidence": step.evidence,
                "after": step.after.as_dict(),
                "guessed_wrong": _guesses(step),
            }
            for step in steps
        ],
        "posterior": model.posterior.as_dict(),
        "log_evidence": model.log_evidence,
        "map": model.map,
        "ml": model.ml,
        "frequencies": {"of": cases, "counts": {name: dict(zip(names, row, strict=True)) for name, row in rows}},
    }


def _print(model: Hypotheses, steps: list[Step]) -> None:
    columns = ["hypothesis", "before", "likelihood", "before × likelihood", "after"]
    for step in steps:
        numbers = (step.before.probs, step.likelihood, step.before.probs * step.likelihood, step.after.probs)
        output.table(step.name, columns, zip(model.prior.states, *numbers, strict=True))
        typer.echo(f"P({step.name}{' | results before' if step is not steps[0] else ''}) = {step.evidence:.4g}")
        _print_guesses(step)
        typer.echo()
    cases, rows = _frequencies(model, steps)
    counts = [[name, *map(_people, row), _people(sum(row))] for name, row in rows]
    heads = ["", *map(str, model.prior.states), "together"]
    output.table(f"In natural frequencies, of {cases:,} cases:", heads, counts)
    typer.echo()
    logs = model.log_likelihood
    probable, likely = (
        _greatest(model, values) for values in (model.posterior.probs, [math.exp(log) for log in logs - logs.max()])
    )
    each = " each" if len(probable) > 1 else ""
    typer.echo(f"Most probable now: {' and '.join(probable)}, {_percent(model.posterior[model.map])}{each}")
    verdict = "" if set(likely) & set(probable) else ", but what was known before outweighs it"
    typer.echo(f"Greatest likelihood: {' and '.join(likely)}{verdict}")
    if len(steps) > 1:
        typer.echo("The results were taken to be independent of each other once the hypothesis is known.")


def _greatest(model: Hypotheses, values: Iterable[float]) -> list[str]:
    """The hypotheses with the greatest value: several if they differ by no more than rounding."""
    held = [float(value) for value in values]
    return [str(name) for name, value in zip(model.prior.states, held, strict=True) if value >= max(held) * (1 - 1e-12)]


def _print_guesses(step: Step) -> None:
    guesses = [f"{name} = {_percent(guess)}" for name, guess in _guesses(step).items()]
    if guesses:
        first = step.before.states[0]
        typer.echo(
            f"Easily guessed wrong: {' or '.join(guesses)}. P({first} | {step.name}) is {_percent(step.after[first])}, "
            f"because it was {_percent(step.before[first])} before."
        )


def _percent(p: float) -> str:
    return f"{100 * p:.4g} %"


def _people(number: float) -> float:
    return round(number) if number >= 1 else number
