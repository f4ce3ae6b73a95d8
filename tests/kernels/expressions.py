"""Kernels drawn at random, for properties that hold for every one of them."""

from __future__ import annotations

from hypothesis import strategies as st

from credo.beliefs import Gamma, LogNormal, Normal
from credo.kernels import (
    SE,
    Constant,
    Cosine,
    Exponential,
    GammaExponential,
    Kernel,
    Linear,
    Matern32,
    Matern52,
    NeuralNetwork,
    Noise,
    Periodic,
    Polynomial,
    RationalQuadratic,
    SpectralMixture,
)

COLUMNS = 2

amount = st.floats(0.3, 3.0)
by_column = amount | st.lists(amount, min_size=COLUMNS, max_size=COLUMNS)

leaves = st.one_of(
    st.builds(SE, by_column),
    st.builds(Exponential, by_column),
    st.builds(Matern32, by_column),
    st.builds(Matern52, by_column),
    st.builds(GammaExponential, by_column, st.floats(0.2, 1.99)),
    st.builds(RationalQuadratic, by_column, amount),
    st.builds(Periodic, by_column, by_column),
    st.builds(Cosine, by_column),
    st.builds(Linear, by_column),
    st.builds(Polynomial, st.integers(1, 3), st.just(0.0) | amount),
    st.builds(NeuralNetwork, amount),
    st.builds(Constant, amount),
    st.builds(Noise, amount),
    st.builds(lambda w, f, s: SpectralMixture([w], [[f, 2 * f]], [[s, s]]), amount, amount, amount),
    st.builds(lambda length, column: SE(length).on(column), amount, st.integers(0, COLUMNS - 1)),
)


@st.composite
def told(draw: st.DrawFn, inner: st.SearchStrategy[Kernel]) -> Kernel:
    """A kernel of which something is said."""
    kernel = draw(inner)
    names = list(kernel.parameters)
    if not names:
        return kernel
    name = draw(st.sampled_from(names))
    value = kernel.parameters[name]
    highest = kernel.hyperparameters[name].high
    match draw(st.integers(0, 3)):
        case 0:
            return kernel.fixed(name)
        case 1:
            return kernel.bounded({name: (0.5 * value, min(2.0 * value + 1.0, highest))})
        case 2:
            law = draw(st.sampled_from([LogNormal(0.1, 1 / 3), Normal(0.1, 0.7), Gamma(2, 0.3)]))
            return kernel.with_priors({name: law})
    return kernel.fixed().freed(name)


def grown(inner: st.SearchStrategy[Kernel]) -> st.SearchStrategy[Kernel]:
    """Kernels made of others."""
    return st.one_of(
        st.builds(lambda a, b: a + b, inner, inner),
        st.builds(lambda a, b: a * b, inner, inner),
        st.builds(lambda a, c: c * a, inner, amount),
        st.builds(lambda a, c: a + c, inner, amount),
        st.builds(lambda a, n: a**n, inner, st.integers(1, 3)),
        st.builds(lambda a: a.on([1, 0]), inner),
        told(inner),
    )


kernels = st.recursive(leaves, grown, max_leaves=4)
