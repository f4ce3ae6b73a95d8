"""The estimator that docs/adding-an-estimator.md builds keeps the contract it is there to explain."""

from __future__ import annotations

import doctest
import importlib
from pathlib import Path

from credo.testing import check_estimator

PAGE = Path(__file__).parents[2] / "docs" / "adding-an-estimator.md"


def test_the_smallest_estimator_keeps_the_contract(tmp_path, monkeypatch) -> None:
    examples = doctest.DocTestParser().get_examples(PAGE.read_text(encoding="utf-8"))
    module = tmp_path / "prevalence.py"
    module.write_text("".join(example.source for example in examples if not example.want), encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)  # scikit-learn's checks look the class up by its module
    check_estimator(importlib.import_module("prevalence").Prevalence())
