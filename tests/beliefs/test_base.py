import copy

import numpy as np
import pytest

from credo.beliefs import (
    Bernoulli,
    Beta,
    Binomial,
    Dirichlet,
    Gamma,
    HalfCauchy,
    HalfNormal,
    InverseGamma,
    LogNormal,
    Mixture,
    MultivariateNormal,
    NegativeBinomial,
    Normal,
    Point,
    Poisson,
    Samples,
    StudentT,
    Uniform,
)
from credo.errors import BadParameter, BadProbability, BadShape, InvalidInput

MANY = {
    "Normal": Normal(np.arange(6.0), 1),
    "Gamma": Gamma(np.arange(1.0, 7), 1),
    "InverseGamma": InverseGamma(np.arange(1.0, 7), 1),
    "Beta": Beta(np.arange(1.0, 7), 1),
    "StudentT": StudentT(np.arange(1.0, 7), 0, 1),
    "LogNormal": LogNormal(np.arange(6.0), 1),
    "HalfNormal": HalfNormal(np.arange(1.0, 7)),
    "HalfCauchy": HalfCauchy(np.arange(1.0, 7)),
    "Uniform": Uniform(np.arange(6.0), 10),
    "Poisson": Poisson(np.arange(6.0)),
    "Binomial": Binomial(np.arange(6), 0.5),
    "NegativeBinomial": NegativeBinomial(np.arange(1.0, 7), 2),
    "Bernoulli": Bernoulli(np.arange(6) / 10),
    "Point": Point(np.arange(6.0)),
    "Dirichlet": Dirichlet(np.arange(1.0, 13).reshape(6, 2)),
    "MultivariateNormal": MultivariateNormal(np.arange(12.0).reshape(6, 2), np.eye(2)),
    "Mixture": Mixture([0.5, 0.5], [Normal(np.arange(6.0), 1), Normal(0, 1)]),
    "Samples": Samples(np.arange(24.0).reshape(4, 6)),
}
every = pytest.mark.parametrize("law", MANY.values(), ids=MANY)


@every
def test_rows(law):
    assert len(law) == 6
    assert law.batch_shape == (6,)
    one = law[2]
    assert one.batch_shape == ()
    np.testing.assert_allclose(one.mean, law.mean[2])
    np.testing.assert_allclose(law[-1].mean, law.mean[-1])
    for rows in (slice(1, 4), [5, 0, 0], np.arange(6) > 3, []):
        np.testing.assert_allclose(law[rows].mean, law.mean[rows])
    assert [row.batch_shape for row in law] == [()] * 6


@every
def test_a_single_number_is_no_array(law):
    one = law[0]
    point = one.sample(1, 0)[0]
    asked = {
        "log_prob": lambda: one.log_prob(point),
        "entropy": one.entropy,
        "kl": lambda: one.kl(one),
        "kl by quadrature": lambda: one.kl(StudentT(3, 0, 1)),
    }
    if not law.event_shape:
        asked |= {name: lambda name=name: getattr(one, name) for name in ("mean", "var", "sd", "mode")}
        asked |= {"cdf": lambda: one.cdf(1), "quantile": lambda: one.quantile(0.4)}
        asked |= {"low": lambda: one.interval()[0], "high": lambda: one.interval()[1]}
    for name, ask in asked.items():
        try:
            answer = ask()
        except InvalidInput:
            continue
        assert type(answer) is np.float64, name


@every
def test_rows_that_do_not_exist(law):
    for row in (6, -7):
        with pytest.raises(IndexError, match=f"row {row} in a batch of 6"):
            law[row]
    for rows in ([6], "a", [True, False], 1.5, None, np.zeros((2, 2), dtype=int), (0, 1)):
        with pytest.raises(InvalidInput):
            law[rows]


@every
def test_one_law_is_no_batch(law):
    one = law[0]
    with pytest.raises(TypeError, match="one law"):
        len(one)
    with pytest.raises(TypeError, match="one law"):
        one[0]
    with pytest.raises(TypeError, match="one law"):
        list(one)
    assert one
    assert law


@every
def test_no_rows_at_all(law):
    none = law[:0]
    shape = (0, *law.event_shape)
    assert len(none) == 0
    assert none.mean.shape == none.var.shape == shape
    assert none.sample(3, 0).shape == (3, *shape)
    if not isinstance(law, Samples):
        assert none.log_prob(none.sample(3, 0)).shape == (3, 0)
        assert none.entropy().shape == (0,)
        assert none.kl(none).shape == (0,)
    if not (isinstance(law, Mixture) and law.event_shape):
        assert none.quantile([0.1, 0.9]).shape == (2, *shape)
    assert repr(none).endswith("× 0 rows")


