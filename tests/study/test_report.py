from __future__ import annotations

import json
import re
import xml.etree.ElementTree as ET
from dataclasses import replace
from html.parser import HTMLParser
from itertools import pairwise

import numpy as np
import pytest
from tools.browser import Browser, installed

from credo.decisions import Loss
from credo.evaluation import Interval
from credo.study import run_study
from credo.study.plan import Plan
from credo.study.record import Concern, CurvePoint, LearningCurve
from credo.study.words import between

WHICH = ["losses", "classes", "numbers", "letters", "long names", "in time", "one column"]
LONG = "ein sehr langer Name, größer als alles, was jemand wählen würde, 日本語の列名 und ein" + "x" * 50
NASTY = "<script>alert('x')</script>&\"quoted\""


class Reader(HTMLParser):
    """Every element opened is closed, in order; what was met is remembered."""

    def __init__(self):
        super().__init__()
        self.open, self.met, self.words, self.shown = [], [], [], []

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
        if self.open and self.open[-1] in {"td", "p", "b", "span"} and "svg" not in self.open:
            self.shown.append(data)


def read(page):
    reader = Reader()
    reader.feed(page)
    assert reader.open == []
    return reader


@pytest.fixture(scope="module")
def studies(two_classes, line):
    loss = Loss([[0, 10], [1, 0], [0.6, 0.6]], actions=["wait", NASTY, "ask"], states=["well", "ill"])
    named = {NASTY if name == "size" else name: values for name, values in two_classes().items()}
    named[NASTY + "2"] = [NASTY if size > 0 else "plain" for size in two_classes()["size"]]
    labels = {"x": line()["x"], NASTY: [NASTY if y > 0 else "<b>" for y in line()["y"]]}
    letters = {"x": line(300)["x"], "y": [chr(78 + int(y)) for y in np.clip(line(300)["y"], -12, 12)]}
    long = {f"{LONG} {i}": values for i, values in enumerate(line()["x"] for _ in range(200))}
    found = {
        "losses": run_study(named, "state", folds=4, loss=loss),
        "classes": run_study(labels, NASTY, folds=4),
        "numbers": run_study(line(seed=2), "y", folds=4),
        "letters": run_study(letters, "y", folds=3),
        "long names": run_study({**long, LONG: [LONG + "a" if y > 0 else "否" for y in line()["y"]]}, LONG, folds=3),
        "in time": run_study(
            {"when": list(range(120)), "Gruppe": [i // 4 for i in range(120)], **line()},
            "y",
            folds=4,
            plan=Plan(time="when"),
        ),
        "one column": run_study({"x": line()["z"], "y": line()["y"]}, "y", folds=3),
    }
    doubts = tuple(Concern("leak", (LONG,), f"{NASTY} gives it away.", "Leave it out.", bool(i % 3)) for i in range(9))
    points = tuple(CurvePoint(n, Interval(-1 / n, -2 / n, -0.5 / n, 0.95, "t")) for n in (20, 50, 96))
    doubtful = replace(
        found["losses"],
        data=replace(found["losses"].data, concerns=doubts),
        learning_curve=LearningCurve(found["losses"].best, points, None, "twice the rows would be worth little"),
    )
    return {**found, "losses": doubtful}


@pytest.fixture(scope="module")
def pages(studies):
    return {name: study.report() for name, study in studies.items()}


@pytest.mark.parametrize("which", WHICH)
def test_every_page_is_whole_and_harmless(pages, which):
    page = pages[which]
    reader = read(page)
    tags = {tag for tag, _ in reader.met}
    assert "script" not in tags
    assert not tags & {"link", "img", "iframe", "object", "embed", "form"}
    for _, attributes in reader.met:
        assert not {"src", "srcset", "action", "style"} & set(attributes)
        assert not any(name.startswith("on") for name in attributes)
    assert not re.search(r"https?:|url\(|@import|//[a-z]", page)
    assert not re.search(r"\bnan\b|\binf\b", page)
    assert "None" not in " ".join(reader.words)


@pytest.mark.parametrize("which", WHICH)
def test_links_stay_within_the_page(pages, which):
    met = [attributes for _, attributes in read(pages[which]).met]
    places = [attributes["id"] for attributes in met if "id" in attributes]
    assert len(set(places)) == len(places)
    links = [attributes["href"] for attributes in met if "href" in attributes]
    assert sorted(links) == sorted(f"#{place}" for place in places)


@pytest.mark.parametrize("which", WHICH)
def test_every_picture_says_what_it_shows(pages, which):
    drawn = [attributes for tag, attributes in read(pages[which]).met if tag == "svg"]
    assert len(drawn) >= 2
    for attributes in drawn:
        assert attributes["role"] == "img"
        assert len(attributes["aria-label"]) > 40
        assert "viewbox" in attributes
    for found in re.findall(r"<svg.*?</svg>", pages[which], re.DOTALL):
        root = ET.fromstring(found)
        assert [root[0].tag, root[1].tag] == ["title", "desc"]
        assert len(root[0].text) > 10
        assert len(root[1].text) > 20
        axes = [words for words in root.iter("text") if words.get("class") == "label"]
        assert len(axes) >= 1 + (root.get("class") == "small")


def inside(content):
    """Every dictionary and every number in the content for programs; long lists, the points of curves, left out."""
    if isinstance(content, dict):
        return [content, *(found for part in content.values() for found in inside(part))]
    if isinstance(content, list) and len(content) <= 30:
        return [found for part in content for found in inside(part)]
    return [abs(float(content))] if isinstance(content, (int, float)) else []


def missing(study, page):
    """The numbers that the words and tables of a page show, and that are not in the content for programs."""
    content = study.to_dict()
    held, words = inside(content), json.dumps(content, ensure_ascii=False)
    pools = {"value", "low", "high", "level", "method", "why"}
    intervals = [Interval(**part) for part in held if isinstance(part, dict) and set(part) == pools]
    known = {between(interval) for interval in intervals if interval.value is not None and interval.low is not None}
    numbers = np.array([part for part in held if isinstance(part, float)])
    numbers = np.concatenate([numbers, 100 * numbers])
    lost = []
    for said in read(page).shown:
        for found in re.findall(r"[−\d.,e]+ \([−\d.,e]+ to [−\d.,e]+\)", said):
            lost += [found] * (found not in known and found not in words)
        for found in re.findall(r"(?<![\w.,−])\d[\d,]*\.\d{2,}(?![\w.])", said):
            value, places = float(found.replace(",", "")), len(found.partition(".")[2])
            if np.abs(numbers - value).min() > 0.5001 * 10.0**-places and found not in words:
                lost.append(found)
    return lost


@pytest.mark.parametrize("which", WHICH)
def test_every_number_of_the_page_is_in_the_content_for_programs(pages, studies, which):
    assert missing(studies[which], pages[which]) == []


@pytest.mark.parametrize("part", ["measures", "calibration", "decided", "baseline"])
def test_a_number_that_is_not_in_the_content_is_found(pages, studies, part):
    study = studies["losses"]
    judged = study.judgement
    empty = replace(judged, **{part: None if part == "calibration" else ()})
    assert missing(replace(study, judgement=empty), pages["losses"]) != []


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
    top = words[: words.index("Every candidate learnt")]
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


def test_serious_doubts_stand_at_the_top(pages):
    words = " ".join(read(pages["losses"]).words)
    top = words[: words.index("Every candidate learnt")]
    assert "gives it away. Leave it out." in top
    assert "3 more doubts stand under “The data”." in top
    assert words.count("leak (serious)") == 6


def test_what_is_known_of_every_class_of_many(pages):
    words = " ".join(read(pages["letters"]).words)
    assert "The most frequent mistakes" in words
    assert "Every class: how often recognised" in words


def test_what_more_rows_are_worth_is_said(pages, studies):
    assert "Twice the rows would be worth little." in " ".join(read(pages["losses"]).words)
    assert "What more rows would be worth" not in replace(studies["losses"], learning_curve=None).report()


@pytest.mark.skipif(installed() is None, reason="no Chromium is installed to look at the pages with")
def test_in_a_browser_nothing_runs_over_its_edge(pages):
    with Browser() as browser:
        for name, page in pages.items():
            for width in (360, 800, 1400):
                assert browser.open(page, width=width, dark=width == 800).overflows() == [], (name, width)
            assert browser.open(page, width=680, media="print").overflows() == [], f"{name} on A4 paper"


@pytest.mark.skipif(installed() is None, reason="no Chromium is installed to look at the pages with")
def test_a_browser_finds_what_runs_over():
    with Browser() as browser:
        page = '<p>x<b style="display: block; width: 500px">y</b></p><svg viewBox="0 0 9 9" width="90"><title>t</title>'
        found = browser.open(f'{page}<text x="5" y="5">words</text></svg>', width=360).overflows()
    assert any("the page is" in words for words in found)
    assert any("B." in words for words in found)
    assert "words leaves its picture, t" in found


def test_which_candidates_are_as_good_is_said(pages, studies):
    study = studies["letters"]
    words = " ".join(read(pages["letters"]).words)
    assert "count as equally good, 1 % of the log score of the class frequencies." in words
    assert "AUC over pairs: of a random row of one class" in words
    pairs = tuple(
        replace(pair, first_better=0.01, equivalent=0.98, second_better=0.01) if study.best in (one, other) else pair
        for pair in study.pairwise
        for one, other in [(pair.first, pair.second)]
    )
    words = " ".join(read(replace(study, pairwise=pairs).report()).words)
    assert "are as good in practice: where another reason speaks for one of those" in words
    assert "0.01 (0.98)" in words


def test_how_rows_were_dealt_is_said(pages, studies):
    words = " ".join(read(pages["in time"]).words)
    assert "The latest 24 rows by when (20 %) were set aside as a hold-out." in words
    assert "folds in order of time, each fold judged by what came before it" in words
    study = studies["numbers"]
    grouped = replace(study, method={**study.method, "groups": "patient", "repeats": 3})
    words = " ".join(read(grouped.report()).words)
    assert "Rows with the same patient were never divided." in words
    assert "dealt into 4 folds, 3 times over, at random" in words
    assert "from the same 12 selections" in words
