"""Kernels from text: read by a grammar of our own, so that nothing in it is ever executed."""

from __future__ import annotations

import ast
import inspect
import math
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any

from credo import beliefs, checks
from credo.errors import CredoError, FormatError, InvalidInput
from credo.kernels import radial, simple, waves, weights
from credo.kernels.base import Kernel

__all__ = ["kernel"]

MOST_TEXT = 100_000
DEEPEST = 50
NO_FUNCTIONS: Mapping[str, Callable[..., Any]] = MappingProxyType({})

KERNELS: dict[str, Callable[..., Any]] = {
    "BasisKernel": weights.BasisKernel,
    "Constant": simple.Constant,
    "Cosine": waves.Cosine,
    "Exponential": radial.Exponential,
    "GammaExponential": radial.GammaExponential,
    "Index": simple.Index,
    "Linear": weights.Linear,
    "Matern12": radial.Matern12,
    "Matern32": radial.Matern32,
    "Matern52": radial.Matern52,
    "NeuralNetwork": weights.NeuralNetwork,
    "Noise": simple.Noise,
    "Periodic": waves.Periodic,
    "Polynomial": weights.Polynomial,
    "RationalQuadratic": radial.RationalQuadratic,
    "SE": radial.SE,
    "SpectralMixture": waves.SpectralMixture,
    "Wiener": simple.Wiener,
}
LAWS: dict[str, Callable[..., Any]] = {
    law.__name__: law
    for law in (
        beliefs.Beta,
        beliefs.Gamma,
        beliefs.HalfCauchy,
        beliefs.HalfNormal,
        beliefs.InverseGamma,
        beliefs.LogNormal,
        beliefs.Normal,
        beliefs.StudentT,
        beliefs.Uniform,
    )
}
METHODS = ("bounded", "fixed", "freed", "on", "warped", "with_priors")
VALUES = {"inf": math.inf, "pi": math.pi, "None": None}


def kernel(text: str, *, functions: Mapping[str, Callable[..., Any]] = NO_FUNCTIONS) -> Kernel:
    """The kernel that ``text`` describes, as a kernel prints itself or as a person would write it.

    It may hold numbers, the names of kernels with their settings, ``+``, ``*`` and ``**``, and the methods ``on``,
    ``fixed``, ``freed``, ``bounded`` and ``with_priors``. ``functions`` says what other names stand for: those of
    ``BasisKernel`` and ``warped``, and kernels of your own. What is not understood is refused with its place.

    >>> kernel("2.0**2 * SE(1.5) * Periodic(length=1, period=1) + Noise(0.1)")
    4.0 * SE(length=1.5) * Periodic(length=1.0, period=1.0) + Noise(sd=0.1)
    >>> kernel("SE(1.5) + Nose(0.1)")
    Traceback (most recent call last):
    credo.errors.FormatError: line 1, column 11: there is no kernel 'Nose'. Did you mean 'Noise'?
    """
    if not isinstance(text, str):
        raise InvalidInput(f"text must be the text of a kernel; got {checks.shown(text)}")
    if len(text) > MOST_TEXT:
        raise InvalidInput(f"text must have at most {MOST_TEXT:,} characters; got {len(text):,}")
    try:
        tree = ast.parse(text.strip(), mode="eval").body
    except SyntaxError as cause:
        raise FormatError(f"this is no kernel: {cause.msg}", line=cause.lineno, column=cause.offset) from None
    except (ValueError, RecursionError, MemoryError):
        raise FormatError("this is no kernel: it is nested too deeply, or holds characters that are no text") from None
    found = _Reader(functions).read(tree, 0)
    number = found if isinstance(found, (int, float)) else None
    if number is not None:
        return simple.Constant(number)
    if not isinstance(found, Kernel):
        raise FormatError(f"this is no kernel but {checks.shown(found)}")
    return found


