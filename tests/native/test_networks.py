"""Junction trees: the native ones and their twin, each against brute force in logarithms, and against each other."""

from __future__ import annotations

import functools
import gc
import itertools
import math
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from types import ModuleType
from typing import Any
from unittest import mock

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from credo import native
from credo.errors import BadParameter, BadProbability, BadShape, CredoError, InvalidInput
from credo.native import chosen, reference
from credo.native import networks as border

Floats = np.ndarray
LOOPS = [pytest.param(reference, id="twin")]
if native.available:
    LOOPS.append(pytest.param(chosen.loops, id="native"))
both = pytest.mark.parametrize("loops", LOOPS)
only_native = pytest.mark.skipif(not native.available, reason=f"nothing to compare: {native.description()}")
modest = settings(max_examples=120, deadline=None, derandomize=True)
NO_CODES = np.empty(0, dtype=np.int32)


@pytest.fixture(autouse=True)
def thread_limit() -> Iterator[None]:
    before = native.threads()
    yield
    native.set_threads(before)


# ---------------------------------------------------------------- networks to try


@dataclass(frozen=True)
class Case:
    """Tables, and what is asked: hidden variables get likelihoods, the others codes."""

    sizes: list[int]
    scopes: list[list[int]]
    tables: list[Floats]  # with an axis for each variable
    laws: list[bool]
    observed: list[int]
    soft: list[int]
    codes: Floats
    likelihood: list[Floats | None]
    seed: int = 0

    @property
    def hidden(self) -> list[int]:
        return [v for v in range(len(self.sizes)) if v not in self.observed]

    def engine(self, loops: Any, **options: Any) -> chosen.NetworkEngine:
        with mock.patch.object(border, "loops", loops):
            values = [np.ascontiguousarray(table).ravel() for table in self.tables]
            model = native.network_model(self.sizes, self.scopes, values, self.laws)
            chosen_ones = {"observed": self.observed, "soft": self.soft} | options
            return native.network_engine(model, range(len(self.tables)), **chosen_ones)

    def log_joint(self) -> Floats:
        """By brute force, an axis for each variable."""
        n = len(self.sizes)
        joint = np.zeros(self.sizes)
        parts = list(zip(self.scopes, self.tables, strict=True))
        parts += [([v], np.eye(self.sizes[v])[code]) for v, code in zip(self.observed, self.codes, strict=True)]
        parts += [([v], said) for v, said in zip(self.soft, self.likelihood, strict=True) if said is not None]
        for scope, table in parts:
            shape = [self.sizes[v] if v in scope else 1 for v in range(n)]
            with np.errstate(divide="ignore"):
                joint = joint + np.log(table.transpose(np.argsort(scope))).reshape(shape)
        return joint


def log_sum(a: Floats, kept: list[int]) -> Floats:
    """Log of the sum of exponentials over all axes but those kept, in their order."""
    out = tuple(axis for axis in range(a.ndim) if axis not in kept)
    top = np.maximum(a.max(axis=out, keepdims=True), -1e300)
    with np.errstate(divide="ignore", under="ignore"):
        total = np.log(np.exp(a - top).sum(axis=out)) + top.squeeze(out)
    return total.transpose([sorted(kept).index(v) for v in kept])


def random_table(rng: np.random.Generator, shape: list[int], *, zeros: float, decades: float, law: bool) -> Floats:
    table = rng.random(shape) * 10.0 ** -(rng.random(shape) * decades)
    table = np.where(rng.random(shape) < zeros, 0.0, table)
    if law:
        table[..., 0] += 1e-3
        return table / table.sum(axis=-1, keepdims=True)
    return table / max(table.max(initial=0.0), 1e-300)


@st.composite
def cases(draw: st.DrawFn, *, decades: float = 0.0) -> Case:
    """Bayesian networks, Markov networks and mixtures of both, small enough for brute force."""
    sizes = draw(st.lists(st.integers(1, 4), min_size=1, max_size=7))
    n = len(sizes)
    kind = draw(st.sampled_from(["laws", "factors", "mixed"]))
    zeros = draw(st.sampled_from([0.0, 0.2, 0.6]))
    seed = draw(st.integers(0, 2**32 - 1))
    rng = np.random.default_rng(seed)
    scopes, laws = [], []
    if kind != "factors":
        for v in range(n):
            parents = rng.permutation(v)[: rng.integers(0, 4)].tolist()
            scopes.append([*parents, v])
            laws.append(True)
    if kind != "laws":
        for _ in range(draw(st.integers(0, 6))):
            scopes.append(rng.permutation(n)[: rng.integers(0, 4)].tolist())
            laws.append(False)
        if kind == "mixed" and draw(st.booleans()):
            del scopes[0], laws[0]  # a variable without a law
    for v in set(range(n)).difference(*scopes):
        scopes.append([v])  # (a variable that nothing is about is not summed out)
        laws.append(False)
    names = rng.permutation(n)  # so that parents are not always the lower numbers
    scopes = [[int(names[v]) for v in scope] for scope in scopes]
    tables = [
        random_table(rng, [sizes[v] for v in scope], zeros=zeros, decades=decades, law=law)
        for scope, law in zip(scopes, laws, strict=True)
    ]
    share = draw(st.sampled_from([0.0, 0.3, 1.0]))
    observed = [v for v in rng.permutation(n).tolist() if rng.random() < share]
    soft = [v for v in rng.permutation(n).tolist() if v not in observed and rng.random() < 0.4]
    likelihood = [
        random_table(rng, [sizes[v]], zeros=zeros, decades=decades, law=False) if rng.random() < 0.7 else None
        for v in soft
    ]
    codes = np.array([rng.integers(sizes[v]) for v in observed], dtype=np.int32)
    return Case(sizes, scopes, tables, laws, observed, soft, codes, likelihood, seed)


def some_sets(case: Case) -> list[list[int]]:
    """Every hidden variable, and a set of them."""
    rng = np.random.default_rng(case.seed)
    several = rng.permutation(case.hidden)[: rng.integers(2, 5)].astype(int).tolist()
    return [[v] for v in case.hidden] + ([several] if several else [])


def taken_apart(case: Case, wanted: list[list[int]], engine: chosen.NetworkEngine, answers: Floats) -> list[Floats]:
    """The answers with an axis for each variable, in the order asked for."""
    at, found = 0, []
    for scope, axes in zip(wanted, engine.answer_axes(), strict=True):
        assert sorted(axes) == sorted(scope)
        shape = [case.sizes[v] for v in axes]
        belief = answers[at : at + math.prod(shape)].reshape(shape)
        at += belief.size
        found.append(belief.transpose([axes.index(v) for v in scope]))
    return found


