"""What single mechanisms guarantee, from their parameters as they were given."""

from __future__ import annotations

from fractions import Fraction

from flint import arb

from tightrope.verify.event import Node
from tightrope.verify.numbers import (
    Truth,
    ball,
    exact,
    require_at_least,
    require_solution,
)
from tightrope.verify.outcome import NotChecked, Refuted
from tightrope.verify.rules.composition import require_root
from tightrope.verify.rules.conversions import require_rho, rho_of_pure
from tightrope.verify.rules.normal import half_odds, score, upper_tail
from tightrope.verify.step import Step, rule

MOST_VERTICES = 10_000
"""Largest shift of discrete Laplace noise whose vertices are added up."""

MOST_CATEGORIES = 6
"""Most answers for which rho is the Kullback-Leibler divergence at any epsilon."""


def require_leaf(step: Step, *kinds: str) -> Node:
    """The step is about a mechanism of its theorem's kind, and rests on nothing else."""
    kind = step.theorem.partition(".")[0]
    if step.inputs or step.about.kind != kind or (kinds and kind not in kinds):
        raise Refuted(f"the step is not about a {kind}")
    return step.about


def positive(node: Node, name: str) -> Fraction:
    """A parameter that must be above 0."""
    value = node.number(name)
    if value <= 0:
        raise Refuted(f"{node.kind}: {name} must be above 0")
    return value


def nonnegative(node: Node, name: str) -> Fraction:
    """A parameter that must be at least 0."""
    value = node.number(name)
    if value < 0:
        raise Refuted(f"{node.kind}: {name} must be at least 0")
    return value


def variance(node: Node) -> Fraction:
    """The square of the scale, which may be given itself."""
    if "noise_scale" in node.parameters:
        return positive(node, "noise_scale") ** 2
    return positive(node, "variance")


def square_of_mu(node: Node) -> Fraction:
    """(sensitivity/scale)^2 of a normal law."""
    return nonnegative(node, "sensitivity") ** 2 / variance(node)


def ratio(node: Node) -> Fraction:
    """sensitivity/scale."""
    return nonnegative(node, "sensitivity") / positive(node, "noise_scale")


def shift(node: Node) -> int:
    """The sensitivity of a mechanism on the integers."""
    value = nonnegative(node, "sensitivity")
    if value.denominator != 1:
        raise Refuted(f"{node.kind}: sensitivity must be a whole number")
    return value.numerator


# --- normal noise ------------------------------------------------------------------------------


@rule("Gaussian.gdp")
def gaussian_gdp(step: Step) -> None:
    """mu = sensitivity/scale."""
    step.gives("GDP")
    require_root(step.value("mu"), square_of_mu(require_leaf(step)), "mu")


@rule("Gaussian.zcdp", "DiscreteGaussian.zcdp")
def gaussian_zcdp(step: Step) -> None:
    """rho = (sensitivity/scale)^2/2."""
    node = require_leaf(step)
    if node.kind == "DiscreteGaussian":
        shift(node)
    require_rho(step, square_of_mu(node) / 2)


def largest_shift(node: Node) -> Fraction:
    """The largest shift of a mixture, all of them being at least 0, and its weights a law."""
    shifts, weights = node.parameters.get("shifts"), node.parameters.get("weights")
    if not isinstance(shifts, list) or not isinstance(weights, list) or not shifts:
        raise Refuted("a mixture has shifts and weights")
    numbers = [exact(text, "shift") for text in shifts]
    if min(numbers) < 0 or len(weights) != len(shifts):
        raise Refuted("a mixture has as many weights as shifts, which are at least 0")
    return max(numbers)


@rule("GaussianMixture.gdp")
def mixture_gdp(step: Step) -> None:
    """mu of the largest shift, by joint convexity."""
    step.gives("GDP")
    node = require_leaf(step)
    square = (largest_shift(node) / positive(node, "noise_scale")) ** 2
    require_root(step.value("mu"), square, "mu")


@rule("GaussianMixture.zcdp")
def mixture_zcdp(step: Step) -> None:
    """rho of the largest shift, by quasi-convexity."""
    node = require_leaf(step)
    require_rho(step, (largest_shift(node) / positive(node, "noise_scale")) ** 2 / 2)


@rule("DiscreteGaussianVector.zcdp")
def vector_zcdp(step: Step) -> None:
    """rho = squared sensitivity/(2 variance)."""
    node = require_leaf(step)
    if "squared_sensitivity" in node.parameters:
        square = nonnegative(node, "squared_sensitivity")
    else:
        square = nonnegative(node, "sensitivity") ** 2
    require_rho(step, square / variance(node) / 2)


# --- Laplace and logistic noise ----------------------------------------------------------------


@rule("Laplace.pure", "DiscreteLaplace.pure")
def laplace_pure(step: Step) -> None:
    """epsilon = sensitivity/scale."""
    step.gives("PureDP")
    node = require_leaf(step)
    if node.kind == "DiscreteLaplace":
        shift(node)
    require_at_least(step.value("epsilon"), ratio(node), "epsilon")


@rule("Laplace.zcdp")
def laplace_zcdp(step: Step) -> None:
    """rho = epsilon + e^-epsilon - 1."""
    epsilon = ratio(require_leaf(step))
    require_rho(step, lambda: ball(epsilon) + (-ball(epsilon)).expm1())


