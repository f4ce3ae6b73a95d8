"""What each format means, its oddities, and where an error is."""

from __future__ import annotations

import itertools
from pathlib import Path

import numpy as np
import pytest

from credo.errors import CredoWarning, FormatError
from credo.networks import BayesianNetwork, MarkovNetwork
from credo.networks.formats import credo_json, dsl, hugin, read_evidence, read_network, xdsl, xmlbif

FILES = Path(__file__).parent / "files"
COLD = [[0.5, 0.25, 0.25], [0.25, 0.25, 0.5]]
COAT = [[1, 0], [0.5, 0.5], [0.5, 0.5], [0.5, 0.5], [0.5, 0.5], [0.125, 0.875]]


@pytest.mark.parametrize("name", ["coat.bif", "coat.xmlbif", "coat.net", "coat.uai"])
def test_the_same_network_in_several_formats(name: str) -> None:
    net = read_network(FILES / name)
    assert isinstance(net, BayesianNetwork)
    rain, cold, coat = net.nodes.values()
    assert np.array_equal(rain.probs, [[0.2, 0.8]])
    assert np.array_equal(cold.probs, COLD)
    assert np.array_equal(coat.probs, COAT)
    assert list(coat.parents) == [rain.name, cold.name]
    assert cold.probs.dtype == np.float64


@pytest.mark.parametrize("name", ["coat.xdsl", "coat.dsl"])
def test_functions_of_the_parents(name: str) -> None:
    net = read_network(FILES / name)
    assert isinstance(net, BayesianNetwork)
    assert np.array_equal(net.nodes["cold"].probs, [[0.5, 0.5], [0.25, 0.75]])
    assert np.array_equal(net.nodes["coat"].probs, [[1, 0], [1, 0], [1, 0], [0, 1]])
    assert net.variables["cold"] == ("below", "above")


def test_json_keeps_kinds() -> None:
    net = read_network(FILES / "coat.json")
    assert net.variables == {"rain": (True, False), "cold": (1, 2.5, None)}
    ring = read_network(FILES / "ring.json")
    assert isinstance(ring, MarkovNetwork)
    assert ring.potentials[0].array.tolist() == [[30, 5], [1, 10]]
    assert ring.potentials[1].values.tolist() == [7]


def test_names_of_networks() -> None:
    names = {suffix: read_network(FILES / f"coat.{suffix}").name for suffix in ("bif", "xmlbif", "json", "xdsl", "dsl")}
    assert names.pop("xdsl") == "wear"
    assert names.pop("dsl") == "to wear"
    assert set(names.values()) == {"what to wear"}


def test_evidence_from_files() -> None:
    assert read_evidence(FILES / "new.evid") == read_evidence(FILES / "old.evid") == {"0": "1", "7": "0"}


def test_an_xml_file_may_be_genies(tmp_path: Path) -> None:
    path = tmp_path / "a.xml"
    path.write_bytes((FILES / "coat.xdsl").read_bytes())
    assert read_network(path) == read_network(FILES / "coat.xdsl")


# -- encodings and line ends


@pytest.mark.parametrize("name", ["coat.bif", "coat.net", "coat.dsl", "coat.uai", "coat.json", "ring.uai"])
@pytest.mark.parametrize("how", ["crlf", "cr", "mark", "utf-16"])
def test_line_ends_and_marks(tmp_path: Path, name: str, how: str) -> None:
    data = (FILES / name).read_bytes()
    changed = {
        "crlf": data.replace(b"\n", b"\r\n"),
        "cr": data.replace(b"\n", b"\r"),
        "mark": b"\xef\xbb\xbf" + data,
        "utf-16": data.decode().encode("utf-16"),
    }[how]
    path = tmp_path / name
    path.write_bytes(changed)
    assert read_network(path) == read_network(FILES / name)


