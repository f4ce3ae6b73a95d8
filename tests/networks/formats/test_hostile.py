"""Files that claim, nest, unpack or repeat too much are refused, soon and without taking memory."""

from __future__ import annotations

import gzip
import os
import time
import tracemalloc
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from credo.errors import FormatError, TooLarge
from credo.networks.formats import bif, credo_json, dsl, guarded_xml, hugin, read_network, text, uai, xdsl, xmlbif

SECONDS, BYTES = 5, 200 * 2**20


@pytest.fixture(autouse=True)
def _bounded() -> Iterator[None]:
    """Each of these takes little time and memory."""
    tracemalloc.start()
    start = time.process_time()
    yield
    seconds, peak = time.process_time() - start, tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert seconds < SECONDS
    assert peak < BYTES


def test_entities_are_refused() -> None:
    bomb = b'<!DOCTYPE x [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;&a;">]><BIF>&b;</BIF>'
    with pytest.raises(FormatError, match=r"line 1, column \d+: declarations of entities \(here 'a'\) are not read"):
        xmlbif.read("a.xml", bomb)
    with pytest.raises(FormatError, match="declarations of entities"):
        xdsl.read("a.xdsl", b'<!DOCTYPE x [<!ENTITY % p SYSTEM "file:///etc/passwd"> %p;]><smile/>')
    with pytest.raises(FormatError, match="declarations of entities"):
        xmlbif.read("a.xml", b'<!DOCTYPE x [<!ENTITY a SYSTEM "file:///etc/passwd">]><BIF>&a;</BIF>')
    with pytest.raises(FormatError, match="undefined entity"):
        xmlbif.read("a.xml", b"<BIF>&a;</BIF>")
    with pytest.raises(FormatError, match="what is not in the file"):
        xmlbif.read("a.xml", b'<!DOCTYPE BIF SYSTEM "http://a/b.dtd"><BIF>&a;</BIF>')


def test_attributes_are_not_multiplied() -> None:
    bomb = b'<!DOCTYPE x [<!ATTLIST x y CDATA "' + b"a" * 100_000 + b'">]><BIF>' + b"<x/>" * 100_000 + b"</BIF>"
    with pytest.raises(FormatError, match="declarations of attributes"):
        xmlbif.read("a.xml", bomb)


def test_elements_are_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(guarded_xml, "MOST_ELEMENTS", 1000)
    with pytest.raises(TooLarge, match="more than 1,000 elements"):
        xmlbif.read("a.xml", b"<BIF>" + b"<x/>" * 1000 + b"</BIF>")


@pytest.mark.parametrize(
    "read_deep",
    [
        lambda: xmlbif.read("a.xml", b"<BIF>" * 100_000),
        lambda: hugin.read("a.net", b"x {" * 100_000),
        lambda: dsl.read("a.dsl", b"net x {" + b"a = {" * 100_000),
        lambda: bif.read("a.bif", b"network x {" + b"{" * 100_000),
        lambda: bif.read("a.bif", b"probability (" * 100_000),
        lambda: credo_json.read("a.json", b"[" * 1_000_000),
        lambda: credo_json.read("a.json", b'{"a":' * 1_000_000),
    ],
)
def test_deep_nesting(read_deep: Callable[[], object]) -> None:
    with pytest.raises(FormatError):
        read_deep()


LONG = 200_000
ONE = b"variable a {type discrete [1] {x};}"


@pytest.mark.parametrize(
    ("reader", "data"),
    [
        (bif.read, b"variable a {" + b" " * LONG + b"}"),
        (bif.read, b"variable a {type discrete [1] {x};} probability (a) {" + b" " * LONG + b"}"),
        (bif.read, b"variable a {type discrete [1] {x};} probability (a) {table" + b" " * LONG + b"x;}"),
        (bif.read, b"/*" * LONG),
        (bif.read, b'"/*' * (LONG + 1)),
        (bif.read, b"(" * LONG),
        (bif.read, b" ;" * LONG),
        (bif.read, b"variable a {" + b"property x;" * 100_000 + b"y}"),
        (bif.read, b"variable a {type discrete [" + b"9" * LONG + b"] {x};}"),
        (bif.read, ONE.replace(b"a", b"a" * LONG) + b"probability (" + b"b" * LONG + b") {table 1;}"),
        (hugin.read, b'%"' + b'\\"' * LONG),
        (hugin.read, b'"' + b'\\"' * LONG + b"%"),
        (hugin.read, b"a = " * LONG),
        (hugin.read, b"a " * LONG),
        (dsl.read, b'//"' + b"\\" * LONG),
        (uai.read, b"MARKOV " + b"1 " * LONG),
        (uai.read, b"MARKOV " + b"1" * LONG),
        (uai.read, b"#" * LONG),
        (uai.evidence, b"1" * LONG),
        (uai.evidence, b"0 " * LONG),
        (xmlbif.read, b"<BIF " + b"a" * LONG),
        (credo_json.read, b'{"a": "' + b"a" * LONG),
    ],
)
def test_long_things_are_gone_through_once(reader: Callable[[str, bytes], object], data: bytes) -> None:
    with pytest.raises(FormatError) as caught:
        reader("a", data)
    assert len(str(caught.value)) < 1000


