"""``credo table``, called as a person and as a program would."""

from __future__ import annotations

import json

import pytest
from typer.testing import CliRunner

from credo.cli import app
from credo.errors import CredoError


def run(*arguments: object) -> str:
    result = CliRunner().invoke(app, ["table", *map(str, arguments)], catch_exceptions=False)
    assert result.exit_code == 0, result.output
    return result.output


@pytest.fixture
def path(tmp_path):
    file = tmp_path / "a.csv"
    file.write_text("age,sex,size,when\n1.5,f,S,2020-01-01\n?,m,L,2020-05-01\n3.5,f,S,\n")
    return file


def test_for_people(path):
    text = run(path)
    assert "3 rows" in text
    assert "1.5 to 3.5" in text
    assert "1 missing (written '?')" in text
    assert "--types" not in text
    assert "say --types visits=category if they are labels" in _counts(path)
    assert "no header" in run("--types", "column_1=text", _headless(path))


def _counts(path):
    file = path.with_name("counts.csv")
    file.write_text("visits\n1\n2\n2\n")
    return run(file)


def _headless(path):
    file = path.with_name("b.csv")
    file.write_text("1,2\n3,4\n")
    return file


def test_for_programs(path):
    document = json.loads(run(path, "--types", "size=S,M,L", "--types", "sex=text", "--json"))
    assert document["rows"] == 3
    columns = {column["name"]: column for column in document["columns"]}
    assert columns["size"]["kind"] == "ordered"
    assert columns["size"]["states"] == ["S", "M", "L"]
    assert columns["sex"]["kind"] == "text"
    assert (columns["age"]["low"], columns["age"]["high"], columns["age"]["missing"]) == (1.5, 3.5, 1)
    assert columns["when"]["low"].startswith("2020-01-01")


@pytest.mark.parametrize("types", ["age", "=count", "age=", "nobody=count", "age=number"])
def test_types_that_say_nothing(path, types):
    with pytest.raises(CredoError):
        run(path, "--types", types)


def test_one_row_is_one_row(tmp_path):
    (tmp_path / "a.csv").write_text("a,b\n1.5,x\n")
    assert run(tmp_path / "a.csv").startswith("1 row\n")