def check_answer(case: Case, loops: Any, wanted: list[list[int]], **options: Any) -> None:
    engine = case.engine(loops, wanted=wanted, **options)
    answers, log_evidence, sure = engine.answer(case.codes, case.likelihood)
    joint = case.log_joint()
    expected = float(log_sum(joint, []))
    if not sure:
        return  # (whoever must be sure, says so)
    assert log_evidence == pytest.approx(expected, abs=1e-9, rel=1e-12)
    for scope, belief in zip(wanted, taken_apart(case, wanted, engine, answers), strict=True):
        if expected == -math.inf:
            assert np.isnan(belief).all()
        else:
            np.testing.assert_allclose(belief, np.exp(log_sum(joint, scope) - expected), rtol=1e-9, atol=1e-12)


# ---------------------------------------------------------------- against brute force


@both
@modest
@given(case=cases())
def test_beliefs(loops: ModuleType, case: Case) -> None:
    wanted = some_sets(case)
    check_answer(case, loops, wanted)
    assert case.engine(loops, wanted=wanted).answer(case.codes, case.likelihood)[2]
    for scope in wanted[-2:]:
        check_answer(case, loops, [scope], root_first=True, effort=0.0)


@both
@modest
@given(case=cases(decades=250.0))
def test_numbers_of_every_size(loops: ModuleType, case: Case) -> None:
    # Where underflow may have mattered, an engine is not sure; if it is, it is right. The twin always is.
    wanted = some_sets(case)
    check_answer(case, loops, wanted)
    sure = case.engine(loops, wanted=wanted).answer(case.codes, case.likelihood)[2]
    assert sure or loops is not reference


def check_explanation(case: Case, loops: Any, maximise: list[bool]) -> None:
    largest = [v for v in case.hidden if maximise[v]]
    codes, log_probability, sure = case.engine(loops, maximise=maximise).explain(case.codes, case.likelihood)
    table = log_sum(case.log_joint(), largest)
    assert codes.dtype == np.int32
    assert codes.shape == (len(case.sizes),)
    if not sure:
        return
    assert log_probability == pytest.approx(float(table.max()), abs=1e-9, rel=1e-12)
    if log_probability > -math.inf:  # (of several that are equally probable, any)
        assert table[tuple(codes[largest])] == pytest.approx(float(table.max()), abs=1e-9)
    assert not codes[[v for v in range(len(codes)) if v not in largest]].any()


@both
@modest
@given(case=cases(), share=st.sampled_from([0.2, 0.5, 0.8, 1.0]))
def test_explanations(loops: ModuleType, case: Case, share: float) -> None:
    maximise = (np.random.default_rng(case.seed).random(len(case.sizes)) < share).tolist()
    check_explanation(case, loops, maximise)
    assert case.engine(loops, maximise=maximise).explain(case.codes, case.likelihood)[2]


@both
@modest
@given(case=cases(decades=250.0), share=st.sampled_from([0.5, 1.0]))
def test_explanations_with_numbers_of_every_size(loops: ModuleType, case: Case, share: float) -> None:
    check_explanation(case, loops, (np.random.default_rng(case.seed).random(len(case.sizes)) < share).tolist())


@both
@modest
@given(case=cases())
def test_draws(loops: ModuleType, case: Case) -> None:
    rows = 2000
    engine = case.engine(loops)
    uniform = np.random.default_rng(case.seed).random((rows, len(engine.cliques)))
    codes, log_evidence, sure = engine.draw(case.codes, case.likelihood, uniform)
    joint = case.log_joint()
    expected = float(log_sum(joint, []))
    assert codes.shape == (rows, len(case.sizes))
    assert not codes[:, case.observed].any()
    assert (log_evidence, sure) == (pytest.approx(expected, abs=1e-9), True)
    if expected == -math.inf:
        return
    full = codes.copy()
    full[:, case.observed] = case.codes
    assert (joint[tuple(full.T)] > -math.inf).all()  # what is impossible is never drawn
    counts = np.bincount(np.ravel_multi_index(tuple(full.T), case.sizes), minlength=joint.size)
    p = np.exp(joint - expected).ravel()
    likely = p > 0.01
    assert (np.abs(counts - rows * p)[likely] < 6 * np.sqrt(rows * p * (1 - p))[likely] + 1e-6).all()


@both
@modest
@given(case=cases(), rows=st.integers(0, 4))
def test_rows_are_answered_as_single_queries_are(loops: ModuleType, case: Case, rows: int) -> None:
    rng = np.random.default_rng(case.seed)
    engine = case.engine(loops, wanted=some_sets(case))
    codes = np.array([rng.integers(case.sizes[v], size=rows) for v in case.observed], dtype=np.int32)
    codes = np.ascontiguousarray(codes.reshape(len(case.observed), rows).T)
    said = [None if one is None else rng.random((rows, len(one))) for one in case.likelihood]
    answers, log_evidence, sure = engine.answer_rows(codes, said)
    assert (len(answers), len(log_evidence), sure.dtype) == (rows, rows, np.uint8)
    for row in range(rows):
        one = engine.answer(codes[row], [None if table is None else table[row] for table in said])
        np.testing.assert_array_equal(answers[row], one[0])
        assert (log_evidence[row], bool(sure[row])) == one[1:]


@both
@modest
@given(case=cases(), maximised=st.booleans())
def test_the_cliques_make_a_junction_tree(loops: ModuleType, case: Case, maximised: bool) -> None:
    options = {"maximise": [v % 2 == 0 for v in range(len(case.sizes))]} if maximised else {"wanted": some_sets(case)}
    engine = case.engine(loops, **options)
    cliques, parents = [set(clique) for clique in engine.cliques], engine.parents
    needed = [set(scope) - set(case.observed) for scope in case.scopes] + [set(s) for s in options.get("wanted", [])]
    assert all(any(scope <= clique for clique in cliques) for scope in needed if scope)
    assert sorted(engine.order) == sorted(set().union(*needed, case.soft))
    for v in engine.order:  # each variable's cliques hang together: all but one of them have it in their parent too
        tops = [
            c
            for c, clique in enumerate(cliques)
            if v in clique and v not in (cliques[parents[c]] if parents[c] >= 0 else ())
        ]
        assert len(tops) == 1
    cells = [math.prod(case.sizes[v] for v in clique) for clique in cliques]
    assert (engine.entries, engine.widest) == (sum(cells), max(cells, default=0))
    shared = [cliques[c] & cliques[p] for c, p in enumerate(parents) if p >= 0]
    assert engine.message_cells == sum(math.prod(case.sizes[v] for v in both_have) for both_have in shared)
    assert engine.orders_tried >= 1


@both
@pytest.mark.parametrize("seed", range(60))
def test_messages_that_are_all_ones_below_which_others_are_not(loops: ModuleType, seed: int) -> None:
    rng = np.random.default_rng(seed)
    n = 13
    scopes = [[*rng.permutation(np.arange(max(v - 5, 0), v))[: rng.integers(0, 3)].tolist(), v] for v in range(n)]
    tables = [random_table(rng, [2] * len(scope), zeros=0.1, decades=1.0, law=True) for scope in scopes]
    soft = rng.permutation(n)[:2].tolist()
    likelihood = [rng.random(2) + 1e-3 for _ in soft]
    case = Case([2] * n, scopes, tables, [True] * n, [], soft, NO_CODES, likelihood)
    check_answer(case, loops, [[v] for v in range(n)])


