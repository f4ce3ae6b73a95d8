"""The room as a whole."""

from __future__ import annotations

import subprocess
import sys


def test_importing_it_is_cheap() -> None:
    code = "import sys, credo.numerics; print([m for m in sys.modules if m.startswith('scipy.')])"
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert loaded.strip() == "[]"
