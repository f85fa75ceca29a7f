"""Conversions between notions whose parameters are numbers."""

from __future__ import annotations

from fractions import Fraction

from flint import arb

from tightrope.verify.exact.normal import half_odds
from tightrope.verify.numbers import Truth, ball, require_at_least, require_solution
from tightrope.verify.outcome import Refuted
from tightrope.verify.step import Step, rule


@rule("zcdp_to_gdp")
def zcdp_to_gdp(step: Step) -> None:
    """t tanh(t/2) = rho + xi with t the log-odds of Phi(mu/2)."""
    step.gives("GDP")
    source = step.same("ZCDP")
    total = source.values["rho"] + source.values["xi"]

    def rising(mu: arb) -> arb:
        t = half_odds(mu)
        return t * (t / 2).tanh()

    require_solution(step.value("mu"), rising, lambda: ball(total), "mu")


@rule("range_to_gdp", "range_to_gdp_from_BoundedRange")
def range_to_gdp(step: Step) -> None:
    """The log-odds of Phi(mu/2) are epsilon/2."""
    step.gives("GDP")
    notion = "BoundedRange" if step.theorem.endswith("BoundedRange") else "LogisticDP"
    epsilon = step.same(notion).number
    require_solution(step.value("mu"), half_odds, lambda: ball(epsilon / 2), "mu")


@rule("pure_to_gdp")
def pure_to_gdp(step: Step) -> None:
    """The log-odds of Phi(mu/2) are epsilon."""
    step.gives("GDP")
    epsilon = step.same("PureDP").number
    require_solution(step.value("mu"), half_odds, lambda: ball(epsilon), "mu")


LINEAR: dict[str, tuple[str, str, int]] = {
    "bounded_range_to_pure": ("BoundedRange", "PureDP", 1),
    "logistic_to_pure": ("LogisticDP", "PureDP", 1),
    "pure_to_bounded_range": ("PureDP", "BoundedRange", 2),
    "pure_to_logistic": ("PureDP", "LogisticDP", 2),
    "bounded_range_to_logistic": ("BoundedRange", "LogisticDP", 1),
    "logistic_to_bounded_range": ("LogisticDP", "BoundedRange", 2),
}
"""Conversions that multiply epsilon by a whole number."""


@rule(*LINEAR)
def linear(step: Step) -> None:
    """Epsilon, or twice epsilon."""
    source, target, factor = LINEAR[step.theorem]
    step.gives(target)
    require_at_least(step.value("epsilon"), factor * step.same(source).number, "epsilon")


@rule("offset_zcdp_to_pure")
def offset_zcdp_to_pure(step: Step) -> None:
    """epsilon = xi, if rho is 0."""
    step.gives("PureDP")
    source = step.same("ZCDP")
    if source.values["rho"] != 0:
        raise Refuted("rho is not 0")
    require_at_least(step.value("epsilon"), source.values["xi"], "epsilon")


@rule("zcdp_to_tcdp")
def zcdp_to_tcdp(step: Step) -> None:
    """rho + xi, at orders up to any omega."""
    step.gives("TCDP")
    source = step.same("ZCDP")
    require_at_least(step.value("rho"), source.values["rho"] + source.values["xi"], "rho")
    if step.value("omega") <= 1:
        raise Refuted("omega is not above 1")


def rho_of_pure(epsilon: Fraction) -> arb:
    """epsilon tanh(epsilon/2)."""
    return ball(epsilon) * ball(epsilon / 2).tanh()


@rule("pure_to_zcdp")
def pure_to_zcdp(step: Step) -> None:
    """rho = epsilon tanh(epsilon/2)."""
    epsilon = step.same("PureDP").number
    require_rho(step, lambda: rho_of_pure(epsilon))


@rule("pure_to_offset_zcdp")
def pure_to_offset_zcdp(step: Step) -> None:
    """xi = epsilon, rho = 0."""
    step.gives("ZCDP")
    require_at_least(step.value("xi"), step.same("PureDP").number, "xi")
    require_at_least(step.value("rho"), Fraction(0), "rho")


@rule("bounded_range_to_zcdp")
def bounded_range_to_zcdp(step: Step) -> None:
    """rho = epsilon/(e^epsilon - 1) + log((e^epsilon - 1)/epsilon) - 1."""
    epsilon = step.same("BoundedRange").number

    def rho() -> arb:
        if epsilon == 0:
            return arb(0)
        grown = ball(epsilon).expm1()
        return ball(epsilon) / grown + (grown / ball(epsilon)).log() - 1

    require_rho(step, rho)


@rule("logistic_to_zcdp")
def logistic_to_zcdp(step: Step) -> None:
    """rho = epsilon coth(epsilon/2) - 2."""
    epsilon = step.same("LogisticDP").number

    def rho() -> arb:
        return ball(epsilon) / ball(epsilon / 2).tanh() - 2 if epsilon else arb(0)

    require_rho(step, rho)


@rule("gdp_to_zcdp")
def gdp_to_zcdp(step: Step) -> None:
    """rho = mu^2/2."""
    require_rho(step, step.same("GDP").number ** 2 / 2)


def require_rho(step: Step, truth: Truth | Fraction) -> None:
    """The step gives (rho, 0)-zCDP."""
    step.gives("ZCDP")
    require_at_least(step.value("rho"), truth, "rho")
    require_at_least(step.value("xi"), Fraction(0), "xi")
