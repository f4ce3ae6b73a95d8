"""A dictionary that cannot be changed: what frozen values hold their names in."""

from __future__ import annotations

from typing import Any, NoReturn, TypeVar

__all__ = ["ReadOnly"]

K = TypeVar("K")
V = TypeVar("V")


class ReadOnly(dict[K, V]):
    """A dictionary as it was made, for good; ``dict(…)`` is a copy that can be changed.

    Unlike a ``MappingProxyType`` it can be sent to another process.

    >>> held = ReadOnly({"rain": ("yes", "no")})
    >>> held["snow"] = ("yes", "no")
    Traceback (most recent call last):
    ...
    TypeError: what a value holds cannot be changed; dict(...) makes a copy that can
    """

    __slots__ = ()

    def _refuse(self, *_: Any, **__: Any) -> NoReturn:
        raise TypeError("what a value holds cannot be changed; dict(...) makes a copy that can")

    __setitem__ = __delitem__ = __ior__ = clear = pop = popitem = setdefault = update = _refuse

    def __reduce__(self) -> tuple[type[ReadOnly[K, V]], tuple[dict[K, V]]]:
        return type(self), (dict(self),)
