"""The front door as its users write it: plain numbers and lists. Type checkers must accept every line of it."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import credo
from credo.kernels import SE, Linear, Matern32, Noise


def laws() -> list[credo.Normal]:
    """Every law, one and several; returned are single ones."""
    credo.Bernoulli(0.5), credo.Bernoulli([0.5, 1])
    credo.Beta(1, 1), credo.Beta(a=[1, 2], b=0.5)
    credo.Binomial(10, 0.3), credo.Binomial(n=[10, 20], p=[0.3, 0.5])
    credo.Categorical({"a": 0.2, "b": 0.8}), credo.Categorical([[0.2, 0.8], [0.5, 0.5]], ["a", "b"])
    credo.Categorical([0.5, 0.5], states=[1, 2]), credo.Categorical({True: 1, False: 0})
    credo.Dirichlet([1, 2]), credo.Dirichlet([[1, 2], [3, 4]], states=["a", "b"])
    credo.Gamma(2, 1), credo.Gamma(shape=[1, 2], rate=1)
    credo.HalfCauchy(1), credo.HalfCauchy(scale=[1, 2])
    credo.HalfNormal(1), credo.HalfNormal(scale=[1, 2])
    credo.InverseGamma(3, 2), credo.InverseGamma(shape=[3, 4], scale=2)
    credo.LogNormal(0, 1), credo.LogNormal(mu=[0, 1], sigma=1)
    credo.Mixture([0.5, 0.5], [credo.Normal(0, 1), credo.StudentT(3, 0, 1)])
    credo.MultivariateNormal([0, 0], [[1, 0], [0, 1]]).given(0, 1.5).marginal(0)
    credo.NegativeBinomial(2, 1), credo.NegativeBinomial(shape=[1, 2], rate=1)
    credo.Point(3), credo.Point([1, 2])
    credo.Poisson(3), credo.Poisson([1, 2])
    credo.Samples([3, 1, 2]), credo.Samples([3, 1, 2], weights=[1, 0, 2])
    credo.StudentT(4, 0, 1), credo.StudentT(df=[3, 4], loc=0, scale=1.5)
    credo.Uniform(0, 1), credo.Uniform(low=[0, 1], high=2)
    batch = credo.Normal(mean=[0, 1, 2], sd=1)
    return [credo.Normal(0, 1), *batch, batch[0], *batch[1:], *batch[[2, 0]], *batch[[True, False, True]]]


def answers(belief: credo.Normal | credo.Beta | credo.Poisson) -> tuple[float, str]:
    """What is asked of a belief."""
    low, high = belief.interval(0.9)
    width = float(high - low)
    numbers = [round(float(belief.mean), 2), float(belief.sd), float(belief.var), float(belief.mode), width]
    numbers += [float(belief.log_prob(1)), float(belief.cdf(0.5)), float(belief.quantile(0.5)), float(belief.entropy())]
    several = [*belief.log_prob([0, 1]), *belief.quantile([0.1, 0.9]), *belief.cdf([0, 1]), *belief.sample(3, rng=0)]
    surprising = bool(belief.kl(credo.Normal(0, 1)) > 1)
    return sum(numbers), f"{belief.mean:.2f} from {low:.2f} to {high:.2f}, {len(several)} more, {surprising}"


def learning() -> list[float]:
    """Models whose posterior has the form of the prior, and Bayes' rule for named states."""
    coin = credo.BetaBinomial(a=1, b=1).given(successes=3, failures=2)
    die = credo.DirichletCategorical(["a", "b"], alpha=1).given({"a": 2}).given([1, 3])
    visits = credo.GammaPoisson(shape=2, rate=1).given(3).given([1, 2])
    length = credo.NormalNormal(prior_mean=0, prior_sd=1, noise=1).given(1).given([2, 3.5])
    both = credo.NormalInverseGamma(prior_mean=0, weight=1, shape=3, scale=2).given([1, 2, 3])
    means = [coin.posterior.mean, die.posterior.mean[0], visits.posterior.mean, length.posterior.mean]
    evidence = [model.log_evidence for model in (coin, die, visits, length, both)]
    test = credo.Categorical({"ill": 0.001, "well": 0.999}).given({"ill": 1, "well": 0.01}).given([0.9, 0.05])
    test = test.given(lambda state: 1 if state == "ill" else 0.5).given([-1, -2], log=True)
    hypotheses = credo.Hypotheses(test).given({"ill": 1, "well": 0.5})
    coins = credo.CountTable(["first", "second"], [["H", "T"], ["H", "T"]], [[1, 2], [3, 4]])
    joint = credo.JointTable(["first", "second"], [["H", "T"], ["H", "T"]], [[0.1, 0.2], [0.3, 0.4]])
    assert joint.names == coins.names
    chances = [test["ill"], test.as_dict()["well"], float(test.prob("ill")), float(test.log_evidence)]
    return [*(round(float(mean), 2) for mean in means), *evidence, *chances, hypotheses.log_evidence]


