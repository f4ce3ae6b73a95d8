"""How much memory and time a question may take before it is refused."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from credo import checks, native
from credo.errors import BadParameter, TooLarge

__all__ = ["Limits", "as_bytes", "as_time", "predicted_planning", "predicted_seconds"]

SHARE = 0.7  # of the memory that is free
SMALL = 2.0**24
HOUR = 3600.0
UNITS = ((365.25 * 86400, "year"), (86400.0, "day"), (3600.0, "hour"), (60.0, "minute"), (1.0, "second"))
LIFETIME = 1e9  # seconds; what takes longer is refused whatever the limit, and could not be counted

# What a clique, and an entry of one, cost in both passes, and a table when an answer is planned; measured on one core.
CLIQUE_SECONDS, ENTRY_SECONDS, TABLE_SECONDS = (1.5e-7, 2.5e-9, 1e-5) if native.available else (1e-4, 3e-8, 1e-4)


@dataclass(frozen=True, slots=True)
class Limits:
    """``memory`` in bytes (70 % of what is free, unless it is given) and ``seconds`` (an hour).

    >>> Limits(memory=2**20).memory
    1048576
    """

    memory: float | None = None
    seconds: float = HOUR

    def __post_init__(self) -> None:
        for name, value in (("memory", self.memory), ("seconds", self.seconds)):
            if value is None and name == "memory":
                continue
            if not isinstance(value, (int, float, np.number)) or isinstance(value, bool) or not value > 0:
                what = "bytes, such as 2**30" if name == "memory" else "seconds"
                raise BadParameter(f"{name} must be a number of {what}, above zero; got {checks.shown(value)}")

    def check(self, memory: float, seconds: float, remedy: str) -> None:
        """Refuse what costs more, and say so."""
        most = self.memory
        if most is None:  # (what is small is not worth asking the system for)
            most = SHARE * free_memory() if memory > SMALL else SMALL
        if memory > most:
            raise TooLarge(f"the answer takes {as_bytes(memory)}; the limit is {as_bytes(most)}. {remedy}")
        longest = min(self.seconds, LIFETIME)
        if seconds > longest:
            raise TooLarge(f"the answer takes about {as_time(seconds)}; the limit is {as_time(longest)}. {remedy}")


def predicted_seconds(cliques: int, entries: float) -> float:
    """How long two passes through a junction tree take, about."""
    return cliques * CLIQUE_SECONDS + entries * ENTRY_SECONDS


def predicted_planning(tables: int) -> float:
    """How long it takes to plan an answer from so many tables, at least."""
    return tables * TABLE_SECONDS


def free_memory() -> float:
    """Bytes that can be had without swapping; where the system does not say, four gigabytes."""
    try:
        for line in Path("/proc/meminfo").read_text(encoding="ascii").splitlines():
            if line.startswith("MemAvailable:"):
                return float(line.split()[1]) * 1024
        return float(os.sysconf("SC_AVPHYS_PAGES")) * os.sysconf("SC_PAGE_SIZE")
    except (OSError, ValueError, AttributeError):
        return 4.0 * 2**30


def as_bytes(number: float) -> str:
    """A number of bytes in words.

    >>> as_bytes(3 * 2**20), as_bytes(1000)
    ('3 MiB', '1000 bytes')
    """
    for unit in ("bytes", "KiB", "MiB", "GiB", "TiB"):
        if number < 1024:
            return f"{number:.0f} {unit}" if number >= 100 else f"{number:.3g} {unit}"
        number /= 1024
    return f"{number:.3g} PiB"


def as_time(seconds: float) -> str:
    """A time in words.

    >>> as_time(0.000012), as_time(90), as_time(3600), as_time(1e9)
    ('12 µs', '1.5 minutes', '1 hour', '31.7 years')
    """
    for size, unit in ((1e-3, "µs"), (1.0, "ms")):
        if seconds < size:
            return f"{seconds / size * 1000:.3g} {unit}"
    size, unit = next((pair for pair in UNITS if seconds >= pair[0]), UNITS[-1])
    shown = f"{seconds / size:.3g}"
    return f"{shown} {unit}" if shown == "1" else f"{shown} {unit}s"