@pytest.mark.parametrize(
    ("data", "error"),
    [
        (b"MARKOV 1 1000000000 1 1 0 1000000000 1", FormatError),
        (b"MARKOV 1 1000000000 0", FormatError),
        (b"MARKOV 1000000000 2 0", FormatError),
        (b"MARKOV 2 2 2 1000000000 1 0", FormatError),
        (b"BAYES 1 2 1 1000000000 0", FormatError),
        (b"MARKOV 1 1e300 0", FormatError),
        (b"MARKOV 2 1000000000 0 1 2 0 1 0", FormatError),
        (b"MARKOV 40 " + b"10 " * 40 + b"1 40 " + b" ".join(b"%d" % i for i in range(40)) + b" 1 1", FormatError),
        (b"MARKOV 5000 " + b" ".join(b"%d" % i for i in range(1, 5001)) + b" 0", FormatError),
        (b"MARKOV 1 9007199254740993 0", FormatError),
        (b"MARKOV 1000 " + b"60000 " * 1000 + b"0", FormatError),
    ],
)
def test_what_uai_files_claim_is_checked_first(data: bytes, error: type[Exception]) -> None:
    with pytest.raises(error):
        uai.read("a.uai", data)


def test_functions_of_many_parents_are_bounded() -> None:
    def state(i: int) -> str:
        return f'<state id="s{i}"/>'

    def root(i: int) -> str:
        return f'<cpt id="v{i}">{state(0)}{state(1)}<probabilities>1 0</probabilities></cpt>'

    roots, parents = "".join(map(root, range(40))), " ".join(f"v{i}" for i in range(40))
    law = f"{state(0)}{state(1)}<parents>{parents}</parents><resultingstates>s0</resultingstates>"
    nodes = f'{roots}<deterministic id="f">{law}</deterministic>'
    with pytest.raises(TooLarge, match="would have more than 134,217,728 cells"):
        xdsl.read("a.xdsl", f"<smile><nodes>{nodes}</nodes></smile>".encode())


def test_potentials_of_many_variables_are_bounded() -> None:
    names = [f"v{i}" for i in range(40)]
    variables = ", ".join(f'{{"name": "{name}", "states": [0, 1]}}' for name in names)
    scope = ", ".join(f'"{name}"' for name in names)
    head = f'{{"credo": "network", "version": 1, "variables": [{variables}], '
    held = head + f'"potentials": [{{"variables": [{scope}], "values": []}}]}}'
    with pytest.raises(TooLarge, match="would have more than"):
        credo_json.read("a.json", held.encode())


def test_json_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(credo_json, "MOST_BYTES", 1000)
    with pytest.raises(TooLarge, match="1,001 bytes of JSON"):
        credo_json.read("a.json", b" " * 1001)


# -- files


def test_gzip_bombs_are_not_unpacked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "a.bif.gz"
    path.write_bytes(gzip.compress(b" " * 50 * 2**20))
    with pytest.raises(TooLarge, match="1000 times what is packed"):
        read_network(path)
    monkeypatch.setattr(text, "MOST_BYTES", 2**20)
    with pytest.raises(TooLarge, match="at most 1,048,576 are read"):
        read_network(path)
    path.write_bytes(b" " * (2**20 + 1))
    with pytest.raises(TooLarge, match="1,048,577 bytes; at most 1,048,576 are read"):
        read_network(path)


def test_files_that_are_none(tmp_path: Path) -> None:
    with pytest.raises(FormatError, match="there is no such file"):
        read_network(tmp_path / "a.bif")
    with pytest.raises(FormatError, match="this is a directory"):
        read_network(tmp_path)
    os.mkfifo(tmp_path / "pipe.bif")  # which nobody writes to: opening it would wait without end
    with pytest.raises(FormatError, match="not a regular file"):
        read_network(tmp_path / "pipe.bif")
    path = tmp_path / "a.bif.gz"
    path.write_bytes(gzip.compress(b"network x {}" * 1000)[:-10])
    with pytest.raises(FormatError, match="truncated or damaged"):
        read_network(path)
    path.write_bytes(b"")
    with pytest.raises(FormatError, match="empty"):
        read_network(path)


FILES = sorted((Path(__file__).parent / "files").iterdir())
READERS = {".bif": bif, ".xmlbif": xmlbif, ".xdsl": xdsl, ".net": hugin, ".dsl": dsl, ".uai": uai, ".json": credo_json}


@pytest.mark.parametrize("path", [path for path in FILES if path.suffix in READERS], ids=lambda path: path.name)
def test_truncated_files(path: Path) -> None:
    data = path.read_bytes().rstrip()
    for end in range(len(data) - 2):
        with pytest.raises(FormatError):
            READERS[path.suffix].read(path.name, data[:end])
