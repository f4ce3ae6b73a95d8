"""What every belief promises, as code."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from functools import partial
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from credo.beliefs import Belief
from credo.beliefs.expectation import expect
from credo.checks import Floats
from credo.errors import BadParameter, InvalidInput, NumericalFailure

__all__ = ["check_belief"]

DRAWS = 40_000
SIGMAS = 6.0  # a right law strays so far once in a billion
KOLMOGOROV = 2.8  # √n times the largest gap between the cdf and the draws: once in three million
EXACT = 1e-6  # relative, for what quadrature can check
LEVELS = np.array([0.01, 0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 0.99])
ROWS = 3  # how many rows of a batch are examined as laws of their own


def check_belief(belief: Belief, *, rng: int = 0) -> None:
    """Hold a belief to the contract that ``Belief`` states; ``rng`` seeds the draws.

    Shapes, rows, draws that obey their seed, immutability, the printed form; and that all answers belong to one and the
    same law: the density is the slope of the cdf, the quantile its inverse, the draws follow it, mean, variance, mode
    and entropy are those of the density, and the divergence from itself is zero. A law may refuse an answer that does
    not exist for it, but only with ``InvalidInput``.

    >>> from credo.beliefs import Gamma
    >>> check_belief(Gamma(shape=[0.5, 3], rate=2))
    """
    _check_form(belief)
    _check_draws(belief, rng)
    _check_shapes(belief, rng)
    if belief.batch_shape:
        _check_rows(belief, rng)
    for law in list(belief)[:ROWS] if belief.batch_shape else [belief]:
        _check_law(law, rng)


# -------------------------------------------------------------------- form and shapes


def _check_form(belief: Belief) -> None:
    name = type(belief).__name__
    _promise(repr(belief).startswith(name) and "\n" not in repr(belief), belief, "repr is one line, the name first")
    _promise("<table" in cast(Any, belief)._repr_html_(), belief, "_repr_html_ is a table")
    for field in dataclasses.fields(cast(Any, belief)):
        value = getattr(belief, field.name)
        try:
            setattr(belief, field.name, value)
        except AttributeError:
            pass
        else:
            raise _broken(belief, f"a frozen value: {field.name} could be set")
        if isinstance(value, np.ndarray):
            _promise(not value.flags.writeable, belief, f"a frozen value: the array {field.name} can be written to")


def _check_draws(belief: Belief, rng: int) -> None:
    first, again = belief.sample(20, rng), belief.sample(20, np.random.default_rng(rng))
    _promise(np.array_equal(first, again), belief, "the same seed gives the same draws")
    generator = np.random.default_rng(rng)
    belief.sample(20, generator)
    _promise(
        generator.bit_generator.state != np.random.default_rng(rng).bit_generator.state or _certain(belief),
        belief,
        "draws come from the generator given",
    )
    for wrong in (None, -1, "seed"):
        try:
            belief.sample(1, cast(Any, wrong))
        except BadParameter:
            continue
        raise _broken(belief, f"sample refuses the rng {wrong!r}")


def _check_shapes(belief: Belief, rng: int) -> None:
    batch, each = belief.batch_shape, belief.batch_shape + belief.event_shape
    _promise(len(batch) <= 1, belief, "the batch has at most one axis")
    try:
        length: int | None = len(belief)
    except TypeError:
        length = None
    _promise(length == (batch[0] if batch else None), belief, "len is the number of rows, and one law has none")
    draws = belief.sample(5, rng)
    promised: list[tuple[str, Callable[[], Any], tuple[int, ...]]] = [
        ("mean", lambda: belief.mean, each),
        ("var", lambda: belief.var, each),
        ("sd", lambda: belief.sd, each),
        ("entropy()", belief.entropy, batch),
        ("kl(itself)", lambda: belief.kl(belief), batch),
        ("log_prob of draws", lambda: belief.log_prob(draws), (5, *batch)),
        ("log_prob of one draw", lambda: belief.log_prob(draws[0]), batch),
        ("quantile(½)", lambda: belief.quantile(0.5), each),
        ("quantile of a table", lambda: belief.quantile([[0.1, 0.5, 0.9]] * 2), (2, 3, *each)),
        ("interval()", lambda: np.stack(belief.interval(0.5)), (2, *each)),
        ("cdf", lambda: belief.cdf(draws), (5, *batch)),
    ]
    if each:  # the mode of a single law may be any label
        promised.append(("mode", lambda: belief.mode, each))
    _promise(draws.shape == (5, *each), belief, f"sample(5) has shape {(5, *each)}; got {draws.shape}")
    _promise(belief.sample(0, rng).shape == (0, *each), belief, "no draws are an empty array of the right shape")
    for what, ask, shape in promised:
        answer = _asked(ask)
        found = shape if answer is None else np.shape(answer)
        _promise(found == shape, belief, f"{what} has shape {shape}; got {found}")
        single = found != () or not isinstance(answer, np.ndarray)
        _promise(single, belief, f"{what} of one law is a number, not an array without axes")


def _check_rows(belief: Belief, rng: int) -> None:
    n = len(belief)
    draws = belief.sample(4, rng)
    answers: dict[str, Callable[[Belief, Any], Any]] = {
        "mean": lambda law, _: law.mean,
        "var": lambda law, _: law.var,
        "mode": lambda law, _: law.mode,
        "entropy()": lambda law, _: law.entropy(),
        "quantile": lambda law, _: law.quantile(0.2),
        "log_prob": lambda law, rows: np.moveaxis(law.log_prob(draws[:, rows]), 0, -1),
    }
    for what, ask in answers.items():
        whole = _asked(partial(ask, belief, slice(None)))
        if whole is None:
            continue
        mask = np.arange(n) % 2 == 0
        for rows in (0, -1, slice(1, None), mask, list(range(n))[::-1]):
            found = np.asarray(ask(belief[rows], rows))
            _promise(_same(found, np.asarray(whole)[rows]), belief, f"{what} of rows {rows} is that of the rows")
    _promise(len(list(belief)) == n, belief, "iteration gives every row")
    for row in (n, -n - 1):
        try:
            belief[row]
        except IndexError:
            continue
        raise _broken(belief, f"there is no row {row}")


# -------------------------------------------------------------------- one law, one truth


def _check_law(law: Belief, rng: int) -> None:
    draws = law.sample(DRAWS, rng)
    divergence = _asked(lambda: law.kl(law))
    _promise(divergence is None or abs(divergence) < 1e-9, law, f"kl(itself) is zero; got {divergence}")
    log_prob = _asked(lambda: law.log_prob(draws))
    if log_prob is not None:
        _promise((log_prob > -np.inf).all(), law, "a value that was drawn is possible")
        _check_mode(law, log_prob)
    if law.event_shape:
        _check_by_draws(law, draws, log_prob)
    elif draws.dtype.kind == "f" or (draws.dtype.kind in "iub"):
        _check_number(law, draws.astype(np.float64))
    elif log_prob is not None:
        _agree_with_draws(law, "entropy()", np.asarray(law.entropy()), -log_prob)


def _check_number(law: Belief, draws: Floats) -> None:
    """A law of one number."""
    _check_cdf(law, draws)
    if _asked(law.entropy) is None:  # draws only: no density to hold the moments against
        return
    if law.discrete:
        _check_atoms(law)
    else:
        _check_density(law)
    mean, var = _asked(lambda: law.mean), _asked(lambda: law.var)
    _agree(law, "mean", mean, lambda x: x)
    if mean is not None and np.isfinite(mean):
        _agree(law, "var", var, lambda x: np.square(x - mean))
        _promise(_same(np.asarray(law.sd), np.sqrt(var)), law, "sd is the square root of var")
    _agree(law, "entropy()", law.entropy(), lambda x: -law.log_prob(x))


def _check_cdf(law: Belief, draws: Floats) -> None:
    """The cdf rises from zero to one, the quantile inverts it, and the draws follow it."""
    low, high = law.quantile(0.0), law.quantile(1.0)
    _promise(low <= draws.min() and draws.max() <= high, law, "draws lie between quantile(0) and quantile(1)")
    points = law.quantile(LEVELS)
    _promise((np.diff(points) >= 0).all(), law, "quantiles rise")
    at = law.cdf(points)
    _promise(law.cdf(high) == 1.0 and (law.cdf(np.nextafter(low, -np.inf)) == 0.0), law, "the cdf goes from 0 to 1")
    if law.discrete or _asked(law.entropy) is None:
        before = law.cdf(np.nextafter(points, -np.inf))
        inverse = ((at >= LEVELS - 1e-9) & (before <= LEVELS + 1e-9)).all()
    else:
        inverse = np.isclose(at, LEVELS, atol=1e-9).all()
    _promise(inverse, law, f"the quantile inverts the cdf; cdf(quantile(q)) is {at} for q = {LEVELS}")
    tail = law.interval(0.9)
    _promise(
        _same(np.asarray(tail), law.quantile([0.05, 0.95]), 1e-9), law, "interval(0.9) is from quantile 0.05 to 0.95"
    )
    values, counts = np.unique(draws, return_counts=True)
    after = np.cumsum(counts) / len(draws)
    gap = np.abs(after - law.cdf(values))
    before_jump = np.abs(after - counts / len(draws) - law.cdf(np.nextafter(values, -np.inf)))
    worst = np.sqrt(len(draws)) * max(gap.max(), before_jump.max())
    _promise(worst < KOLMOGOROV, law, f"draws follow the cdf; √n times the largest gap is {worst:.3g}")


def _check_density(law: Belief) -> None:
    """Between its quantiles the density integrates to the rise of the cdf."""
    points = law.quantile(LEVELS)
    nodes, weights = np.polynomial.legendre.leggauss(64)
    rise = np.diff(law.cdf(points))
    coarse, fine = (_panels(law, points, nodes, weights, pieces) for pieces in (1, 2))
    smooth = np.isclose(coarse, fine, rtol=1e-8)  # a panel with a jump inside cannot be judged
    _promise(smooth.sum() >= len(rise) / 2, law, "the density can be integrated between its quantiles")
    good = np.isclose(fine, rise, rtol=EXACT, atol=1e-12)[smooth]
    _promise(good.all(), law, f"the density is the slope of the cdf: it integrates to {fine}, the cdf rises by {rise}")
    outside = [end + step for end, step in ((law.quantile(0.0), -1.0), (law.quantile(1.0), 1.0)) if np.isfinite(end)]
    for x in (-np.inf, np.inf, *outside):
        _promise(law.log_prob(x) == -np.inf, law, f"log_prob({x}) is −inf, for it is outside the support")


def _panels(law: Belief, points: Floats, nodes: Floats, weights: Floats, pieces: int) -> Floats:
    steps = np.linspace(points[:-1], points[1:], pieces + 1)
    low, width = steps[:-1], np.diff(steps, axis=0)
    x = low[..., None] + width[..., None] * (nodes + 1) / 2
    total: Floats = (np.exp(law.log_prob(x)) @ weights * width / 2).sum(axis=0)
    return total


def _check_atoms(law: Belief) -> None:
    """The probabilities of a discrete law sum to one, and step by step to the cdf."""
    atoms = np.unique(np.concatenate([part._atoms(np.array(1.0))[0] for _, part in law._components()]))
    probs = np.exp(law.log_prob(atoms))
    _promise(abs(probs.sum() - 1) < EXACT, law, f"probabilities sum to one; got {probs.sum()}")
    _promise(
        np.allclose(np.cumsum(probs), law.cdf(atoms), atol=EXACT), law, "the cdf is the running sum of probabilities"
    )


def _check_mode(law: Belief, log_prob: Floats) -> None:
    mode = _asked(lambda: law.mode)
    if mode is None:
        return
    top, best = float(law.log_prob(mode)), float(log_prob.max())
    if not law.event_shape and (points := _asked(lambda: law.quantile(LEVELS))) is not None:
        best = max(best, float(law.log_prob(points).max()))
    _promise(
        top >= best - 1e-9 * max(1.0, abs(best)), law, f"nothing is more probable than the mode: {top} against {best}"
    )


def _check_by_draws(law: Belief, draws: Floats, log_prob: Floats | None) -> None:
    """A law of vectors, against its draws."""
    _agree_with_draws(law, "mean", law.mean, draws)
    _agree_with_draws(law, "var", law.var, np.square(draws - law.mean))
    if (entropy := _asked(law.entropy)) is not None and log_prob is not None:
        _agree_with_draws(law, "entropy()", entropy, -log_prob)
    quantiles = _asked(lambda: law.quantile(LEVELS))
    for level, points in zip(LEVELS, () if quantiles is None else quantiles, strict=False):
        below = (draws <= points).mean(axis=0)
        good = np.abs(below - level) <= SIGMAS * np.sqrt(level * (1 - level) / len(draws))
        _promise(good.all(), law, f"quantile({level}) of each coordinate has that share of draws below; got {below}")


# -------------------------------------------------------------------- small pieces


def _agree(law: Belief, what: str, claimed: Any, function: Callable[[Floats], Floats]) -> None:
    """An expectation that was claimed against a sum or quadrature; where that is impossible it must not be finite."""
    if claimed is None:
        return
    try:
        computed = expect(law, lambda x, _: function(x), (law,))
    except NumericalFailure:
        return  # heavy tails: finite or not, ten digits cannot be had
    if np.isfinite(computed):
        scale = np.max([np.abs(computed), 1e-3 * np.ptp(law.quantile([0.25, 0.75]).astype(float)), 1e-12])
        _promise(abs(claimed - computed) <= EXACT * scale, law, f"{what} is {claimed}; by quadrature it is {computed}")
    else:
        _promise(not np.isfinite(claimed), law, f"{what} is {claimed}; by quadrature it is infinite")


def _agree_with_draws(law: Belief, what: str, claimed: Floats, values: Floats) -> None:
    error = values.std(axis=0) / np.sqrt(len(values))
    off = np.abs(values.mean(axis=0) - claimed) / np.maximum(error, 1e-12)
    _promise((off <= SIGMAS).all(), law, f"{what} is {claimed}; draws say {values.mean(axis=0)} ± {error}")


def _asked(ask: Callable[[], Any]) -> Any:
    """The answer, or None if it was refused in the right way."""
    try:
        return ask()
    except InvalidInput:
        return None


def _certain(belief: Belief) -> bool:
    """Whether no draw could differ from another."""
    return not np.any(_asked(lambda: belief.var))


def _same(a: NDArray[Any], b: NDArray[Any], tolerance: float = 1e-12) -> bool:
    if a.dtype.kind != "f":
        return np.array_equal(a, b)
    return a.shape == b.shape and np.allclose(a, b, rtol=tolerance, atol=tolerance, equal_nan=True)


def _promise(kept: bool | np.bool, belief: Belief, promise: str) -> None:  # noqa: FBT001
    if not kept:
        raise _broken(belief, promise)


def _broken(belief: Belief, promise: str) -> AssertionError:
    return AssertionError(f"{belief!r} breaks a promise: {promise}")
