"""What happens to errors, warnings and the version, whatever the command."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import warnings
from pathlib import Path

import pytest

from credo import __main__ as entry
from credo.cli import shell
from credo.errors import BadParameter, CredoWarning
from credo.naive_bayes import NaiveBayes
from credo.storage import save
from credo.tables import Table


def run(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, "-m", "credo", *arguments], capture_output=True, text=True, check=False)


def ending(monkeypatch, command, *arguments: str) -> int:
    """The exit code of ``main`` when its command is this function."""
    monkeypatch.setattr(shell, "app", command)
    monkeypatch.setattr(sys, "argv", ["credo", *arguments])
    with pytest.raises(SystemExit) as end:
        entry.main()
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


def test_an_interrupt_while_the_commands_are_loaded_is_no_crash() -> None:
    program = (
        "import sys\n"
        "class Interrupted:\n"
        "    def find_spec(self, name, path=None, target=None):\n"
        "        if name == 'typer': raise KeyboardInterrupt\n"
        "sys.meta_path.insert(0, Interrupted())\n"
        "from credo.__main__ import main\n"
        "main()"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (130, "")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="this system has no disk that is always full")
@pytest.mark.parametrize("json", [[], ["--json"]])
def test_a_full_disk_is_one_line_on_standard_error(json: list[str]) -> None:
    command = [sys.executable, "-m", "credo", "bayes", "--prior", "sick=.1", "--test", "T: .9 .1", *json]
    with Path("/dev/full").open("w") as full:
        done = subprocess.run(command, stdout=full, stderr=subprocess.PIPE, text=True, check=False)
    assert done.returncode == 2
    assert done.stderr == "credo: [Errno 28] No space left on device\n"


@pytest.mark.skipif(os.name != "posix", reason="the shell of this system cannot close standard output")
@pytest.mark.parametrize("json", ["", "--json"])
def test_a_closed_standard_output_is_one_line_on_standard_error(json: str) -> None:
    command = f"{sys.executable} -m credo bayes --prior sick=.1 --test 'T: .9 .1' {json} >&-"
    done = subprocess.run(command, shell=True, capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert done.stderr.startswith("credo: standard output is closed")
    assert done.stderr.count("\n") == 1


@pytest.mark.skipif(os.name != "posix", reason="pipes of other systems break in other ways")
def test_a_reader_that_stops_reading_is_no_crash() -> None:
    reading, writing = os.pipe()
    os.close(reading)
    command = [sys.executable, "-m", "credo", "bayes", "--prior", "sick=.1", "--test", "T: .9 .1"]
    done = subprocess.run(command, stdout=writing, stderr=subprocess.PIPE, text=True, check=False)
    os.close(writing)
    assert done.stderr == ""


@pytest.mark.parametrize("encoding", ["ascii", "cp1252"])
def test_names_of_every_language_leave_as_utf_8_whatever_the_locale(tmp_path, encoding: str) -> None:
    data = tmp_path / "données.csv"
    lines = [f"{i % 2}.{i},{'да' if i % 2 else 'нет'}" for i in range(8)]
    data.write_text("\n".join(["größe,名前", *lines]), encoding="utf-8")
    save(NaiveBayes().fit(Table.read(data).drop("名前"), ["да" if i % 2 else "нет" for i in range(8)]), tmp_path / "m")
    environment = {**os.environ, "PYTHONIOENCODING": encoding}
    for arguments in (["predict", str(tmp_path / "m"), str(data)], ["table", str(data)]):
        command = [sys.executable, "-m", "credo", *arguments]
        done = subprocess.run(command, capture_output=True, env=environment, check=False)
        assert done.returncode == 0, done.stderr
        assert "да" in done.stdout.decode("utf-8")


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