# ---------------------------------------------------------------- edges


def plain(sizes: list[int], scopes: list[list[int]], tables: list[Any], laws: list[bool] | None = None) -> Case:
    held = [np.asarray(table, dtype=float) for table in tables]
    return Case(sizes, scopes, held, laws or [False] * len(scopes), [], [], NO_CODES, [])


@both
def test_nothing_is_left(loops: ModuleType) -> None:
    case = plain([2, 3], [[0], [0, 1], []], [[0.5, 0.5], [[0.2, 0.3, 0.5], [1.0, 0.0, 0.0]], 0.5])
    seen = replace(case, observed=[1, 0])
    for codes, expected in (([1, 0], math.log(0.5 * 0.3 * 0.5)), ([1, 1], -math.inf)):
        answers, log_evidence, sure = seen.engine(loops).answer(np.array(codes, dtype=np.int32), [])
        assert not answers.size or math.isnan(answers.sum()) or answers.sum() >= 0  # (cells that mean nothing)
        assert log_evidence == pytest.approx(expected)
        assert sure
        found = seen.engine(loops, maximise=[True, True]).explain(np.array(codes, dtype=np.int32), [])
        assert found[0].tolist() == [0, 0]
        assert found[1] == pytest.approx(expected)
    empty = plain([], [], [])
    assert empty.engine(loops).answer(NO_CODES, [])[1:] == (0.0, True)
    assert empty.engine(loops).entries == empty.engine(loops).widest == 0


@both
def test_what_is_impossible(loops: ModuleType) -> None:
    case = plain([2, 2, 3], [[0], [0, 1], [2]], [[1.0, 0.0], [[1.0, 0.0], [0.5, 0.5]], [0.2, 0.3, 0.5]], [True] * 3)
    engine = replace(case, observed=[1], soft=[2]).engine(loops, wanted=[[0], [2], [2, 0]])
    impossible, possible = np.array([1], dtype=np.int32), np.array([0], dtype=np.int32)
    for codes, said in ((impossible, None), (possible, np.zeros(3)), (impossible, np.ones(3))):
        answers, log_evidence, sure = engine.answer(codes, [said])
        assert np.isnan(answers[:11]).all()
        assert log_evidence == -math.inf
        assert sure
    answers, log_evidence, sure = engine.answer(possible, [None])  # and nothing of it is left for the next query
    np.testing.assert_allclose(answers[:5], [1.0, 0.0, 0.2, 0.3, 0.5])
    assert log_evidence == 0.0
    explainer = replace(case, observed=[1]).engine(loops, maximise=[True] * 3)
    assert explainer.explain(impossible, [])[1:] == (-math.inf, True)


@both
def test_variables_that_no_table_is_about(loops: ModuleType) -> None:
    case = replace(plain([2, 3, 4], [[0]], [[0.2, 0.4]]), soft=[2, 0])
    engine = case.engine(loops, wanted=[[1], [2], [0, 1]])
    answers, log_evidence, _ = engine.answer(NO_CODES, [np.array([1.0, 0.5, 0.5, 0.0]), None])
    one, two, together = taken_apart(case, [[1], [2], [0, 1]], engine, answers)
    np.testing.assert_allclose(one, 1 / 3)
    np.testing.assert_allclose(two, [0.5, 0.25, 0.25, 0.0])
    np.testing.assert_allclose(together, np.outer([1 / 3, 2 / 3], np.full(3, 1 / 3)))
    assert log_evidence == pytest.approx(math.log(0.6 * 3 * 2))


@both
def test_more_variables_of_one_state_than_numpy_has_axes(loops: ModuleType) -> None:
    sizes = [1] * 100 + [2, 3]
    table = np.array([[0.1, 0.2, 0.3], [0.4, 1.0, 0.0]])
    scope = [*range(50), 100, *range(50, 100), 101]
    case = Case(sizes, [scope], [table], [False], [7], [3], np.zeros(1, dtype=np.int32), [np.ones(1)])
    engine = case.engine(loops, wanted=[[101], [50], [100, *range(60)[8:]]])
    answers, log_evidence, sure = engine.answer(case.codes, case.likelihood)
    np.testing.assert_allclose(answers[:6], [0.25, 0.6, 0.15, 1.0, 0.3, 0.7])
    assert (log_evidence, sure) == (pytest.approx(math.log(2.0)), True)
    codes, *_ = case.engine(loops, maximise=[True] * 102).explain(case.codes, case.likelihood)
    assert codes.tolist() == [0] * 100 + [1, 1]


# ---------------------------------------------------------------- long, wide, large


def chain(length: int, rng: np.random.Generator) -> tuple[Case, Floats, Floats, Floats]:
    """A hidden Markov model, all of it seen: hidden variables 0, 2, 4, …, each with what is seen of it after it."""
    start, step, shows = rng.dirichlet(np.ones(3)), rng.dirichlet(np.ones(3), 3), rng.dirichlet(np.ones(4), 3)
    scopes = [[0], *([2 * t - 2, 2 * t] for t in range(1, length)), *([2 * t, 2 * t + 1] for t in range(length))]
    tables = [start] + [step] * (length - 1) + [shows] * length
    seen = rng.integers(0, 4, length).astype(np.int32)
    observed = [2 * t + 1 for t in range(length)]
    case = Case([3, 4] * length, scopes, tables, [True] * len(scopes), observed, [], seen, [])
    return case, start, step, shows[:, seen].T


@both
def test_a_long_chain(loops: ModuleType) -> None:
    length = 3000
    case, start, step, shown = chain(length, np.random.default_rng(0))
    forward, scale = np.empty((length, 3)), np.empty(length)
    backward = np.ones((length, 3))
    for t in range(length):
        forward[t] = (start if t == 0 else forward[t - 1] @ step) * shown[t]
        scale[t] = forward[t].sum()
        forward[t] /= scale[t]
    for t in range(length - 2, -1, -1):
        backward[t] = step @ (shown[t + 1] * backward[t + 1]) / scale[t + 1]
    engine = case.engine(loops, wanted=[[2 * t] for t in range(length)])
    answers, log_evidence, sure = engine.answer(case.codes, [])
    assert sure
    assert log_evidence == pytest.approx(np.log(scale).sum(), rel=1e-12)
    assert log_evidence < -3000  # the probability itself is far below the smallest float64
    np.testing.assert_allclose(answers[: 3 * length].reshape(length, 3), forward * backward, rtol=1e-9)


