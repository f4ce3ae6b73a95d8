"""Make the pictures of the tutorials from the code that is printed there: ``python tools/tutorial_pictures.py docs``.

The examples of a page are run from the top, and at each link to a PNG file the figure of what is then called ``ax`` is
saved under that name.
"""

from __future__ import annotations

import doctest
import re
import sys
from pathlib import Path
from typing import Any

import matplotlib as mpl

PAGES = ("linear-and-margins.md", "gaussian-processes.md")
PICTURE = re.compile(r"^!\[[^\]]+\]\(([\w-]+\.png)\)$", re.MULTILINE)


def draw(page: Path, folder: Path) -> list[Path]:
    """Run the examples of a page and save its pictures into ``folder``; refuses a page whose examples are wrong."""
    parser = doctest.DocTestParser()
    runner = doctest.DocTestRunner(optionflags=doctest.NORMALIZE_WHITESPACE | doctest.ELLIPSIS)
    names: dict[str, Any] = {}
    made = []
    parts = PICTURE.split(page.read_text(encoding="utf-8"))
    for text, picture in zip(parts[:-1:2], parts[1::2], strict=True):
        test = parser.get_doctest(text, names, page.name, str(page), 0)
        if runner.run(test, clear_globs=False).failed:
            raise SystemExit(f"{page}: an example before {picture} is wrong")
        names = test.globs
        made.append(folder / picture)
        names["ax"].figure.savefig(made[-1], dpi=130, metadata={"Software": None})
    return made


if __name__ == "__main__":
    mpl.use("Agg")
    docs = Path(sys.argv[1])
    for page in PAGES:
        print(*draw(docs / page, docs), sep="\n")
