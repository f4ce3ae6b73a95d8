"""``credo compare`` on studies and on tables of scores."""

from __future__ import annotations

import copy
import json

import numpy as np
import pytest
from tests.cli.called import document_of, text_of

from credo.errors import BadParameter, CredoError, CredoWarning, FormatError, InvalidInput, UnknownName
from credo.evaluation import PairedOutcomes, correlated_t, five_by_two, hierarchical, rank, signed_rank

BAYES = [0.94, 0.92, 0.95, 0.91, 0.92]
TREE = [0.92, 0.91, 0.89, 0.89, 0.95]
GUESS = [0.5, 0.52, 0.5, 0.5, 0.51]


def study(source="sonar.csv", *, seed=0, bayes=BAYES, higher=True, name="accuracy so far"):
    """What a study leaves of itself, as far as it is compared."""

    def run(name, folds, baseline=False, error=None):
        return {"name": name, "baseline": baseline, "error": error, "folds": folds, "right": [f / 2 for f in folds]}

    return {
        "target": "kind",
        "criterion": {"name": name, "higher_is_better": higher},
        "data": {"source": source, "rows": 208, "holdout": 40},
        "method": {"seed": seed, "folds": 5, "share": 0.25},
        "runs": [
            run("guess", GUESS, baseline=True),
            run("tree", TREE),
            run("Bayes", bayes),
            run("broken", [], error="no"),
        ],
        "best": "Bayes",
    }


@pytest.fixture
def written(tmp_path, monkeypatch):
    """Writes files into a fresh folder, which is the current one."""
    monkeypatch.chdir(tmp_path)

    def write(**files):
        for name, content in files.items():
            text = content if isinstance(content, str) else json.dumps(content)
            (tmp_path / name.replace("_", ".")).write_text(text, encoding="utf-8")

    return write


def the_verdict(*arguments):
    (verdict,) = document_of("compare", *arguments)["verdicts"]
    return verdict


def probabilities(verdict):
    return verdict["first_better"], verdict["equivalent"], verdict["second_better"]


def test_one_study_compares_its_two_best(written):
    written(a_json=study())
    verdict = the_verdict("a.json", "--rope", 0.01)
    reference = correlated_t(BAYES, TREE, share=0.25, rope=0.01)
    assert (verdict["first"], verdict["second"]) == ("Bayes", "tree")
    assert probabilities(verdict) == pytest.approx(reference.probabilities)
    assert verdict["difference"]["low"] == pytest.approx(reference.difference.low)
    named = the_verdict("a.json", "--rope", 0.01, "--candidate", "tree", "--candidate", "Bayes")
    assert probabilities(named) == pytest.approx(reference.probabilities[::-1])


def test_two_studies_compare_their_winners(written):
    better = [score + 0.01 + 0.002 * i for i, score in enumerate(BAYES)]
    written(a_json=study(), b_json=study(bayes=better))
    verdict = the_verdict("a.json", "b.json")
    assert (verdict["first"], verdict["second"]) == ("Bayes (a.json)", "Bayes (b.json)")
    assert probabilities(verdict) == pytest.approx(correlated_t(BAYES, better, share=0.25).probabilities)
    assert "corrected paired t" in text_of("compare", "a.json", "b.json")
    mixed = the_verdict("a.json", "b.json", "--candidate", "tree", "--candidate", "Bayes")
    assert probabilities(mixed) == pytest.approx(correlated_t(TREE, better, share=0.25).probabilities)


def test_the_folder_of_a_study_will_do(written, tmp_path):
    written(a_json=study())
    (tmp_path / "monday").mkdir()
    (tmp_path / "monday" / "study.json").write_text(json.dumps(study()), encoding="utf-8")
    assert probabilities(the_verdict("monday")) == probabilities(the_verdict("a.json"))
    (tmp_path / "empty").mkdir()
    with pytest.raises(InvalidInput, match="there is no file"):
        text_of("compare", "empty")