@both
def test_a_long_chain_explained(loops: ModuleType) -> None:
    length = 3000
    case, start, step, shown = chain(length, np.random.default_rng(1))
    best = np.log(start) + np.log(shown[0])
    for t in range(1, length):
        best = (best[:, None] + np.log(step)).max(axis=0) + np.log(shown[t])
    codes, log_probability, sure = case.engine(loops, maximise=[True, False] * length).explain(case.codes, [])
    path = codes[::2]
    worth = (
        math.log(start[path[0]])
        + np.log(step[path[:-1], path[1:]]).sum()
        + np.log(shown[np.arange(length), path]).sum()
    )
    assert sure
    assert log_probability == pytest.approx(best.max(), rel=1e-12)
    assert worth == pytest.approx(best.max(), rel=1e-12)


def parity(case: Case, wanted: list[list[int]], rtol: float = 1e-9) -> None:
    found = []
    for loops in (chosen.loops, reference):
        engine = case.engine(loops, wanted=wanted)
        answers, log_evidence, sure = engine.answer(case.codes, case.likelihood)
        assert sure
        found.append((taken_apart(case, wanted, engine, answers), log_evidence))
    assert found[0][1] == pytest.approx(found[1][1], rel=1e-12, abs=1e-9)
    for ours, twin in zip(found[0][0], found[1][0], strict=True):
        np.testing.assert_allclose(ours, twin, rtol=rtol, atol=1e-13)