@every
def test_parameters_are_copies(law):
    np.testing.assert_array_equal(copy.copy(law).mean, law.mean)
    mean = np.zeros(3)
    held = Normal(mean, 1)
    mean[0] = 7
    assert held.mean[0] == 0
    with pytest.raises(ValueError, match="read-only"):
        held.mean[0] = 7


@every
def test_points_must_be_numbers_that_line_up(law):
    if isinstance(law, Samples):
        return
    with pytest.raises(InvalidInput, match="x must be a number; got nan"):
        law.log_prob(np.full((6, *law.event_shape), np.nan))
    with pytest.raises(BadShape, match="x must line up"):
        law.log_prob(np.zeros((5, *law.event_shape)))
    with pytest.raises(InvalidInput):
        law.log_prob("a")


def test_how_points_line_up():
    law = Normal([0, 1, 2], 1)
    assert law.log_prob(0).shape == (3,)
    assert law.log_prob([[0], [1]]).shape == (2, 3)
    assert law.log_prob(np.zeros((4, 2, 3))).shape == (4, 2, 3)
    assert law[0].log_prob(np.zeros((4, 2))).shape == (4, 2)
    with pytest.raises(BadShape, match=r"x\[:, None\]"):
        law[:1].log_prob([0, 1])
    with pytest.raises(BadShape):
        MultivariateNormal([0, 0], np.eye(2)).log_prob(0)


@pytest.mark.parametrize("rng", [None, -1, 0.5, "a", True])
def test_draws_need_a_generator(rng):
    with pytest.raises(BadParameter, match="rng"):
        Normal(0, 1).sample(3, rng)


@pytest.mark.parametrize("n", [-1, 2.0, None])
def test_the_number_of_draws(n):
    with pytest.raises(BadParameter, match="n must be"):
        Normal(0, 1).sample(n, 0)


def test_probabilities_and_levels():
    with pytest.raises(BadProbability, match="q must lie"):
        Normal(0, 1).quantile(1.1)
    with pytest.raises(InvalidInput, match="q must be finite"):
        Normal(0, 1).quantile(np.nan)
    for level in (0, 1, 95, "a"):
        with pytest.raises(BadParameter, match="level"):
            Normal(0, 1).interval(level)


def test_divergence_refuses_what_cannot_be_compared():
    law = Normal([0, 1], 1)
    with pytest.raises(InvalidInput, match="other must be a belief"):
        law.kl(0)
    with pytest.raises(BadShape, match="same number of rows"):
        law.kl(Normal([0, 1, 2], 1))
    with pytest.raises(BadShape, match="same space"):
        law.kl(MultivariateNormal([0, 0], np.eye(2)))
    assert law.kl(Normal(0, 1)).shape == Normal(0, 1).kl(law).shape == (2,)


def test_vectors_have_no_cdf():
    with pytest.raises(InvalidInput, match="marginal"):
        MultivariateNormal([0, 0], np.eye(2)).cdf([0, 0])


def test_printed():
    assert repr(Normal(0, 1.5)) == "Normal(mean=0, sd=1.5)"
    assert repr(Normal(np.arange(1000), 1)) == "Normal(mean=[0 1 2 …], sd=[1 1 1 …]) × 1000 rows"
    assert repr(MultivariateNormal([0, 1], np.eye(2))) == "MultivariateNormal(mean=[0 1], cov=[[1 0] [0 1]])"
    assert repr(Dirichlet([1, 2], ["a", "b"])) == "Dirichlet(alpha=[1 2], states=('a', 'b'))"


def test_printed_in_a_notebook():
    table = Normal(np.arange(1000), 1)._repr_html_()
    assert table.count("<tr>") == 11
    assert "the first 10 of 1000 rows" in table
    assert "<b>" not in Dirichlet([1, 2], ["<b>", "&"])._repr_html_()


def test_a_million_rows_share_what_they_share():
    law = MultivariateNormal(np.zeros((1_000_000, 2)), np.eye(2))
    assert law[np.arange(500_000)].cov.strides[0] == 0
    assert law.log_prob(np.zeros(2)).shape == (1_000_000,)
