from __future__ import annotations

import re

import pytest

from credo.study.page import STYLE, beside, figure_box, folded, nav, note, page, paragraph, section, table

LIGHT, DARK = (dict(re.findall(r"(--[a-z0-9-]+): (#[0-9a-f]{6});", part)) for part in STYLE.split("@media")[:2])


def test_text_is_escaped_everywhere():
    nasty = "<script>\"'&"
    part = section(nasty, [])
    parts = [part.html, nav([part]), table([nasty], [[nasty]], "h", nasty), figure_box("", nasty), note([nasty])]
    parts += [paragraph(nasty), folded(nasty, ""), beside("", "")]
    assert all("<script>" not in part for part in parts)
    assert "<script>" not in page(nasty, parts)


def test_nothing_to_note_is_nothing():
    assert note([]) == ""


def test_links_lead_to_their_sections():
    parts = [section(title, []) for title in ("The data", "Can its probabilities be believed?")]
    for link in re.findall(r'href="#([^"]+)"', nav(parts)):
        assert sum(f'id="{link}"' in part.html for part in parts) == 1


def test_every_colour_is_defined_for_light_and_dark():
    used = set(re.findall(r"var\((--[a-z0-9-]+)\)", STYLE))
    light, dark = STYLE.split("@media screen and (prefers-color-scheme: dark)")
    for name in used:
        assert f"{name}:" in light
        assert f"{name}:" in dark


def luminance(colour):
    parts = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    red, green, blue = (x / 12.92 if x <= 0.04045 else ((x + 0.055) / 1.055) ** 2.4 for x in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one, other):
    high, low = sorted([luminance(one), luminance(other)], reverse=True)
    return (high + 0.05) / (low + 0.05)


def test_contrast_is_what_the_guidelines_call_it():
    assert contrast("#000000", "#ffffff") == pytest.approx(21)
    assert contrast("#777777", "#ffffff") == pytest.approx(4.48, abs=0.01)


@pytest.mark.parametrize("colours", [LIGHT, DARK], ids=["light", "dark"])
def test_words_can_be_read_and_lines_be_seen(colours):
    paper = colours["--paper"]
    for words in ("--ink", "--soft", "--accent", "--warm", "--a0", "--a1", "--a2", "--a3"):
        assert contrast(colours[words], paper) >= 4.5, words
    assert contrast(colours["--ink"], colours["--tint"]) >= 4.5
    assert contrast(colours["--quiet"], paper) >= 3, "lines and marks"
