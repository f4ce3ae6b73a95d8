"""Which settings to try next: all of a grid, any at random, fewer and fewer, or where improvement is expected."""

from __future__ import annotations

import math
import warnings
from dataclasses import dataclass

import numpy as np
from scipy.special import ndtr

from credo import checks
from credo.checks import Floats
from credo.errors import BadParameter, CredoError
from credo.evaluation.searching.space import Space

__all__ = ["METHODS", "Bayes", "Grid", "Halving", "Method", "Random", "method_of", "promising"]

FINITE = 2000  # settings; a space of no more is gone through whole at every step
WIDE = 1000  # points at which improvement is looked for in any other
NEAR = 200  # points about the best of them, each time nearer
NEARER = (0.1, 0.03, 0.01, 0.003)
HOPELESS = 3.0  # times the distance from the median to the best; how far below the median a score matters


@dataclass(frozen=True, slots=True)
class Grid:
    """Every option, and as many evenly spaced numbers as ``tries`` leave room for.

    >>> Grid(tries=50)
    Grid(tries=50, seconds=None)
    """

    tries: int = 100
    seconds: float | None = None


@dataclass(frozen=True, slots=True)
class Random:
    """Settings drawn evenly over the space, none of them twice.

    >>> Random(tries=20, seconds=60.0)
    Random(tries=20, seconds=60.0)
    """

    tries: int = 30
    seconds: float | None = None


