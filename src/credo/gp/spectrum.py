"""What a series is made of, wave by wave: where kernels with periods start from."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from credo import checks
from credo.checks import Floats
from credo.errors import BadShape, InvalidInput
from credo.kernels import SpectralMixture

__all__ = ["Wave", "spectral_mixture", "waves"]

EVEN = 1e-6  # of a step: steps that differ by less are alike
FINE = 5  # frequencies within the width of a peak
MOST = 100_000  # frequencies: beyond so many, the shortest waves are not looked for
REACH = 12  # cells of a grid, either way, that a row is spread over; what is cut off is 1e-12 of it
FEWEST = 4  # rows
SEEN = 1e-9  # of the rows
SD_OF_WIDTH = 1 / 2.355  # the standard deviation of a normal law, by its width at half its height
LEAST_WEIGHT = 1e-3  # of the variance of y: what has less cannot grow again, learnt as a logarithm


@dataclass(frozen=True, slots=True)
class Wave:
    """A hump of a spectrum: its frequency, its width as a standard deviation, and the variance of y it explains.

    >>> Wave(frequency=0.5, width=0.01, variance=2.0).frequency
    0.5
    """

    frequency: float
    width: float
    variance: float


def spectral_mixture(x: ArrayLike, y: ArrayLike, *, components: int = 3) -> SpectralMixture:
    """A ``SpectralMixture`` to start learning from, with its waves where the spectrum of a series has its humps.

    ``x`` is one column, in any order. The spectrum, up to half a wave per typical step and to one wave per row, is
    Fourier's for even steps and that of Lomb and Scargle for others; of more than 20,000 rows the waves that come back
    more than 20,000 times are not looked for. Of its highest hump the frequency and the width are read off, the wave is
    taken out of y, and so on, ``components`` times or until there is nothing left. The weights sum to the variance of
    y. A trend is a wave longer than the series.

    >>> x = np.linspace(0, 20, 100)
    >>> kernel = spectral_mixture(x, 2 * np.sin(2 * np.pi * x / 4) + np.sin(2 * np.pi * x / 1.5), components=2)
    >>> (1 / np.array(kernel.frequencies)).round(1), np.array(kernel.weights).round(1)
    (array([4. , 1.5]), array([2. , 0.5]))
    """
    wanted = checks.count("components", components, least=1)
    column, target = _series(x, y)
    found = waves(column, target, wanted)
    whole = float(target.var())
    weights = np.maximum([wave.variance for wave in found], LEAST_WEIGHT * whole)
    weights *= whole / weights.sum()
    return SpectralMixture(weights, [wave.frequency for wave in found], [wave.width for wave in found])


def waves(x: Floats, y: Floats, count: int) -> list[Wave]:
    """The highest humps of the spectrum of y, each of what the ones before have left, no two at the same place.

    >>> x = np.linspace(0, 20, 100)
    >>> [round(1 / wave.frequency, 1) for wave in waves(x, np.sin(2 * np.pi * x / 4), 1)]
    [4.0]
    """
    order = np.argsort(x, kind="stable")
    x, y = x[order], y[order]
    steps = np.diff(x)
    span, step = float(x[-1] - x[0]), float(np.median(steps[steps > 0]))
    regular = float(np.ptp(steps)) < EVEN * step
    resolution = 1 / (len(x) * step if regular else span)
    # (the slowest is half a wave, which is what a trend looks like)
    # (and of a few rows close together the typical step says little about the others)
    last = min(max(int(0.5 * FINE / (step * resolution)), FINE), FINE * len(x), MOST)
    places = np.arange((FINE + 1) // 2, last + 1)
    grid = places * resolution / FINE
    allowed = np.ones(len(grid), dtype=bool)
    left = y - y.mean()
    nothing = 1e-12 * float(left @ left)
    found: list[Wave] = []
    while len(found) < count and allowed.any() and float(left @ left) > nothing:
        power = _regular(left, places) if regular else _scattered((x - x[0]) * resolution / FINE, left, places)
        top = int(np.flatnonzero(allowed)[power[allowed].argmax()])
        low, high = _hump(power, top)
        width = (grid[high] - grid[low]) if high > low else resolution
        frequency = _nearby(x, left, float(grid[top]), resolution / FINE)
        taken = _fitted(x, left, frequency)
        found.append(Wave(frequency, float(SD_OF_WIDTH * width), float(taken.var())))
        left = left - taken
        allowed &= np.abs(grid - grid[top]) > max(width, resolution)
    return found


def _regular(y: Floats, places: NDArray[np.integer]) -> Floats:
    """The spectrum of a series in even steps."""
    whole = np.fft.rfft(y, FINE * len(y))
    return np.asarray(np.abs(whole[np.minimum(places, len(whole) - 1)]) ** 2)


def _scattered(turns: Floats, y: Floats, places: NDArray[np.integer]) -> Floats:
    """The spectrum of Lomb and Scargle: what the wave that comes closest to y explains, at each whole frequency.

    With C + iS = Σ y e^{iωx} and R e^{2iφ} = Σ e^{2iωx} it is (C cos φ + S sin φ)²/(n + R) + (S cos φ −
    C sin φ)²/(n − R).
    """
    last = int(places[-1])
    wave = _sums(turns, y, last)[places]
    double = _sums(turns, np.ones_like(y), 2 * last)[2 * places]
    turned, held = wave * np.exp(-0.5j * np.angle(double)), np.abs(double)
    rest = np.maximum(len(y) - held, 0.0)
    seen = rest > SEEN * len(y)  # a wave that has its zeros at all rows explains nothing
    crosswise = np.where(seen, turned.imag**2 / np.where(seen, rest, 1.0), 0.0)
    return np.asarray(turned.real**2 / (len(y) + held) + crosswise)


def _sums(turns: Floats, weights: Floats, last: int) -> NDArray[np.complex128]:
    """Σⱼ weightsⱼ exp(2πi k turnsⱼ) for k from 0 to ``last``, by Fourier's transform of rows spread over a grid.

    Each row is spread as a normal density over the cells of an even grid about it, twice as fine as the last k needs;
    the transform of that density is known, and divided by. It is exact to about 1e-11 of Σ|weights|.
    """
    from scipy.fft import next_fast_len

    size = next_fast_len(4 * max(last, REACH), real=True)
    variance = REACH / (1.5 * np.pi)  # cells²: what is lost by cutting off and by folding over is as small
    places = turns % 1.0 * size
    nearest = np.floor(places).astype(np.intp)
    grid = np.zeros(size)
    for offset in range(1 - REACH, REACH + 1):
        share = np.exp(-((places - (nearest + offset)) ** 2) / (2 * variance))
        grid += np.bincount((nearest + offset) % size, weights * share, size)
    k = np.arange(last + 1)
    spread = np.sqrt(2 * np.pi * variance) * np.exp(-2 * variance * (np.pi * k / size) ** 2)
    return np.asarray(np.conj(np.fft.rfft(grid)[: last + 1]) / spread)


def _series(x: ArrayLike, y: ArrayLike) -> tuple[Floats, Floats]:
    column = checks.floats("x", x)
    if column.ndim == 2 and column.shape[1] == 1:
        column = column[:, 0]
    if column.ndim != 1:
        raise BadShape(f"x must be one column of a series; got shape {column.shape}. Give one column of it")
    target = checks.floats("y", y, ndim=1)
    checks.rows_match("x", len(column), "y", len(target))
    if len(np.unique(column)) < FEWEST:
        raise InvalidInput(f"x must have at least {FEWEST} values that differ; got {len(np.unique(column))}")
    if not np.ptp(target) > 0:
        raise InvalidInput("y is the same in every row, so it has no spectrum. Use kernels.Constant")
    return column, target


def _hump(power: Floats, top: int) -> tuple[int, int]:
    """From where to where the power is at least half of what it is at the top."""
    lower = np.flatnonzero(power < power[top] / 2)
    before, after = lower[lower < top], lower[lower > top]
    return int(before[-1] if len(before) else 0), int(after[0] if len(after) else len(power) - 1)


def _nearby(x: Floats, y: Floats, frequency: float, cell: float) -> float:
    """The frequency that comes closest to y, within two cells of the grid."""
    from scipy.optimize import minimize_scalar

    def missed(cells: float) -> float:
        return float(np.square(y - _fitted(x, y, frequency + cells * cell)).sum())

    # (in cells, because the search is exact to an absolute step)
    return frequency + cell * float(minimize_scalar(missed, bounds=(-2, 2), method="bounded").x)


def _fitted(x: Floats, y: Floats, frequency: float) -> Floats:
    """The wave of a frequency, and the level, that come closest to y."""
    angles = 2 * np.pi * frequency * (x - x.mean())
    table = np.column_stack([np.cos(angles), np.sin(angles), np.ones_like(x)])
    return np.asarray(table @ np.linalg.lstsq(table, y, rcond=None)[0])