@pytest.mark.parametrize("name", ["coat.bif", "coat.xmlbif", "coat.net", "coat.dsl", "coat.xdsl", "coat.json"])
def test_latin_1_is_read_where_it_is_not_utf_8(tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    text = (FILES / name).read_text().replace("rain", "Wärme").replace(' encoding="UTF-8"', "")
    path.write_bytes(text.encode("latin-1"))
    assert "Wärme" in read_network(path).variables
    path.write_bytes(text.encode())
    assert "Wärme" in read_network(path).variables


def test_xml_in_an_unknown_encoding() -> None:
    with pytest.raises(FormatError, match="not known"):
        xdsl.read("a.xdsl", b"<?xml version='1.0' encoding='x-none'?><smile/>")


def test_xml_may_say_its_encoding() -> None:
    head = b"<?xml version='1.0' encoding='ISO-8859-2'?>"
    cpt = b"<cpt id='a'><state id='\xb1'/><probabilities>1</probabilities></cpt>"
    assert xdsl.read("a.xdsl", head + b"<smile><nodes>" + cpt + b"</nodes></smile>").variables == {"a": ("ą",)}


@pytest.mark.parametrize("line_end", ["\n", "\r\n", "\r"])
def test_lines_are_counted_whatever_ends_them(line_end: str) -> None:
    text = line_end.join(["net {}", "node a { states = (x); }", "potential (a) {", "  data = (oops); }"])
    with pytest.raises(FormatError, match=r"a\.net, line 4, column 11: expected a number.*; found 'oops'"):
        hugin.read("a.net", text.encode())


# -- Hugin


def test_a_class_is_a_network() -> None:
    text = b"class wear { inputs = (); node a { states = (x y); } potential (a | ) { data = (0.5 0.5); } }"
    assert hugin.read("a.net", text).variables == {"a": ("x", "y")}


NODE = 'node a { states = ("x" "y"); }\n'


@pytest.mark.parametrize(
    ("text", "line", "words"),
    [
        ("decision d { states = (x); }", 2, "decision networks, with decisions or utilities, are not read yet"),
        ("utility u { }", 2, "decision networks"),
        ("discrete decision d { states = (x); }", 2, "decision networks"),
        ("continuous node c { }", 2, "expected `net`, `node` or `potential`; found 'continuous node c'"),
        ("potential (a) { model_data = (Uniform(1)); }", 2, "expressions are not read"),
        ("potential (a) { }", 2, "expected `data = …;`"),
        ("potential (a b) { data = (1); }", 2, "with one variable"),
        ("potential { data = (1); }", 2, "with one variable"),
        ("potential (a) { data = ((0.5) (0.4)); }", 2, "sum to 1; they sum to 0.9"),
        ("potential (a) { data = (0.5 0.5)\n", 2, "`name = value;`, or a block"),
        ("potential (a) { data = (0.5 0.5);\n", 2, "never closed"),
        ("}", 2, "closes none"),
        ("x = 3;", 2, "a block in braces"),
        ("node b { }", 2, "expected `states = …;`"),
        ("node b { states = (); }", 2, "has none"),
        ("node a { states = (x); }", 2, "second variable called 'a'"),
        ("node b { states = (x x); }", 2, "must all differ"),
        ("node b " + "{ x " * 50, 2, "at most 32 deep"),
    ],
)
def test_errors_in_net_files(text: str, line: int, words: str) -> None:
    with pytest.raises(FormatError) as caught:
        hugin.read("a.net", (NODE + text).encode())
    assert caught.value.line == line
    assert words in str(caught.value)


# -- GeNIe


EFFECTS = {
    "cold": {"yes": [0.125, 0.5, 0.375], "no": [0, 0, 1]},
    "flu": {"severe": [0.5, 0.25, 0.25], "mild": [0.25, 0.5, 0.25], "none": [0, 0, 1]},
}


@pytest.mark.parametrize("name", ["noisy.xdsl", "noisy.dsl"])
def test_the_strongest_of_the_effects_is_seen(name: str) -> None:
    net = read_network(FILES / name)
    assert isinstance(net, BayesianNetwork)
    fever = net.nodes["fever"]
    for row, states in enumerate(itertools.product(*fever.parents.values())):
        laws = [EFFECTS[parent][state] for parent, state in zip(fever.parents, states, strict=True)]
        laws.append([0, 0.0625, 0.9375])
        expected = np.zeros(3)
        for effects in itertools.product(range(3), repeat=3):
            expected[min(effects)] += np.prod([law[effect] for law, effect in zip(laws, effects, strict=True)])
        assert np.allclose(fever.probs[row], expected, rtol=0, atol=1e-15)


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ("0 1 2 1 0", "0 1 2 1", "numbers from 0 to 2 in some order for 'flu'"),
        ("0 1 2 1 0", "0 1 2 1 1", "numbers from 0 to 2 in some order for 'flu'"),
        ("0 1 2 1 0", "0 1 x 1 0", "numbers from 0 to 2 in some order for 'flu'"),
        ("0 1 2 1 0", "0 1 2 1 0 0", "expected 5 strengths"),
        ("0 1 2 1 0", "0 1 1 2 0", "ambiguous"),
        ("0.9375", "", "expected 18 numbers; found 17"),
        ("0.9375", "0.5", "sum to 1; they sum to 0.5625"),
        ("<strengths>0 1 2 1 0</strengths>", "", "expected one <strengths>"),
    ],
)
def test_errors_in_noisy_nodes(old: str, new: str, words: str) -> None:
    with pytest.raises(FormatError) as caught:
        xdsl.read("a.xdsl", (FILES / "noisy.xdsl").read_text().replace(old, new, 1).encode())
    assert words in str(caught.value)


