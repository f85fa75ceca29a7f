"""Portfolios of private selection: what is told by the best of a random number of runs."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from tightrope.events import NegativeBinomialRepetitions, Repeated, Repetitions
from tightrope.notions import GDP, LogisticDP, PureDP
from tightrope.num.rounding import EPS, up
from tightrope.plan.derivation import PROFILE, after, claim
from tightrope.plan.portfolio.candidates import LogDelta, least_profile, profile_candidates
from tightrope.plan.portfolio.composition import add_curve
from tightrope.plan.portfolio.grouping import offer_from
from tightrope.plan.portfolio.leaves import with_straight_curves
from tightrope.plan.portfolio.portfolio import Candidate, Portfolio
from tightrope.plan.portfolio.tree import planned, portfolio_of
from tightrope.theorems.registry import named
from tightrope.theorems.selection import select_profile, shift_binomial, shift_poisson
from tightrope.theorems.selection_curves import renyi_tail

QUICK: dict[type, str] = {
    PureDP: "pure_profile",
    LogisticDP: "logistic_profile",
    GDP: "gaussian_profile",
}
"""Profiles in closed form, which a Renyi curve can afford to ask for at every order."""


@planned.register
def _repeated(event: Repeated) -> Portfolio:
    child, law = portfolio_of(event.event), event.times
    binomial = isinstance(law, NegativeBinomialRepetitions)
    failing = child.failure[0] > 0
    failure = np.minimum(up(child.failure * law.mean_up), 1.0) if failing else child.failure
    whole = Portfolio(1, failure)
    if child.numbers(PureDP) is not None:
        rule = named("select_pure" if binomial else "select_pure_poisson")
        values = rule(*child.values[PureDP], law)
        offer_from(whole, rule, values, child, f"runs: {law!r}")
        with_straight_curves(whole.close())
    if not failing:
        quick = least_profile(_quick_profiles(child))
        _selected_profiles(whole, child, law, quick)
        _selected_curve(whole, child, law, quick)
    return whole


def _selected_profiles(
    whole: Portfolio, child: Portfolio, law: Repetitions, quick: LogDelta
) -> None:
    """Every route of one run, shifted and multiplied by the expected number of runs."""
    routes = profile_candidates(child)
    if not routes:
        return
    shift = _shift(law, quick, least_profile(route.curve for route in routes))
    rule = named("select_profile")
    _shift_pure(whole, child, shift)
    for inner in routes:
        profile = partial(select_profile, law=law, shift=shift, log_delta=inner.curve)
        solve = inner.solve
        solved = solve and partial(_solved, solve=solve, shift=shift, log_mean=law.log_mean)
        step = after(inner.origin, rule, PROFILE, f"shift = {shift:.4g}, runs: {law!r}")
        whole.profiles.append(Candidate(profile, step, solved))


def _shift_pure(whole: Portfolio, child: Portfolio, shift: float) -> None:
    """A profile that ends at epsilon ends later by the shift, which may be less than the rule's."""
    pure = child.numbers(PureDP)
    if pure is None:
        return
    rule, moved = named("select_profile"), up(pure[0] + shift)
    step = after(partial(child.step, PureDP), rule, claim(PureDP, (moved,)), f"shift = {shift:.4g}")
    if whole.offer(PureDP, moved, step):
        with_straight_curves(whole.close())


def _shift(law: Repetitions, quick: LogDelta, best: LogDelta) -> float:
    """The shift of the best profile, which is slow to ask, started from that of a quick one."""
    if isinstance(law, NegativeBinomialRepetitions):
        return shift_binomial(law, best, known=shift_binomial(law, quick))
    return shift_poisson(law, best)  # type: ignore[arg-type]


def _solved(
    target: float, *, solve: Callable[[float], float], shift: float, log_mean: float
) -> float:
    """The least epsilon of the whole, by the fast way that is known for one run."""
    wanted = target - log_mean
    safe = wanted - 8 * EPS * (1 + abs(target) + abs(log_mean) + abs(wanted))
    return up(shift + float(solve(safe)), 4) if safe < 0 else up(shift)


def _selected_curve(whole: Portfolio, child: Portfolio, law: Repetitions, quick: LogDelta) -> None:
    if child.curve is None:
        return
    curve = child.curve([1])
    if curve.max_order <= 1:
        return
    binomial = isinstance(law, NegativeBinomialRepetitions)
    rule = named("select_rdp" if binomial else "select_rdp_poisson")
    add_curve(whole, rule(curve, law, quick))


def _quick_profiles(child: Portfolio) -> list[LogDelta]:
    """Those of one run that cost little, with the fast tail of its Renyi curve."""
    profiles: list[LogDelta] = [route.curve for route in child.profiles]
    for notion, name in QUICK.items():
        numbers = child.numbers(notion)
        if numbers is not None:
            profiles.append(partial(_at, name=name, numbers=numbers))
    if child.curve is not None:
        profiles.append(renyi_tail(child.curve([1])))
    return profiles


def _at(epsilon: Any, name: str, numbers: tuple[float, ...]) -> Any:
    return named(name)(epsilon, *numbers)
