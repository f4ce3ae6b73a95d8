"""Amounts and periods as people say them."""

from __future__ import annotations

import math

__all__ = ["amount", "listed", "season"]

DAYS = {
    "second": 1 / 86400,
    "minute": 1 / 1440,
    "hour": 1 / 24,
    "day": 1.0,
    "week": 7.0,
    "month": 365.25 / 12,
    "quarter": 365.25 / 4,
    "year": 365.25,
}
EVERYDAY = {"minute": "minutely", "hour": "hourly", "day": "daily"}
SAME = 0.02  # periods that differ by less have the same name


def amount(value: float, unit: str = "") -> str:
    """A number to two digits, with its unit.

    >>> amount(88.7, "years"), amount(1.02, "years"), amount(1234.5), amount(0.00012)
    ('89 years', '1 year', '1,200', '0.00012')
    """
    if value > 0 and math.isfinite(value):
        value = round(value, 1 - math.floor(math.log10(value)))
    number = f"{value:,.12g}" if 1e-5 < value < 1e7 else f"{value:.2g}"
    if number == "1" and unit.lower().removesuffix("s") in DAYS:
        unit = unit.removesuffix("s")
    return f"{number} {unit}".strip()


def season(period: float, unit: str, what: str = "season") -> str:
    """What comes back after a period, by its everyday name where it has one.

    >>> season(1.0, "years"), season(7.02, "days"), season(11.1, "years"), season(1.0, "second")
    ('a yearly season', 'a weekly season', 'a season of about 11 years', 'a season of about 1 second')
    """
    days = DAYS.get(unit.strip().lower().removesuffix("s"), math.nan) * period
    for name, length in DAYS.items():
        if name != "second" and abs(days / length - 1) < SAME:
            word = EVERYDAY.get(name, f"{name}ly")
            article = "an" if name == "hour" else "a"
            return f"{article} {word} {what}"
    return f"a {what} of about {amount(period, unit)}"


def listed(words: list[str]) -> str:
    """Words one after the other, the last with "and".

    >>> listed(["a", "b", "c"])
    'a, b and c'
    """
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} and {words[-1]}"