def test_lines_are_counted_from_the_top_of_the_file() -> None:
    with pytest.raises(FormatError, match=r"a\.xdsl, line 3, column 3: expected <smile>"):
        xdsl.read("a.xdsl", b" \n\n  <x/>")


@pytest.mark.parametrize(
    ("old", "new", "line", "words"),
    [
        ("= CPT", "= DECISION", 8, "decision networks"),
        ("= CPT", "= NOISY_ADDER", 8, "nodes of type 'NOISY_ADDER' are not read"),
        ("on, off);", "on, off); };", 26, "closes none"),
        ("RESULTINGSTATES = (on", "RESULTINGSTATES = (of", 23, "'coat' has no state 'of'. Did you mean 'off'?"),
        ("RESULTINGSTATES = (on,", "RESULTINGSTATES = (", 23, "expected 4 states, one for each row; found 3"),
        ("RESULTINGSTATES", "RESULT", 23, "expected `RESULTINGSTATES = …;`"),
        ("PARENTS = (rain, cold)", "PARENTS = (rain, wind)", 23, "no variable 'wind'"),
        ('net "to wear"', "not", 2, "expected `net name"),
    ],
)
def test_errors_in_dsl_files(old: str, new: str, line: int, words: str) -> None:
    text = (FILES / "coat.dsl").read_text().replace(old, new, 1)
    with pytest.raises(FormatError) as caught:
        dsl.read("a.dsl", text.encode())
    assert words in str(caught.value)
    assert caught.value.line == line


@pytest.mark.parametrize(
    ("old", "new", "line", "words"),
    [
        ("<nodes>", "<nodes>\n<decision id='d'/>", 4, "decision networks"),
        ("<nodes>", "<nodes>\n<equation id='d'/>", 4, "nodes of kind <equation> are not read"),
        ("<nodes>", "<dynamic><cpt/></dynamic><nodes>", 2, "unroll over time"),
        ("smile", "grin", 2, "expected <smile>; found <grin>"),
        ("on on on off", "on on on of", 15, "Did you mean 'off'?"),
        ("on on on off", "on on on", 15, "expected 4 states"),
        ("0.2 0.8", "0.2 0.7", 4, "sum to 1"),
        ("0.2 0.8", "0.2", 4, "expected 2 numbers; found 1"),
        ("<probabilities>0.2 0.8</probabilities>", "", 4, "expected one <probabilities> in <cpt>; found 0"),
        ("</nodes>", "", 19, "not XML (mismatched tag)"),
    ],
)
def test_errors_in_xdsl_files(old: str, new: str, line: int, words: str) -> None:
    text = (FILES / "coat.xdsl").read_text()
    changed = text.replace(old, new) if old == "smile" else text.replace(old, new, 1)
    with pytest.raises(FormatError) as caught:
        xdsl.read("a.xdsl", changed.encode())
    assert words in str(caught.value)
    assert caught.value.line == line


