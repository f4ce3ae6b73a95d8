"""``python -m credo`` is the command ``credo``."""

from __future__ import annotations

from credo.cli import main

__all__: list[str] = []

if __name__ == "__main__":
    main()
