"""Numbers and sentences as a person reads them; the report and the command line use the same ones."""

from __future__ import annotations

import math

from credo.evaluation import Interval, Verdict

__all__ = ["SURE", "between", "chance", "compared", "duration", "figure", "listed", "many", "plus_minus", "short"]

MOST_PLACES = 7  # of decimals; what takes more is written with a power of ten
SURE = 0.975  # a two-sided 95 % interval leaves zero out


def figure(x: float, digits: int = 3) -> str:
    """A number with ``digits`` significant digits, thousands set apart, and a real minus sign.

    >>> figure(0.18234), figure(-12345.6), figure(float("nan")), figure(7)
    ('0.182', '−12,346', '–', '7')
    """
    if math.isnan(x):
        return "–"
    if math.isinf(x):
        return "∞" if x > 0 else "−∞"
    if x == 0 or float(x).is_integer():
        text = f"{x:,.0f}" if abs(x) < 1e15 else f"{x:.3g}"
    else:
        places = max(digits - 1 - math.floor(math.log10(abs(x))), 0)
        text = f"{x:,.{places}f}" if places <= digits + 4 else f"{x:.{digits - 1}e}"
    return text.replace("-", "−") if text.strip("-0.,") else "0"


def between(interval: Interval) -> str:
    """A value and its ends, all to the decimal places the width of the interval deserves.

    >>> between(Interval(0.18, 0.1165, 0.2674, level=0.95, method="Wilson"))
    '0.18 (0.12 to 0.27)'
    """
    if not interval.bounded:
        return figure(interval.value)
    places = _places(interval.half_width)
    value, low, high = (
        _fixed(x, places) if places <= MOST_PLACES else figure(x) for x in (interval.value, interval.low, interval.high)
    )
    return f"{value} ({low} to {high})"


def plus_minus(interval: Interval) -> str:
    """A value and half the width of its interval.

    >>> plus_minus(Interval(0.43, 0.37, 0.49, level=0.95, method="t"))
    '0.43 ± 0.06'
    """
    if not interval.bounded:
        return figure(interval.value)
    places = _places(interval.half_width)
    if places > MOST_PLACES:
        return f"{figure(interval.value)} ± {figure(interval.half_width, 1)}"
    return f"{_fixed(interval.value, places)} ± {_fixed(interval.half_width, places)}"


def many(n: int, thing: str, things: str | None = None) -> str:
    """A count and what is counted.

    >>> many(1, "row"), many(2000, "row"), many(0, "class", "classes")
    ('1 row', '2,000 rows', 'no classes')
    """
    return f"{f'{n:,}' if n else 'no'} {thing if n == 1 else things or thing + 's'}"


def short(name: str, most: int = 34) -> str:
    """A name cut to the room a picture has for it.

    >>> short("a name that is much too long to stand anywhere", most=12)
    'a name that…'
    """
    return name if len(name) <= most else name[: most - 1].rstrip() + "…"


def duration(seconds: float) -> str:
    """How long something took.

    >>> duration(0.034), duration(7.26), duration(200), duration(7325)
    ('0.03 s', '7.3 s', '3 min 20 s', '2 h 2 min')
    """
    if seconds < 59.95:
        return f"{seconds:.2f} s" if seconds < 1 else f"{seconds:.1f} s"
    whole = round(seconds)
    return f"{whole // 60} min {whole % 60} s" if whole < 3600 else f"{whole // 3600} h {whole % 3600 // 60} min"


def listed(names: list[str], most: int = 6) -> str:
    """Names in a row, the last after "and"; a long list is cut short.

    >>> listed(["a", "b", "c"]), listed(list("abcdefgh"), most=3)
    ('a, b and c', 'a, b, c and 5 more')
    """
    if len(names) > most:
        return f"{', '.join(names[:most])} and {len(names) - most} more"
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}" if names else "none"


def compared(result: Verdict, what: str, *, trifle: float = 0.0) -> str:
    """The verdict in one honest sentence about the first of the two; ``what`` names the score.

    A difference of at most ``trifle`` is called none, however surely it was measured.

    >>> from credo.evaluation import correlated_t
    >>> scores, guess = [-0.21, -0.24, -0.25, -0.22], [-0.69, -0.70, -0.68, -0.66]
    >>> compared(correlated_t(scores, guess, share=1 / 3, names=("naive Bayes", "guessing")), "log score")
    'naive Bayes beats guessing: log score higher by 0.45 ± 0.05 a row; P(better) > 0.99'
    """
    name, other = result.first, result.second
    if result.difference.value == 0 and not result.difference.half_width:
        return f"{name} cannot be told apart from {other} on these rows: the {what} is the same"
    if abs(result.difference.value) <= trifle:
        return f"{name} cannot be told apart from {other}: the {what} differs by less than {trifle:g} a row"
    better, gap = result.first_better, result.difference
    size = plus_minus(
        Interval(
            abs(gap.value),
            abs(gap.value) - gap.half_width,
            abs(gap.value) + gap.half_width,
            level=gap.level,
            method=gap.method,
        )
    )
    direction = "higher" if gap.value > 0 else "lower"
    if better >= SURE:
        return f"{name} beats {other}: {what} {direction} by {size} a row; P(better) {chance(better)}"
    if result.second_better >= SURE:
        return f"{name} is worse than {other}: {what} {direction} by {size} a row; P(better) {chance(better)}"
    return (
        f"{name} cannot be told apart from {other} on these rows: {what} {direction} by {size} a row; "
        f"P(better) {chance(better)}"
    )


def chance(p: float) -> str:
    """A probability to two decimals; beyond those, only that it is beyond.

    >>> chance(0.763), chance(0.9999)
    ('= 0.76', '> 0.99')
    """
    return "> 0.99" if p > 0.99 else "< 0.01" if p < 0.01 else f"= {p:.2f}"


def _places(half_width: float) -> int:
    """Decimals that show one digit of the half width, two where the first is small; what follows is noise."""
    if half_width <= 0:
        return 3
    lead = math.floor(math.log10(half_width))
    return max((1 if half_width < 5 * 10.0**lead else 0) - lead, 0)


def _fixed(x: float, places: int) -> str:
    text = f"{x:,.{places}f}"
    return text.replace("-", "−") if text.strip("-0.,") else f"{0:.{places}f}"
