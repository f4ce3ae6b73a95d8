"""Numbers in texts: all of them at once, or what is wrong and where."""

from __future__ import annotations

import functools
import re
from collections.abc import Sequence
from itertools import islice

import numpy as np

from credo.checks import Floats, shown

__all__ = ["complaint", "numbers", "place"]

#: No sign: what is read here is never negative. Every quantifier is possessive, so that nothing is tried twice.
NUMBER = r"\+?+(?:[0-9]++\.?+[0-9]*+|\.[0-9]++)(?:[eE][+-]?+[0-9]++)?+"
BLANK = r"[\s,]"
ALONE = re.compile(NUMBER)
PIECE = re.compile(r"[^\s,]+", re.ASCII)
APART = str.maketrans(",;", "  ")


@functools.lru_cache(maxsize=256)
def _rows(width: int | None) -> re.Pattern[str]:
    times = "*+" if width is None else f"{{{width}}}+"
    return re.compile(rf"(?:(?:{BLANK}*+{NUMBER}(?={BLANK}|;)){times}{BLANK}*+;)*+", re.ASCII)


def numbers(texts: Sequence[str], width: int | None = None) -> Floats | None:
    """The numbers in ``texts``, in one row; None unless each holds nothing else, and ``width`` of them.

    They are set apart by blanks or commas, and are finite and not negative.

    >>> numbers(["0.1, 9e-1", ".5 .5"], 2)
    array([0.1, 0.9, 0.5, 0.5])
    >>> numbers(["0.1, x"], 2)
    """
    joined = ";".join(texts) + ";"
    each = None if len(texts) == 1 else width  # a single text is counted below, without a pattern of its own
    if not _rows(each).fullmatch(joined):
        return None
    found = np.fromstring(joined.translate(APART), dtype=np.float64, sep=" ")
    if len(texts) == 1 and width not in (None, found.size):
        return None
    return found if found.size == 0 or found.max() < np.inf else None


def place(text: str, index: int) -> int:
    """At which place in ``text`` the ``index``-th number or name stands, or its end.

    >>> place("0.1, 0.9", 1)
    5
    """
    return next((piece.start() for piece in islice(PIECE.finditer(text), index, None)), len(text))


def complaint(text: str, width: int | None = None) -> tuple[str, int]:
    """What is wrong with the numbers in ``text``, and at which place in it; an empty message if nothing is.

    >>> complaint("0.1, x")
    ("expected a number, finite and not negative; found 'x'", 5)
    >>> complaint("0.1, 0.9", 3)
    ('expected 3 numbers; found 2', 0)
    """
    held = 0
    for piece in PIECE.finditer(text):
        if not ALONE.fullmatch(piece[0]) or float(piece[0]) == np.inf:
            return f"expected a number, finite and not negative; found {shown(piece[0])}", piece.start()
        held += 1
    return ("", 0) if width in (None, held) else (f"expected {width:,} number{'s' * (width != 1)}; found {held:,}", 0)
