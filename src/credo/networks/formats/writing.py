"""Which writer writes which file; a file appears whole or not at all."""

from __future__ import annotations

import gzip
import importlib
import os
import secrets
from pathlib import Path

from credo import checks
from credo.errors import InvalidInput
from credo.networks.bayesian import BayesianNetwork
from credo.networks.formats.reading import FORMATS, format_of
from credo.networks.markov import MarkovNetwork

__all__ = ["write_network"]

WRITTEN = ("bif", "xmlbif", "bifxml", "uai", "json")


def write_network(
    network: BayesianNetwork | MarkovNetwork,
    path: str | os.PathLike[str],
    *,
    format: str | None = None,  # noqa: A002
) -> None:
    """Write a network as BIF, XMLBIF, UAI or JSON, by the suffix of the path or as ``format``; with .gz, packed.

    Numbers are written so that nothing of them is lost. JSON holds any network. BIF and XMLBIF hold Bayesian networks,
    and states as text: True comes back as ``"True"``. UAI holds no names: variables and states come back as their
    numbers, ``"0"``, ``"1"``, … What a format cannot hold is refused.

    >>> import pathlib, tempfile
    >>> from credo.networks import Node
    >>> from credo.networks.formats import read_network
    >>> net = BayesianNetwork([Node("coin", ["heads", "tails"], [0.5, 0.5])])
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = pathlib.Path(folder, "coin.bif.gz")
    ...     write_network(net, path)
    ...     read_network(path).nodes == net.nodes
    True
    """
    if not isinstance(network, (BayesianNetwork, MarkovNetwork)):
        raise InvalidInput(f"only networks can be written; got {checks.shown(network)}")
    place = Path(path)
    chosen = checks.choice("format", format_of(place) if format is None else format, WRITTEN)
    content: str = importlib.import_module(f"credo.networks.formats.{FORMATS[chosen]}").write(network)
    try:
        data = content.encode()
    except UnicodeEncodeError as cause:
        raise InvalidInput(f"a name holds what no text file can: {checks.shown(content[cause.start])}") from None
    _replace(place, gzip.compress(data, mtime=0) if place.suffix.lower() == ".gz" else data)


def _replace(place: Path, data: bytes) -> None:
    part = place.with_name(f".{secrets.token_hex(6)}.part")
    try:
        part.write_bytes(data)
        part.replace(place)
    except OSError as cause:
        raise InvalidInput(f"cannot write {place}: {cause.strerror or cause}") from None
    finally:
        part.unlink(missing_ok=True)
