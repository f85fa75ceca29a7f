"""Mechanisms that choose, named by their epsilon."""

from __future__ import annotations

from fractions import Fraction

from flint import arb

from tightrope.verify.exact.normal import half_odds, score
from tightrope.verify.numbers import ball, require_at_least, require_solution
from tightrope.verify.outcome import Refuted
from tightrope.verify.rules.conversions import require_rho, rho_of_pure
from tightrope.verify.rules.leaf import nonnegative
from tightrope.verify.rules.many_answers import require_rho_of_answers
from tightrope.verify.rules.mechanisms import require_leaf
from tightrope.verify.step import Step, rule

MOST_CATEGORIES = 6
"""Most answers for which rho is the Kullback-Leibler divergence at any epsilon."""

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
    if categories > MOST_CATEGORIES and epsilon:
        step.gives("ZCDP")
        require_at_least(step.value("xi"), Fraction(0), "xi")
        require_rho_of_answers(step.value("rho"), epsilon, categories)
        return

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
