"""What a fresh process pays: imports and ``--help`` beside peers that do the like."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable

from benchmarks.harness import Case


def run(*arguments: str) -> Callable[[None], object]:
    """Start a new interpreter with these arguments and wait for it to end."""
    return lambda _: subprocess.run([sys.executable, *arguments], check=True, stdout=subprocess.DEVNULL)


def nothing() -> None:
    return None


CREDO_HELP = "import sys; sys.argv = ['credo', '--help']; from credo.cli import main; main()"

CASES = [
    Case("import the library", "import sklearn", nothing, run("-c", "import credo"), run("-c", "import sklearn")),
    Case(
        "import the laws",
        "import scipy.stats",
        nothing,
        run("-c", "import credo.beliefs"),
        run("-c", "import scipy.stats"),
    ),
    Case("print --help", "pip --help", nothing, run("-c", CREDO_HELP), run("-m", "pip", "--help")),
]
