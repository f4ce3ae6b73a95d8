"""What happens to errors, warnings and the version, whatever the command."""

from __future__ import annotations

import json
import subprocess
import sys
import warnings

import pytest

from credo.cli import shell
from credo.errors import BadParameter, CredoWarning


def run(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, "-m", "credo", *arguments], capture_output=True, text=True, check=False)


def ending(monkeypatch, command, *arguments: str) -> int:
    """The exit code of ``main`` when its command is this function."""
    monkeypatch.setattr(shell, "app", command)
    monkeypatch.setattr(sys, "argv", ["credo", *arguments])
    with pytest.raises(SystemExit) as end:
        shell.main()
    return int(end.value.code or 0)


def raising(error: BaseException):
    def command() -> None:
        raise error

    return command


def test_the_version_says_how_loops_run() -> None:
    done = run("--version")
    assert done.returncode == 0
    assert done.stdout.startswith("credo 0.1.0 (")


@pytest.mark.parametrize("arguments", [["nonsense"], ["bayes", "--nonsense"], ["predict"]])
def test_what_is_no_command_is_refused(arguments: list[str]) -> None:
    done = run(*arguments)
    assert done.returncode == 2
    assert not done.stdout
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize("error", [BadParameter("folds must be at least 2"), PermissionError(13, "denied", "out")])
def test_foreseen_errors_are_one_line(monkeypatch, capsys, error) -> None:
    assert ending(monkeypatch, raising(error)) == 2
    out, err = capsys.readouterr()
    assert not out
    assert err == f"credo: {error}\n"


def test_errors_are_json_where_json_was_asked_for(monkeypatch, capsys) -> None:
    assert ending(monkeypatch, raising(BadParameter("no")), "--json") == 2
    assert json.loads(capsys.readouterr().out) == {"error": {"kind": "BadParameter", "message": "no"}}


def test_an_interrupt_is_no_crash(monkeypatch, capsys) -> None:
    assert ending(monkeypatch, raising(KeyboardInterrupt())) == 130
    assert "Traceback" not in capsys.readouterr().err


def test_a_bug_is_not_hidden(monkeypatch) -> None:
    monkeypatch.setattr(shell, "app", raising(ZeroDivisionError()))
    with pytest.raises(ZeroDivisionError):
        shell.main()


def test_warnings_are_notes(monkeypatch, capsys) -> None:
    def command() -> None:
        warnings.simplefilter("always")
        warnings.warn("two columns are left out", CredoWarning, stacklevel=1)

    monkeypatch.setattr(shell, "app", command)
    shell.main()
    assert capsys.readouterr().err == "note: two columns are left out\n"