@rule("Laplace.gdp")
def laplace_gdp(step: Step) -> None:
    """mu = -2 Phi^-1(e^(-epsilon/2)/2)."""
    step.gives("GDP")
    epsilon = ratio(require_leaf(step))
    require_solution(
        step.value("mu"),
        lambda mu: -(2 * upper_tail(mu / 2)).log(),
        lambda: ball(epsilon / 2),
        "mu",
    )


@rule("DiscreteLaplace.zcdp")
def discrete_laplace_zcdp(step: Step) -> None:
    """The Kullback-Leibler divergence, a sum over the points between the two centres."""
    node = require_leaf(step)
    whole, unit = shift(node), 1 / positive(node, "noise_scale")
    if whole > MOST_VERTICES:
        raise NotChecked("the divergence of so large a shift")

    def divergence() -> arb:
        r = (-ball(unit)).exp()
        between = sum(((whole - 2 * j) * r**j for j in range(1, whole)), arb(0))
        return ball(unit) * (whole * (1 - r**whole) + (1 - r) * between) / (1 + r)

    require_rho(step, divergence if whole else Fraction(0))


@rule("DiscreteLaplace.gdp")
def discrete_laplace_gdp(step: Step) -> None:
    """mu at the middle vertex, where both tails are next to one another."""
    step.gives("GDP")
    node = require_leaf(step)
    whole, unit = shift(node), 1 / positive(node, "noise_scale")

    def middle() -> arb:
        r, j = (-ball(unit)).exp(), (whole + 1) // 2
        tails = (r**j / (1 + r), r ** (whole + 1 - j) / (1 + r))
        return score(tails[0]) + score(tails[1])

    require_at_least(step.value("mu"), middle if whole else Fraction(0), "mu")


@rule("Logistic.logistic")
def logistic(step: Step) -> None:
    """epsilon = sensitivity/scale."""
    step.gives("LogisticDP")
    require_at_least(step.value("epsilon"), ratio(require_leaf(step)), "epsilon")


# --- mechanisms that are named by their epsilon ------------------------------------------------

STATED = {
    "Exponential.bounded_range": "BoundedRange",
    "PermuteAndFlip.pure": "PureDP",
    "RandomizedResponse.pure": "PureDP",
    "ReportNoisyMax.pure": "PureDP",
    "ReportNoisyMax.bounded_range": "BoundedRange",
    "SparseVector.pure": "PureDP",
}


@rule(*STATED)
def stated(step: Step) -> None:
    """Their own epsilon."""
    step.gives(STATED[step.theorem])
    node = require_leaf(step)
    gumbel = node.parameters.get("noise") == "gumbel"
    if step.theorem == "ReportNoisyMax.bounded_range" and not gumbel:
        raise Refuted("only Gumbel noise has bounded range")
    require_at_least(step.value("epsilon"), nonnegative(node, "epsilon"), "epsilon")


def response(step: Step) -> tuple[Fraction, Fraction]:
    """epsilon and the number of answers of randomised response."""
    node = require_leaf(step)
    categories = node.number("categories")
    if categories.denominator != 1 or categories < 2:
        raise Refuted("randomised response has at least two answers")
    return nonnegative(node, "epsilon"), categories


@rule("RandomizedResponse.zcdp")
def response_zcdp(step: Step) -> None:
    """rho = epsilon tanh(epsilon/2) for two answers, the divergence for up to six."""
    epsilon, categories = response(step)
    if categories > MOST_CATEGORIES:
        raise NotChecked("randomised response of more than six answers under zCDP")

    def divergence() -> arb:
        grown = ball(epsilon).expm1()
        return ball(epsilon) * grown / (grown + ball(categories))

    require_rho(step, divergence if categories > 2 else lambda: rho_of_pure(epsilon))


@rule("RandomizedResponse.gdp")
def response_gdp(step: Step) -> None:
    """mu = Phi^-1 of the probability of the truth less that of any other answer."""
    step.gives("GDP")
    epsilon, categories = response(step)
    if categories == 2:
        require_solution(step.value("mu"), half_odds, lambda: ball(epsilon), "mu")
        return

    def between() -> arb:
        all_odds = ball(epsilon).exp() + ball(categories - 1)
        return score(1 / all_odds) - score(ball(epsilon).exp() / all_odds)

    require_at_least(step.value("mu"), between if epsilon else Fraction(0), "mu")


def log_ratio(node: Node) -> Truth:
    """The largest |log(p/q)| of a finite pair, all of whose numbers are above 0."""
    laws = [node.parameters.get(name) for name in ("p", "q")]
    if not all(isinstance(law, list) and law for law in laws) or len(laws[0]) != len(laws[1]):  # type: ignore[arg-type]
        raise Refuted("a finite pair has two lists of the same length")
    p, q = ([exact(text, "probability") for text in law] for law in laws)  # type: ignore[union-attr]
    if min(p) <= 0 or min(q) <= 0:
        raise NotChecked("finite pairs that may fail")
    largest = max(max(a / b, b / a) for a, b in zip(p, q, strict=True))
    return lambda: ball(largest).log()


@rule("FinitePair.pure", "FinitePair.zcdp", "GaussianSparseVector.profile")
@rule("DiscreteGaussianVector.gdp")
def not_checked(step: Step) -> None:
    """Mechanisms of which only the composition is derived again, or nothing."""
    raise NotChecked(f"{step.theorem} is not derived again")
