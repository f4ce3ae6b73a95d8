"""What the hyperparameters of a kernel are measured in."""

from __future__ import annotations

from collections.abc import Sequence

from credo.gp.starts import leaves
from credo.kernels import Kernel

__all__ = ["units"]


def units(kernel: Kernel, columns: Sequence[str], target: str) -> dict[str, str]:
    """The unit of each hyperparameter: that of a column, of the target, of its square; nothing for a plain number.

    >>> from credo.kernels import SE, Periodic
    >>> units(4.0 * SE(67.0) + Periodic(length=1.3, period=1.0), ["year"], "ppm")
    {'Constant.variance': 'ppm²', 'SE.length': 'year', 'Periodic.length': '', 'Periodic.period': 'year'}
    """
    where = [seen for leaf, seen in leaves(kernel, None) for _ in leaf.parameters]
    found = {}
    for (name, entry), seen in zip(kernel.hyperparameters.items(), where, strict=True):
        held = list(columns) if seen is None else [columns[j] for j in seen]
        field, _, index = entry.field.partition("[")
        place = int(index.rstrip("]").split(",")[-1]) if index else 0
        column = held[place] if index and place < len(held) else held[0] if len(held) == 1 else "distance"
        found[name] = _unit(entry.kernel, field, column, target)
    return found


def _unit(kernel: str, field: str, column: str, target: str) -> str:
    match kernel, field:
        case ("Periodic", "length") | ("NeuralNetwork", _):
            return ""
        case _, "length" | "period":
            return column
        case ("Constant", "variance") | (_, "weights"):
            return f"{target}²"
        case "Noise", "sd":
            return target
        case "Linear", "variance":
            return f"{target}²/{column}²"
        case _, "frequencies" | "widths":
            return f"1/{column}"
    return ""
