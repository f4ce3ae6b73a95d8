from __future__ import annotations

import re

from credo.study.page import STYLE, figure_box, note, page, section, table


def test_text_is_escaped_everywhere():
    nasty = "<script>\"'&"
    parts = [section(nasty, []), table([nasty], [[nasty]], "h", nasty), figure_box("", nasty), note([nasty])]
    assert all("<script>" not in part for part in parts)
    assert "<script>" not in page(nasty, parts)


def test_nothing_to_note_is_nothing():
    assert note([]) == ""


def test_every_colour_a_picture_uses_is_defined_for_light_and_dark():
    used = set(re.findall(r"var\((--[a-z0-9-]+)\)", STYLE))
    light, dark = STYLE.split("@media (prefers-color-scheme: dark)")
    for name in used:
        assert f"{name}:" in light
        assert f"{name}:" in dark
