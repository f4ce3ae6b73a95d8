"""Whatever stands in a file, only errors of this library come out, and soon."""

from __future__ import annotations

import warnings
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.networks.formats.drawn import spoilt

from credo.errors import CredoWarning, FormatError, InvalidInput, TooLarge
from credo.networks.formats import bif, credo_json, dsl, hugin, uai, xdsl, xmlbif

FILES = Path(__file__).parent / "files"
READERS = {
    "bif": bif.read,
    "xmlbif": xmlbif.read,
    "xdsl": xdsl.read,
    "uai": uai.read,
    "evid": uai.evidence,
    "net": hugin.read,
    "dsl": dsl.read,
    "json": credo_json.read,
}


def valid(suffix: str) -> list[bytes]:
    return [path.read_bytes() for path in sorted(FILES.glob(f"*.{suffix}"))]


@pytest.mark.parametrize("suffix", READERS)
@given(data=st.data())
@settings(max_examples=200, deadline=2000)
def test_only_our_errors_come_out(suffix: str, data: st.DataObject) -> None:
    content = data.draw(st.one_of(spoilt(valid(suffix)), st.binary(max_size=50)))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", CredoWarning)
        try:
            READERS[suffix](f"a.{suffix}", content)
        except (FormatError, TooLarge, InvalidInput) as error:
            assert str(error)  # noqa: PT017


@pytest.mark.parametrize("suffix", READERS)
def test_each_format_has_a_valid_file(suffix: str) -> None:
    for content in valid(suffix):
        READERS[suffix](f"a.{suffix}", content)
    assert valid(suffix)