# -- XMLBIF


@pytest.mark.parametrize(
    ("old", "new", "line", "words"),
    [
        ('TYPE="nature"', 'TYPE="decision"', 11, "decision networks"),
        ('TYPE="nature"', 'TYPE="other"', 11, "expected TYPE nature; found 'other'"),
        ("<NAME>rain</NAME>", "", 11, "expected one <name> in <variable>; found 0"),
        ("<GIVEN>rain", "<GIVEN>snow", 16, "no variable 'snow'"),
        ("0.2 0.8", "0.2 0.8 0.0", 18, "expected 2 numbers; found 3"),
        ("0.2 0.8", "0.2 nan", 18, "found 'nan'"),
        ("0.2 0.8", "0.2 0.7", 18, "sum to 1"),
        ("<FOR>coat", "<FOR>rain", 16, "must all differ"),
        ("<BIF ", "<BIX ", 8, "mismatched tag"),
    ],
)
def test_errors_in_xmlbif_files(old: str, new: str, line: int, words: str) -> None:
    with pytest.raises(FormatError) as caught:
        xmlbif.read("a.xml", (FILES / "coat.xmlbif").read_text().replace(old, new, 1).encode())
    assert words in str(caught.value)
    if old != "<BIF ":
        assert caught.value.line == line


def test_other_xml_is_named() -> None:
    with pytest.raises(FormatError, match="expected <BIF> of XMLBIF or <smile> of GeNIe; found <html>"):
        xmlbif.read("a.xml", b"<html/>")


# -- JSON


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("[]", "expected an object"),
        ("{}", '"credo": "network"'),
        ('{"credo": "network", "version": 2, "nodes": []}', '"version": 1'),
        ('{"credo": "network", "version": 1, "nodes": []}', "no variable"),
        ('{"credo": "network", "version": 1, "nodes": 1}', "'nodes' to be a list of objects"),
        ('{"credo": "network", "version": 1}', "'variables' to be a list of objects"),
        ('{"credo": "network", "version": 1, "name": 3, "nodes": []}', "'name' to be a text"),
        ('{"credo": "network", "credo": "network"}', "stands twice"),
        ('{"credo": NaN}', "finite; found NaN"),
        ('{"credo": ' + "1" * 5000 + "}", "a number cannot be read"),
        ('{"credo":\n oops}', "line 2, column 2: this is not JSON"),
        ("[" * 100_000, "nested too deeply"),
    ],
)
def test_errors_in_json_files(text: str, words: str) -> None:
    with pytest.raises(FormatError) as caught:
        credo_json.read("a.json", text.encode())
    assert words in str(caught.value)