@only_native
@pytest.mark.parametrize("seed", range(8))
def test_networks_too_large_for_brute_force(seed: int) -> None:
    rng = np.random.default_rng(seed)
    n = 60
    sizes = rng.integers(1, 6, n).tolist()
    scopes = [[*rng.permutation(np.arange(max(v - 6, 0), v))[: rng.integers(0, 3)].tolist(), v] for v in range(n)]
    tables = [random_table(rng, [sizes[v] for v in scope], zeros=0.1, decades=1.0, law=True) for scope in scopes]
    state = np.zeros(n, dtype=int)
    for v, scope in enumerate(scopes):  # a draw, so that what is seen is possible
        state[v] = rng.choice(sizes[v], p=tables[v][tuple(state[scope[:-1]])])
    observed = rng.permutation(n)[: n // 5].tolist()
    hidden = [v for v in range(n) if v not in observed]
    soft = hidden[::4]
    likelihood = [rng.random(sizes[v]) + 1e-3 for v in soft]
    case = Case(sizes, scopes, tables, [True] * n, observed, soft, state[observed].astype(np.int32), likelihood)
    parity(case, [[v] for v in hidden] + [hidden[:3]])
    found = [
        case.engine(loops, maximise=[True] * n).explain(case.codes, likelihood) for loops in (chosen.loops, reference)
    ]
    assert found[0][1] == pytest.approx(found[1][1], rel=1e-12)


@both
@pytest.mark.parametrize(
    "sizes", [[3] * 9, [2000, 3], [3, 2000], [5, 2000, 2], [700, 700], [513], [2, 511, 2], [8, 8, 8, 2]]
)
def test_cliques_larger_than_a_block(loops: ModuleType, sizes: list[int]) -> None:
    # One table in the middle, and a neighbour to each variable, so that all kinds of messages come and go.
    rng = np.random.default_rng(len(sizes))
    n = len(sizes)
    scopes = [list(range(n)), *([v, n + v] for v in range(n))]
    shapes = [[*sizes, *[3] * n][v] for v in range(2 * n)]
    tables = [random_table(rng, [shapes[v] for v in scope], zeros=0.3, decades=0.0, law=False) for scope in scopes]
    case = replace(plain(shapes, scopes, tables), soft=[0], likelihood=[rng.random(sizes[0])])
    table = tables[0] * case.likelihood[0].reshape([-1] + [1] * (n - 1))
    for v in range(n):
        table = table * tables[1 + v].sum(axis=1).reshape([-1 if u == v else 1 for u in range(n)])
    total = table.sum()
    wanted = [[v] for v in range(2 * n)] + [[1 % n, 0][: min(n, 2)]]
    engine = case.engine(loops, wanted=wanted)
    answers, log_evidence, sure = engine.answer(NO_CODES, case.likelihood)
    assert (log_evidence, sure) == (pytest.approx(math.log(total)), True)
    found = taken_apart(case, wanted, engine, answers)
    for v in range(n):
        marginal = table.sum(axis=tuple(u for u in range(n) if u != v))
        np.testing.assert_allclose(found[v], marginal / total, atol=1e-12)
        passed_on = np.divide(marginal, tables[1 + v].sum(axis=1), out=np.zeros(sizes[v]), where=marginal > 0)
        np.testing.assert_allclose(found[n + v], passed_on @ tables[1 + v] / total, atol=1e-12)
    codes, log_probability, _ = case.engine(loops, maximise=[True] * 2 * n).explain(NO_CODES, case.likelihood)
    best = tables[0] * case.likelihood[0].reshape([-1] + [1] * (n - 1))
    for v in range(n):
        best = best * tables[1 + v].max(axis=1).reshape([-1 if u == v else 1 for u in range(n)])
    assert log_probability == pytest.approx(math.log(best.max()))
    assert best[tuple(codes[:n])] == pytest.approx(best.max())


def two_large_tables(rng: np.random.Generator, *, small: float = 0.0) -> Case:
    """Two tables of 2²⁰ cells that share variables 10 to 19."""
    tables = [rng.random([2] * 20) * 10.0 ** -(small * rng.random([2] * 20)) for _ in range(2)]
    scopes = [list(range(20)), list(range(29, 9, -1))]
    return plain([2] * 30, scopes, tables)


@only_native
@pytest.mark.parametrize("small", [0.0, 200.0])
def test_large_cliques_give_the_same_bits_with_any_number_of_threads(small: float) -> None:
    case = two_large_tables(np.random.default_rng(0), small=small)
    wanted = [[v] for v in range(30)] + [[0, 15, 3]]
    engine, explainer = case.engine(chosen.loops, wanted=wanted), case.engine(chosen.loops, maximise=[True] * 30)
    answers, explained = [], []
    for threads in (1, 2, 3, 8):
        native.set_threads(threads)
        answers.append(engine.answer(NO_CODES, []))
        explained.append(explainer.explain(NO_CODES, []))
    for other, codes in zip(answers, explained, strict=True):
        np.testing.assert_array_equal(other[0], answers[0][0])
        np.testing.assert_array_equal(codes[0], explained[0][0])
        assert (other[1:], codes[1:]) == (answers[0][1:], explained[0][1:])
    if small:
        return
    first, second = (table.reshape(1024, 1024) for table in case.tables)
    second = second.T.reshape([2] * 20).transpose([*range(9, -1, -1), *range(10, 20)]).reshape(1024, 1024)
    inner = first.sum(axis=0) * second.sum(axis=1)
    assert answers[0][2]
    assert answers[0][1] == pytest.approx(math.log(inner.sum()), rel=1e-12)
    found = np.array([belief[1] for belief in taken_apart(case, wanted, engine, answers[0][0])[:30]])
    bits = [(first @ second.sum(axis=1)).reshape([2] * 10), inner.reshape([2] * 10)]
    bits.append((first.sum(axis=0) @ second).reshape([2] * 10).transpose(range(9, -1, -1)))
    expected = [table.take(1, axis=v).sum() / table.sum() for table in bits for v in range(10)]
    np.testing.assert_allclose(found, expected, rtol=1e-10)
    best = first.max(axis=0) * second.max(axis=1)
    assert explained[0][1] == pytest.approx(math.log(best.max()), rel=1e-12)


@only_native
def test_many_rows_give_the_same_bits_with_any_number_of_threads() -> None:
    case, *_ = chain(20, np.random.default_rng(3))
    case = replace(case, soft=[4, 0])
    rng = np.random.default_rng(4)
    rows = 3001
    codes = rng.integers(0, 4, (rows, 20), dtype=np.int32)
    said = [None, rng.random((rows, 3)) * (rng.random((rows, 3)) < 0.7)]
    engine = case.engine(chosen.loops, wanted=[[2 * t] for t in range(20)])
    found = []
    for threads in (1, 2, 3, 16):
        native.set_threads(threads)
        found.append(engine.answer_rows(codes, said))
    for other in found[1:]:
        for one, two in zip(found[0], other, strict=True):
            np.testing.assert_array_equal(one, two)
    assert np.isneginf(found[0][1]).any()  # (nothing of an impossible row is left for the next)
    assert np.isnan(found[0][0][np.isneginf(found[0][1])][:, :60]).all()
    for row in range(0, rows, 250):
        one = engine.answer(codes[row], [None, said[1][row]])
        np.testing.assert_array_equal(one[0], found[0][0][row])
        assert one[1:] == (found[0][1][row], bool(found[0][2][row]))
    twin = case.engine(reference, wanted=[[2 * t] for t in range(20)]).answer_rows(codes[:60], [None, said[1][:60]])
    np.testing.assert_allclose(found[0][0][:60, :60], twin[0], rtol=1e-9)
    np.testing.assert_allclose(found[0][1][:60], twin[1], rtol=1e-12)


def mostly_zero(rng: np.random.Generator, n: int, *, states: int, parents: int, noise: float) -> Case:
    """Laws that nearly always say what happens, asked about by a few findings that are possible."""
    sizes = rng.integers(2, states + 1, n).tolist()
    scopes = [[*rng.permutation(v)[: rng.integers(0, parents + 1)].tolist(), v] for v in range(n)]
    tables = []
    for scope in scopes:
        shape = [sizes[v] for v in scope]
        table = np.eye(shape[-1])[rng.integers(0, shape[-1], shape[:-1])]
        open_ones = rng.random(shape[:-1]) < noise
        table[open_ones] = rng.dirichlet(np.ones(shape[-1]), shape[:-1])[open_ones]
        tables.append(table)
    observed = rng.permutation(n)[: n // 4].tolist()
    soft = [v for v in range(n) if v not in observed][::3]
    codes = np.zeros(len(observed), dtype=np.int32)
    return Case(sizes, scopes, tables, [True] * n, observed, soft, codes, [None] * len(soft))


def drawn(case: Case, rng: np.random.Generator, rows: int) -> tuple[Floats, list[Floats | None]]:
    """Findings of a network of laws in the order of their numbers, all possible, and some likelihoods."""
    state = np.zeros((rows, len(case.sizes)), dtype=np.int32)
    for row in state:
        for v, scope in enumerate(case.scopes):
            row[v] = rng.choice(case.sizes[v], p=case.tables[v][tuple(row[scope[:-1]])])
    said = [rng.random((rows, case.sizes[v])) if i % 2 else None for i, v in enumerate(case.soft)]
    return np.ascontiguousarray(state[:, case.observed]), said


@only_native
@pytest.mark.parametrize("seed", range(12))
def test_tables_that_are_mostly_zero(seed: int) -> None:
    rng = np.random.default_rng(seed)
    case = mostly_zero(rng, 14, states=6, parents=4, noise=0.05 * (seed % 3))
    codes, said = drawn(case, rng, 20)
    codes[5] = (codes[5] + 1) % [case.sizes[v] for v in case.observed]  # (which may be impossible)
    wanted = [[v] for v in range(14) if v not in case.observed]
    wanted.append([v for (v,) in wanted[:3]])
    engine, explainer = (case.engine(chosen.loops, **o) for o in ({"wanted": wanted}, {"maximise": [True] * 14}))
    twins = [case.engine(reference, **o) for o in ({"wanted": wanted}, {"maximise": [True] * 14})]
    rows = engine.answer_rows(codes, said)
    cells = sum(math.prod(case.sizes[v] for v in scope) for scope in wanted)
    for row, code in enumerate(codes):
        one = [None if table is None else table[row] for table in said]
        (answers, *rest), expected = engine.answer(code, one), twins[0].answer(code, one)
        assert rest[0] == pytest.approx(expected[1], rel=1e-12, abs=1e-12)
        assert rest[1]
        mine = np.concatenate([belief.ravel() for belief in taken_apart(case, wanted, engine, answers)])
        np.testing.assert_allclose(mine, expected[0], rtol=1e-9, atol=1e-14)
        np.testing.assert_array_equal(answers[:cells], rows[0][row, :cells])
        assert rest == [rows[1][row], bool(rows[2][row])]
        assert explainer.explain(code, one)[1] == pytest.approx(twins[1].explain(code, one)[1], rel=1e-12, abs=1e-12)


@only_native
@pytest.mark.parametrize("seed", [7, 19, 28])
def test_few_rows_and_many_agree(seed: int) -> None:
    # Some things pay only when there are many queries; they change the order of additions, and so the last digit.
    rng = np.random.default_rng(seed)
    case = mostly_zero(rng, 16, states=6, parents=4, noise=0.05)
    codes, said = drawn(case, rng, 40)
    wanted = [[v] for v in range(16) if v not in case.observed]
    new = [case.engine(chosen.loops, wanted=wanted) for _ in codes]
    alone = [
        engine.answer(code, [None if table is None else table[row] for table in said])
        for row, (engine, code) in enumerate(zip(new, codes, strict=True))
    ]
    together = case.engine(chosen.loops, wanted=wanted).answer_rows(codes, said)
    np.testing.assert_allclose([answers for answers, _, _ in alone], together[0], rtol=1e-13, atol=1e-15)
    np.testing.assert_allclose([log_evidence for _, log_evidence, _ in alone], together[1], rtol=1e-13, atol=1e-13)


@both
def test_a_probability_far_below_the_smallest_number(loops: ModuleType) -> None:
    # A hundred findings of probability 1e-300 each, and a hidden cause that each makes a little likelier.
    n = 100
    shows = np.array([[1e-300, 1 - 1e-300], [2e-300, 1 - 2e-300]])
    scopes = [[0], *([0, v + 1] for v in range(n))]
    case = plain([2] * (n + 1), scopes, [[0.5, 0.5]] + [shows] * n, [True] * (n + 1))
    case = replace(case, observed=list(range(1, n + 1)), codes=np.zeros(n, dtype=np.int32))
    answers, log_evidence, sure = case.engine(loops, wanted=[[0]]).answer(case.codes, [])
    if sure:
        expected = math.log(0.5) + n * math.log(1e-300) + np.logaddexp(0, n * math.log(2))
        assert log_evidence == pytest.approx(expected, rel=1e-12)
        np.testing.assert_allclose(answers[:2], [2.0**-n, 1.0], rtol=1e-9)
    assert sure or loops is not reference


# ---------------------------------------------------------------- how engines are used


@both
def test_an_engine_keeps_what_it_reads(loops: ModuleType) -> None:
    case = plain([500, 1000], [[0, 1]], [np.random.default_rng(0).random((500, 1000))])
    engine = case.engine(loops, wanted=[[0]])
    case.tables[0] = case.tables[0] / 2  # nobody else holds the first one now
    gc.collect()
    rubbish = [np.full(500_000, 7.0) for _ in range(4)]
    assert engine.answer(NO_CODES, [])[1] == pytest.approx(math.log(case.tables[0].sum() * 2))
    del rubbish


@both
@pytest.mark.parametrize("maximise", [[False, True], [True, False]])
def test_an_explanation_whose_probability_is_subnormal(loops: ModuleType, maximise: list[bool]) -> None:
    case = plain(
        [3, 2],
        [[0, 1]] * 2,
        [np.array([[6, 1], [3, 7], [10, 5]]) * 1e-52, np.array([[10, 8], [9, 1], [8, 3]]) * 1e-260],
    )
    check_explanation(case, loops, maximise)


@both
def test_an_impossible_finding_after_an_improbable_one(loops: ModuleType) -> None:
    case = replace(plain([2, 2], [[0], [1]], [[1e-200, 1.0]] * 2), soft=[0, 1])
    engine = case.engine(loops, wanted=[[0], [1]])
    tiny, zero = np.array([1e-200, 1.0]), np.zeros(2)
    for said in ([None, zero], [zero, None]):
        engine.answer(NO_CODES, [tiny, tiny])
        assert engine.answer(NO_CODES, said)[1:] == (-math.inf, True)


@both
def test_an_engine_answers_questions_of_its_kind_only(loops: ModuleType) -> None:
    case = plain([2, 2], [[0], [0, 1]], [[0.5, 0.5], [[0.2, 0.8], [1.0, 0.0]]])
    teller, explainer = case.engine(loops, wanted=[[0]]), case.engine(loops, maximise=[True, False])
    uniform = np.full((1, len(explainer.cliques)), 0.5)
    with pytest.raises(ValueError, match="shapes do not fit"):
        teller.explain(NO_CODES, [])
    for ask in (
        lambda: explainer.answer(NO_CODES, []),
        lambda: explainer.answer_rows(np.empty((1, 0), dtype=np.int32), []),
        lambda: explainer.draw(NO_CODES, [], uniform),
    ):
        with pytest.raises(ValueError, match="shapes do not fit"):
            ask()


@both
def test_an_engine_asked_by_several_threads(loops: ModuleType) -> None:
    case, *_ = chain(30, np.random.default_rng(5))
    codes = np.random.default_rng(6).integers(0, 4, (40, 30), dtype=np.int32)
    wanted = [[2 * t] for t in range(30)]
    alone = [case.engine(loops, wanted=wanted).answer(row, []) for row in codes]
    engine = case.engine(loops, wanted=wanted)
    with ThreadPoolExecutor(4) as pool:
        together = list(pool.map(lambda row: engine.answer(row, []), codes))
    for one, two in zip(alone, together, strict=True):
        np.testing.assert_array_equal(one[0], two[0])
        assert one[1:] == two[1:]


@both
@modest
@given(case=cases(), maximised=st.booleans(), decades=st.sampled_from([0.0, 250.0]))
def test_what_was_asked_before_does_not_matter(loops: ModuleType, case: Case, maximised: bool, decades: float) -> None:
    # Whatever an engine keeps from one query to the next, it answers as a new one would.
    rng = np.random.default_rng(case.seed)
    options: Any = {"maximise": rng.random(len(case.sizes)) < 0.7} if maximised else {"wanted": some_sets(case)}
    engine = case.engine(loops, **options)
    codes, said = case.codes.copy(), list(case.likelihood)
    for _ in range(12):
        for place in range(len(codes)):
            if rng.random() < 0.3:
                codes[place] = rng.integers(case.sizes[case.observed[place]])
        for place, v in enumerate(case.soft):
            if rng.random() < 0.3:
                table = random_table(rng, [case.sizes[v]], zeros=0.4, decades=decades, law=False)
                said[place] = table if rng.random() < 0.7 else None
        fresh = case.engine(loops, **options)
        before, after = ((one.explain if maximised else one.answer)(codes, said) for one in (fresh, engine))
        assert after[2] == before[2] or before[1] == -math.inf  # (that is tested below)
        assert after[1] == pytest.approx(before[1], rel=1e-12, abs=1e-12)
        if not maximised:
            np.testing.assert_allclose(after[0], before[0], rtol=1e-12)
        elif not (decades or np.array_equal(after[0], before[0])):  # two that are equally probable
            asked = replace(case, codes=codes, likelihood=said)
            largest = [v for v in case.hidden if options["maximise"][v]]
            table = log_sum(asked.log_joint(), largest)
            assert table[tuple(after[0][largest])] == pytest.approx(table.max(), abs=1e-9)


@both
def test_a_query_can_be_watched_and_stopped(loops: ModuleType) -> None:
    case, *_ = chain(3000, np.random.default_rng(7))
    engine = case.engine(loops, wanted=[[0]])
    assert engine.progress == 0
    engine.cancel()  # (nothing was under way, and nothing is stopped)
    engine.answer(case.codes, [])
    assert 0 < engine.progress <= 2 * engine.entries
    rng = np.random.default_rng(8)
    codes = rng.integers(0, 4, (20_000, 3000), dtype=np.int32)
    with ThreadPoolExecutor(1) as pool:
        under_way = pool.submit(engine.answer_rows, codes, [])
        while not under_way.done():
            engine.cancel()
            time.sleep(0.001)
        with pytest.raises(RuntimeError, match="cancelled"):
            under_way.result()
    again = engine.answer(case.codes, [])
    assert again[1] == case.engine(loops, wanted=[[0]]).answer(case.codes, [])[1]


@both
def test_arrays_that_are_read_only_are_read(loops: ModuleType) -> None:
    table = np.array([0.25, 0.75])
    codes = np.zeros(1, dtype=np.int32)
    for array in (table, codes):
        array.setflags(write=False)
    with mock.patch.object(border, "loops", loops):
        model = native.network_model([2, 2], [[0], [1]], [table, table], [True, True])
        engine = native.network_engine(model, [0, 1], observed=[1], soft=[0], wanted=[[0]])
    assert engine.answer(codes, [table])[1] == pytest.approx(math.log(0.25 * 0.625))


half = np.array([0.5, 0.5])
law = np.array([1.0, 0.0, 0.5, 0.5])


def small_model() -> border.NetworkModel:
    return native.network_model([2, 2, 3], [[0], [0, 1]], [half, law], [True, True])


def small_engine(**options: Any) -> chosen.NetworkEngine:
    return native.network_engine(small_model(), [0, 1], **options)


REFUSED: list[tuple[type[CredoError], str, Callable]] = [
    (BadParameter, r"sizes\[1\] must be", lambda: native.network_model([2, 0], [], [], [])),
    (BadParameter, r"sizes\[0\] must be", lambda: native.network_model([2**31], [], [], [])),
    (BadParameter, r"sizes\[0\] must be", lambda: native.network_model([2.0], [], [], [])),  # type: ignore[list-item]
    (BadShape, "got 1, 2 and 1", lambda: native.network_model([2], [[0]], [half, half], [True])),
    (BadParameter, r"scopes\[0\].*from 0 to 0; got 1", lambda: native.network_model([2], [[1]], [half], [True])),
    (BadParameter, r"scopes\[0\].*got -1", lambda: native.network_model([2], [[-1]], [half], [True])),
    (BadParameter, r"scopes\[0\].*twice", lambda: native.network_model([2], [[0, 0]], [law], [True])),
    (InvalidInput, r"scopes\[0\].*whole", lambda: native.network_model([2], [[0.0]], [half], [True])),  # type: ignore[list-item]
    (InvalidInput, r"scopes\[0\].*whole", lambda: native.network_model([2], [0], [half], [True])),  # type: ignore[list-item]
    (BadShape, r"values\[0\] must be flat, with 2", lambda: native.network_model([2], [[0]], [law], [True])),
    (BadShape, r"values\[0\].*\(2, 2\)", lambda: native.network_model([4], [[0]], [law.reshape(2, 2)], [True])),
    (InvalidInput, "C-contiguous", lambda: native.network_model([2], [[0]], [law[::2]], [True])),
    (InvalidInput, "float64", lambda: native.network_model([2], [[0]], [half.astype(np.float32)], [True])),
    (InvalidInput, "float64", lambda: native.network_model([2], [[0]], [[0.5, 0.5]], [True])),  # type: ignore[list-item]
    (BadProbability, r"values\[1\].*-0.5", lambda: native.network_model([2], [[0]] * 2, [half, -half], [True, False])),
    (BadProbability, r"values\[0\].*2.0", lambda: native.network_model([2], [[0]], [half * 4], [False])),
    (BadProbability, r"values\[0\].*nan", lambda: native.network_model([2], [[0]], [half * np.nan], [False])),
    (BadProbability, r"values\[0\].*inf", lambda: native.network_model([2], [[0]], [half * np.inf], [False])),
    (BadProbability, "sums to 0.25", lambda: native.network_model([2], [[0]], [half / 4 * [1, 1]], [True])),
    (
        BadProbability,
        r"values\[2\] is a law.*row 1 sums to 0.9",
        lambda: native.network_model([2, 2], [[0], [1], [0, 1]], [half, half, law * [1, 1, 0.8, 1]], [1, 0, 1]),  # type: ignore[list-item]
    ),
    (BadParameter, r"laws\[0\]", lambda: native.network_model([2], [[]], [np.ones(1)], [True])),
    (BadParameter, "second law of variable 0", lambda: native.network_model([2], [[0]] * 2, [half] * 2, [True] * 2)),
    (
        BadParameter,
        r"circle; among variables \[0, 1\]",
        lambda: native.network_model([2] * 3, [[1, 0], [0, 1], [2]], [law, law, half], [True] * 3),
    ),
    (BadParameter, "factors.*tables, from 0 to 1; got 2", lambda: native.network_engine(small_model(), [0, 2])),
    (BadParameter, "factors.*twice", lambda: native.network_engine(small_model(), [0, 0])),
    (BadParameter, "observed.*from 0 to 2; got 3", lambda: small_engine(observed=[3])),
    (BadParameter, "soft.*twice", lambda: small_engine(soft=[1, 1])),
    (BadParameter, "soft holds variable 1, which is observed", lambda: small_engine(observed=[1], soft=[0, 1])),
    (BadParameter, r"wanted\[1\] holds variable 1", lambda: small_engine(observed=[1], wanted=[[0], [0, 1]])),
    (BadParameter, r"wanted\[0\].*empty", lambda: small_engine(wanted=[[]])),
    (BadParameter, "root_first", lambda: small_engine(root_first=True)),
    (BadShape, "maximise must.*3 variables; got 2", lambda: small_engine(maximise=[True, True])),
    (BadParameter, "both maximise and wanted", lambda: small_engine(maximise=[True] * 3, wanted=[[0]])),
    (BadParameter, "effort", lambda: small_engine(effort=-1.0)),
    (InvalidInput, "effort", lambda: small_engine(effort=math.inf)),
]


@both
@pytest.mark.parametrize(("error", "message", "call"), REFUSED, ids=[message for _, message, _ in REFUSED])
def test_refused(loops: ModuleType, error: type[CredoError], message: str, call: Callable) -> None:
    with mock.patch.object(border, "loops", loops), pytest.raises(error, match=message):
        call()


@pytest.mark.parametrize("place", [0, 1, 999, 1000, 1999])
def test_the_one_wrong_law_of_many_is_named(place: int) -> None:
    # Tables of many shapes, laws and others between each other, more than are looked at together.
    rng = np.random.default_rng(0)
    shapes = [[int(size) for size in rng.integers(1, 9, rng.integers(1, 4))] for _ in range(2000)]
    laws = [bool(f % 3) or f == place for f in range(2000)]
    tables = [random_table(rng, shape, zeros=0.1, decades=0, law=law) for shape, law in zip(shapes, laws, strict=True)]
    ends = np.cumsum([len(shape) for shape in shapes])
    scopes = [list(range(end - len(shape), end)) for end, shape in zip(ends.tolist(), shapes, strict=True)]
    sizes = [size for shape in shapes for size in shape]
    with mock.patch.object(border, "CHECKED_TOGETHER", 5000):
        native.network_model(sizes, scopes, [table.ravel() for table in tables], laws)
        tables[place][..., -1:] += 1e-4
        tables[place] /= max(1.0, tables[place].max())
        tables[place][..., :1] *= 0.99
        with pytest.raises(BadProbability, match=rf"values\[{place}\] is a law"):
            native.network_model(sizes, scopes, [table.ravel() for table in tables], laws)


@both
def test_queries_that_do_not_fit_are_refused(loops: ModuleType) -> None:
    with mock.patch.object(border, "loops", loops):
        engine = small_engine(observed=[1], soft=[2, 0], wanted=[[0]])
    code, rows = np.zeros(1, dtype=np.int32), np.zeros((4, 1), dtype=np.int32)
    nothing: list[Floats | None] = [None, None]
    assert engine.answer(code, [np.ones(3), half])[2]
    assert engine.answer_rows(rows, [np.ones((4, 3)), None])[2].all()
    for bad in (code + 2, code - 1, NO_CODES, np.zeros(2, dtype=np.int32)):
        with pytest.raises(ValueError, match="do not fit"):
            engine.answer(bad, nothing)
    for said in ([None], [None] * 3, [half, None], [None, np.ones(3)]):
        with pytest.raises(ValueError, match="do not fit"):
            engine.answer(code, said)
    for bad_rows, said in (
        (np.array([[0], [0], [2], [0]]), nothing),
        (np.zeros((4, 2), dtype=np.int32), nothing),
        (rows, [None]),
        (rows, [np.ones((3, 3)), None]),
        (rows, [np.ones((4, 2)), None]),
    ):
        with pytest.raises(ValueError, match="do not fit"):
            engine.answer_rows(bad_rows.astype(np.int32), said)
    for wrong in (code.astype(np.int64), code.astype(float), rows, [0], None):
        with pytest.raises(TypeError):
            engine.answer(wrong, nothing)  # type: ignore[arg-type]
    with pytest.raises(TypeError):
        engine.answer_rows(code, nothing)
    cliques = len(engine.cliques)
    assert engine.draw(code, nothing, np.zeros((5, cliques)))[0].shape == (5, 3)
    for uniform in (np.zeros((5, cliques + 1)), np.zeros((5, cliques - 1))):
        with pytest.raises(ValueError, match="do not fit"):
            engine.draw(code, nothing, uniform)


@both
def test_rows_are_drawn_from_long_chains_and_large_cliques(loops: ModuleType) -> None:
    rng = np.random.default_rng(9)
    case, *_ = chain(1000, rng)
    engine = case.engine(loops)
    codes, _, sure = engine.draw(case.codes, [], rng.random((400, len(engine.cliques))))
    beliefs = (
        case.engine(loops, wanted=[[2 * t] for t in range(1000)]).answer(case.codes, [])[0][:3000].reshape(1000, 3)
    )
    share = (codes[:, ::2, None] == np.arange(3)).mean(axis=0)
    assert sure
    assert np.abs(share - beliefs).max() < 6 * math.sqrt(0.25 / 400)
    table = rng.random((40, 50, 30)) * (rng.random((40, 50, 30)) < 0.01)
    engine = plain([40, 50, 30], [[0, 1, 2]], [table]).engine(loops)
    codes, _, _ = engine.draw(NO_CODES, [], rng.random((50, len(engine.cliques))))
    assert (table[tuple(codes.T)] > 0).all()


@only_native
def test_draws_are_the_same_with_any_number_of_threads() -> None:
    case, *_ = chain(50, np.random.default_rng(10))
    engine = case.engine(chosen.loops)
    uniform = np.random.default_rng(11).random((20_000, len(engine.cliques)))
    found = []
    for threads in (1, 2, 16):
        native.set_threads(threads)
        found.append(engine.draw(case.codes, [], uniform)[0])
    for other in found[1:]:
        np.testing.assert_array_equal(other, found[0])


# ---------------------------------------------------------------- orders of elimination


def cells_of_order(case: Case, order: Sequence[int]) -> float:
    """Cells of all cliques that eliminating in this order makes."""
    near: dict[int, set[int]] = {v: set() for v in range(len(case.sizes))}
    for scope in case.scopes:
        for v in scope:
            near[v] |= set(scope) - {v}
    total = 0.0
    for v in order:
        total += math.prod(case.sizes[u] for u in (v, *near[v]))
        for u in near[v]:
            near[u] |= near[v] - {u}
            near[u].discard(v)
    return total


def fewest_cells(case: Case) -> float:
    """Cells of all cliques by the best of all orders: a variable meets those it reaches through the eliminated ones."""
    n = len(case.sizes)
    near = [set().union(*(scope for scope in case.scopes if v in scope)) for v in range(n)]

    @functools.cache
    def rest(gone: frozenset[int]) -> float:
        costs = [0.0] if len(gone) == n else []
        for v in set(range(n)) - gone:
            met, through = {v}, [v]
            while through:
                new = near[through.pop()] - met
                met |= new
                through += new & gone
            costs.append(math.prod(case.sizes[u] for u in met - gone) + rest(gone | {v}))
        return min(costs)

    return rest(frozenset())


@only_native
@settings(max_examples=200, deadline=None)
@given(
    sizes=st.lists(st.integers(2, 6), min_size=4, max_size=7),
    edges=st.sets(st.tuples(st.integers(0, 6), st.integers(0, 6)), min_size=4, max_size=14),
)
def test_a_long_search_finds_the_best_order(sizes: list[int], edges: set[tuple[int, int]]) -> None:
    n = len(sizes)
    scopes = sorted({tuple(sorted((a, b))) for a, b in edges if a != b and max(a, b) < n} | {(v,) for v in range(n)})
    case = plain(sizes, [list(scope) for scope in scopes], [np.ones([sizes[v] for v in scope]) for scope in scopes])
    found = case.engine(chosen.loops, wanted=[[0]], effort=1e4).order
    assert sorted(found) == list(range(n))
    assert cells_of_order(case, found) == pytest.approx(fewest_cells(case))


@only_native
def test_more_search_finds_better_orders_of_a_large_graph() -> None:
    rng = np.random.default_rng(3)
    n = 120
    scopes = [[v] for v in range(n)] + [sorted(rng.choice(n, 2, replace=False).tolist()) for _ in range(170)]
    sizes = rng.integers(2, 5, n).tolist()
    case = plain(sizes, scopes, [np.ones([sizes[v] for v in scope]) for scope in scopes])
    entries = [case.engine(chosen.loops, wanted=[[0]], effort=effort).entries for effort in (0, 1, 30)]
    assert entries == sorted(entries, reverse=True)
    assert entries[2] < entries[0] / 2


@only_native
def test_cliques_that_cannot_be_counted_are_refused() -> None:
    n = 90
    scopes = [list(pair) for pair in itertools.combinations(range(n), 2)]
    engine = plain([2] * n, scopes, [np.ones((2, 2))] * len(scopes)).engine(chosen.loops, wanted=[[0]])
    assert engine.widest == 2.0**n
    with pytest.raises(MemoryError):
        engine.answer(NO_CODES, [])
