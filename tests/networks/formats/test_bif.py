"""BIF: what is really out there, and where an error is."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from credo.errors import CredoWarning, FormatError, TooLarge
from credo.networks import BayesianNetwork
from credo.networks.formats import assembly, bif, read_network

FILES = Path(__file__).parent / "files"
HEAD = (
    "variable a {type discrete [2] {x, y};}\nvariable b {type discrete [2] {x, y};}\nprobability (a) {table .5 .5;}\n"
)


def read(text: str) -> BayesianNetwork:
    return bif.read("a.bif", text.encode())


def test_a_file_with_every_oddity() -> None:
    net = read_network(FILES / "coat.bif")
    assert isinstance(net, BayesianNetwork)
    assert net.name == "what to wear"
    assert net.variables == {"rain": ("yes", "no"), "how cold": ("<5", "5-12", "12+"), "coat": ("Asy/Patch", "n/a")}
    assert np.array_equal(net.nodes["rain"].probs, [[0.2, 0.8]])
    assert np.array_equal(net.nodes["how cold"].probs, [[0.5, 0.25, 0.25], [0.25, 0.25, 0.5]])
    coat = net.nodes["coat"]
    assert list(coat.parents) == ["rain", "how cold"]
    assert np.array_equal(coat.probs, [[1, 0], [0.5, 0.5], [0.5, 0.5], [0.5, 0.5], [0.5, 0.5], [0.125, 0.875]])


def test_a_whole_table_has_the_variable_itself_slowest() -> None:
    net = read(HEAD + "probability (b | a) {table .1 .3 .9 .7;}")
    assert np.array_equal(net.nodes["b"].probs, [[0.1, 0.9], [0.3, 0.7]])


def test_names_with_blanks_need_no_quotes_between_commas() -> None:
    head = "variable a {type discrete [2] {not yet, long ago};} probability (a) {table .5 .5;}"
    law = "variable b {type discrete [2] {x, y};} probability (b | a) {(long ago) .1 .9; (not yet) .3 .7;}"
    net = read(head + law)
    assert net.variables["a"] == ("not yet", "long ago")
    assert np.array_equal(net.nodes["b"].probs, [[0.3, 0.7], [0.1, 0.9]])


def test_parents_may_follow_without_a_bar() -> None:
    assert list(read(HEAD + 'probability ("b" "a") {table .1 .3 .9 .7;}').nodes["b"].parents) == ["a"]


@pytest.mark.parametrize(
    ("text", "line", "column", "words"),
    [
        ("probability (b | a) {\n (x) .5 .5;\n (z) .5 .5; }", 6, 3, "'a' has no state 'z'"),
        ("probability (b | a) {\n (x) .5 .5;\n (x) .5 .5; }", 5, 3, "given twice"),
        ("probability (b | a) {\n (x) .5 .5; }", 4, 1, "expected 2 rows, one for each combination"),
        ("probability (b | a) {\n (x) .5 .5;\n (y) .5 -.5; }", 6, 9, "not negative; found '-.5'"),
        ("probability (b | a) {\n (x) .5 .5;\n (y) .5 1e999; }", 6, 9, "finite and not negative; found '1e999'"),
        ("probability (b | a) {\n (x) .5 .5;\n (y) nan .5; }", 6, 6, "found 'nan'"),
        ("probability (b | a) {\n (x) .5 .5;\n (y) .5 .5 0; }", 6, 5, "expected 2 numbers; found 3"),
        ("probability (b | a) {\n (x) .5 .5;\n (y) .5 .4; }", 6, 3, "sum to 1; they sum to 0.9"),
        ("probability (b | a) {\n (x, x) .5 .5;\n (y) .5 .5; }", 5, 3, "a state of each of 1 parents; found 2"),
        ("probability (b | a) {\n (x) .5 .5;\n oops; }", 6, 2, "found 'oops'"),
        ("probability (b | a) {\n (x) .5 .5;\n default .5 .4; }", 6, 2, "sum to 1; they sum to 0.9"),
        ("probability (b | a) {\n (x) .5 .5;\n table .5 .4 .5 .5; }", 4, 1, "a `table` or rows, not both"),
        ("probability (b | a) {\n default .5 .5;\n table .5 .4 .5 .5; }", 4, 1, "a `table` or rows, not both"),
        ("probability (b | a) {\n default .5 .5;\n default .5 .4; }", 6, 2, "a second `default`"),
        ("probability (b | a) {\n table .5 .4 .5 .5; }", 5, 2, "sum to 1; they sum to 0.9"),
        ("probability (b | c) {table .5 .5;}", 4, 1, "no variable 'c'. There are: 'a', 'b'"),
        ("probability (b | a) {table .5 .5;}", 4, 27, "expected 4 numbers; found 2"),
        ("probability (b | a, a) {table .5 .5;}", 4, 1, "must all differ"),
        ("probability (a) {table .5 .5;}", 4, 1, "second table for 'a'"),
        ("probability (b) {table .5 .5;", 4, 1, "a whole block"),
        ("variable a {type discrete [2] {x, y};}", 4, 1, "second variable called 'a'"),
        ("variable c {type discrete [3] {x, y};}", 4, 32, "expected 3 states; found 2"),
        ("variable c {type discrete [1000000000] {x, y};}", 4, 41, "expected 1000000000 states; found 2"),
        ("variable c, d {type discrete [2] {x, y};}", 4, 1, "expected a name; found 'c, d'"),
        ("probability (b | a) {\n (x;y) .5 .5;\n (y) .5 .5; }", 5, 2, "expected `table numbers;`"),
        ("probability b {table .5 .5;}", 4, 13, "`( variable | parents )`"),
        ("variable c {type continuous;}", 4, 13, "type discrete"),
        ("", None, None, "no table for 'b'"),
    ],
)
def test_errors_say_where(text: str, line: int | None, column: int | None, words: str) -> None:
    with pytest.raises(FormatError) as caught:
        read(HEAD + text)
    assert (caught.value.line, caught.value.column) == (line, column)
    assert words in str(caught.value)


def test_rows_a_little_off_are_normalised_and_said_once() -> None:
    with pytest.warns(CredoWarning, match=r"2 rows .* largest deviation is 0\.001") as said:
        net = read(HEAD + "probability (b | a) {(x) .5 .499999; (y) .5 .499;}")
    assert len(said) == 1
    assert np.allclose(net.nodes["b"].probs.sum(axis=1), 1, atol=1e-15)


def test_defaults_are_not_expanded_without_end(monkeypatch: pytest.MonkeyPatch) -> None:
    many = "".join(f"variable v{i} {{type discrete [2] {{x, y}};}}" for i in range(40))

    def law(child: str, parents: int) -> str:
        return f"probability ({child} | {', '.join(f'v{i}' for i in range(parents))}) {{default .5 .5;}}"

    with pytest.raises(TooLarge, match=r"line 4.* more than 134,217,728 cells"):
        read(HEAD + many + law("b", 40))
    monkeypatch.setattr(assembly, "MOST_CELLS", 1000)
    with pytest.raises(TooLarge, match="given in short have more than 1,000 cells"):
        read(HEAD + many + law("v20", 8) + law("v21", 8))
