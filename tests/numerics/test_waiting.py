"""How far long work is, and when it is to end."""

import pytest

from credo.numerics import Budget, Line, waiting


@pytest.fixture
def now(monkeypatch):
    held = [0.0]
    monkeypatch.setattr(waiting.time, "monotonic", lambda: held[0])
    return held


def test_a_line_is_shown_on_a_terminal_after_a_while_and_cleared(now, monkeypatch, capsys):
    monkeypatch.setattr("sys.stderr.isatty", lambda: True)
    line = Line()
    line.tell("too early")
    line.close()
    assert capsys.readouterr().err == ""
    now[0] = 2.5
    line.tell("the first")
    line.tell("too soon after it")
    now[0] = 3.0
    line.tell("long " * 100)
    before, first, second = capsys.readouterr().err.split("\r")
    assert (before, first.rstrip(), second.startswith("long long")) == ("", "the first", True)
    assert len(first) == len(second) < 80
    line.close()
    assert capsys.readouterr().err.split("\r") == ["", " " * len(first), ""]


def test_where_nobody_looks_nothing_is_said(now, capsys):
    line = Line()
    now[0] = 9.0
    line.tell("unseen")
    line.close()
    assert capsys.readouterr().err == ""


def test_a_budget_ends_by_the_clock_or_by_hand(now):
    budget, endless = Budget(seconds=5.0), Budget()
    now[0] = 4.9
    assert not budget.over
    now[0] = 5.0
    assert (budget.late, budget.over, budget.stopped) == (True, True, False)
    assert not endless.over
    endless.stop()
    assert (endless.late, endless.over, endless.stopped) == (False, True, True)
