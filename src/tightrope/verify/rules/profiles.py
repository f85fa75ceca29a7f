"""Points of privacy profiles and of trade-off curves, by formulas."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

from flint import arb

from tightrope.verify.exact import normal
from tightrope.verify.numbers import CLOSE, ball, compare, require_at_most, require_true
from tightrope.verify.outcome import NotChecked
from tightrope.verify.rules.choices import response
from tightrope.verify.rules.leaf import ratio
from tightrope.verify.rules.mechanisms import require_leaf
from tightrope.verify.step import Step, rule

ABSOLUTE = Fraction(1, 10**14)
"""Next to the end of a profile delta is a difference, known to so much only."""

Profile = Callable[[arb], arb]
"""From epsilon to delta, in balls."""


def require_point(step: Step, delta: Profile, end: Fraction | None = None) -> None:
    """The point lies on the profile or above it, and no better one is next to it.

    From ``end`` on, if there is one, delta is 0, which no ball around 0 tells.
    """
    step.gives("ApproxDP")
    epsilon, claimed = step.value("epsilon"), step.value("delta")
    ended = end is not None and epsilon >= end
    enough = ended or compare(lambda: ball(claimed), lambda: delta(ball(epsilon)))
    require_true(enough, "delta is below the privacy profile at this epsilon")
    less = epsilon * (1 - CLOSE)
    if epsilon and compare(lambda: delta(ball(less)), lambda: ball(claimed)) is True:
        return
    smaller = claimed * (1 - CLOSE) - ABSOLUTE
    if compare(lambda: delta(ball(epsilon)), lambda: ball(smaller)) is not True:
        raise NotChecked("the point lies above what the theorem gives, in epsilon and in delta")


@rule("gaussian_profile")
def gaussian_profile(step: Step) -> None:
    """delta = Phi(mu/2 - e/mu) - exp(e) Phi(-mu/2 - e/mu)."""
    mu = step.same("GDP").number
    if mu == 0:
        raise NotChecked("the profile of mu = 0")
    require_point(step, lambda e: normal.profile(e, ball(mu)))


@rule("pure_profile")
def pure_profile(step: Step) -> None:
    """delta = (exp(epsilon) - exp(e))+ / (exp(epsilon) + 1)."""
    epsilon = step.same("PureDP").number
    require_point(step, lambda e: response_profile(e, epsilon, Fraction(2)), epsilon)


def response_profile(e: arb, epsilon: Fraction, categories: Fraction) -> arb:
    """(exp(epsilon) - exp(e))+ / (exp(epsilon) + k - 1)."""
    grown = ball(epsilon).exp()
    return (grown - e.exp()).max(arb(0)) / (grown + ball(categories - 1))


@rule("logistic_profile", "logistic_profile_from_LogisticDP")
def logistic_profile(step: Step) -> None:
    """delta = (exp(epsilon/2) - exp(e/2))^2 / (exp(epsilon) - 1), e <= epsilon."""
    source = "LogisticDP" if step.theorem.endswith("LogisticDP") else "BoundedRange"
    found = step.same(source, "LogisticDP")
    epsilon = found.number
    if not 0 <= step.value("epsilon") <= epsilon or epsilon == 0:
        raise NotChecked("the profile of a logistic pair beyond its end")

    def delta(e: arb) -> arb:
        return (ball(epsilon / 2).exp() - (e / 2).exp()) ** 2 / ball(epsilon).expm1()

    require_point(step, delta)


@rule("Laplace.profile")
def laplace_profile(step: Step) -> None:
    """delta = 1 - exp((e - epsilon)/2), |e| < epsilon."""
    epsilon = ratio(require_leaf(step))
    require_point(step, lambda e: (-((e - ball(epsilon)) / 2).expm1()).max(arb(0)), epsilon)


@rule("RandomizedResponse.profile")
def randomised_response_profile(step: Step) -> None:
    """delta = (exp(epsilon) - exp(e))+ / (exp(epsilon) + k - 1)."""
    epsilon, categories = response(step)
    require_point(step, lambda e: response_profile(e, epsilon, categories), epsilon)


@rule("zcdp_profile_classic")
def zcdp_profile_classic(step: Step) -> None:
    """delta = exp(-(e - xi - rho)^2/(4 rho))."""
    source = step.same("ZCDP")
    rho, xi = source.values["rho"], source.values["xi"]
    if rho == 0 or step.value("epsilon") < xi + rho:
        raise NotChecked("the classic formula below its range")
    require_point(step, lambda e: (-((e - ball(xi + rho)) ** 2) / ball(4 * rho)).exp())


# --- trade-off curves --------------------------------------------------------------------------


@rule("approx_tradeoff")
def approx_tradeoff(step: Step) -> None:
    """beta = max(0, 1 - delta - e^epsilon alpha, e^-epsilon (1 - delta - alpha))."""
    step.gives("TradeOff")
    source = step.same("ApproxDP")
    epsilon, delta = source.values["epsilon"], source.values["delta"]
    alpha = step.value("alpha")

    def highest() -> arb:
        grown = ball(epsilon).exp()
        lines = (1 - ball(delta) - grown * ball(alpha), (1 - ball(delta) - ball(alpha)) / grown)
        return lines[0].max(lines[1]).max(arb(0))

    require_at_most(step.value("beta"), highest, "beta")


@rule("gaussian_tradeoff")
def gaussian_tradeoff(step: Step) -> None:
    """beta = Phi(Phi^-1(1 - alpha) - mu)."""
    step.gives("TradeOff")
    mu, alpha = step.same("GDP").number, step.value("alpha")
    if not 0 < alpha < 1:
        raise NotChecked("the ends of a trade-off curve")

    def beta() -> arb:
        return normal.upper_tail(ball(mu) - normal.score(ball(alpha)))

    require_at_most(step.value("beta"), beta, "beta")


@rule("pure_tradeoff")
def pure_tradeoff(step: Step) -> None:
    """beta = max(1 - e^epsilon alpha, e^-epsilon (1 - alpha))."""
    step.gives("TradeOff")
    epsilon, alpha = step.same("PureDP").number, step.value("alpha")

    def beta() -> arb:
        grown = ball(epsilon).exp()
        return (1 - grown * ball(alpha)).max((1 - ball(alpha)) / grown)

    require_at_most(step.value("beta"), beta, "beta")


@rule("logistic_tradeoff", "logistic_tradeoff_from_LogisticDP")
def logistic_tradeoff(step: Step) -> None:
    """beta = (1 - alpha)/(1 + (e^epsilon - 1) alpha)."""
    step.gives("TradeOff")
    epsilon, alpha = step.same("LogisticDP", "BoundedRange").number, step.value("alpha")

    def beta() -> arb:
        return (1 - ball(alpha)) / (1 + ball(epsilon).expm1() * ball(alpha))

    require_at_most(step.value("beta"), beta, "beta")
