"""Documents cannot lie: everything public is documented, with an example, and the command reference is current."""

from __future__ import annotations

import ast
import importlib
import inspect
import pkgutil
import sys
from pathlib import Path

import pytest

import credo

ROOT = Path(credo.__file__).parents[2] if "site-packages" not in credo.__file__ else Path.cwd()
ROOMS = sorted(f"credo.{module.name}" for module in pkgutil.iter_modules(credo.__path__) if module.name != "__main__")


def public(room: str) -> list[tuple[str, object]]:
    module = importlib.import_module(room)
    return [(f"{room}.{name}", getattr(module, name)) for name in module.__all__]


PUBLIC = [pair for room in ROOMS for pair in public(room)]


@pytest.mark.parametrize("room", ROOMS)
def test_each_room_has_its_page_of_the_manual(room: str) -> None:
    page = inspect.getdoc(importlib.import_module(room)) or ""
    assert len(page) > 150, f"{room} needs a docstring that says what is in it and how the pieces fit"


@pytest.mark.parametrize("room", ROOMS)
def test_each_room_says_what_is_public(room: str) -> None:
    module = importlib.import_module(room)
    assert len(set(module.__all__)) == len(module.__all__)


@pytest.mark.parametrize(("name", "thing"), PUBLIC, ids=[name for name, _ in PUBLIC])
def test_everything_public_is_documented_with_an_example(name: str, thing: object) -> None:
    if not inspect.isclass(thing) and not inspect.isroutine(thing):
        return
    text = inspect.getdoc(thing) or ""
    assert text, f"{name} has no docstring"
    if inspect.isclass(thing) and issubclass(thing, BaseException):
        return
    if name.startswith(("credo.cli.", "credo.testing.")):
        return
    members = vars(thing).values() if inspect.isclass(thing) else ()
    documents = [text, *(inspect.getdoc(member) or "" for member in members)]
    assert any(">>>" in document for document in documents), f"{name} has no example that runs"


@pytest.mark.parametrize("name", sorted(set(credo.__all__) - {"__version__"}))
def test_the_front_door_leads_to_what_it_names(name: str) -> None:
    home = importlib.import_module(credo._HOME[name])
    assert getattr(credo, name) is getattr(home, name)
    assert name in home.__all__


def test_the_front_door_tells_type_checkers_the_same_names() -> None:
    tree = ast.parse(Path(credo.__file__).read_text(encoding="utf-8"))
    typed = {
        alias.asname: statement.module
        for block in tree.body
        if isinstance(block, ast.If)
        for statement in block.body
        if isinstance(statement, ast.ImportFrom)
        for alias in statement.names
    }
    assert typed == credo._HOME
    assert sorted(credo.__all__) == sorted(["__version__", *credo._HOME])


def test_the_command_reference_is_current() -> None:
    sys.path.insert(0, str(ROOT / "tools"))
    try:
        import cli_reference
    finally:
        sys.path.pop(0)
    written = (ROOT / "docs" / "commands.md").read_text(encoding="utf-8")
    assert written == cli_reference.reference(), "run `make docs`"


def test_the_pictures_of_the_tutorials_are_made_from_their_examples(tmp_path, monkeypatch) -> None:
    import matplotlib as mpl

    mpl.use("Agg")
    monkeypatch.chdir(ROOT)
    sys.path.insert(0, str(ROOT / "tools"))
    try:
        import tutorial_pictures
    finally:
        sys.path.pop(0)
    for page in tutorial_pictures.PAGES:
        made = tutorial_pictures.draw(ROOT / "docs" / page, tmp_path)
        assert made, f"{page} has no pictures"
        assert all((ROOT / "docs" / picture.name).exists() for picture in made), "run `make pictures`"
