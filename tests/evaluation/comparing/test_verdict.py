from __future__ import annotations

import json
import math

import pytest

from credo.errors import BadParameter
from credo.evaluation import Interval, Significance, Verdict

GAP = Interval(0.02, -0.01, 0.05, level=0.95, method="t")


def verdict(first, same, second, rope=0.01, names=("A", "B")):
    return Verdict(*names, first, same, second, GAP, rope, "method", "assumption")


@pytest.mark.parametrize(
    ("given", "said"),
    [
        (
            verdict(0.6, 0.3, 0.1),
            "A is better than B with probability 0.6, practically equivalent (within ±0.01) with 0.3, worse with 0.1",
        ),
        (
            verdict(0.1, 0.3, 0.6),
            "B is better than A with probability 0.6, practically equivalent (within ±0.01) with 0.3, worse with 0.1",
        ),
        (
            verdict(0.2, 0.7, 0.1),
            "A and B are practically equivalent (within ±0.01) with probability 0.7, A is better with 0.2, B with 0.1",
        ),
        (verdict(0.9999, 0, 0.0001, rope=0), "A is better than B with probability > 0.999, worse with < 0.001"),
        (verdict(0, 1, 0, rope=0), "A and B are equal with probability 1, A is better with 0, B with 0"),
    ],
)
def test_the_sentence(given, said):
    assert str(given) == f"{said}; A − B is 0.020 (-0.010 to 0.050)"


def test_who_wins_how_surely():
    assert verdict(0.96, 0.03, 0.01).winner() == "first"
    assert verdict(0.01, 0.96, 0.03).winner() == "equivalent"
    assert verdict(0.01, 0.03, 0.96).winner() == "second"
    assert verdict(0.9, 0.05, 0.05).winner() is None
    assert verdict(0.9, 0.05, 0.05).winner(sure=0.9) == "first"
    assert verdict(0.5, 0, 0.5).winner(sure=0.5) is None
    with pytest.raises(BadParameter):
        verdict(0.5, 0, 0.5).winner(sure=95)


def test_pages_and_programs_get_the_same():
    held = verdict(0.6, 0.3, 0.1, names=("<b>", "B"))
    page = held._repr_html_()
    assert "&lt;b&gt; is better" in page
    assert "<b>" not in page
    assert "<td>0.6</td>" in page
    content = json.loads(json.dumps(held.to_dict(), allow_nan=False))
    assert (content["first_better"], content["equivalent"], content["second_better"]) == (0.6, 0.3, 0.1)
    assert content["sentence"] == str(held)
    assert content["winner"] is None


def test_a_test_without_a_value_is_null_in_json():
    test = Significance("t", math.nan, math.nan, "nothing", "anything", missing="there is no spread")
    held = Verdict("A", "B", 0, 1, 0, GAP, 0.0, "method", "assumption", tests=(test,))
    assert held.to_dict()["tests"][0]["p"] is None
    assert "t: not defined, because there is no spread" in held._repr_html_()
