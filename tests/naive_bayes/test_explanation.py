import numpy as np
import pandas as pd
import pytest

from credo.errors import ImpossibleEvidence, InvalidInput
from credo.naive_bayes import NaiveBayes

ROWS = {
    "colour": ["red", "red", "blue", "blue", "green"],
    "x": [0.0, 1.5, 4.0, 5.0, 9.0],
    "ok": [True, True, None, False, False],
}
Y = ["a", "a", "b", "b", "c"]


def model():
    return NaiveBayes().fit(ROWS, Y)


@pytest.mark.parametrize("cells", [("red", 2.0, True), ("blue", None, None), (None, None, None), ("green", 8.0, False)])
def test_prior_and_weights_add_up_to_the_log_odds(cells):
    fitted, row = model(), dict(zip(ROWS, cells, strict=True))
    found = fitted.explain(row)
    belief = fitted.predictive({name: [cell] for name, cell in row.items()})[0]
    assert found.predicted == belief.mode
    np.testing.assert_allclose(
        found.log_odds, [belief.log_prob(found.predicted) - belief.log_prob(other) for other in found.others]
    )
    for name, cell in row.items():
        weights = found.weights[found.columns.index(name)]
        assert (weights == 0).all() == (cell is None)


def test_a_weight_is_the_log_of_a_ratio_of_likelihoods():
    found = NaiveBayes(m=0).fit({"x": ["p", "p", "p", "q", "p", "q"]}, [0, 0, 0, 0, 1, 1]).explain({"x": "p"})
    assert found.prior[0] == pytest.approx(np.log(4 / 2))
    assert found.table()["x"][1] == pytest.approx(np.log((3 / 4) / (1 / 2)))


def test_what_is_impossible_in_a_class_speaks_infinitely_against_it():
    fitted = NaiveBayes(m=0).fit({"x": ["p", "q", "q"], "z": ["s", "s", "t"]}, [0, 1, 1])
    assert fitted.explain({"x": "p", "z": "s"}).table()["x"] == {1: np.inf}
    with pytest.raises(ImpossibleEvidence):
        fitted.explain({"x": "p", "z": "t"})


def test_rows_may_be_given_in_any_way():
    fitted = model()
    expected = fitted.explain({"colour": "red", "x": 1.0, "ok": None}).weights
    np.testing.assert_allclose(fitted.explain({"colour": ["red"], "x": [1.0], "ok": [None]}).weights, expected)
    plain = NaiveBayes().fit(np.array([[0.0, 1.0], [1.0, 0.0], [5.0, 5.0]]), [0, 0, 1])
    for row in ([0.5, 0.5], np.array([0.5, 0.5]), [[0.5, 0.5]], np.array([[0.5, 0.5]])):
        found = plain.explain(row)
        assert found.columns == (0, 1)
        assert found.predicted == 0
    frame = pd.DataFrame(ROWS)
    np.testing.assert_allclose(fitted.explain(frame.iloc[3]).weights, fitted.explain(frame.iloc[[3]]).weights)
    for nonsense in ("0.5", [], None):
        with pytest.raises(InvalidInput):
            plain.explain(nonsense)


def test_the_columns_that_say_most_come_first():
    found = model().explain({"colour": "green", "x": 9.0, "ok": False})
    sizes = [max(abs(weight) for weight in row.values()) for row in found.table().values()]
    assert sizes == sorted(sizes, reverse=True)
    lines = repr(found).splitlines()
    assert lines[0].split() == ["for", "c", "against", "a", "against", "b"]
    assert lines[1].startswith("(prior)")
    assert lines[-1].startswith("(log odds)")
