"""Kernels from text."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import credo
from credo.beliefs import HalfNormal
from credo.errors import CredoError, FormatError, InvalidInput
from credo.kernels import SE, Constant, Index, Kernel, Noise, Periodic, Polynomial, kernel


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        (
            "2.0**2 * SE(1.5) * Periodic(length=1, period=1) + Noise(0.1)",
            4.0 * SE(1.5) * Periodic(length=1, period=1) + Noise(0.1),
        ),
        ("  SE( 1 )\n", SE(1.0)),
        ("(SE(1)\n + Noise(2))", SE(1.0) + Noise(2.0)),
        ("SE([1, 2e-1])", SE([1.0, 0.2])),
        ("SE((1, 2))", SE([1.0, 2.0])),
        ("3", Constant(3.0)),
        ("1/4 - -1", Constant(1.25)),
        ("Polynomial(3, offset=.5)", Polynomial(3, 0.5)),
        ("Index([1, 2], shared=[[1], [-1]])", Index([1, 2], [[1], [-1]])),
        ("Index([1, 2], None)", Index([1, 2])),
        ("SE(2*pi)", SE(6.283185307179586)),
        ("SE(1).on(0) * SE(2).on([1, 2])", SE(1.0).on(0) * SE(2.0).on([1, 2])),
        ("SE(1).fixed()", SE(1.0).fixed()),
        ("SE(1).bounded({'length': (0.5, inf)})", SE(1.0).bounded({"length": (0.5, float("inf"))})),
        ("SE(1).with_priors({'length': HalfNormal(3)})", SE(1.0).with_priors({"length": HalfNormal(3.0)})),
        ("(SE(1) + 1)**2", (SE(1.0) + 1.0) ** 2),
    ],
)
def test_what_a_person_writes(text: str, meant: Kernel) -> None:
    assert kernel(text) == meant


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("SE(1) + Nose(0.1)", r"line 1, column 9: there is no kernel 'Nose'\. Did you mean 'Noise'"),
        ("SE(1) +\nNose(0.1)", "this is no kernel"),
        ("(SE(1) +\n  SE(lenght=1))", r"line 2, column 3: SE has no setting 'lenght'\. Did you mean 'length'"),
        ("SE(1, 2)", "column 1: SE takes length; got 2"),
        ("SE(1, length=2)", "SE takes length; got 2"),
        ("Wiener(1)", "Wiener takes no settings; got 1"),
        ("Polynomial()", "Polynomial takes degree, offset; got 0"),
        ("2 * SE(-1)", "column 5: length must be positive; got -1"),
        ("SE(1) - SE(2)", "kernels are added, multiplied, and raised to whole powers only"),
        ("SE(1)**0.5", "the power of a kernel must be a whole number"),
        ("SE(1)**SE(1)", "raised to whole powers only"),
        ("SE(1) / 2", "added, multiplied"),
        ("SE", r"SE needs its settings: SE\(\.\.\.\)"),
        ("SE(x)", r"column 4: there is no 'x'"),
        ("SE(1).on(0).period(2)", "a kernel has no 'period' in its text"),
        ("SE(1).onn(0)", r"Did you mean 'on'"),
        ("SE(1).pullback([[1]], [[1]])", "a kernel has no 'pullback' in its text"),
        ("SE(1).__class__", "only numbers, kernels"),
        ("SE(1).__class__()", "a kernel has no '__class__'"),
        ("SE.__init__(1)", "SE needs its settings"),
        ("(1).real()", "a kernel has no 'real'"),
        ("__import__('os')", "there is no kernel '__import__'"),
        ("SE(1)(2)", "only kernels can be called"),
        ("SE(*[1])", "only numbers, kernels"),
        ("SE(**{'length': 1})", "takes its settings by name or in order"),
        ("SE(1).bounded({**{}, 'length': (1, 2)})", "only numbers"),
        ("SE(1).bounded({1: (1, 2)})", "column 16: the name of a hyperparameter was expected; got 1"),
        ("[SE(1)]", r"this is no kernel but \[SE"),
        ("'SE(1)'", "this is no kernel but 'SE"),
        ("Gamma(1, 2)", "this is no kernel but Gamma"),
        ("SE(1) + 'a'", "a number or a kernel was expected; got 'a'"),
        ("1 + 'a'", "a number or a kernel was expected; got 'a'"),
        ("-SE(1)", "a number or a kernel was expected"),
        ("1 / 0", "division by zero"),
        ("(0-8)**(1/3)", "column 1: math domain error"),
        ("9.0**9**9**9", "math range error"),
        ("10**400 * SE(1)", "math range error"),
        (f"SE({'9' * 400})", "too large"),
        ("1 % 2", r"numbers are combined by \+, -, \*, / and \*\* only"),
        ("SE(True)", "there is no 'True'|only numbers"),
        ("SE(1j)", "only numbers"),
        ("SE(...)", "only numbers"),
        ("lambda: 1", "only numbers"),
        ("[x for x in [1]]", "only numbers"),
        ("SE(1) if 1 else SE(2)", "only numbers"),
        ("SE(f'{1}')", "only numbers"),
        ("SE(1); SE(2)", "this is no kernel"),
        ("SE(1", "this is no kernel"),
        ("", "this is no kernel"),
        ("SE(1\0)", "this is no kernel"),
        ("SE(\ud800)", "this is no kernel"),
        ("(" * 190 + "1" + ")" * 190 + " * SE(" + "-" * 60 + "1)", "nested more than 50 deep"),
        ("(" * 50_000, "this is no kernel"),
        ("-" * 90_000 + "1", "this is no kernel|nested more than 50 deep"),
    ],
)
def test_what_is_not_understood_is_refused_with_its_place(text: str, words: str) -> None:
    with pytest.raises(FormatError, match=words):
        kernel(text)


def test_text_that_is_none_and_text_without_end() -> None:
    with pytest.raises(InvalidInput, match="text must be the text of a kernel; got 3"):
        kernel(3)  # type: ignore[arg-type]
    with pytest.raises(InvalidInput, match="at most 100,000 characters"):
        kernel("SE(1)" + " + SE(1)" * 20_000)


PIECES = ["SE(", "Noise(", "Periodic(", "1", "2.5", "0", "-1", "+", "*", "**", ")", "(", ",", "length="]
PIECES += [".on(", ".fixed(", ".bounded({", "'length'", ":", "}", "[", "]", "None", "inf"]


@settings(max_examples=200, deadline=None, derandomize=True)
@given(st.lists(st.sampled_from(PIECES), max_size=12).map("".join) | st.text(max_size=20))
def test_any_text_is_a_kernel_or_refused(text: str) -> None:
    try:
        made = kernel(text)
    except CredoError:
        return
    assert kernel(str(made)) == made


def test_the_front_door() -> None:
    assert credo.kernel("SE(1.5)") == SE(1.5)
