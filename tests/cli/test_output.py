"""Tables and JSON as the commands print them."""

from __future__ import annotations

import json

import numpy as np
import pytest

from credo.cli import output


def test_plain_text_is_aligned_and_never_cut(capsys: pytest.CaptureFixture[str]) -> None:
    long = "x" * 300
    output.table("Title", ["name", "n", "p"], [[long, 3, 0.123456], ["b", 1200, np.float64(1e-12)]])
    title, header, first, second = capsys.readouterr().out.splitlines()
    assert title == "Title"
    assert first == f"{long}      3  0.1235"
    assert second.endswith("  1,200   1e-12")
    assert header.split() == ["name", "n", "p"]


def test_what_cannot_be_printed_is_written_out(capsys: pytest.CaptureFixture[str]) -> None:
    output.table("Title", ["name"], [["two\nlines"], ["\x1b[2Jgone"], ["größe\u00a0名前🙂"]])
    assert capsys.readouterr().out.splitlines() == ["Title", "name", "two\\nlines", "\\x1b[2Jgone", "größe\\xa0名前🙂"]


def test_a_table_without_rows_is_its_header(capsys: pytest.CaptureFixture[str]) -> None:
    output.table("Nothing", ["a", "b"], [])
    assert capsys.readouterr().out == "Nothing\na  b\n"


def test_a_terminal_gets_a_drawn_table_and_markup_is_not_obeyed(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.stdout.isatty", lambda: True)
    output.table("Title", ["[bold]name"], [["[red]a[/red]"]])
    drawn = capsys.readouterr().out
    assert "[red]a[/red]" in drawn
    assert "[bold]name" in drawn
    assert "─" in drawn or "━" in drawn


def test_json_understands_numpy_and_refuses_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    output.emit_json({"x": np.array([1.0, np.inf]), "n": np.int64(3), ("a", 1): [True, None, float("nan")], "é": "ü"})
    assert json.loads(capsys.readouterr().out) == {
        "x": [1.0, None],
        "n": 3,
        "('a', 1)": [True, None, None],
        "é": "ü",
    }
