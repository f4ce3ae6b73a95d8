from __future__ import annotations

import re
from html.parser import HTMLParser
from itertools import pairwise

import pytest

from credo.decisions import Loss
from credo.study import run_study

NASTY = "<script>alert('x')</script>&\"quoted\""


class Reader(HTMLParser):
    """Every element opened is closed, in order; what was met is remembered."""

    def __init__(self):
        super().__init__()
        self.open, self.met, self.words = [], [], []

    def handle_starttag(self, tag, attrs):
        self.met.append((tag, dict(attrs)))
        if tag != "meta":
            self.open.append(tag)

    def handle_startendtag(self, tag, attrs):
        self.met.append((tag, dict(attrs)))

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        self.words.append(data)


def read(page):
    reader = Reader()
    reader.feed(page)
    assert reader.open == []
    return reader


@pytest.fixture(scope="module")
def pages(two_classes, line):
    loss = Loss([[0, 10], [1, 0], [0.6, 0.6]], actions=["wait", NASTY, "ask"], states=["well", "ill"])
    named = {NASTY if name == "size" else name: values for name, values in two_classes().items()}
    named[NASTY + "2"] = [NASTY if size > 0 else "plain" for size in two_classes()["size"]]
    labels = {"x": line()["x"], NASTY: [NASTY if y > 0 else "<b>" for y in line()["y"]]}
    return {
        "losses": run_study(named, "state", folds=4, loss=loss).report(),
        "classes": run_study(labels, NASTY, folds=4).report(),
        "numbers": run_study(line(seed=2), "y", folds=4).report(),
        "three classes": run_study(
            {"x": line()["x"], "y": [min(max(int(y / 3) + 1, 0), 2) for y in line()["y"]]},
            "y",
            folds=4,
            types={"y": "category"},
        ).report(),
    }


@pytest.mark.parametrize("which", ["losses", "classes", "numbers", "three classes"])
def test_every_page_is_whole_and_harmless(pages, which):
    page = pages[which]
    reader = read(page)
    tags = {tag for tag, _ in reader.met}
    assert "script" not in tags
    assert not tags & {"link", "img", "iframe", "object", "embed", "form"}
    for _, attributes in reader.met:
        assert not {"src", "href", "srcset", "action"} & set(attributes)
        assert not any(name.startswith("on") for name in attributes)
    assert not re.search(r"https?:|url\(|@import|//[a-z]", page)
    assert not re.search(r"\bnan\b|\binf\b", page)
    assert "None" not in " ".join(reader.words)


@pytest.mark.parametrize("which", ["losses", "classes", "numbers", "three classes"])
def test_every_picture_says_what_it_shows(pages, which):
    drawn = [attributes for tag, attributes in read(pages[which]).met if tag == "svg"]
    assert len(drawn) >= 2
    for attributes in drawn:
        assert attributes["role"] == "img"
        assert len(attributes["aria-label"]) > 40
        assert "viewbox" in attributes


def test_headings_follow_one_another(pages):
    for page in pages.values():
        levels = [int(tag[1]) for tag, _ in read(page).met if re.fullmatch(r"h[1-6]", tag)]
        assert levels[0] == 1
        assert levels.count(1) == 1
        assert all(b - a <= 1 for a, b in pairwise(levels))


def test_wide_things_scroll_by_themselves(pages):
    for page in pages.values():
        for found in re.finditer(r"<(table|svg)\b", page):
            before = page[: found.start()]
            assert before.rstrip().endswith('<div class="scroll" tabindex="0">')


def test_the_answer_stands_at_the_top(pages):
    words = " ".join(read(pages["numbers"]).words)
    top = words[: words.index("The comparison")]
    assert "Bayesian linear regression predicts y, and beats a guess." in top
    assert "P(better) > 0.99" in top
    assert "24 rows that nothing had seen" in top


def test_how_each_candidate_works_is_said(pages):
    words = " ".join(read(pages["classes"]).words)
    assert "its probabilities are tempered" in words[words.index("How this was done") :]


def test_what_acting_costs_is_said(pages):
    words = " ".join(read(pages["losses"]).words)
    assert "Acting on it" in words
    assert "“ask” costs the same whatever is true" in words
    assert "Acting on it" not in " ".join(read(pages["classes"]).words)
