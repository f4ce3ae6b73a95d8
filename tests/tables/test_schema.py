"""A schema is learnt once, written as JSON, and enforced on whatever comes later."""

import dataclasses
import json

import pytest

from credo.errors import BadParameter, CredoError, InvalidInput
from credo.tables import Column, Kind, Schema, Table

TRAINING = Table(
    {"age": [1.5, 2.5, 3.5], "size": ["S", "L", "S"], "code": [7, 8, 8], "ok": [True, False, None], "n": [0, 2, 3]},
    types={"size": ["S", "M", "L"], "code": "category"},
)


def test_json_round_trip_is_exact():
    for schema in (TRAINING.schema, Schema((Column("f", "category", (0.1, 2.5e300)),), missing=("x",))):
        document = json.loads(json.dumps(dataclasses.asdict(schema)))
        again = Schema(
            tuple(Column(c["name"], c["kind"], tuple(c["states"]), c["reason"]) for c in document["columns"]),
            tuple(document["missing"]),
        )
        assert again == schema
        assert [type(state) for c in again for state in c.states] == [type(state) for c in schema for state in c.states]


def test_order_of_columns_and_extra_columns():
    later = TRAINING.schema.apply({"n": [1], "more": [1], "ok": [False], "code": [8], "size": ["M"], "age": [9]})
    assert later.columns == TRAINING.columns
    assert later.schema == TRAINING.schema
    assert later.codes("size").tolist() == [1]
    assert "more" in later.notes[0]
    assert TRAINING.schema.apply(TRAINING).to_dict() == TRAINING.to_dict()


def test_states_are_known_however_they_are_written():
    base = {"n": [1], "ok": ["yes"], "size": [" M "], "age": ["9.5"]}
    for code in (8, 8.0, "8"):
        later = TRAINING.schema.apply({**base, "code": [code]})
        assert later.codes("code").tolist() == [1]
        assert later["age"].tolist() == [9.5]
        assert later["ok"].tolist() == [1]


def test_unseen_states():
    later = {"n": [1], "ok": [True], "code": [9], "size": ["S"], "age": [1]}
    applied = TRAINING.schema.apply(later)
    assert applied.codes("code").tolist() == [-1]
    assert applied.notes == ("column 'code': 1 value is none of its states and counts as missing (first '9')",)
    with pytest.raises(InvalidInput, match="column 'code', row 1: '9' is not one of its states"):
        TRAINING.schema.apply(later, unseen="refuse")
    with pytest.raises(BadParameter):
        TRAINING.schema.apply(later, unseen="ignore")


@pytest.mark.parametrize("rows", [1, 200_000], ids=["python", "duckdb"])
def test_unseen_states_in_a_file_are_noted(tmp_path, rows):
    schema = Table({"g": ["a", "b"], "size": ["S", "L"], "x": [1.5, 2.5]}, types={"size": ["S", "L"]}).schema
    path = tmp_path / "later.csv"
    path.write_text("g,size,x\na,S,1\n?,XL,2\n" + "z,L,3\nq,M,4\n" * rows)
    assert schema.apply(path).notes == (
        f"column 'g': {2 * rows:,} values are none of its states and count as missing (first 'z')",
        f"column 'size': {1 + rows:,} values are none of its states and count as missing (first 'XL')",
    )


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"age": ["old"]}, "column 'age', row 1: 'old' is not a number"),
        ({"n": [-1]}, "'-1' is not a whole number"),
        ({"n": [1.5]}, r"'1\.5' is not a whole number"),
        ({"ok": ["maybe"]}, "'maybe' is not true or false"),
    ],
)
def test_changed_kinds_are_refused(change, message):
    with pytest.raises(InvalidInput, match=message):
        TRAINING.schema.apply({"n": [1], "ok": [True], "code": [7], "size": ["S"], "age": [1], **change})


def test_lacking_columns_are_refused():
    with pytest.raises(InvalidInput, match=r"no column 'size'.*Did you mean 'sizes'"):
        TRAINING.schema.apply({"n": [1], "ok": [True], "code": [7], "sizes": ["S"], "age": [1]})


def test_missing_tokens_travel_with_the_schema():
    schema = Table({"g": ["?", "a", "none"]}, missing=("none",)).schema
    assert schema["g"].states == ("?", "a")
    assert schema.apply({"g": ["none", "?", ""]}).codes("g").tolist() == [-1, 0, -1]


def test_what_is_no_schema():
    for wrong in (
        lambda: Column("a", "number"),
        lambda: Column("a", "text", ("b",)),
        lambda: Column("a", "category", ("b", "b")),
        lambda: Column("a", "category", (1, "1")),
        lambda: Column("a", "category", (float("nan"),)),
        lambda: Column("a", "category", (None,)),
        lambda: Column(1, "text"),
        lambda: Schema(("a",)),
        lambda: Schema((Column("a", "text"), Column("a", "count"))),
        lambda: Schema((), missing=(1,)),
        lambda: Schema((), missing="NA"),
    ):
        with pytest.raises(CredoError):
            wrong()
    assert Column("a", Kind.BOOLEAN).states == (False, True)
