"""Belief over finitely many named states, and Bayes' rule for it."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from credo import checks
from credo.beliefs.base import Belief
from credo.beliefs.information import entropy, evidence_bound
from credo.beliefs.layout import aligned, html_table
from credo.beliefs.states import States, are_numbers, as_array, as_states, numeric
from credo.checks import Floats
from credo.errors import BadParameter, BadShape, ImpossibleEvidence, InvalidInput
from credo.numerics import log_normalise

__all__ = ["Categorical"]

# What was observed, as its probability under each state.
Likelihood = Mapping[Any, ArrayLike] | Callable[[Any], ArrayLike] | ArrayLike

ROUNDING = 1e-14
SHOWN = 12  # states in one line


@dataclass(frozen=True, slots=True, eq=False, repr=False, init=False)
class Categorical(Belief):
    """A belief over finitely many named states: the probability of each, or a batch of such rows.

    ``given`` is Bayes' rule, P(s | d) = P(d | s) P(s) / P(d). The normalising constant is kept: ``log_evidence`` is the
    running total of log P(d), and ``unnormalised`` holds the products P(d | s) P(s). Logarithms are held as well, so
    that likelihoods far below the smallest float64 do no harm.

    >>> prior = Categorical({"cancer": 0.008, "healthy": 0.992})
    >>> posterior = prior.given({"cancer": 0.98, "healthy": 0.03})
    >>> posterior
    Categorical({'cancer': 0.2085, 'healthy': 0.7915})
    >>> posterior.mode, posterior.unnormalised.round(4)
    ('healthy', array([0.0078, 0.0298]))
    """

    probs: Floats
    log_probs: Floats
    states: States
    log_evidence: Any  # a number, or an array with one for each row

    discrete: ClassVar[bool] = True
    _law_ndim: ClassVar[int] = 1

    def __init__(
        self,
        probs: Mapping[Any, float] | ArrayLike,
        states: Iterable[Hashable] | None = None,
        *,
        log_evidence: ArrayLike = 0.0,
    ) -> None:
        if isinstance(probs, Mapping):
            if states is not None:
                raise InvalidInput("the keys of probs are the states already; leave out states")
            states, probs = list(probs), list(probs.values())
        array = checks.probabilities("probs", probs)
        with np.errstate(divide="ignore"):
            self._set(array, np.log(array), states, checks.floats("log_evidence", log_evidence))

    @classmethod
    def from_log(cls, log_weights: ArrayLike, states: Iterable[Hashable] | None = None) -> Categorical:
        """The belief proportional to exp(``log_weights``), with the log of their sum as its ``log_evidence``.

        So log P(d, s) goes in, and P(s | d) comes out with log P(d) kept.

        >>> Categorical.from_log([-5000.0, -5001.0], ["a", "b"])
        Categorical({'a': 0.7311, 'b': 0.2689})
        """
        log_probs, total = log_normalise(log_weights)
        impossible = np.isneginf(total)
        if impossible.any():
            row = f" in row {int(impossible.argmax())}" if impossible.ndim else ""
            raise ImpossibleEvidence(f"log_weights leave no state possible{row}: all are minus infinity")
        return cls._normalised(log_probs, states, total)

    @classmethod
    def unchecked(cls, probs: Floats, log_probs: Floats, states: States, log_evidence: Any) -> Categorical:
        """The belief made of read-only arrays that are known to be right, as an engine's answers are; not checked.

        >>> probs = np.array([0.5, 0.5])
        >>> Categorical.unchecked(probs, np.log(probs), ("a", "b"), 0.0)
        Categorical({'a': 0.5, 'b': 0.5})
        """
        made = object.__new__(cls)
        object.__setattr__(made, "probs", probs)
        object.__setattr__(made, "log_probs", log_probs)
        object.__setattr__(made, "states", states)
        object.__setattr__(made, "log_evidence", log_evidence)
        return made

    @classmethod
    def _normalised(cls, log_probs: Floats, states: Iterable[Hashable] | None, log_evidence: Floats) -> Categorical:
        made = cls.__new__(cls)
        made._set(np.exp(log_probs), log_probs, states, log_evidence)
        return made

    def _set(self, probs: Floats, log_probs: Floats, states: Iterable[Hashable] | None, log_evidence: Floats) -> None:
        if probs.ndim not in (1, 2):
            raise BadShape(f"probs must be one row, or a table with a row for each law; got shape {probs.shape}")
        held = tuple(range(probs.shape[-1])) if states is None else as_states("states", states)
        if len(held) != probs.shape[-1]:
            raise BadShape(f"states must name each of the {probs.shape[-1]} probabilities; got {len(held)} names")
        if log_evidence.shape not in ((), probs.shape[:-1]):
            raise BadShape(f"log_evidence must be one number, or one for each row; got shape {log_evidence.shape}")
        evidence = np.broadcast_to(log_evidence, probs.shape[:-1])
        self._keep(probs=probs, log_probs=log_probs, states=held, log_evidence=evidence)

    # ---------------------------------------------------------------- Bayes' rule

    def given(self, likelihood: Likelihood, *, log: bool = False) -> Categorical:
        """Bayes' rule: the belief after an observation that has this ``likelihood`` P(observation | state).

        The likelihood is a mapping from every state, a function of a state, or an array in the order of ``states``
        (one row, or a row for each law of a batch; one law and many rows give a batch); with ``log=True`` it is given
        as logarithms. Observations that are independent given the state are conditioned on one after another: today's
        prior is yesterday's posterior, in any order.

        >>> test = {"disease": 1.0, "healthy": 0.01}, {"disease": 0.9, "healthy": 0.05}
        >>> Categorical({"disease": 0.001, "healthy": 0.999}).given(test[0]).given(test[1])
        Categorical({'disease': 0.6431, 'healthy': 0.3569})
        """
        logs = self.log_likelihood(likelihood, log=log)
        if self.batch_shape and logs.ndim == 2:
            checks.rows_match("the belief", len(self), "likelihood", len(logs))
        log_probs, total = log_normalise(self.log_probs + logs)
        self._refuse_impossible(total)
        return self._normalised(log_probs, self.states, total + self.log_evidence)

    def tempered(self, confidence: float) -> Categorical:
        """The belief proportional to P(state)^``confidence``: below 1 it is less sure than this one, above 1 surer.

        The order of the states stays, and so does ``log_evidence``.

        >>> Categorical({"spam": 0.99, "ham": 0.01}).tempered(0.5)
        Categorical({'spam': 0.9087, 'ham': 0.09133})
        """
        power = checks.positive("confidence", confidence, ndim=0)
        return self._normalised(log_normalise(power * self.log_probs)[0], self.states, self.log_evidence)

    def log_likelihood(self, likelihood: Likelihood, *, log: bool = False) -> Floats:
        """The log of a ``likelihood`` as ``given`` accepts it: checked, and in the order of ``states``.

        >>> Categorical([0.5, 0.5], ["fair", "two heads"]).log_likelihood({"two heads": 1.0, "fair": 0.5})
        array([-0.69314718,  0.        ])
        """
        values = self._lined_up(likelihood)
        if log:
            logs = checks.floats("likelihood", values, infinite=True)
            if (logs == np.inf).any():
                raise BadParameter("likelihood must be finite or zero; got a logarithm of +inf")
        else:
            with np.errstate(divide="ignore"):
                logs = np.log(checks.positive("likelihood", values, zero=True))
        if logs.ndim not in (1, 2) or logs.shape[-1] != len(self.states):
            raise BadShape(
                f"likelihood must hold one number for each of the {len(self.states)} states; got shape {logs.shape}"
            )
        return logs

    @property
    def unnormalised(self) -> Floats:
        """P(all that was given, state) for every state: what is normalised to give ``probs``."""
        joint: Floats = np.exp(self.log_probs + np.expand_dims(self.log_evidence, -1))
        return joint

    def predictive(self, answers: Mapping[Any, Categorical]) -> Categorical:
        """The answers of all states, weighted by their probability: P(v) = Σ P(v | state) P(state).

        With hypotheses for states this is the Bayes-optimal classification, which need not be that of the most probable
        hypothesis.

        >>> plus, minus = Categorical({"+": 1, "-": 0}), Categorical({"+": 0, "-": 1})
        >>> Categorical({"h1": 0.4, "h2": 0.3, "h3": 0.3}).predictive({"h1": plus, "h2": minus, "h3": minus})
        Categorical({'+': 0.4, '-': 0.6})
        """
        self._refuse_other_names("answers", answers)
        if not all(isinstance(answer, Categorical) for answer in answers.values()):
            raise InvalidInput(f"answers must be Categorical beliefs; got {checks.shown(answers)}")
        values = answers[self.states[0]].states
        parts = [answers[state]._in_order(values) for state in self.states]
        shapes = {part.shape for part in parts}
        if len(shapes) > 1:
            raise BadShape(f"answers must be single beliefs, or batches of one length; got shapes {sorted(shapes)}")
        return Categorical(np.einsum("...s,s...v->...v", self.probs, np.stack(parts)), values)

    # ---------------------------------------------------------------- by state

    def prob(self, state: Any) -> Floats:
        """P(state), or an array of these for an array of states."""
        codes = self._points(state)
        return np.where(codes < 0, 0.0, self._at(self.probs, codes))[()]

    def as_dict(self) -> dict[Any, Any]:
        """From each state to its probability (for a batch, to an array of these)."""
        return dict(zip(self.states, self.probs.T if self.batch_shape else self.probs.tolist(), strict=True))

    def table(self, rows: int = 10) -> str:
        """The probabilities as lines of text; of a batch at most so many ``rows``.

        >>> print(Categorical({"H": 0.3, "T": 0.7}).table())
        state    P
        H      0.3
        T      0.7
        """
        lines = self._lines(rows)
        return aligned(lines, right=[False] + [True] * (len(lines[0]) - 1))

    def __getitem__(self, key: Any) -> Any:
        """The probability of a state; for a batch the law of a row, or of several."""
        if self.batch_shape:
            return Belief.__getitem__(self, key)
        return float(self.prob(checks.known("state", key, self.states)))

    # ---------------------------------------------------------------- as a law

    @property
    def mean(self) -> Floats:
        """The expected value, for states that are numbers."""
        return self.probs @ numeric(self.states, "a mean")

    @property
    def var(self) -> Floats:
        """The variance, for states that are numbers."""
        values = numeric(self.states, "a variance")
        spread: Floats = (self.probs * (values - np.expand_dims(self.mean, -1)) ** 2).sum(axis=-1)
        return spread

    @property
    def mode(self) -> Any:
        """The most probable state (the first of equals); for a batch an array of states."""
        return self._states_of(self.log_probs.argmax(axis=-1))

    def entropy(self) -> Floats:
        """H = −Σ P log P in nats."""
        return entropy(self.probs)

    def _kl(self, other: Categorical) -> Floats:
        return -evidence_bound(self.probs, other._in_order(self.states, logs=True))

    def kl(self, other: Belief) -> Floats:
        """KL(self‖other) in nats; from another kind of law only for states that are numbers."""
        if not isinstance(other, Categorical):
            numeric(self.states, "the divergence from another kind of law")
        return Belief.kl(self, other)

    def _points(self, x: Any) -> NDArray[np.intp]:
        """The codes of states; −1 for a number that is none of the numbers that are the states."""
        codes = {state: code for code, state in enumerate(self.states)}
        if isinstance(x, Hashable) and not (isinstance(x, tuple) and x not in codes):
            x = np.fromiter([x], dtype=object).reshape(())
        array = x if isinstance(x, np.ndarray) else np.fromiter(x, dtype=object)
        labels = array.ravel().tolist()
        try:
            found = np.array([codes.get(state, -1) for state in labels], dtype=np.intp)
        except TypeError:
            raise InvalidInput(
                f"states must be given one by one, in a list or an array; got {checks.shown(x)}"
            ) from None
        strange = [labels[i] for i in np.flatnonzero(found < 0)]
        if strange and not are_numbers([*self.states, *strange]):
            checks.known("state", strange[0], self.states)
        if strange:
            checks.floats("x", np.array(strange, dtype=np.float64), infinite=True)
        return found.reshape(array.shape)

    def _log_prob(self, x: Any) -> Floats:
        return np.where(x < 0, -np.inf, self._at(self.log_probs, x))[()]

    def _cdf(self, x: Floats) -> Floats:
        values = numeric(self.states, "a cdf")
        order = np.argsort(values)
        edges = self._edges(order)
        edges = np.concatenate([np.zeros_like(edges[..., :1]), edges], axis=-1)
        return self._at(edges, np.searchsorted(values[order], x, side="right"))

    def _quantile(self, below: Floats, above: Floats) -> Any:  # noqa: ARG002
        # Numbers are put in order; other states are taken in the order in which they stand.
        numbers = are_numbers(self.states)
        order = np.argsort(numeric(self.states, "a quantile")) if numbers else np.arange(len(self.states))
        ranks = np.zeros(np.broadcast_shapes(below.shape, self.batch_shape), dtype=np.intp)
        for edge in np.moveaxis(self._edges(order), -1, 0)[:-1]:
            ranks += (edge + ROUNDING < below) | (edge == 0)
        return self._states_of(order[ranks])

    def _components(self) -> list[tuple[Any, Belief]]:
        numeric(self.states, "a comparison with laws of numbers")
        return [(1.0, self)]

    def _atoms(self, step: Floats) -> tuple[Floats, Floats]:  # noqa: ARG002
        atoms = numeric(self.states, "a sum over values").reshape(-1, *(1,) * len(self.batch_shape))
        return atoms, np.ones_like(atoms)

    def _draw(self, n: int, rng: np.random.Generator) -> NDArray[Any]:
        edges = self._edges(slice(None))
        uniform = rng.random((n, *self.batch_shape))
        if not self.batch_shape:
            return as_array(self.states)[np.searchsorted(edges, uniform, side="right")]
        codes = np.zeros(uniform.shape, dtype=np.intp)
        for edge in edges.T[:-1]:
            codes += uniform >= edge
        return as_array(self.states)[codes]

    def _edges(self, order: NDArray[np.intp] | slice) -> Floats:
        """The running sums of the probabilities; exactly one from the last possible state on."""
        edges = self.probs[..., order].cumsum(axis=-1)
        edges /= edges[..., -1:]
        return edges

    def __repr__(self) -> str:
        if self.batch_shape:
            return f"Categorical over {checks.shown(self.states)} × {len(self)} rows"
        items = [f"{state!r}: {p:.4g}" for state, p in self.as_dict().items()]
        return "Categorical({" + ", ".join(items[:SHOWN] + ["…"] * (len(items) > SHOWN)) + "})"

    def _repr_html_(self, rows: int = 10) -> str:
        return html_table(self._lines(rows))

    # ---------------------------------------------------------------- inside

    def _lines(self, rows: int) -> list[list[str]]:
        if not self.batch_shape:
            return [["state", "P"], *([str(s), f"{p:.4g}"] for s, p in self.as_dict().items())]
        lines = [["row", *map(str, self.states)]]
        lines += [[str(i), *(f"{p:.4g}" for p in row)] for i, row in enumerate(self.probs[:rows].tolist())]
        return lines + ([["…"] * len(lines[0])] if len(self) > rows else [])

    def _states_of(self, codes: NDArray[np.intp]) -> Any:
        """The states with these codes: an array of them, or for a single code the state itself."""
        return as_array(self.states)[codes] if codes.ndim else self.states[int(codes)]

    def _at(self, values: Floats, codes: NDArray[np.intp]) -> Floats:
        """The values of states, lined up with the rows of a batch."""
        if not self.batch_shape:
            return values[codes]
        if codes.ndim and codes.shape[-1] not in (1, len(self)):
            raise BadShape(
                f"states must be one, or one for each of the {len(self)} rows; got shape {codes.shape}. "
                "Several for every row go in front: states[:, None]"
            )
        lined_up: Floats = values[np.arange(len(self)), codes]
        return lined_up

    def _in_order(self, states: States, *, logs: bool = False) -> Floats:
        """The probabilities in the order of ``states``, which must be the states of this belief."""
        values = self.log_probs if logs else self.probs
        if states == self.states:
            return values
        if set(states) != set(self.states):
            raise InvalidInput(
                f"both beliefs must have the same states; got {checks.shown(states)} and {checks.shown(self.states)}"
            )
        return values[..., [self.states.index(state) for state in states]]

    def _lined_up(self, likelihood: Likelihood) -> ArrayLike:
        if isinstance(likelihood, Mapping):
            self._refuse_other_names("likelihood", likelihood)
        elif callable(likelihood):
            likelihood = {state: likelihood(state) for state in self.states}
        else:
            return likelihood
        columns = [checks.floats("likelihood", likelihood[state], infinite=True) for state in self.states]
        try:
            return np.stack(np.broadcast_arrays(*columns), axis=-1)
        except ValueError:
            shapes = ", ".join(str(column.shape) for column in columns)
            raise BadShape(f"likelihood must have one number, or one for each row, a state; got {shapes}") from None

    def _refuse_other_names(self, what: str, mapping: Mapping[Any, object]) -> None:
        for name in mapping:
            checks.known("state", name, self.states)
        missing = [state for state in self.states if state not in mapping]
        if missing:
            raise InvalidInput(f"{what} must name every state; missing: {checks.shown(missing)}")

    def _refuse_impossible(self, total: Floats) -> None:
        impossible = np.isneginf(total)
        if impossible.any():
            row = int(impossible.argmax()) if impossible.ndim else None
            prior = self.log_probs[row] if self.batch_shape else self.log_probs
            possible = ", ".join(repr(state) for state, p in zip(self.states, prior, strict=True) if p > -np.inf)
            where = "" if row is None else f" in row {row}"
            raise ImpossibleEvidence(
                f"the observation{where} has likelihood zero under every state that was possible before: {possible}"
            )
