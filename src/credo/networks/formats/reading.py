"""Which reader reads which file."""

from __future__ import annotations

import importlib
import os
from pathlib import Path

from credo import checks
from credo.errors import FormatError, InvalidInput
from credo.networks.bayesian import BayesianNetwork
from credo.networks.formats.text import contents
from credo.networks.markov import MarkovNetwork

__all__ = ["FORMATS", "SUFFIXES", "format_of", "read_evidence", "read_network"]

Network = BayesianNetwork | MarkovNetwork

#: The module that reads each format. They are imported when a file needs them.
FORMATS = {
    "bif": "bif",
    "xmlbif": "xmlbif",
    "bifxml": "xmlbif",
    "uai": "uai",
    "net": "hugin",
    "dsl": "dsl",
    "xdsl": "xdsl",
    "json": "credo_json",
}
SUFFIXES = {".xml": "xmlbif", **{f".{name}": name for name in FORMATS}}


def read_network(path: str | os.PathLike[str], *, format: str | None = None) -> Network:  # noqa: A002
    """The network in a file, in the format that its suffix says, or ``format``.

    >>> import pathlib, tempfile
    >>> coin = "variable coin { type discrete [2] {heads, tails}; } probability (coin) { table 0.5, 0.5; }"
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = pathlib.Path(folder, "coin.bif")
    ...     _ = path.write_text(coin)
    ...     read_network(path).variables
    {'coin': ('heads', 'tails')}
    """
    chosen = None if format is None else checks.choice("format", format, FORMATS)
    file, data = contents(path)
    module = importlib.import_module(f"credo.networks.formats.{FORMATS[chosen or format_of(path)]}")
    try:
        network: Network = module.read(file, data)
    except InvalidInput as cause:  # what is wrong with the network as a whole, such as a cycle
        raise FormatError(str(cause), file=file) from None
    return network


def read_evidence(path: str | os.PathLike[str]) -> dict[str, str]:
    """The findings in a UAI evidence file: from the number of each observed variable to the number of its state.

    >>> import pathlib, tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = pathlib.Path(folder, "grid.evid")
    ...     _ = path.write_text("2 0 1 7 0")
    ...     read_evidence(path)
    {'0': '1', '7': '0'}
    """
    file, data = contents(path)
    from credo.networks.formats import uai

    return uai.evidence(file, data)


def format_of(path: str | os.PathLike[str]) -> str:
    """The format that the suffix of a path stands for.

    >>> format_of("alarm.bif.gz")
    'bif'
    """
    place = Path(path)
    suffix = (Path(place.stem) if place.suffix.lower() == ".gz" else place).suffix.lower()
    if suffix not in SUFFIXES:
        raise FormatError(
            f"no format is known by the suffix {checks.shown(suffix)}; there are {', '.join(SUFFIXES)}, each also with "
            f".gz. Rename the file, or say format=, one of {', '.join(FORMATS)}",
            file=place,
        )
    return SUFFIXES[suffix]
