"""Everything a model is made of comes back as it was, bit for bit and type for type."""

import json
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from credo.errors import CredoError, FormatError, InvalidInput, Outcome
from credo.linear import BayesianRegression
from credo.storage.arrays import array_from_bytes, array_to_bytes
from credo.storage.values import Reader, Writer


def _round(value):
    writer = Writer()
    text = json.dumps(writer.write(value), allow_nan=False)
    arrays = [array_from_bytes(array_to_bytes(array)) for array in writer.arrays]
    return Reader(arrays).read(json.loads(text))


def same(a, b):
    """Equal in type, order and bits."""
    if type(a) is not type(b):
        return False
    if isinstance(a, np.ndarray):
        if a.shape != b.shape or (a.dtype == object) != (b.dtype == object):
            return False
        if a.dtype == object:
            return all(same(x, y) for x, y in zip(a.ravel(), b.ravel(), strict=True))
        return a.dtype.newbyteorder("<") == b.dtype and a.astype(b.dtype).tobytes() == b.tobytes()
    if isinstance(a, np.generic):
        return a.dtype == b.dtype and a.tobytes() == b.tobytes()
    if isinstance(a, float):
        return np.float64(a).tobytes() == np.float64(b).tobytes() or (math.isnan(a) and math.isnan(b))
    if isinstance(a, (list, tuple)):
        return len(a) == len(b) and all(same(x, y) for x, y in zip(a, b, strict=True))
    if isinstance(a, dict):
        return same(list(a.items()), list(b.items()))
    return a == b


labels = st.none() | st.booleans() | st.integers() | st.floats() | st.text(st.characters(), max_size=5)
plain = hnp.scalar_dtypes().filter(lambda dtype: dtype.kind in "biuf" and dtype.itemsize <= 8) | st.just(
    np.dtype("<U3")
)
values = st.recursive(
    labels | hnp.arrays(plain, hnp.array_shapes(min_dims=0, min_side=0, max_side=3)),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.lists(inner, max_size=3).map(tuple)
        | st.dictionaries(
            st.text(max_size=3) | st.integers() | st.booleans() | st.tuples(st.integers()), inner, max_size=3
        )
    ),
    max_leaves=8,
)


@settings(max_examples=60, deadline=None, derandomize=True)
@given(values)
def test_values_come_back(value):
    assert same(value, _round(value))


@pytest.mark.parametrize(
    "value",
    [
        np.float64(0.1) + np.float64(0.2),
        np.float32(1e-45),
        np.int8(-3),
        np.bool_(True),
        np.str_("é"),
        np.str_(""),
        np.float64("nan"),
        -0.0,
        5e-324,
        float("-inf"),
        10**400,
        "\ud800 lone",
        Outcome.STALLED,
        {1: "int", False: "bool", 2.5: "float"},
        {None: [], (1, "a"): {}},
        np.array(["a", None, 3, 2.5, True], dtype=object),
        np.empty((0, 3)),
        np.asfortranarray(np.arange(6.0).reshape(2, 3)),
        np.arange(6)[::-2],
        np.arange(3, dtype=">i4"),
        np.array("text"),
        np.array(["", "long"]),
    ],
    ids=repr,
)
def test_odd_values_come_back(value):
    assert same(value, _round(value))


@pytest.mark.parametrize(
    "value",
    [
        object(),
        {1, 2},
        b"bytes",
        len,
        np.array([1j]),
        np.array(["2020-01-01"], dtype="M8[D]"),
        np.zeros(2, dtype=[("a", "f8")]),
        np.array([object()], dtype=object),
        type("BayesianRegression", (), {})(),
    ],
    ids=lambda value: type(value).__name__,  # no addresses: every process must collect the same names
)
def test_what_is_no_plain_value_is_refused(value):
    with pytest.raises(InvalidInput, match="cannot be stored"):
        Writer().write([value])


def test_what_contains_itself_is_refused():
    loop = []
    loop.append(loop)
    with pytest.raises(InvalidInput, match="contains itself"):
        Writer().write(loop)


@pytest.mark.parametrize(
    "value",
    [
        {"object": ["os.system", {}]},
        {"object": ["Outcome", {}]},
        {"object": ["Loss", {}]},
        {"object": ["BayesianRegression", {"alpha": 1.0, "beta": None, "fit_intercept": True, "more": 1}]},
        {"object": ["Pipeline", {"steps": [], "transform_input": None, "memory": "/tmp/cache"}]},
        {"enum": ["BayesianRegression", "fit"]},
        {"fitted": [1, {}]},
        {"unknown": 1},
        {"array": 0, "tuple": []},
        {},
    ],
    ids=str,
)
def test_values_of_no_known_kind_are_refused(value):
    with pytest.raises(CredoError):
        Reader([]).read(value)


@pytest.mark.parametrize("name", ["predict", "posterior_", "__class__", "_hidden_", "coef", "Coef_", "fit"])
def test_only_results_of_a_fit_are_set(name):
    made = {"object": ["BayesianRegression", BayesianRegression(alpha=1.0).get_params()]}
    assert Reader([]).read({"fitted": [made, {"coef_": 1}]}).coef_ == 1
    with pytest.raises(InvalidInput, match="no result of a fit"):
        Reader([]).read({"fitted": [made, {name: 1}]})


GOOD = array_to_bytes(np.arange(3.0))


@pytest.mark.parametrize(
    "data",
    [
        b"",
        GOOD[:-1],
        GOOD + b"\0",
        GOOD.replace(b"'<f8'", b"'|O'  "),
        GOOD.replace(b"<f8", b"<f4"),
        GOOD.replace(b"(3,)", b"(4,)"),
        GOOD.replace(b"(3,)", b"(-3)"),
        GOOD.replace(b"(3,)", b"3   "),
        GOOD.replace(b"\x01\x00", b"\x02\x00", 1),
        GOOD.replace(b"False", b"exit()"),
        array_to_bytes(np.array([True]))[:-1] + b"\x02",
        array_to_bytes(np.array(["a"]))[:-1] + b"\xff",
    ],
)
def test_arrays_that_numpy_did_not_write_are_refused(data):
    with pytest.raises(FormatError):
        array_from_bytes(data)