def deciding() -> Sequence[float]:
    """Losses, and the actions that follow from them."""
    belief = credo.Categorical({"ill": 0.1, "well": 0.9})
    loss = credo.Loss([[0, 50], [1, 0]], actions=["wait", "treat"], states=["well", "ill"])
    treat = credo.decide(belief, loss)
    refuse = credo.decide(belief, credo.Loss.zero_one(["well", "ill"]).with_reject(0.05))
    own = credo.decide(credo.Normal(0, 1), lambda action, outcome: abs(action - outcome), actions=[0, 1])
    assert (treat.action, refuse.action, own.action) == ("treat", "refuse", 0)
    return [float(decision.risk) for decision in (treat, refuse, own)]


def fitting(folder: Path) -> list[str]:
    """Tables, models, and their files."""
    table = credo.Table({"age": [20, 30, 40, None], "sex": ["f", "m", "f", "m"], "pay": [2, 3.5, 4, 5]})
    classes = credo.NaiveBayes(m=1).fit(table.select(["age", "pay"]), table["sex"])
    line = credo.BayesianRegression(alpha=1).fit([[1, 2], [2, 1], [3, 5]], [1, 2, 3])
    low, high = line.predictive([[1, 2]]).interval(0.9)
    credo.save(line, folder / "line.credo")
    credo.save(classes, str(folder / "classes.credo"))
    again = credo.load(folder / "classes.credo")
    named = classes.predictive(table.select(["age", "pay"]))
    return [str(named[0].mode), *named.mode, *again.predict(table.select(["age", "pay"])), f"{float(high[0] - low[0])}"]


def comparing() -> list[str]:
    """Kernels, and tables as lists."""
    kernel = 2 * SE([1, 2]) * Matern32(1).on([0, 1]) + Noise(0.1).fixed() + (Linear() + 1) ** 2 + 3
    kernel = kernel.bounded({"SE": (0.1, 10)}).with_priors({"SE.length": credo.LogNormal(0, 1)})
    moved = kernel.with_theta(kernel.theta).with_parameters({"SE.length[0]": 3})
    rows = [[1.0, 2.0], [3.0, 4.5]]
    slopes = moved.pullback(rows, [[1, 0], [0, 1]])
    alike = float(kernel(rows)[0, 1] + moved(rows, rows)[0, 1])
    return [*kernel.free, str(credo.kernel("SE(1)") + moved), f"{alike}", f"{slopes}"]


def test_what_type_checkers_accept_runs(tmp_path: Path) -> None:
    """And so the annotations do not lie."""
    for number, text in (*map(answers, laws()), answers(credo.Beta(2, 3)), answers(credo.Poisson(3))):
        assert number == number
        assert "from" in text
    assert learning()
    assert deciding()
    assert len(fitting(tmp_path)) == 10
    assert len(comparing()) == 10
