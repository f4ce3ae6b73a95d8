"""Lines of cells as people see them: in aligned columns, or as a table of a notebook."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape

__all__ = ["aligned", "html_table"]


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


def html_table(
    lines: Iterable[Sequence[str]], *, title: str = "", above: Iterable[str] = (), below: Iterable[str] = ()
) -> str:
    """The same for a notebook, the first line as the head; whatever the cells hold is shown and never obeyed.

    >>> html_table([["coin", "p"], ["<H>", "0.3"]])
    '<table><tr><th>coin</th><th>p</th></tr><tr><td>&lt;H&gt;</td><td>0.3</td></tr></table>'
    """
    head, *body = ([escape(cell) for cell in line] for line in lines)
    rows = ["".join(f"<th>{cell}</th>" for cell in head)]
    rows += ["".join(f"<td>{cell}</td>" for cell in line) for line in body]
    caption = f"<caption>{escape(title)}</caption>" if title else ""
    before, after = ("".join(f"<p>{escape(line)}</p>" for line in lines) for lines in (above, below))
    return f"{before}<table>{caption}{''.join(f'<tr>{row}</tr>' for row in rows)}</table>{after}"
