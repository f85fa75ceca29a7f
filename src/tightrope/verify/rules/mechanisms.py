"""What single mechanisms guarantee, from their parameters as they were given."""

from __future__ import annotations

from fractions import Fraction

from flint import arb

from tightrope.verify.event import Node
from tightrope.verify.exact.normal import score, upper_tail
from tightrope.verify.numbers import ball, exact, require_at_least, require_solution
from tightrope.verify.outcome import NotChecked, Refuted
from tightrope.verify.rules.composition import require_root
from tightrope.verify.rules.conversions import require_rho
from tightrope.verify.rules.leaf import nonnegative, positive, ratio, shift, square_of_mu, variance
from tightrope.verify.step import Step, rule

MOST_VERTICES = 10_000
"""Largest shift of discrete Laplace noise whose vertices are added up."""


def require_leaf(step: Step) -> Node:
    """The step is about a mechanism of its theorem's kind, and rests on nothing else."""
    kind = step.theorem.partition(".")[0]
    if step.inputs or step.about.kind != kind:
        raise Refuted(f"the step is not about a {kind}")
    return step.about


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
