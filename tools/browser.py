"""A page in a real browser, where Chromium is installed: what runs over its edge, and what it looks like.

``python tools/browser.py page.html picture.png`` saves the page as a picture, ``page.html paper.pdf`` as it prints;
``--width``, ``--height`` (0: the whole page) and ``--dark`` say for whom. Chromium is spoken to over two pipes, in
JSON messages that end with a zero byte, so nothing else has to be installed.
"""

from __future__ import annotations

import argparse
import base64
import json
import os
import select
import shutil
import subprocess
import tempfile
from pathlib import Path
from typing import Any, Self

NAMES = ("chromium", "chromium-browser", "google-chrome", "chrome")
PATIENCE = 60

#: What runs over an edge: the page over the window, an element over the page, words over their picture or each other.
MEASURE = """
(() => {
  const found = [], wide = document.documentElement.clientWidth;
  if (document.documentElement.scrollWidth > wide)
    found.push(`the page is ${document.documentElement.scrollWidth} wide in a window of ${wide}`);
  for (const part of document.querySelectorAll('body *')) {
    const box = part.closest('.scroll, pre');
    if (box && box != part && getComputedStyle(box).overflowX != 'visible') continue;
    const at = part.getBoundingClientRect();
    if (at.right > wide + 1 || at.left < -1) found.push(`${part.tagName}.${part.className}: ${at.left} to ${at.right}`);
  }
  for (const drawn of document.querySelectorAll('svg')) {
    const whole = drawn.getBoundingClientRect(), seen = [];
    if (!whole.width) continue;
    for (const words of drawn.querySelectorAll('text')) {
      const at = words.getBoundingClientRect(), said = words.textContent;
      if (Math.max(whole.left - at.left, at.right - whole.right, whole.top - at.top, at.bottom - whole.bottom) > 1)
        found.push(`${said} leaves its picture, ${drawn.querySelector('title').textContent}`);
      for (const [other, there] of seen)
        if (Math.min(at.right, other.right) - Math.max(at.left, other.left) > 1 &&
            Math.min(at.bottom, other.bottom) - Math.max(at.top, other.top) > 0.3 * at.height)
          found.push(`${said} and ${there} overlap in ${drawn.querySelector('title').textContent}`);
      seen.push([at, said]);
    }
  }
  return found;
})()
"""


def installed() -> str | None:
    """The path of a Chromium, if there is one."""
    return next(filter(None, map(shutil.which, NAMES)), None)


class Browser:
    """A browser without a window, closed at the end of its ``with`` block."""

    def __init__(self) -> None:
        program = installed()
        if program is None:
            raise SystemExit(f"no browser is installed; looked for {', '.join(NAMES)}")
        self._home = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
        for pipe in ("asked", "answers"):
            os.mkfifo(Path(self._home.name) / pipe)
        options = ("--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", "--remote-debugging-pipe")
        self._process = subprocess.Popen(
            ["sh", "-c", 'exec "$0" "$@" 3<asked 4>answers', program, *options, "--user-data-dir=.", "about:blank"],
            cwd=self._home.name,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        self._asked = (Path(self._home.name) / "asked").open("wb")
        self._answers = os.open(Path(self._home.name) / "answers", os.O_RDONLY)
        self._heard = b""
        self._count, self._session = 0, {}
        target = self._ask("Target.createTarget", url="about:blank")["targetId"]
        self._session = {"sessionId": self._ask("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]}
        self._ask("Page.enable")

    def open(self, page: str, *, width: int = 1280, height: int = 900, dark: bool = False, media: str = "") -> Self:
        """Show a page, given as HTML, in a window of that size; ``media`` "print" lays it out as on paper."""
        self._ask("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False)
        scheme = {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}
        self._ask("Emulation.setEmulatedMedia", media=media, features=[scheme])
        frame = self._ask("Page.getFrameTree")["frameTree"]["frame"]["id"]
        self._ask("Page.setDocumentContent", frameId=frame, html=page)
        return self

    def run(self, script: str) -> Any:
        """The value of a JavaScript expression in the page."""
        return self._ask("Runtime.evaluate", expression=script, returnByValue=True)["result"].get("value")

    def overflows(self) -> list[str]:
        """What runs over an edge, in words; nothing if all is well."""
        found: list[str] = self.run(MEASURE)
        return found

    def picture(self, *, whole: bool = False) -> bytes:
        """What the window shows, or the whole page, as PNG."""
        told = self._ask("Page.captureScreenshot", captureBeyondViewport=whole)
        return base64.b64decode(told["data"])

    def paper(self) -> bytes:
        """The page as it prints, as PDF."""
        return base64.b64decode(self._ask("Page.printToPDF", preferCSSPageSize=True)["data"])

    def _ask(self, method: str, **what: Any) -> dict[str, Any]:
        self._count += 1
        told = {"id": self._count, "method": method, "params": what, **self._session}
        self._asked.write(json.dumps(told).encode() + b"\0")
        self._asked.flush()
        while True:
            answer = json.loads(self._next())
            if answer.get("id") == self._count:
                if "error" in answer:
                    raise RuntimeError(f"{method}: {answer['error']['message']}")
                return dict(answer["result"])

    def _next(self) -> bytes:
        """One message, whatever pieces it comes in."""
        while b"\0" not in self._heard:
            ready = select.select([self._answers], [], [], PATIENCE)[0]
            piece = os.read(self._answers, 1 << 20) if ready else b""
            if not piece:
                raise RuntimeError("the browser has gone" if ready else f"the browser said nothing for {PATIENCE} s")
            self._heard += piece
        message, _, self._heard = self._heard.partition(b"\0")
        return message

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *what: object) -> None:
        self._asked.close()
        os.close(self._answers)
        self._process.terminate()
        self._process.wait()
        self._home.cleanup()


def main() -> None:
    """Save a page as a picture or as it prints."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("page", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("--width", type=int, default=1280)
    parser.add_argument("--height", type=int, default=1480)
    parser.add_argument("--dark", action="store_true")
    asked = parser.parse_args()
    with Browser() as browser:
        browser.open(
            asked.page.read_text(encoding="utf-8"), width=asked.width, height=asked.height or 900, dark=asked.dark
        )
        made = browser.paper() if asked.out.suffix == ".pdf" else browser.picture(whole=asked.height == 0)
        asked.out.write_bytes(made)
        for words in browser.overflows():
            print(words)


if __name__ == "__main__":
    main()