def test_losses_and_accuracy(written):
    written(a_json=study(higher=False))
    verdict = the_verdict("a.json")
    assert (verdict["first"], verdict["second"]) == ("guess", "tree")
    assert verdict["first_better"] > 0.99
    right = the_verdict("a.json", "--score", "accuracy")
    assert (right["first"], right["second"]) == ("Bayes", "tree")
    assert right["difference"]["value"] == pytest.approx((np.mean(BAYES) - np.mean(TREE)) / 2)


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        (study(seed=1), "the seed differs (0 and 1). Run both"),
        (study("other.csv"), "the data differs"),
        (study(name="log score"), "is judged by accuracy so far and b.json by log score"),
    ],
)
def test_other_folds_are_refused(written, changed, said):
    written(a_json=study(), b_json=changed)
    with pytest.raises(InvalidInput) as refused:
        text_of("compare", "a.json", "b.json")
    assert said in str(refused.value)


def test_what_is_guessed_tells_folds_apart(written):
    other = copy.deepcopy(study())
    other["runs"][0]["folds"] = GUESS[::-1]
    written(a_json=study(), b_json=other)
    with pytest.raises(InvalidInput, match="“guess”, which looks at nothing but the target, scored differently"):
        text_of("compare", "a.json", "b.json")


def test_studies_of_several_data_sets(written):
    other = study("iris.csv", bayes=[score + 0.01 for score in TREE])
    written(a_json=study(), b_json=other, c_json=study(seed=1))
    chosen = ["a.json", "b.json", "--across", "--candidate", "Bayes", "--candidate", "tree"]
    found = document_of("compare", *chosen, "--seed", 3)
    reference = hierarchical([BAYES, other["runs"][2]["folds"]], [TREE, TREE], share=0.25, rng=3)
    assert probabilities(found["verdicts"][0]) == pytest.approx(reference.verdict.probabilities)
    assert found["hierarchies"][0]["next_data_set"] == pytest.approx(list(reference.next_data_set))
    ranked = document_of("compare", "a.json", "b.json", "--across", "--method", "signed-rank")
    assert ranked["ranking"]["names"] == ["Bayes", "tree", "guess"]
    assert [(v["first"], v["second"]) for v in ranked["verdicts"]] == [("Bayes", "tree"), ("Bayes", "guess")]
    with pytest.warns(CredoWarning, match="seem to be of the same data"):
        text_of("compare", "a.json", "c.json", "--across", "--method", "signed-rank")


TABLE = (
    "data set,A,B,C\nred,0.9,0.8,0.7\ngreen,0.85,0.8,0.75\nblue,0.7,0.72,0.6\nblack,0.95,0.9,0.8\nwhite,0.8,0.7,0.6\n"
)
SCORES = [[0.9, 0.8, 0.7], [0.85, 0.8, 0.75], [0.7, 0.72, 0.6], [0.95, 0.9, 0.8], [0.8, 0.7, 0.6]]


def test_a_table_of_data_sets(written):
    written(scores_csv=TABLE)
    found = document_of("compare", "scores.csv", "--rope", 0.01)
    assert found["ranking"]["mean_ranks"] == list(rank(SCORES, names="ABC").mean_ranks)
    a, b, c = np.transpose(SCORES)
    references = [signed_rank(a, other, rope=0.01) for other in (b, c)]
    assert [probabilities(v) for v in found["verdicts"]] == [pytest.approx(r.probabilities) for r in references]
    said = text_of("compare", "scores.csv")
    assert "A and C differ; A and B, B and C are not told apart (Nemenyi, 5 %, over 5 data sets)" in said
    assert "A is better than C with probability" in said
    losses = document_of("compare", "scores.csv", "--lower-is-better")
    assert losses["ranking"]["names"] == ["C", "B", "A"]


def test_a_table_of_folds(written):
    lines = "\n".join(f"{one},{other}" for one, other in zip(BAYES, TREE, strict=True))
    written(scores_csv=f"Bayes,tree\n{lines}\n", scores_json={"Bayes": BAYES, "tree": TREE})
    reference = correlated_t(BAYES, TREE, share=0.25).probabilities
    for file in ("scores.csv", "scores.json"):
        assert probabilities(the_verdict(file, "--folds", 5)) == pytest.approx(reference)


