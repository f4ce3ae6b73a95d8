"""Pictures drawn by hand: a few shapes, an axis with round ticks, and a frame that says in words what it shows.

Colours are classes that the page's style sheet defines, so that a picture follows light, dark and print.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from html import escape

__all__ = ["Axis", "across", "area", "bar", "box", "diamond", "dot", "line", "picture", "stroke", "text", "ticks", "up"]

SMALL = 340.0  # what a telephone shows without scrolling


@dataclass(frozen=True, slots=True)
class Axis:
    """Numbers from ``low`` to ``high`` laid on pixels from ``start`` to ``stop``.

    >>> Axis("share", 0, 1, start=50, stop=250).at(0.5)
    150.0
    """

    label: str
    low: float
    high: float
    start: float
    stop: float

    def at(self, x: float) -> float:
        """The pixel of ``x``, held within the picture."""
        share = (min(max(x, self.low), self.high) - self.low) / (self.high - self.low)
        return self.start + share * (self.stop - self.start)

    @classmethod
    def around(cls, label: str, values: Iterable[float], start: float, stop: float) -> Axis:
        """An axis that holds every finite value with a little room to spare."""
        held = [x for x in values if math.isfinite(x)] or [0.0, 1.0]
        low, high = min(held), max(held)
        room = 0.06 * (high - low) or abs(high) * 0.1 or 1.0
        return cls(label, low - room, high + room, start, stop)


def ticks(low: float, high: float, most: int = 6) -> list[float]:
    """Round numbers between ``low`` and ``high``: at most ``most``, a step of 1, 2 or 5 times a power of ten.

    >>> ticks(0.0, 1.0)
    [0.0, 0.2, 0.4, 0.6, 0.8, 1.0]
    """
    step = 10.0 ** math.floor(math.log10((high - low) / most))
    step *= next(factor for factor in (1, 2, 5, 10, 20) if (high - low) / (step * factor) <= most)
    first = math.ceil(low / step - 1e-9)
    last = math.floor(high / step + 1e-9)
    return [round(i * step, 12) for i in range(first, last + 1)]


def text(x: float, y: float, words: str, kind: str = "", anchor: str = "start") -> str:
    """Words at a place; ``anchor`` is start, middle or end."""
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" class="{kind}">{escape(words)}</text>'


def stroke(x1: float, y1: float, x2: float, y2: float, kind: str) -> str:
    """A straight line."""
    return f'<line x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}" class="{kind}"/>'


def line(points: Iterable[tuple[float, float]], kind: str) -> str:
    """A line from point to point."""
    return f'<polyline points="{_places(points)}" class="line {kind}"/>'


def area(points: Iterable[tuple[float, float]], kind: str) -> str:
    """What lies within a line that ends where it began."""
    return f'<polygon points="{_places(points)}" class="{kind}"/>'


def _places(points: Iterable[tuple[float, float]]) -> str:
    return " ".join(f"{x:.1f},{y:.1f}" for x, y in points)


def diamond(x: float, y: float, radius: float, kind: str, hint: str = "") -> str:
    """A mark that is told from a dot without its colour."""
    corners = _places([(x, y - radius), (x + radius, y), (x, y + radius), (x - radius, y)])
    inside = f"<title>{escape(hint)}</title>" if hint else ""
    return f'<polygon points="{corners}" class="{kind}">{inside}</polygon>'


def dot(x: float, y: float, radius: float, kind: str, hint: str = "") -> str:
    """A filled circle; ``hint`` is what a pointer resting on it is told."""
    inside = f"<title>{escape(hint)}</title>" if hint else ""
    return f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{radius:.1f}" class="{kind}">{inside}</circle>'


def box(x: float, y: float, width: float, height: float, kind: str, hint: str = "") -> str:
    """A filled rectangle."""
    inside = f"<title>{escape(hint)}</title>" if hint else ""
    return (
        f'<rect x="{x:.1f}" y="{y:.1f}" width="{max(width, 0):.1f}" height="{max(height, 0):.1f}" class="{kind}">'
        f"{inside}</rect>"
    )


def bar(x1: float, y1: float, x2: float, y2: float, kind: str) -> str:
    """An interval: a line with a short stop at either end, level or upright."""
    ends = 4.0 if x1 != x2 else 0.0
    side = 4.0 if not ends else 0.0
    return (
        stroke(x1, y1, x2, y2, kind)
        + stroke(x1 - side, y1 - ends, x1 + side, y1 + ends, kind)
        + stroke(x2 - side, y2 - ends, x2 + side, y2 + ends, kind)
    )


def across(axis: Axis, y: float, top: float) -> str:
    """A level axis at height ``y`` with faint lines up to ``top``, its ticks and its label."""
    parts = [stroke(axis.start, y, axis.stop, y, "axis")]
    for tick in ticks(axis.low, axis.high):
        parts.append(stroke(axis.at(tick), y, axis.at(tick), top, "grid"))
        parts.append(text(axis.at(tick), y + 17, _plain(tick), "tick", "middle"))
    parts.append(text((axis.start + axis.stop) / 2, y + 37, axis.label, "label", "middle"))
    return "".join(parts)


def up(axis: Axis, x: float, right: float) -> str:
    """An upright axis at ``x`` with faint lines to ``right``; its label stands level above it."""
    parts = [stroke(x, axis.start, x, axis.stop, "axis")]
    for tick in ticks(axis.low, axis.high):
        parts.append(stroke(x, axis.at(tick), right, axis.at(tick), "grid"))
        parts.append(text(x - 7, axis.at(tick) + 4, _plain(tick), "tick", "end"))
    parts.append(text(4, axis.stop - 12, axis.label, "label"))
    return "".join(parts)


def _plain(tick: float) -> str:
    """A round number without spare zeros."""
    text = f"{tick:,.10g}" if abs(tick) < 1e6 else f"{tick:.3g}"
    return text.replace("-", "−")


def picture(title: str, description: str, size: tuple[float, float], parts: Sequence[str]) -> str:
    """A whole picture, readable without seeing it: ``title`` says what it is, ``description`` what it shows.

    One that fits a telephone is never wider than it was drawn for; a wider one scrolls in its own box.
    """
    width, height = size
    kind = ' class="small"' if width <= SMALL else ""
    return (
        f'<svg{kind} viewBox="0 0 {width:.0f} {height:.0f}" width="{width:.0f}" height="{height:.0f}" role="img" '
        f'aria-label="{escape(f"{title}. {description}")}">'
        f"<title>{escape(title)}</title><desc>{escape(description)}</desc>{''.join(parts)}</svg>"
    )
