"""The answer in two or three sentences, with numbers and how surely; the report and the command line open with it."""

from __future__ import annotations

from typing import NamedTuple

from credo.study.record import Score, Study
from credo.study.words import SURE, between, figure, listed, many

__all__ = ["Chance", "answer", "chances", "headline", "named", "rivals"]


FEW_FOLDS = 3


def headline(study: Study) -> str:
    """What the study came to, before any number."""
    if study.data.few:
        return f"There are too few rows to say whether {study.target} can be predicted."
    if study.chosen.beats(study.criterion):
        gain = study.judgement.gain
        if gain is None or gain.low > 0:
            if study.judgement.actions is None and not _more_often_right(study):
                return (
                    f"{_capital(study.best)} tells how probable each {study.target} is better than a guess, but names "
                    "it right no more often."
                )
            return f"{_capital(study.best)} predicts {study.target}, and beats a guess."
        return (
            f"{_capital(study.best)} beats a guess at {study.target} in cross-validation, but not clearly on the rows "
            "set aside."
        )
    gain = study.judgement.gain
    if gain is not None and gain.low > study.criterion.trifle:
        return (
            f"{_capital(study.best)} did better than a guess at {study.target} on the rows set aside; whether that is "
            "luck, the folds leave open."
        )
    able = _able(study)
    if able:
        but = "acting on it saves nothing yet" if study.judgement.actions else "its probabilities earn no trust"
        name = study.best if study.best in able else able[0]
        return f"In cross-validation {name} names {study.target} right more often than a guess, but {but}."
    if study.chosen.baseline:
        return f"Nothing that was tried predicts {study.target} better than a guess."
    return (
        f"It is open whether {study.target} can be predicted: {study.best} came first, by no more than chance explains."
    )


def _more_often_right(study: Study) -> bool:
    """Whether the winner's most probable class was right more often than the most frequent one; numbers have none."""
    scores, guess = named(study.judgement.scores), named(study.judgement.baseline)
    if "accuracy" not in scores or not guess:
        return True
    return scores["accuracy"].interval.value > guess["accuracy"].interval.value


def _able(study: Study) -> list[str]:
    """The candidates that are more often right than a guess, by more than the luckiest of so many would be by chance.

    The winner must be so on the hold-out, too.
    """
    asked = [run for run in study.runs if run.right_gain]
    sure = 1 - (1 - SURE) / max(len(asked), 1)
    able = [run.name for run in asked if run.right_gain and run.right_gain.first_better >= sure]
    scores, guess = named(study.judgement.scores), named(study.judgement.baseline)
    if study.best in able and guess and scores["accuracy"].interval.low <= guess["accuracy"].interval.value:
        able.remove(study.best)
    return able


def answer(study: Study) -> tuple[str, ...]:
    """Two or three sentences a person can decide by: how good on unseen rows, what acting on it costs, the verdict."""
    judged = study.judgement
    scores, guess = named(judged.scores), named(judged.baseline)
    rows = many(judged.rows, "row")
    said = []
    guessed = study.chosen.baseline
    if study.task == "classification":
        what = "the most frequent class" if guessed else "its most probable class"
        right = f"{what} was right in {_percent(scores['accuracy'])}"
        said.append(f"On {rows} that nothing had seen, {right}{_against(guess.get('accuracy'))}.")
    else:
        what = "the mean" if guessed else "it"
        error = f"{what} erred by {between(scores['RMSE'].interval)} (root mean square)"
        other = f", where “{_guess(study)}” errs by {figure(guess['RMSE'].interval.value)}" if guess else ""
        inside = f"its 90 % intervals held {_percent(scores['coverage of the 90 % interval'])}"
        said.append(f"On {rows} that nothing had seen, {error}{other}; {inside}.")
    if judged.actions:
        done = judged.actions
        said.append(
            f"Acting on it by the given losses cost {between(done.loss)} a row; always “{done.constant}”, the best "
            f"single action, {between(done.constant_loss)}."
        )
    verdict = _capital(study.verdict) if study.data.few else f"In cross-validation, {study.verdict}"
    said.append(f"{verdict}.")
    if study.chosen.beats(study.criterion):
        guesses = {run.name for run in study.runs if run.baseline}
        as_good, left = ([name for name in names if name not in guesses] for names in rivals(study))
        if as_good:
            said.append(f"{_capital(listed(as_good))} {'is' if len(as_good) == 1 else 'are'} as good in practice.")
        if left:
            said.append(f"Whether it is better than {listed(left)}, by enough to matter, is open.")
    return (*said, *_more_folds(study))


def _more_folds(study: Study) -> list[str]:
    """What would tell more, where folds are so few that even a clear difference has a wide interval."""
    folds = study.method["folds"] * study.method["repeats"]
    dealt = study.method["groups"] is None and study.method["time"] is None
    clear = study.chosen.beats(study.criterion) and not any(rivals(study))
    if folds > FEW_FOLDS or clear or study.data.few or not dealt:
        return []
    return [
        f"With {folds} folds, differences must be large to be told from chance: more of them (--folds 10) tell more."
    ]


class Chance(NamedTuple):
    """How probably one candidate is better than another by more than the rope, and how probably they are within it."""

    better: float
    same: float


def chances(study: Study) -> dict[tuple[str, str], Chance]:
    """How the first of two candidates compares with the second, for every two that finished, in either order."""
    found = {}
    for pair in study.pairwise:
        found[pair.first, pair.second] = Chance(pair.first_better, pair.equivalent)
        found[pair.second, pair.first] = Chance(pair.second_better, pair.equivalent)
    return found


def rivals(study: Study) -> tuple[list[str], list[str]]:
    """The candidates that are surely as good as the winner in practice, and those of which the folds leave it open."""
    better = chances(study)
    beside = [run.name for run in study.runs if (study.best, run.name) in better]
    as_good = [name for name in beside if better[study.best, name].same >= SURE]
    left = [name for name in beside if name not in as_good and better[study.best, name].better < SURE]
    return as_good, left


def named(scores: tuple[Score, ...]) -> dict[str, Score]:
    """Scores by their names."""
    return {score.name: score for score in scores}


def _against(score: Score | None) -> str:
    return f", where always the most frequent class is right in {100 * score.interval.value:.1f} %" if score else ""


def _percent(score: Score) -> str:
    held = score.interval
    ends = f" (95 % interval {100 * held.low:.1f} to {100 * held.high:.1f})" if held.bounded else ""
    return f"{100 * held.value:.1f} %{ends}"


def _guess(study: Study) -> str:
    return next(run.name for run in study.runs if run.baseline)


def _capital(words: str) -> str:
    return words[0].upper() + words[1:]
