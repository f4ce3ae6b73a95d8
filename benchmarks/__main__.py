"""``python -m benchmarks [module …] [--json]``: every module, or those named."""

from __future__ import annotations

import argparse
import json
import pkgutil
from dataclasses import asdict

import benchmarks
from benchmarks.harness import compare, names, show


def main() -> None:
    modules = [m.name for m in pkgutil.iter_modules(benchmarks.__path__) if m.name not in ("__main__", "harness")]
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("modules", nargs="*", metavar="module", help=f"of {', '.join(modules)}")
    parser.add_argument("--json", action="store_true", help="for programs: seconds and ratios")
    options = parser.parse_args()
    measured = []
    for module in names(parser, options.modules, modules):
        rows = compare(module)
        measured += rows
        if not options.json:
            show(module, rows)
    if options.json:
        print(json.dumps([asdict(row) | {"ratio": row.ratio} for row in measured], indent=2))


main()
