"""Fuzz the readers of network files: only Credo's own errors may come out, and what is read is written and read back.

It needs atheris, in an environment of its own, with Credo installed into it::

    python -m venv fuzzing && fuzzing/bin/pip install atheris .
    fuzzing/bin/python tools/fuzz_networks.py bif -max_total_time=60

The first argument is a format: bif, xmlbif, xdsl, net, dsl, uai, evid or json. The others are libFuzzer's; unless they
say otherwise, an input of 4 KiB may take 5 seconds and 1 GiB. What goes wrong is left in a file ``crash-…``, which
``tools/fuzz_networks.py bif crash-…`` runs again, and is worth a test in ``tests/networks/formats``.
"""

from __future__ import annotations

import shutil
import sys
import tempfile
import warnings
from pathlib import Path

import atheris

with atheris.instrument_imports(include=["credo.networks.formats", "credo.networks.nodes", "credo.checks"]):
    from credo.errors import CredoError, InvalidInput, TooLarge
    from credo.networks import BayesianNetwork, MarkovNetwork
    from credo.networks.formats import bif, credo_json, dsl, hugin, uai, xdsl, xmlbif

READERS = {
    "bif": bif.read,
    "xmlbif": xmlbif.read,
    "xdsl": xdsl.read,
    "net": hugin.read,
    "dsl": dsl.read,
    "uai": uai.read,
    "evid": uai.evidence,
    "json": credo_json.read,
}
SEEDS = ("tests/networks/formats/files", "examples/networks")
LIMITS = ("-max_len=4096", "-timeout=5", "-rss_limit_mb=1024")


def check(suffix: str, data: bytes) -> None:
    """Read ``data``; what it holds must come back from every format that can hold it."""
    try:
        net = READERS[suffix](f"a.{suffix}", data)
    except CredoError as error:
        if not str(error):
            raise AssertionError("an error without a message") from error
        return
    if isinstance(net, dict):
        return
    for module in (credo_json, bif, xmlbif) if in_tables(net) else (credo_json,):
        try:
            text = module.write(net)
        except (InvalidInput, TooLarge):  # this format cannot hold these names, or not so much
            continue
        if module.read("b", text.encode()) != net:
            raise AssertionError(f"{module.__name__} has not brought back what it was given:\n{text}")


def in_tables(net: BayesianNetwork | MarkovNetwork) -> bool:
    """Whether it is of the kind that every format holds: tables of variables whose states are texts."""
    return isinstance(net, BayesianNetwork) and all(
        not node.parts and all(isinstance(state, str) for state in node.states) for node in net.nodes.values()
    )


def main() -> None:
    """Copy the seeds, which libFuzzer adds to, and run it."""
    if len(sys.argv) < 2 or sys.argv[1] not in READERS:
        sys.exit(__doc__)
    suffix = sys.argv.pop(1)
    warnings.simplefilter("ignore")
    with tempfile.TemporaryDirectory() as corpus:
        for folder in SEEDS:
            for path in Path(folder).glob(f"*.{suffix}"):
                shutil.copy(path, corpus)
        again = [each for each in sys.argv[1:] if not each.startswith("-")]
        given = [*sys.argv[:1], *LIMITS, *sys.argv[1:], *([] if again else [corpus])]
        atheris.Setup(given, lambda data: check(suffix, data))
        atheris.Fuzz()


if __name__ == "__main__":
    main()
