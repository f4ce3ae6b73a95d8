"""How a table is to be read, as options say it."""

from __future__ import annotations

import pytest

from credo.cli.kinds import dialect_of, in_options, kinds, missing_texts, read_table
from credo.errors import CredoError
from credo.tables import MISSING, Dialect


def test_a_dialect_of_all_its_parts():
    texts = ["delimiter=;", "header=yes", "decimal=.", "quote='", "skip=12"]
    assert dialect_of(texts) == Dialect(delimiter=";", header=True, decimal=".", quote="'", skip=12)
    assert dialect_of(["quote=", "delimiter==", "header=auto"]) == Dialect(quote="", delimiter="=")
    assert dialect_of(None) == Dialect()


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("decimal", "--dialect must look like"),
        ("header=maybe", "header"),
        ("comma=yes", "part of a dialect"),
        ("skip=-1", "skip must be a number"),
        ("skip=²", "skip must be a number"),
        ("delimiter=;;", "one character"),
        ("decimal=:", "decimal"),
    ],
)
def test_what_is_no_dialect_is_refused(text, complaint):
    with pytest.raises(CredoError, match=complaint):
        dialect_of([text])
    with pytest.raises(CredoError, match="twice"):
        dialect_of(["skip=1", "skip=2"])


def test_what_is_missing_is_added_to_what_always_is():
    assert missing_texts(None) == MISSING
    assert missing_texts(["none", "NA"]) == (*MISSING, "none")


def test_a_table_is_read_as_all_options_say(tmp_path):
    path = tmp_path / "odd.csv"
    path.write_text("made by hand\na|b\n1,5|7\nnone|8\n")
    table = read_table(path, types=["b=category"], missing=["none"], dialect=["skip=1", "decimal=,"])
    assert table.to_dict() == {"a": [1.5, None], "b": ["7", "8"]}


@pytest.mark.parametrize(
    ("said", "here"),
    [
        ("say types={'age': 'category'} if they are", "say --types age=category if they are"),
        ("read it as text: types={\"it's\": 'text'}", "read it as text: --types 'it's=text'"),
        ("say dialect=Dialect(decimal='.') if those", "say --dialect decimal='.' if those"),
        ("leave it out with dialect=Dialect(skip=3)", "leave it out with --dialect skip=3"),
        ("say dialect=Dialect(quote='')", "say --dialect quote=''"),
        ("say header=True if there is one", "say --dialect header=yes if there is one"),
        ("list it in missing= if it means missing", "name it by --missing if it means missing"),
        ("if such values mean missing, list them in missing=", "if such values mean missing, name them by --missing"),
        ("a plain sentence", "a plain sentence"),
    ],
)
def test_messages_name_options_in_place_of_arguments(said, here):
    assert in_options(said) == here


def test_types_are_refused_where_they_are_none():
    with pytest.raises(CredoError, match="--types must look like"):
        kinds(["age"])
