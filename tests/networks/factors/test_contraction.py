"""Tables are multiplied, summed out and fixed as the arithmetic of their cells says."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.oracles.networks import markov_networks

from credo.errors import BadParameter, InvalidInput, TooLarge, UnknownName
from credo.networks import Factor
from credo.networks.factors.contraction import as_table, best, marginal, product, restrict
from credo.networks.factors.semiring import LOG_MAX, LOG_SUM, MAX, SUM, Semiring

SEMIRINGS = [SUM, MAX, LOG_SUM, LOG_MAX]
NETS = markov_networks(most=5, states=4, potentials=5)


def multiplied(factors: list[Factor], names: list[str]) -> np.ndarray:
    """The product by einsum, the axes in the order of ``names``."""
    letters = {name: chr(97 + i) for i, name in enumerate(names)}
    scopes = ",".join("".join(letters[name] for name in factor.names) for factor in factors)
    return np.einsum(f"{scopes}->{''.join(letters[name] for name in names)}", *(factor.array for factor in factors))


@pytest.mark.parametrize("semiring", SEMIRINGS, ids=lambda semiring: semiring.name)
@settings(max_examples=40, deadline=None, derandomize=True)
@given(data=st.data())
def test_products_and_marginals_are_those_of_the_arrays(semiring: Semiring, data: st.DataObject) -> None:
    factors = list(data.draw(NETS.filter(lambda net: net.potentials)).potentials)
    whole = product(factors, semiring=semiring)
    names = list(whole.variables)
    assert names == list(dict.fromkeys(name for factor in factors for name in factor.names))
    expected = multiplied(factors, names)
    np.testing.assert_allclose(whole.factor.array, expected, rtol=1e-12)

    keep = data.draw(st.lists(st.sampled_from(names), unique=True)) if names else []
    part = marginal(whole, keep, semiring=semiring)
    assert list(part.variables) == keep
    axes = tuple(i for i, name in enumerate(names) if name not in keep)
    reduced = expected.max(axis=axes) if semiring.chooses else expected.sum(axis=axes)
    kept = [name for name in names if name in keep]
    np.testing.assert_allclose(part.factor.array, reduced.transpose([kept.index(name) for name in keep]), rtol=1e-12)


@settings(max_examples=40, deadline=None, derandomize=True)
@given(data=st.data())
def test_restricting_takes_a_slice(data: st.DataObject) -> None:
    for factor in data.draw(NETS).potentials:
        names = data.draw(st.lists(st.sampled_from(factor.names), unique=True)) if factor.names else []
        codes = {name: data.draw(st.integers(0, len(factor.variables[name]) - 1)) for name in names}
        part = restrict(factor, codes)
        assert part.names == tuple(name for name in factor.names if name not in codes)
        where = tuple(codes.get(name, slice(None)) for name in factor.names)
        np.testing.assert_array_equal(part.array, factor.array[where])


@settings(max_examples=40, deadline=None, derandomize=True)
@given(data=st.data())
def test_the_best_state_is_where_the_maximum_is(data: st.DataObject) -> None:
    for factor in data.draw(NETS).potentials:
        for axis, name in enumerate(factor.names):
            left, choice = best(factor, name, semiring=MAX)
            np.testing.assert_array_equal(left.factor.array, factor.array.max(axis=axis))
            others = [other for other in factor.names if other != name]
            for cell in itertools.product(*(range(len(factor.variables[other])) for other in others)):
                codes = dict(zip(others, cell, strict=True))
                column = restrict(factor, codes).values
                assert choice.code(codes) == column.argmax()


def test_there_may_be_more_variables_than_numpy_has_axes() -> None:
    many = {f"n{i}": ("only",) for i in range(100)}
    pair = {"A": (0, 1), **many, "B": (0, 1, 2)}
    f = Factor(pair, np.arange(6))
    g = Factor({**many, "B": (0, 1, 2), "C": (0, 1)}, np.arange(6))
    for semiring in SEMIRINGS:
        whole = product([f, g], semiring=semiring)
        assert len(whole.variables) == 103
        cells = np.arange(6).reshape(2, 3, 1) * np.arange(6).reshape(1, 3, 2)
        np.testing.assert_allclose(whole.factor.values, cells.ravel())
        assert list(marginal(whole, ["C", "n7", "A"], semiring=semiring).factor.sizes) == [2, 1, 2]
    assert restrict(f, {"n3": 0, "B": 1}).values.tolist() == [1.0, 4.0]
    assert best(f, "n3", semiring=MAX)[0].values.tolist() == list(range(6))


def test_long_scopes_work_as_long_as_the_cells_fit() -> None:
    names = [f"b{i}" for i in range(20)]
    pairs = [Factor({a: (0, 1), b: (0, 1)}, [[1.0, 2.0], [3.0, 4.0]]) for a, b in itertools.pairwise(names)]
    whole = product(pairs)
    assert len(whole.values) == 2**20
    total = np.linalg.multi_dot([np.array([[1.0, 2.0], [3.0, 4.0]])] * 19).sum()
    np.testing.assert_allclose(marginal(whole, []).values, [total])


def test_what_would_not_fit_is_refused_with_its_cost_before_it_is_made() -> None:
    factors = [Factor({f"b{i}": range(10)}, np.ones(10)) for i in range(40)]
    with pytest.raises(TooLarge, match=r"would have about 2\^\d+ cells; the limit is 134,217,728 cells"):
        product(factors)
    with pytest.raises(TooLarge, match="the limit is 99 cells"):
        product(factors[:2], limit=99)


def test_nothing_multiplied_is_one() -> None:
    for semiring in SEMIRINGS:
        assert product([], semiring=semiring).factor.values.tolist() == [1.0]


def test_logarithms_hold_what_floats_do_not() -> None:
    tiny = [Factor({"A": (0, 1)}, [1e-300, 2e-300])] * 5
    whole = product(tiny, semiring=LOG_SUM)
    expected = 5 * np.log([1e-300, 2e-300])
    np.testing.assert_allclose(whole.values, expected)
    np.testing.assert_allclose(marginal(whole, [], semiring=LOG_SUM).values, np.logaddexp(*expected))


@pytest.mark.parametrize("semiring", SEMIRINGS, ids=lambda semiring: semiring.name)
def test_scaled_numbers_have_one_as_their_largest(semiring: Semiring) -> None:
    scaled, log_scale = semiring.scaled(semiring.encode(np.array([0.0, 2.0, 8.0])))
    np.testing.assert_allclose(scaled, [0.0, 0.25, 1.0])
    assert log_scale == pytest.approx(np.log(8))
    scaled, log_scale = semiring.scaled(semiring.encode(np.zeros(2)))
    assert (scaled.tolist(), log_scale) == ([0.0, 0.0], -np.inf)


def test_wrong_requests_are_refused() -> None:
    f = Factor({"A": (0, 1)}, [1, 2])
    with pytest.raises(InvalidInput, match=r"'A' has the states \(0, 1\) in one factor and \(0, 1, 2\) in another"):
        product([f, Factor({"A": (0, 1, 2)}, [1, 2, 3])])
    with pytest.raises(UnknownName, match="there is no variable 'B'"):
        marginal(f, ["B"])
    with pytest.raises(UnknownName, match="there is no variable 'B'"):
        best(f, "B", semiring=MAX)
    with pytest.raises(BadParameter, match="one that maximises; got the sum-product"):
        best(f, "A", semiring=SUM)
    with pytest.raises(BadParameter, match="code of 'A' must be between 0 and 1; got 2"):
        restrict(f, {"A": 2})
    with pytest.raises(InvalidInput, match="log-sum semiring cannot be used in the sum-product one"):
        product([as_table(f, LOG_SUM)])
