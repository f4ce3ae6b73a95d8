"""``python -m credo`` is the command ``credo``: Ctrl-C while it is still being loaded is no crash either."""

from __future__ import annotations

import sys

__all__ = ["main"]


def main() -> None:
    """Load the command line and run it."""
    try:
        from credo.cli import shell

        shell.main()
    except KeyboardInterrupt:  # before or after a command; typer answers the same while one runs
        sys.exit(130)


if __name__ == "__main__":
    main()
