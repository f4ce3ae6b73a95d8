"""Values as JSON and arrays, and back: see the package's docstring for what each kind looks like."""

from __future__ import annotations

import dataclasses
import enum
import inspect
import math
import re
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from credo.checks import shown
from credo.errors import FormatError, InvalidInput
from credo.storage.arrays import little, plain_type
from credo.storage.classes import FORMER_SETTINGS, class_of, name_of

__all__ = ["DEEPEST", "Reader", "Writer"]

DEEPEST = 50
# Larger whole numbers collide wherever names are looked up, if somebody chooses them so, and many take hours then.
LARGE, MOST_LARGE = 2**61 - 1, 1000
MOST_DIGITS = 4000
RESULT = re.compile(r"[a-z][a-z0-9_]*_")
# Settings that say how to fit and not what was found, and would let a file choose where something is written.
LEFT_OUT = {"Pipeline": {"memory", "verbose"}}


class Writer:
    """Turns values into JSON, and collects the arrays in them."""

    def __init__(self) -> None:
        self.arrays: list[NDArray[Any]] = []
        self._large = 0

    def write(self, value: Any, depth: int = 0) -> Any:
        """``value`` as JSON."""
        if depth > DEEPEST:
            raise InvalidInput(f"what is stored may be nested {DEEPEST} deep; this is deeper, or contains itself")
        if value is None or type(value) in (bool, str):
            return value
        if type(value) is int:
            return self._whole(value)
        if type(value) is float:
            return value if math.isfinite(value) else {"float": str(value)}

        def inner(item: Any) -> Any:
            return self.write(item, depth + 1)

        if type(value) is list:
            return [inner(item) for item in value]
        if type(value) is tuple:
            return {"tuple": [inner(item) for item in value]}
        if type(value) is dict:
            return {"dict": [[inner(key), inner(item)] for key, item in value.items()]}
        if type(value) is np.ndarray:
            return self._array(value, inner)
        if isinstance(value, np.generic):
            plain = little(np.asarray(value))
            return {"scalar": [plain.dtype.str, plain.tobytes().hex()]}
        return self._instance(value, inner)

    def _whole(self, value: int) -> int:
        self._large += abs(value) >= LARGE
        if self._large > MOST_LARGE or abs(value) >= 10**MOST_DIGITS:
            raise InvalidInput(
                f"at most {MOST_LARGE:,} whole numbers of 2⁶¹ or more can be stored outside arrays, none of more than "
                f"{MOST_DIGITS:,} digits"
            )
        return value

    def _array(self, array: NDArray[Any], inner: Callable[[Any], Any]) -> Any:
        if array.dtype == object:
            return {"labels": [list(array.shape), [inner(item) for item in array.ravel()]]}
        self.arrays.append(little(array))
        return {"array": len(self.arrays) - 1}

    def _instance(self, value: Any, inner: Callable[[Any], Any]) -> Any:
        name = name_of(value)
        if isinstance(value, enum.Enum):
            return {"enum": [name, value.name]}
        settings = _settings(type(value), name)
        made = {"object": [name, {key: inner(getattr(value, key)) for key in settings}]}
        if dataclasses.is_dataclass(value):
            return made
        results = {key: item for key, item in vars(value).items() if key not in _parameters(type(value))}
        for key in results:
            _check_result(type(value), key)
        return {"fitted": [made, {key: inner(item) for key, item in results.items()}]}