@dataclass(frozen=True, slots=True)
class Halving:
    """Successive halving: ``tries`` settings are drawn and judged by a small share of the training rows; of each round
    the best third goes on to three times the share, until the last are judged by all. ``least`` is the smallest share.

    >>> Halving(tries=27).rounds
    ((27, 0.1111111111111111), (9, 0.3333333333333333), (3, 1.0))
    """

    tries: int = 27
    seconds: float | None = None
    least: float = 0.1

    @property
    def rounds(self) -> tuple[tuple[int, float], ...]:
        """How many settings each round judges, and by which share."""
        fewer = min(math.log(self.tries), -math.log(self.least)) / math.log(3)
        last = math.floor(fewer + 1e-9)
        return tuple((max(self.tries // 3**i, 1), 3.0 ** (i - last)) for i in range(last + 1))


@dataclass(frozen=True, slots=True)
class Bayes:
    """Bayesian optimisation: a Gaussian process learns the score from what was tried, and the settings are tried next
    of which it expects the most improvement on the best.

    It begins with settings spread evenly over the space. With ``batch`` above 1 so many are chosen at a time, each as
    if those before it had scored what is believed of them, so that they can be judged at the same time.

    >>> Bayes(tries=40, batch=4)
    Bayes(tries=40, seconds=None, batch=4)
    """

    tries: int = 30
    seconds: float | None = None
    batch: int = 1


Method = Grid | Random | Halving | Bayes
METHODS: dict[str, type[Method]] = {"grid": Grid, "random": Random, "halving": Halving, "bayes": Bayes}


def method_of(method: str | Method) -> Method:
    """The method of that name with its own settings, or the one that is given; checked.

    >>> method_of("random")
    Random(tries=30, seconds=None)
    """
    made = method if isinstance(method, Method) else METHODS[checks.choice("method", method, tuple(METHODS))]()
    checks.count("tries", made.tries, least=1)
    if made.seconds is not None:
        checks.positive("seconds", made.seconds, ndim=0)
    if isinstance(made, Bayes):
        checks.count("batch", made.batch, least=1)
    if isinstance(made, Halving) and not 0 < made.least <= 1:
        raise BadParameter(f"least must be a share above 0 and at most 1; got {checks.shown(made.least)}")
    return made


def drawn(space: Space, count: int, rng: np.random.Generator) -> Floats:
    """Points of different settings, drawn evenly; fewer than ``count`` where there are no more.

    >>> drawn(Space.of({"x": ["a", "b", "c"]}), 9, np.random.default_rng(0)).shape
    (3, 1)
    """
    if space.size <= max(FINITE, 2 * count):
        every = np.array(list(space.every()))
        return every[rng.permutation(len(every))[:count]]
    points = space.snap(rng.random((count, len(space.axes))))
    while len(points := _different(points)) < count:
        points = np.concatenate([points, space.snap(rng.random((count - len(points), len(space.axes))))])
    return points


def spread(space: Space, count: int, rng: np.random.Generator) -> Floats:
    """Points of different settings, spread more evenly than chance would; perhaps fewer than ``count``.

    >>> spread(Space.of({"x": ["a", "b"]}), 4, np.random.default_rng(0)).shape
    (2, 1)
    """
    # A Latin hypercube: of so many stretches of each axis, every one is used once.
    stretches = np.column_stack([rng.permutation(count) for _ in space.axes])
    return _different(space.snap((stretches + rng.random(stretches.shape)) / count))


def promising(space: Space, points: Floats, scores: Floats, count: int, rng: np.random.Generator) -> Floats:
    """The points that promise most, given what was scored (NaN where it failed); fewer where none are left.

    >>> space = Space.of({"x": [1, 2, 3]})
    >>> promising(space, np.array([[1 / 6], [0.5]]), np.array([0.0, 1.0]), 2, np.random.default_rng(0)).round(2)
    array([[0.83]])
    """
    failed = np.isnan(scores)
    known = np.where(failed, scores[~failed].min() if not failed.all() else 0.0, scores)
    seen, found = points, np.empty((0, len(space.axes)))
    for _ in range(count):
        options = _options(space, seen, known, rng)
        if not len(options):
            break
        process = _learnt(space.columns(seen), known)
        if process is None:  # nothing tells one place from another
            point, believed = options[:1], float(np.median(known))
        else:
            point, believed = process.best(space, options, seen, rng)
        seen, found = np.concatenate([seen, point]), np.concatenate([found, point])
        known = np.append(known, believed)
    return found


@dataclass(frozen=True, slots=True, eq=False)
class _Learnt:
    """A Gaussian process that has learnt scores, in units of their spread."""

    model: object
    centre: float
    scale: float
    best_yet: float

    def improvement(self, columns: Floats) -> Floats:
        """How much more than the best yet is expected: s (z Φ(z) + φ(z)) with z = (m − best)/s."""
        belief = self.model.predictive(columns, noise=False)  # type: ignore[attr-defined]
        sd = np.maximum(belief.sd, 1e-12)
        z = (belief.mean - self.best_yet) / sd
        return np.asarray(sd * (z * ndtr(z) + np.exp(-z * z / 2) / math.sqrt(2 * math.pi)))

    def best(self, space: Space, options: Floats, seen: Floats, rng: np.random.Generator) -> tuple[Floats, float]:
        """The option of most improvement, moved about for as long as that improves it, and what is believed of it."""
        gains = self.improvement(space.columns(options))
        point, gain = options[[gains.argmax()]], gains.max()
        if space.size > FINITE:
            for width in NEARER:
                near = _unseen(_around(space, point, width, rng), seen)
                gains = self.improvement(space.columns(near)) if len(near) else np.array([-1.0])
                if gains.max() > gain:
                    point, gain = near[[gains.argmax()]], gains.max()
        said = self.model.predictive(space.columns(point), noise=False)  # type: ignore[attr-defined]
        return point, float(said.mean[0] * self.scale + self.centre)


def _learnt(columns: Floats, scores: Floats) -> _Learnt | None:
    """What a process learns of the scores; None where they are all alike or it fails."""
    from credo.gp import GaussianProcessRegressor

    top, middle = scores.max(), float(np.median(scores))
    # How much worse than bad something is says nothing about where the best is.
    held = np.maximum(scores, middle - HOPELESS * (top - middle)) if top > middle else scores
    centre, scale = float(held.mean()), float(held.std())
    if not (np.isfinite(scale) and scale > 0):
        return None
    varied = np.ptp(columns, axis=0) > 0
    if not varied.any():
        return None
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # what there is to say about this process nobody has asked
            model = GaussianProcessRegressor(starts=1).fit(columns, (held - centre) / scale)
        return _Learnt(model, centre, scale, float(model.predictive(columns, noise=False).mean.max()))
    except CredoError:
        return None


def _options(space: Space, seen: Floats, scores: Floats, rng: np.random.Generator) -> Floats:
    """Points to choose among, in random order: all that are left, or many everywhere and some about the best."""
    if space.size <= FINITE:
        every = np.array(list(space.every()))
        return _unseen(every[rng.permutation(len(every))], seen)
    everywhere = space.snap(rng.random((WIDE, len(space.axes))))
    best = seen[np.argsort(-scores, kind="stable")[:3]]
    return _unseen(np.concatenate([everywhere, *(_around(space, best, width, rng) for width in NEARER[:2])]), seen)


def _around(space: Space, points: Floats, width: float, rng: np.random.Generator) -> Floats:
    near = np.repeat(points, NEAR // len(points), axis=0)
    moved = near + rng.normal(0, width, near.shape)
    # Options have no neighbours: now and then any other one is tried.
    jump = (rng.random(near.shape) < 0.2) & [axis.size <= NEAR for axis in space.axes.values()]
    return space.snap(np.where(jump, rng.random(near.shape), np.clip(moved, 0, 1)))


def _unseen(points: Floats, seen: Floats) -> Floats:
    """The points that differ from all that were seen, once each and in their order."""
    points = _different(points)
    known = {tuple(point) for point in np.round(seen, 12).tolist()}
    return points[[tuple(point) not in known for point in np.round(points, 12).tolist()]]


def _different(points: Floats) -> Floats:
    first = np.unique(np.round(points, 12), axis=0, return_index=True)[1]
    return points[np.sort(first)]


def fewest(method: Bayes, space: Space) -> int:
    """How many settings are spread over the space before a process has anything to say.

    >>> from credo.evaluation.searching import Real
    >>> fewest(Bayes(tries=30), Space.of({"x": Real(0, 1), "y": Real(0, 1)}))
    6
    """
    return min(max(2 * len(space.axes) + 2, 4), max(method.tries // 2, 1))