def test_a_json_list_is_no_network(tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    path.write_text("[1, 2]")
    with pytest.raises(FormatError, match="expected an object in braces"):
        read_network(path)


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ("[[0.2, 0.8]]", "[[0.2, 0.7]]", "row 0 of the table of 'rain'"),
        ("[[0.2, 0.8]]", "[0.2, 0.8, 0]", "expected 2 numbers in 'probs'; found 3"),
        ("[[0.2, 0.8]]", "[[0.2], []]", "rows of equal length"),
        ("[[0.2, 0.8]]", "[0.2, -0.8]", "finite and not negative"),
        ("[[0.2, 0.8]]", "[0.2, 1e999]", "finite and not negative"),
        ("[[0.2, 0.8]]", "[0.2, 1" + "0" * 400 + "]", "finite and not negative"),
        ("[[0.2, 0.8]]", "[0.2, true]", "a list of numbers"),
        ("[[0.2, 0.8]]", '"x"', "a list of numbers"),
        ('["rain"]', '["snow"]', "no variable 'snow'"),
        ('["rain"]', '"rain"', "'parents' to be a list of texts"),
        ("[true, false]", "[[1], [2]]", "states that are texts"),
        ("[true, false]", "[true, 1]", "must all differ"),
        ("[true, false]", "[]", "has none"),
        ('"rain", "states"', '"", "states"', "expected the name"),
    ],
)
def test_errors_in_json_nodes(old: str, new: str, words: str) -> None:
    with pytest.raises(FormatError) as caught:
        credo_json.read("a.json", (FILES / "coat.json").read_text().replace(old, new, 1).encode())
    assert words in str(caught.value)


PARTS = """{"credo": "network", "version": 1, "nodes": [
 {"name": "a", "states": [0, 1], "parents": [], "probs": [0.5, 0.5]},
 {"name": "b", "states": [0, 1], "parents": ["a"], "text": "", "parts": [
  {"name": "b·1", "states": [0, 1], "parents": ["a"], "probs": [1, 0, 0, 1]},
  {"name": "b", "states": [0, 1], "parents": ["b·1"], "probs": [0.5, 0.5, 0, 1]}]}]}"""


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ('"b", "states": [0, 1], "parents": ["b·1"]', '"c", "states": [0, 1], "parents": ["b·1"]', "no variable 'c'"),
        ('"parents": ["a"], "text"', '"parents": ["d"], "text"', "no variable 'd'"),
        ('"parents": ["a"], "text"', '"parents": [], "text"', "parent of the part 'b·1'"),
        ("[1, 0, 0, 1]", "[1, 0, 0, 0.5]", "row 1 sums to 0.5"),
        ('"b·1"', '"c·1"', "must be new and start with"),
        (
            '"name": "b", "states": [0, 1], "parents": ["b·1"]',
            '"name": "a", "states": [0, 1], "parents": ["b·1"]',
            "last part",
        ),
    ],
)
def test_errors_in_json_parts(tmp_path: Path, old: str, new: str, words: str) -> None:
    path = tmp_path / "a.json"
    path.write_text(PARTS, encoding="utf-8")
    assert read_network(path).variables == {"a": (0, 1), "b": (0, 1)}
    path.write_text(PARTS.replace(old, new), encoding="utf-8")
    with pytest.raises(FormatError) as caught:
        read_network(path)
    assert words in str(caught.value)
    assert caught.value.file == str(path)


# -- what all have in common


def test_a_cycle_is_an_error_of_the_file(tmp_path: Path) -> None:
    path = tmp_path / "a.bif"
    both = "variable a {type discrete [1] {x};} variable b {type discrete [1] {x};}"
    path.write_text(both + "probability (a | b) {table 1;} probability (b | a) {table 1;}")
    with pytest.raises(FormatError, match=r"a\.bif: the edges must not lead round in a circle"):
        read_network(path)


@pytest.mark.parametrize(
    "name", ["coat.bif", "coat.xmlbif", "coat.net", "coat.dsl", "coat.xdsl", "coat.uai", "coat.json"]
)
def test_rows_a_little_off_are_said_once_where_the_file_is_read(tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    path.write_text(
        (FILES / name).read_text().replace("0.2,", "0.203,").replace("0.2 ", "0.203 ").replace("2e-1", "0.203")
    )
    words = r"a row did not sum to 1 and was normalised; the largest deviation is 0\.003"
    with pytest.warns(CredoWarning, match=words) as said:
        read_network(path)
    assert [warning.filename for warning in said] == [__file__]


def test_rows_off_by_rounding_are_not_said() -> None:
    text = NODE + "potential (a) { data = (0.3333333333 0.6666666666); }"
    assert abs(hugin.read("a.net", text.encode()).nodes["a"].probs.sum() - 1) < 1e-15
