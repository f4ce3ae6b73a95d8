"""Size limits and forbidden words that no linter knows: run by ``make check``.

A module has at most 400 lines, a function 60, a signature 8 parameters (ruff checks the last). No ``hasattr``, no
``pickle``, no ``eval``; no ``**options`` in a public signature. Exceptions stand in ALLOWED beside their reasons.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from pathlib import Path

MODULE_LINES = 400
FUNCTION_LINES = 60
FORBIDDEN = {"hasattr", "eval", "exec"}
FORBIDDEN_MODULES = {"pickle", "cloudpickle", "dill", "shelve", "marshal"}

# "path::function" or "path" -> why it may
ALLOWED: dict[str, str] = {
    "src/credo/networks/bayesian.py::do": "net.do(X='on'): the keywords are variables, and others are refused",
}

Function = ast.FunctionDef | ast.AsyncFunctionDef


def complaints(path: Path, source: str) -> Iterator[str]:
    """What is wrong with one file."""
    lines = source.count("\n")
    if lines > MODULE_LINES and str(path) not in ALLOWED:
        yield f"{path}: {lines} lines, more than {MODULE_LINES}"
    for node in ast.walk(ast.parse(source)):
        where = f"{path}:{getattr(node, 'lineno', 0)}"
        if isinstance(node, Function):
            length = (node.end_lineno or node.lineno) - node.lineno + 1
            if length > FUNCTION_LINES and f"{path}::{node.name}" not in ALLOWED:
                yield f"{where}: {node.name} has {length} lines, more than {FUNCTION_LINES}"
            if node.args.kwarg and not node.name.startswith("_") and f"{path}::{node.name}" not in ALLOWED:
                yield f"{where}: {node.name} takes **{node.args.kwarg.arg}; name the options"
        elif isinstance(node, ast.Call):
            if isinstance(node.func, ast.Name) and node.func.id in FORBIDDEN:
                yield f"{where}: {node.func.id}()"
            for keyword in node.keywords:
                if keyword.arg == "allow_pickle" and not (
                    isinstance(keyword.value, ast.Constant) and keyword.value.value is False
                ):
                    yield f"{where}: allow_pickle must be False"
        elif isinstance(node, ast.Import | ast.ImportFrom):
            names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else [node.module or ""]
            for name in names:
                if name.split(".")[0] in FORBIDDEN_MODULES:
                    yield f"{where}: import of {name}"


def main() -> int:
    """Print every complaint; 1 if there are any."""
    found = [
        complaint
        for folder in ("src", "tools", "benchmarks")
        for path in sorted(Path(folder).rglob("*.py"))
        for complaint in complaints(path, path.read_text(encoding="utf-8"))
    ]
    print("\n".join(found) or "limits: all within")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
