"""The page a report is printed on: one style sheet, light, dark and paper; and the few shapes of its text."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape
from typing import NamedTuple

__all__ = [
    "Section",
    "beside",
    "figure_box",
    "folded",
    "heading",
    "nav",
    "note",
    "page",
    "paragraph",
    "section",
    "table",
]

LONGEST_WORD = 16  # letters

STYLE = """
:root { color-scheme: light dark;
  --paper: #fdfcf9; --ink: #1d2329; --soft: #5b6570; --line: #d9d6cd; --tint: #f3f1ea;
  --accent: #1f5f8b; --accent-soft: #1f5f8b2e; --warm: #b5532a; --quiet: #8a9199;
  --shade: #0003; --a0: #1f5f8b; --a1: #b5532a; --a2: #5f7330; --a3: #7a4f8c; }
@media screen and (prefers-color-scheme: dark) { :root {
  --paper: #15191d; --ink: #e7e5df; --soft: #a2abb3; --line: #343b42; --tint: #1d2328;
  --accent: #7db8e0; --accent-soft: #7db8e033; --warm: #e59a72; --quiet: #7f8890;
  --shade: #000c; --a0: #7db8e0; --a1: #e59a72; --a2: #b5c77c; --a3: #c79bd8; } }
* { box-sizing: border-box; }
html { -webkit-text-size-adjust: 100%; }
body { margin: 0; background: var(--paper); color: var(--ink);
  font: 1.0625rem/1.6 Charter, "Bitstream Charter", "Iowan Old Style", "Source Serif 4", Cambria, Georgia, serif; }
main { max-width: 47rem; margin: 0 auto; padding: 3.5rem 1.25rem 5rem; }
h1 { font-size: clamp(1.6rem, 5vw, 2.25rem); line-height: 1.18; margin: 0 0 .6rem; font-weight: 600;
  letter-spacing: -.012em; overflow-wrap: anywhere; text-wrap: balance; }
h2 { font-size: 1.3rem; line-height: 1.25; margin: 3.2rem 0 .7rem; font-weight: 600; padding-top: 1rem;
  border-top: 1px solid var(--line); }
h3 { font-size: 1.05rem; margin: 2rem 0 .4rem; }
p { margin: .6rem 0; overflow-wrap: anywhere; }
a { color: var(--accent); }
.kicker, .tile, table, figcaption, .method, nav, summary, svg text, footer {
  font-family: system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", sans-serif; }
.kicker { font-size: .78rem; letter-spacing: .06em; color: var(--soft); margin: 0 0 1.2rem; }
nav { font-size: .84rem; line-height: 1.9; margin: 1.6rem 0 0; color: var(--soft); }
nav a { margin-right: 1.1em; white-space: nowrap; }
.answer { font-size: 1.2rem; line-height: 1.5; margin: 1.5rem 0 0; }
.answer p { margin: .5rem 0; }
.tiles { display: grid; grid-template-columns: repeat(auto-fit, minmax(10.5rem, 1fr)); gap: 1px; margin: 2rem 0 0;
  background: var(--line); border: 1px solid var(--line); }
.tile { background: var(--paper); padding: .85rem 1rem .9rem; }
.tile b { display: block; font-size: 1.55rem; font-weight: 600; font-variant-numeric: tabular-nums; line-height: 1.25; }
.tile span { display: block; font-size: .82rem; color: var(--soft); line-height: 1.4; }
.scroll { overflow-x: auto; margin: 1rem 0; background:
    linear-gradient(to right, var(--paper) 30%, transparent) left / 2.5rem 100% local,
    linear-gradient(to left, var(--paper) 30%, transparent) right / 2.5rem 100% local,
    linear-gradient(to right, var(--shade), transparent) left / .7rem 100% scroll,
    linear-gradient(to left, var(--shade), transparent) right / .7rem 100% scroll;
  background-repeat: no-repeat; }
table { border-collapse: collapse; font-size: .875rem; line-height: 1.4; font-variant-numeric: tabular-nums;
  width: 100%; }
caption { text-align: left; color: var(--soft); padding-bottom: .4rem; }
th, td { padding: .42rem .7rem .42rem 0; text-align: left; vertical-align: top; border-bottom: 1px solid var(--line); }
thead th { color: var(--soft); font-weight: 500; border-bottom-color: var(--quiet);
  vertical-align: bottom; }
tbody th { font-weight: 600; overflow-wrap: break-word; min-width: 6rem; max-width: 16rem; }
td.n, th.n { text-align: right; white-space: nowrap; }
td.m { color: var(--soft); font-size: .8rem; min-width: 8rem; line-height: 1.45; }
td.hit { background: var(--accent-soft); font-weight: 600; }
td.t { min-width: 6.5rem; } td.t.t + td.t { min-width: 11rem; }
td.w, td.c { white-space: nowrap; } td.c, th.c { text-align: center; }
th.any { white-space: normal; overflow-wrap: anywhere; min-width: 5rem; }
td.n + td, th.n + th { padding-left: 1rem; }
td.n + td.n, th.n + th.n { padding-left: 0; } td.hit { padding-right: .6rem; }
figure { margin: 1.4rem 0; }
figure .scroll { margin: 0; }
svg { display: block; width: 100%; max-width: 35rem; min-width: 27rem; height: auto; }
svg.small { max-width: 21.25rem; min-width: 0; }
.pair { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 20rem), 1fr)); gap: 0 1.5rem;
  align-items: start; }
.pair > * { min-width: 0; } .pair th, .pair td { padding-right: .55rem; }
figcaption { font-size: .84rem; color: var(--soft); margin-top: .5rem; max-width: 40rem; }
svg text { font-size: 12px; fill: var(--ink);
  paint-order: stroke; stroke: var(--paper); stroke-width: 4px; stroke-linejoin: round; }
svg .tick { fill: var(--soft); } svg .label { fill: var(--soft); } svg .name { font-weight: 600; font-size: 13px; }
svg .axis { stroke: var(--quiet); stroke-width: 1; } svg .grid { stroke: var(--line); stroke-width: 1; }
svg .ideal { stroke: var(--quiet); stroke-width: 1.3; stroke-dasharray: 5 4; }
svg .candidate { fill: var(--accent); } svg .baseline { fill: var(--quiet); } svg .missed { fill: var(--warm); }
svg .faint { opacity: .45; }
svg .candidate.interval { stroke: var(--accent); stroke-width: 1.8; }
svg .baseline.interval { stroke: var(--quiet); stroke-width: 1.8; }
svg .count { fill: var(--accent-soft); } svg .spread { stroke: var(--accent-soft); stroke-width: 2; }
svg .mark { stroke: var(--ink); stroke-width: 1; opacity: .45; }
svg .line { fill: none; stroke-width: 2; stroke-linejoin: round; } svg .line.candidate { stroke: var(--accent); }
svg .bars { fill-opacity: .75; } svg .expected { fill: var(--tint); stroke: var(--quiet); stroke-dasharray: 3 3; }
svg .sheet { fill: none; stroke: var(--quiet); }
svg .heat1 { fill-opacity: .1; } svg .heat2 { fill-opacity: .19; } svg .heat3 { fill-opacity: .28; }
svg .heat4 { fill-opacity: .37; } svg .heat5 { fill-opacity: .46; }
svg text.cell { font-size: 9.5px; stroke: none; } svg text.on { fill: var(--paper); stroke: none; font-weight: 600; }
svg .action { stroke-width: 2; } svg .a0.action { stroke: var(--a0); }
svg .a1.action { stroke: var(--a1); stroke-dasharray: 9 3; }
svg .a2.action { stroke: var(--a2); stroke-dasharray: 3 3; }
svg .a3.action { stroke: var(--a3); stroke-dasharray: 12 3 3 3; }
svg .a0.fill { fill: var(--a0); } svg .a1.fill { fill: var(--a1); } svg .a2.fill { fill: var(--a2); }
svg .a3.fill { fill: var(--a3); }
.note { border-left: 3px solid var(--warm); padding: .1rem 0 .1rem 1rem; margin: 1rem 0; }
.note p { margin: .3rem 0; }
details { margin: 1rem 0; } summary { cursor: pointer; font-size: .9rem; color: var(--accent); }
pre, code { font-family: ui-monospace, "SF Mono", Menlo, Consolas, monospace; font-size: .86em; }
pre { background: var(--tint); padding: .8rem 1rem; overflow-x: auto; line-height: 1.5; }
ol { padding-left: 2rem; } .method { font-size: .92rem; line-height: 1.55; }
li { margin: .3rem 0; overflow-wrap: anywhere; }
footer { margin-top: 4rem; padding-top: 1rem; border-top: 1px solid var(--line); font-size: .8rem; color: var(--soft); }
@page { margin: 16mm 15mm; }
@media print {
  :root { color-scheme: light; --paper: #fff; --ink: #000; --soft: #444; --line: #bbb; --tint: #f4f4f4; }
  * { print-color-adjust: exact; -webkit-print-color-adjust: exact; }
  body { font-size: 11pt; } main { max-width: none; padding: 0; } nav { display: none; }
  figure, .tiles, .pair, tr, pre, .note { break-inside: avoid; } h2, h3, caption { break-after: avoid; }
  .scroll { break-inside: avoid; } details .scroll { break-inside: auto; }
  h2 { margin-top: 1.2rem; } p, li { orphans: 3; widows: 3; }
  footer { margin-top: 1rem; break-before: avoid; }
  table { font-size: 8.5pt; } tbody th, td.t, td.t.t + td.t { overflow-wrap: anywhere; min-width: 0; }
  tbody th { min-width: 4.5rem; } td.m { font-size: 8pt; } details td.w { white-space: normal; }
  svg { min-width: 0; max-width: 27rem; } svg.small { max-width: 13.5rem; }
  figure { margin: .6rem 0; } figcaption { font-size: 8.5pt; line-height: 1.35; margin-top: .2rem; }
  .scroll { overflow: visible; background: none; } pre { white-space: pre-wrap; }
  .pair { grid-template-columns: 1fr 1fr; }
  details.short::details-content { content-visibility: visible; } details:not([open]):not(.short) { display: none; }
}
"""


def page(title: str, body: Iterable[str]) -> str:
    """A whole document; ``title`` is text, ``body`` is HTML."""
    return (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f'<meta name="generator" content="credo">\n<title>{escape(title)}</title>\n<style>{STYLE}</style>\n</head>\n'
        f"<body>\n<main>\n{chr(10).join(body)}\n</main>\n</body>\n</html>\n"
    )


class Section(NamedTuple):
    """A part of the report under its heading."""

    title: str
    html: str


def section(title: str, body: Iterable[str]) -> Section:
    """A part of the report, where :func:`nav` finds it; ``title`` is text, ``body`` is HTML."""
    place = _place(title)
    head = f'<section aria-labelledby="{place}">\n<h2 id="{place}">{escape(title)}</h2>'
    return Section(title, "\n".join([head, *body, "</section>"]))


def nav(sections: Iterable[Section]) -> str:
    """Links to these sections.

    >>> nav([section("The data", [])])
    '<nav aria-label="On this page"><a href="#the-data">The data</a></nav>'
    """
    links = " ".join(f'<a href="#{_place(part.title)}">{escape(part.title)}</a>' for part in sections)
    return f'<nav aria-label="On this page">{links}</nav>'


def _place(title: str) -> str:
    """What a section is called within the page."""
    return "-".join("".join(letter if letter.isalnum() else " " for letter in title.lower()).split())


def folded(summary: str, body: str, *, short: bool = True) -> str:
    """What not everybody wants to see: opened by a click. Only what is ``short`` is printed."""
    kind = ' class="short"' if short else ""
    return f"<details{kind}><summary>{escape(summary)}</summary>{body}</details>"


def beside(first: str, second: str) -> str:
    """Two things beside each other, or one below the other where the screen is narrow."""
    return f'<div class="pair">{first}{second}</div>'


def paragraph(words: str) -> str:
    """Words on a line of their own."""
    return f"<p>{escape(words)}</p>"


def table(columns: Sequence[str], rows: Iterable[Sequence[str]], kinds: str, caption: str = "") -> str:
    """A table of texts, escaped, that scrolls by itself when the screen is narrow.

    ``kinds`` has a letter for each column: h(eading), n(umber), w(ords), c(entred), m(ethod) or t(ext).

    >>> table(["name", "n"], [["<a>", "1"]], "hn").count("&lt;a&gt;")
    1
    """
    head = "".join(heading(name, kind) for name, kind in zip(columns, kinds, strict=True))
    body = "".join(f"<tr>{''.join(map(_cell, row, kinds))}</tr>\n" for row in rows)
    said = f"<caption>{escape(caption)}</caption>" if caption else ""
    # A region that scrolls must be reachable by keyboard.
    inside = f"<table>{said}<thead><tr>{head}</tr></thead>\n<tbody>{body}</tbody></table>"
    return f'<div class="scroll" tabindex="0">{inside}</div>'


def heading(name: str, kind: str) -> str:
    """The head of a column; a name with a very long word may be broken anywhere.

    >>> heading("rows", "n")
    '<th scope="col" class="n">rows</th>'
    """
    broken = " any" if max(map(len, name.split()), default=0) > LONGEST_WORD else ""
    return f'<th scope="col" class="{kind}{broken}">{escape(name)}</th>'


def figure_box(drawing: str, caption: str) -> str:
    """A picture with the words below it."""
    return (
        f'<figure><div class="scroll" tabindex="0">{drawing}</div><figcaption>{escape(caption)}</figcaption></figure>'
    )


def note(texts: Iterable[str]) -> str:
    """Something the reader must not miss; nothing at all when there is nothing to say."""
    held = "".join(f"<p>{escape(words)}</p>" for words in texts)
    return f'<div class="note">{held}</div>' if held else ""


def _cell(words: str, kind: str) -> str:
    if kind == "h":
        return f'<th scope="row">{escape(words)}</th>'
    return f'<td class="{kind}">{escape(words)}</td>'