def test_a_table_of_folds_of_data_sets(written):
    rows = [
        f"{name},{b + shift},{t}" for name, shift in (("x", 0), ("y", 0.01)) for b, t in zip(BAYES, TREE, strict=True)
    ]
    written(scores_csv="\n".join(["set,Bayes,tree", *rows]) + "\n")
    verdict = the_verdict("scores.csv", "--folds", 5)
    assert verdict["method"] == "Bayesian hierarchical correlated t-test"
    assert "On a further data set Bayes is better with probability" in text_of("compare", "scores.csv", "--folds", 5)
    with pytest.raises(InvalidInput, match="5 rows belong to 'x': say with --folds"):
        text_of("compare", "scores.csv")


def test_five_times_two_folds(written):
    one, other = np.random.default_rng(0).normal(0.8, 0.02, (2, 10))
    written(scores_json={"A": one.tolist(), "B": other.tolist()})
    last = the_verdict("scores.json", "--folds", 2)["tests"][-1]
    assert last["p"] == pytest.approx(five_by_two(one.reshape(5, 2), other.reshape(5, 2)).p)
    assert "combined F" not in text_of("compare", "scores.json", "--folds", 5)


def test_it_says_what_was_compared(written):
    written(a_json=study(), scores_csv=TABLE)
    said = text_of("compare", "a.json")
    assert said.startswith("On 5 folds of sonar.csv, by accuracy so far, of which more is better:\n\nBayes is better")
    assert " in accuracy so far.\n" in said
    losses = text_of("compare", "scores.csv", "--lower-is-better")
    assert losses.startswith("On 5 data sets, by score, of which less is better:\n\nC and A differ")


def test_answers_on_test_rows(written):
    rows = ["y,y,y"] * 6 + ["y,y,n"] * 5 + ["n,y,n"] * 1 + ["n,y,y"] * 2
    written(answers_csv="\n".join(["true,A,B", *rows]) + "\n")
    verdict = the_verdict("answers.csv", "--truth", "true")
    assert probabilities(verdict) == pytest.approx(PairedOutcomes(6, 5, 1, 2).verdict().probabilities)
    assert "Beside it, McNemar, exact = 1, p = 0.22" in text_of("compare", "answers.csv", "--truth", "true")


@pytest.mark.parametrize(
    ("arguments", "error", "said"),
    [
        (["a.json", "--method", "signed-rank"], InvalidInput, "--method signed-rank is for two or more data sets;"),
        (["a.json", "--method", "t"], BadParameter, "--method must be one of 'auto'"),
        (["a.json", "--folds", 5], InvalidInput, "--folds is not for studies"),
        (["a.json", "--candidate", "Bays", "--candidate", "tree"], UnknownName, "Did you mean 'Bayes'?"),
        (["a.json", "--candidate", "broken", "--candidate", "tree"], UnknownName, "finished candidate of a.json"),
        (["a.json", "--candidate", "tree"], InvalidInput, "two candidates are compared"),
        (["a.json", "--rope", -1], InvalidInput, "rope must be zero or more"),
        (["a.json", "scores.csv"], InvalidInput, "'scores.csv' is none"),
        (["b.json"], InvalidInput, "Did you mean 'a.json'?"),
        (["broken.json"], FormatError, "broken.json: it is no JSON"),
        (["list.json"], FormatError, "it must hold one JSON object"),
        (["empty.json"], FormatError, "it is not the study.json of a study (KeyError: 'criterion')"),
        (["scores.csv", "--across"], InvalidInput, "--across is not for tables"),
        (["scores.csv", "--method", "hierarchical"], InvalidInput, "is for two or more data sets, with their folds"),
        (["scores.csv", "--candidate", "A"], InvalidInput, "two or more columns of scores"),
        (["one.csv"], InvalidInput, "there is one score each, on 'row 1'"),
        (["scores.csv", "--truth", "X"], UnknownName, "there is no column 'X'"),
    ],
)
def test_what_cannot_be_compared_is_refused(written, arguments, error, said):
    written(
        a_json=study(),
        scores_csv=TABLE,
        one_csv="A,B\n0.5,0.25\n",
        broken_json="{",
        list_json=[1],
        empty_json={"runs": []},
    )
    assert issubclass(error, CredoError)
    with pytest.raises(error) as refused:
        text_of("compare", *arguments)
    assert said in str(refused.value)