class _Reader:
    def __init__(self, functions: Mapping[str, Callable[..., Any]]) -> None:
        self.functions = functions

    def read(self, node: ast.expr, depth: int) -> Any:
        """The number, kernel, law or list of them that a part of the text stands for."""
        if depth > DEEPEST:
            raise _wrong(node, f"it is nested more than {DEEPEST} deep")
        try:
            return self._read(node, depth)
        except FormatError:
            raise
        except (CredoError, ArithmeticError, ValueError) as cause:
            raise _wrong(node, str(cause)) from None

    def _read(self, node: ast.expr, depth: int) -> Any:
        match node:
            case ast.Constant(value=value) if value is None or type(value) in (int, float, str):
                return value
            case ast.Name(id=name):
                return self._named(node, name)
            case ast.List(elts=parts) | ast.Tuple(elts=parts):
                return [self.read(part, depth + 1) for part in parts]
            case ast.Dict(keys=keys, values=values):
                pairs = [(key, value) for key, value in zip(keys, values, strict=True) if key is not None]
                if len(pairs) == len(keys):
                    return {self._name(key, depth + 1): self.read(value, depth + 1) for key, value in pairs}
            case ast.UnaryOp(op=ast.USub() | ast.UAdd(), operand=operand):
                number = self.read(operand, depth + 1)
                _check_number(operand, number)
                return -number if isinstance(node.op, ast.USub) else number
            case ast.BinOp():
                return self._chain(node, depth)
            case ast.Call():
                return self._call(node, depth)
        raise _wrong(node, "only numbers, kernels, +, *, ** and what a kernel can be told stand in a kernel's text")

    def _named(self, node: ast.expr, name: str) -> Any:
        if name in self.functions:
            return self.functions[name]
        if name in VALUES:
            return VALUES[name]
        if name in KERNELS or name in LAWS:
            raise _wrong(node, f"{name} needs its settings: {name}(...)")
        raise _wrong(node, f"there is no {name!r}.{checks.nearest(name, [*KERNELS, *self.functions])}")

    def _name(self, node: ast.expr, depth: int) -> str:
        name = self.read(node, depth)
        if not isinstance(name, str):
            raise _wrong(node, f"the name of a hyperparameter was expected; got {checks.shown(name)}")
        return name

    def _chain(self, node: ast.BinOp, depth: int) -> Any:
        """A row of operations, from the left; a long sum is deep only in the way it is written down."""
        steps: list[ast.BinOp] = []
        first: ast.expr = node
        while isinstance(first, ast.BinOp):
            steps.append(first)
            first = first.left
        value = self.read(first, depth + 1)
        for step in reversed(steps):
            value = _combined(step, value, self.read(step.right, depth + 1))
        return value

    def _call(self, node: ast.Call, depth: int) -> Any:
        match node.func:
            case ast.Name(id=name):
                known = {**KERNELS, **LAWS, **self.functions}
                if name not in known:
                    raise _wrong(node, f"there is no kernel {name!r}.{checks.nearest(name, known)}")
                called = known[name]
            case ast.Attribute(value=inner, attr=name):
                owner = self.read(inner, depth + 1)
                if not isinstance(owner, Kernel) or name not in METHODS:
                    raise _wrong(node, f"a kernel has no {name!r} in its text.{checks.nearest(name, METHODS)}")
                called = getattr(owner, name)
            case _:
                raise _wrong(node, "only kernels can be called")
        given = [self.read(argument, depth + 1) for argument in node.args]
        options = {word.arg: self.read(word.value, depth + 1) for word in node.keywords if word.arg is not None}
        if len(options) < len(node.keywords):
            raise _wrong(node, f"{name} takes its settings by name or in order")
        _check_settings(node, name, called, given, options)
        return called(*given, **options)


def _check_settings(node: ast.Call, name: str, called: Callable[..., Any], given: list[Any], options: Any) -> None:
    signature = inspect.signature(called)
    try:
        signature.bind(*given, **options)
    except TypeError:
        raise _wrong(node, _wrong_settings(name, list(signature.parameters), given, options)) from None


def _wrong_settings(name: str, settings: list[str], given: list[Any], options: Mapping[str, Any]) -> str:
    for word in options:
        if word not in settings:
            return f"{name} has no setting {word!r}.{checks.nearest(word, settings)}"
    return f"{name} takes {', '.join(settings) or 'no settings'}; got {len(given) + len(options)}"


def _combined(node: ast.BinOp, left: Any, right: Any) -> Any:
    if not isinstance(left, Kernel) and not isinstance(right, Kernel):
        _check_number(node.left, left)
        _check_number(node.right, right)
        return _arithmetic(node, float(left), float(right))
    for side, value in ((node.left, left), (node.right, right)):
        if not isinstance(value, Kernel):
            _check_number(side, value)
    match node.op:
        case ast.Add():
            return left + right
        case ast.Mult():
            return left * right
        case ast.Pow() if isinstance(left, Kernel) and not isinstance(right, Kernel):
            return left**right
    raise _wrong(node, "kernels are added, multiplied, and raised to whole powers only")


def _arithmetic(node: ast.BinOp, left: float, right: float) -> float:
    match node.op:
        case ast.Add():
            return left + right
        case ast.Sub():
            return left - right
        case ast.Mult():
            return left * right
        case ast.Div():
            return left / right
        case ast.Pow():
            return math.pow(left, right)  # (which never leaves the real numbers)
    raise _wrong(node, "numbers are combined by +, -, *, / and ** only")


def _check_number(node: ast.expr, value: Any) -> None:
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        raise _wrong(node, f"a number or a kernel was expected; got {checks.shown(value)}")


def _wrong(node: ast.expr, why: str) -> FormatError:
    return FormatError(why, line=node.lineno, column=node.col_offset + 1)
