"""Random small networks with odd names, and files that were spoilt."""

from __future__ import annotations

import numpy as np
from hypothesis import strategies as st

from credo.networks import BayesianNetwork, Factor, MarkovNetwork, Node

ODD = [
    "Asy/Patch",
    "<5",
    "12+",
    "a b",
    "a,b",
    "a;b",
    "(x)",
    "{y}",
    "a|b",
    "//",
    "/* x",
    "#",
    "%",
    "Bär",
    "日本",
    "[2]",
    "=",
]
ODD += [
    "table",
    "default",
    "property",
    "variable",
    "unknown",
    "<&>",
    "]]>",
    "'",
    "a\\b",
    "1e5",
    "nan",
    "0",
    "-",
    "a\tb",
    "·",
]
names = st.one_of(st.sampled_from(ODD), st.text(st.characters(exclude_categories=["Cs", "Cc"]), min_size=1, max_size=5))


@st.composite
def tables(draw: st.DrawFn, cells: int, *, most: float = 1.0) -> np.ndarray:
    """Numbers of any size, sometimes zero."""
    return np.array([draw(st.sampled_from([0.0, 1e-300, 0.1, 1 / 3, most])) for _ in range(cells)])


@st.composite
def some_variables(
    draw: st.DrawFn, states: st.SearchStrategy, held: st.SearchStrategy
) -> dict[str, tuple[object, ...]]:
    """One to four names, each with its states."""
    return {
        name: tuple(draw(st.lists(states, min_size=1, max_size=3, unique=True)))
        for name in draw(st.lists(held, min_size=1, max_size=4, unique=True))
    }


@st.composite
def bayesian_networks(
    draw: st.DrawFn, *, states: st.SearchStrategy = names, held: st.SearchStrategy = names
) -> BayesianNetwork:
    """A network of up to four variables; parents may stand after their children."""
    variables = draw(some_variables(states, held))
    nodes = []
    for i, name in enumerate(variables):
        given = {parent: variables[parent] for parent in list(variables)[:i] if draw(st.booleans())}
        rows = int(np.prod([len(each) for each in given.values()]))
        probs = draw(tables(rows * len(variables[name]))).reshape(rows, -1)
        probs[:, 0] += 1
        nodes.append(Node(name, variables[name], probs / probs.sum(axis=1, keepdims=True), given=given))
    return BayesianNetwork(draw(st.permutations(nodes)), name=draw(st.one_of(st.just(""), held)))


@st.composite
def markov_networks(
    draw: st.DrawFn, *, states: st.SearchStrategy = names, held: st.SearchStrategy = names
) -> MarkovNetwork:
    """A network of up to four variables, some in no potential."""
    variables = draw(some_variables(states, held))
    potentials = []
    for _ in range(draw(st.integers(0, 3))):
        scope = {name: variables[name] for name in draw(st.permutations(list(variables))) if draw(st.booleans())}
        potentials.append(Factor(scope, draw(tables(int(np.prod([len(each) for each in scope.values()])), most=1e300))))
    return MarkovNetwork(potentials, variables=variables)


TOKENS = [
    b"nan",
    b"-1",
    b"1e999",
    b"99999999999",
    b"9" * 5000,
    b'"',
    b"{",
    b"}",
    b"(",
    b")",
    b"[",
    b"]",
    b";",
    b"|",
    b",",
    b"=",
]
TOKENS += [
    b"/*",
    b"//",
    b"%",
    b"#",
    b"<",
    b">",
    b"&x;",
    b"<!--",
    b"\xff",
    b"\x00",
    b"\xef\xbb\xbf",
    b"\r",
    b"\n",
    b" " * 99,
    b"0",
]


@st.composite
def spoilt(draw: st.DrawFn, files: list[bytes]) -> bytes:
    """A valid file with some pieces cut, doubled, exchanged or put in."""
    data = draw(st.sampled_from(files))
    for _ in range(draw(st.integers(1, 4))):
        start = draw(st.integers(0, len(data)))
        end = min(len(data), start + draw(st.integers(0, 30)))
        other = draw(st.integers(0, len(data)))
        put = draw(st.one_of(st.sampled_from(TOKENS), st.binary(max_size=3), st.just(data[other : other + 20])))
        kind = draw(st.sampled_from(["cut", "end", "put", "double", "set"]))
        if kind == "end":
            data = data[:start]
        elif kind == "double":
            data = data[:end] + data[start:]
        else:
            data = data[:start] + (b"" if kind == "cut" else put) + data[start if kind == "put" else end :]
    return data
