import numpy as np
import pytest
from scipy import stats
from scipy.optimize import minimize_scalar

from credo.beliefs import Bernoulli, Categorical, Gamma, HalfCauchy, Mixture, Normal, Point, Poisson, Samples, StudentT
from credo.decisions import AbsoluteLoss, InsensitiveLoss, PinballLoss, SquaredLoss, decide
from credo.errors import BadParameter, CredoError, InvalidInput

LOSSES = [SquaredLoss(), AbsoluteLoss(), PinballLoss(0.8), InsensitiveLoss(0.7)]
LAWS = [
    (Normal(1.5, 2.0), stats.norm(1.5, 2.0)),
    (Gamma(2.5, 0.5), stats.gamma(2.5, scale=2.0)),
    (StudentT(4, -1.0, 3.0), stats.t(4, -1.0, 3.0)),
]


@pytest.mark.parametrize("loss", LOSSES, ids=repr)
@pytest.mark.parametrize(("law", "reference"), LAWS, ids=["normal", "gamma", "student"])
def test_against_scipys_integrals_and_its_minimiser(law, reference, loss):
    u = (np.arange(400_000) + 0.5) / 400_000
    x = reference.ppf(u)

    def risk(action):
        return loss(action, x).mean()

    best = minimize_scalar(risk, bounds=reference.ppf([0.001, 0.999]), method="bounded", options={"xatol": 1e-7})
    made = decide(law, loss)
    assert made.action == pytest.approx(best.x, abs=2e-3)
    assert made.risk == pytest.approx(best.fun, rel=2e-3)
    assert made.actions == ()


def test_known_answers():
    assert decide(Normal(0, 1), AbsoluteLoss()).risk == pytest.approx(np.sqrt(2 / np.pi), rel=1e-10)
    assert decide(Normal(0, 1), PinballLoss(0.9)).risk == pytest.approx(stats.norm.pdf(stats.norm.ppf(0.9)), rel=1e-9)
    # The variance of Student's t with 3 degrees of freedom, however heavy its tails.
    assert decide(StudentT(3, 0.0, 1.0), SquaredLoss()).risk == pytest.approx(3.0)
    assert decide(Point(4.0), AbsoluteLoss()).risk == 0
    assert decide(Normal(2, 1), InsensitiveLoss(50)).risk == pytest.approx(0, abs=1e-12)


@pytest.mark.parametrize("loss", LOSSES, ids=repr)
def test_samples_and_numeric_states_are_exact(loss):
    rng = np.random.default_rng(0)
    values = np.sort(rng.gamma(2.0, size=41))
    actions = np.unique(np.concatenate([values, values - 0.7, values + 0.7, [values.mean()]]))
    least = min(float(loss(action, values).mean()) for action in actions)
    made = decide(Samples(values), loss)
    assert made.risk == pytest.approx(float(loss(made.action, values).mean()), rel=1e-9)
    assert made.risk <= least * (1 + 1e-3)
    states = Categorical(np.full(41, 1 / 41), states=values.tolist())
    assert decide(states, loss).risk == pytest.approx(made.risk, rel=1e-3)


@pytest.mark.parametrize("loss", LOSSES, ids=repr)
def test_a_batch_is_its_rows(loss):
    batch = Gamma(np.array([1.0, 3.0, 40.0]), np.array([2.0, 1.0, 0.3]))
    made = decide(batch, loss)
    assert made.action.shape == made.risk.shape == (3,)
    assert made.risks.shape == (3, 0)
    for i, law in enumerate(batch):
        alone = decide(law, loss)
        assert made.action[i] == pytest.approx(alone.action, rel=1e-6)
        assert made.risk[i] == pytest.approx(alone.risk, rel=1e-6)


def test_the_news_vendor():
    # Unsold papers cost 1, missed sales 3: the 3/4 quantile of the demand, to the nearest thing one can order.
    demand = Poisson(20.0)
    made = decide(demand, lambda order, sold: np.maximum(3 * (sold - order), order - sold), actions=range(10, 35))
    assert made.action == demand.quantile(0.75) == decide(demand, PinballLoss(0.75)).action
    assert made.risk == pytest.approx(4 * decide(demand, PinballLoss(0.75)).risk, rel=1e-9)


def test_a_function_over_a_batch_and_actions_with_names():
    batch = Normal(np.array([0.0, 3.0]), 1.0)
    made = decide(batch, lambda action, x: (x - 1.5) if action == "high" else (1.5 - x), actions=["low", "high"])
    assert made.action.tolist() == ["high", "low"]
    np.testing.assert_allclose(made.risks, [[1.5, -1.5], [-1.5, 1.5]], atol=1e-9)


def test_a_function_that_jumps_where_nobody_said():
    def penalty(action, x):
        return np.where(x > 7.3, 100.0, 0.0) if action == "go" else np.full_like(x, 12.0)

    chance = stats.norm.sf(7.3, 5, 2)
    made = decide(Normal(5.0, 2.0), penalty, actions=["go", "stay"])
    assert made.action == "stay"
    assert made.table()["go"] == pytest.approx(100 * chance, rel=1e-3)
    batch = decide(Normal(np.array([5.0, 3.0]), 2.0), penalty, actions=["go", "stay"])
    assert batch.action.tolist() == ["stay", "go"]
    np.testing.assert_allclose(batch.risks[:, 0], 100 * stats.norm.sf(7.3, [5, 3], 2), rtol=1e-3)
    with pytest.raises(CredoError):  # no average over quantiles settles on what is infinite
        decide(HalfCauchy(1.0), lambda a, x: x + penalty("go", x), actions=["go"])


def test_whole_numbers_and_truths_are_outcomes_too():
    assert decide(Categorical({1: 0.2, 2: 0.8}), InsensitiveLoss(0.1)).risk == pytest.approx(0.16, rel=1e-9)
    assert decide(Bernoulli(0.3), AbsoluteLoss()).risk == pytest.approx(0.3)
    assert decide(Categorical([[0.2, 0.8], [0.5, 0.5]], states=[1, 2]), PinballLoss(0.3)).action.tolist() == [2, 1]


def test_a_mixture():
    law = Mixture([0.3, 0.7], [Normal(-5, 1), Normal(5, 1)])
    made = decide(law, PinballLoss(0.3))
    x = law.sample(200_000, 0)
    assert made.risk == pytest.approx(PinballLoss(0.3)(made.action, x).mean(), rel=0.02)


def test_without_a_mean_or_a_finite_risk_there_is_no_decision():
    with pytest.raises(InvalidInput, match="AbsoluteLoss"):
        decide(StudentT(1, 0, 1), SquaredLoss())
    with pytest.raises(CredoError):
        decide(StudentT(1, 0, 1), AbsoluteLoss())
    assert decide(StudentT(1.5, 0, 1), SquaredLoss()).risk == np.inf


@pytest.mark.parametrize("q", [0, 1, -1, np.nan, "a"])
def test_a_level_outside_its_range_is_refused(q):
    with pytest.raises(BadParameter):
        PinballLoss(q)


@pytest.mark.parametrize("epsilon", [-1, np.nan, np.inf, [1, 2]])
def test_a_margin_outside_its_range_is_refused(epsilon):
    with pytest.raises(InvalidInput):
        InsensitiveLoss(epsilon)
