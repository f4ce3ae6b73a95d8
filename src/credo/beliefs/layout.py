"""Cells of text in aligned columns."""

from __future__ import annotations

from collections.abc import Sequence

__all__ = ["aligned"]


def aligned(lines: Sequence[Sequence[str]], *, right: Sequence[bool]) -> str:
    """Lines of cells in columns, those marked ``right`` justified to the right.

    >>> print(aligned([["coin", "p"], ["H", "0.3"]], right=[False, True]))
    coin    p
    H     0.3
    """
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    return "\n".join(
        "  ".join(
            cell.rjust(width) if number else cell.ljust(width)
            for cell, width, number in zip(line, widths, right, strict=True)
        ).rstrip()
        for line in lines
    )
