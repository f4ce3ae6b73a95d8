"""What people see in a notebook: the same cells as in print, and nothing that is shown is obeyed."""

import re

import numpy as np
import pytest

from credo.beliefs import BetaBinomial, Categorical, CountTable, Hypotheses, JointTable, NormalNormal
from credo.beliefs.layout import aligned, html_table

JOINT = JointTable.from_mapping(["<rain>", "coat"], {(1, 1): 0.3, (0, 0): 0.6, (0, 1): 0.1})


@pytest.mark.parametrize(
    "held",
    [
        JOINT,
        JOINT.conditional("coat", given="<rain>"),
        CountTable(["a", "b"], [["x", "<y>"], [0, 1]], np.array([[3, 4], [5, 6]])),
        BetaBinomial(a=1, b=1).given(successes=3, failures=4),
        NormalNormal(prior_mean=0, prior_sd=1, noise=1).given([1.0, 2.0]),
        Hypotheses(Categorical({"<fair>": 0.5, "bent": 0.5})).given({"<fair>": 0.5, "bent": 0.9}),
    ],
    ids=lambda held: type(held).__name__,
)
def test_a_notebook_shows_what_is_printed(held):
    page = held._repr_html_()
    assert page.count("<table>") == page.count("</table>") == 1
    assert re.search(r"<(rain|fair|y)>", page) is None
    cells = re.findall(r"<t[hd]>(.*?)</t[hd]>", page)
    shown = re.sub(r"&lt;|&gt;", "", " ".join(cells)).split()
    printed = re.sub(r"[<>]", "", repr(held)).split()
    assert shown == printed[-len(shown) :]


def test_a_table_without_names_is_its_one_number():
    assert "1" in JOINT.marginal([])._repr_html_()


def test_what_stands_around_a_table():
    lines = [["a", "b"], ["1", "2"]]
    assert html_table(lines, title="<t>", above=["<up>"], below=["<down>"]) == (
        "<p>&lt;up&gt;</p><table><caption>&lt;t&gt;</caption><tr><th>a</th><th>b</th></tr>"
        "<tr><td>1</td><td>2</td></tr></table><p>&lt;down&gt;</p>"
    )
    assert aligned(lines, right=[False, True]) == "a  b\n1  2"