class Reader:
    """Turns JSON back into the values it was made of.

    Each array is taken once, as it was written: a file that said one a thousand times would grow when it is read.
    """

    def __init__(self, arrays: Sequence[NDArray[Any]]) -> None:
        self._arrays = dict(enumerate(arrays))
        self._depth = self._large = 0
        self._kinds: dict[str, Callable[[Any], Any]] = {
            "float": lambda text: {"nan": math.nan, "inf": math.inf, "-inf": -math.inf}[text],
            "tuple": lambda items: tuple(self.read(item) for item in _a(list, items)),
            "dict": self._dict,
            "array": self._array,
            "labels": self._labels,
            "scalar": self._scalar,
            "enum": self._enum,
            "object": self._object,
            "fitted": self._fitted,
        }

    def read(self, value: Any) -> Any:
        """The value that ``value`` is the JSON of."""
        if not isinstance(value, (list, dict)):
            self._large += type(value) is int and abs(value) >= LARGE
            if self._large > MOST_LARGE:
                raise FormatError("more large whole numbers than any model has")
            return value
        if self._depth > 2 * DEEPEST:
            raise FormatError("values are nested deeper than in any model")
        self._depth += 1
        found = [self.read(item) for item in value] if isinstance(value, list) else self._marked(value)
        self._depth -= 1
        return found

    def finish(self) -> None:
        """Refuse a file of which arrays are left over."""
        if self._arrays:
            raise FormatError("the archive has arrays that are nowhere in the model")

    def _marked(self, value: dict[str, Any]) -> Any:
        if len(value) != 1 or next(iter(value)) not in self._kinds:
            raise FormatError(f"a value is of no known kind: {shown(list(value)[:5])}")
        ((kind, held),) = value.items()
        return self._kinds[kind](held)

    def _array(self, place: Any) -> NDArray[Any]:
        if _a(int, place) not in self._arrays:
            raise FormatError(f"there is no array {shown(place)}, or it stands twice in the model")
        return self._arrays.pop(place)

    def _dict(self, pairs: Any) -> dict[Any, Any]:
        return {self.read(key): self.read(item) for key, item in pairs}

    def _labels(self, held: Any) -> NDArray[Any]:
        shape, items = held
        array = np.empty(len(_a(list, items)), dtype=object)
        for i, item in enumerate(items):
            array[i] = self.read(item)
        return array.reshape([_a(int, size) for size in shape])

    def _scalar(self, held: Any) -> np.generic:
        text, digits = held
        kind, data = plain_type(text), bytes.fromhex(digits)
        if len(data) != kind.itemsize or (kind.kind == "b" and data not in (b"\0", b"\1")):
            raise FormatError(f"{shown(digits)} is no scalar of type {kind}")
        scalar: np.generic = np.frombuffer(data, kind)[0]
        return scalar

    def _enum(self, held: Any) -> enum.Enum:
        name, member = held
        kind = class_of(name)
        if not issubclass(kind, enum.Enum):
            raise FormatError(f"{name} is no enumeration")
        return kind[member]

    def _object(self, held: Any) -> Any:
        name, settings = held
        kind = class_of(name)
        if issubclass(kind, enum.Enum):
            raise FormatError(f"{name} is an enumeration, of which nothing can be made")
        known = set(_settings(kind, name))
        spare = set(_a(dict, settings)) - known - FORMER_SETTINGS.get(name, frozenset())
        lacking = known - set(settings) - _with_default(kind)
        if spare or lacking:
            raise FormatError(f"the settings stored for {name} are not those it has: {shown(sorted(spare | lacking))}")
        arguments = {key: self.read(item) for key, item in settings.items()}
        return kind(**{key: item for key, item in arguments.items() if key in known})

    def _fitted(self, held: Any) -> Any:
        made, results = held
        if not isinstance(made, dict) or set(made) != {"object"}:
            raise FormatError("only an instance can have been fitted")
        model = self.read(made)
        if dataclasses.is_dataclass(model):
            raise FormatError(f"a {type(model).__name__} is never fitted")
        for key, item in results.items():
            _check_result(type(model), key)
            setattr(model, key, self.read(item))
        return model


def _parameters(kind: type[Any]) -> list[str]:
    if dataclasses.is_dataclass(kind):
        return [field.name for field in dataclasses.fields(kind) if field.init]
    return list(inspect.signature(kind).parameters)


def _settings(kind: type[Any], name: str) -> list[str]:
    return [key for key in _parameters(kind) if key not in LEFT_OUT.get(name, ())]


def _with_default(kind: type[Any]) -> set[str]:
    """The settings that need not be given, so that a file from before there were any can leave them out."""
    found = inspect.signature(kind).parameters.items()
    return {key for key, parameter in found if parameter.default is not inspect.Parameter.empty}


def _check_result(kind: type[Any], name: str) -> None:
    """Refuse what is no result of a fit, above all what would stand in the place of a method."""
    if not RESULT.fullmatch(name) or name in dir(kind):
        raise InvalidInput(f"{name!r} of {kind.__name__} is no result of a fit and cannot be stored")


def _a(kind: type[Any], value: Any) -> Any:
    if type(value) is not kind:
        raise FormatError(f"a {kind.__name__} was expected where the file holds {type(value).__name__}")
    return value
