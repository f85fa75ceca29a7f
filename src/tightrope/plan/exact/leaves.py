"""The exact engine's view of leaves: the pairs that dominate one release."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import singledispatch, wraps
from typing import Any

import numpy as np

from tightrope.loss.dominating import Dominating
from tightrope.loss.finite.finite import FiniteLoss
from tightrope.loss.finite.lattice_cover import on_lattice
from tightrope.loss.finite.listed import ListedPair
from tightrope.loss.gaussian import GaussianLoss
from tightrope.loss.logistic import LogisticLoss
from tightrope.loss.loss import Loss
from tightrope.mechanisms.mechanism import Mechanism
from tightrope.notions import GDP, ZCDP, ApproxDP, BoundedRange, LogisticDP, PureDP
from tightrope.notions.curves import CurveGuarantee
from tightrope.num.rounding import float_up, up
from tightrope.plan.portfolio.tree import portfolio_of
from tightrope.plan.remembered import AnyEvent, remembered


@singledispatch
def dominating(event: Any) -> Dominating | None:
    """The dominating pairs of an event, composed order by order; None if they are not known."""
    return None


def _if_ordinary(
    find: Callable[[AnyEvent], Dominating | None],
) -> Callable[[AnyEvent], Dominating | None]:
    """A rule for a leaf: tiny losses are raised, and huge ones left to the theorems."""

    @wraps(find)
    def found(event: AnyEvent) -> Dominating | None:
        pair = find(event)
        if pair is None or pair.ordinary:
            return pair
        raised = pair.raised()
        return raised if raised.ordinary else None

    return found


@dominating.register
@remembered
@_if_ordinary
def _mechanism(event: Mechanism) -> Dominating | None:
    """Its own pair, or that of the first of its facts that has one."""
    known = event.dominating()
    if known is not None:
        return known
    facts, numbers = event.facts(), event.strength()
    for notion, loss in ((BoundedRange, LogisticLoss.one), (PureDP, _response), (GDP, _normal)):
        if notion in facts and (number := _number(facts[notion](*numbers))) < math.inf:
            return Dominating.symmetric(loss(number), attained=False)
    return None


def _number(value: Any) -> float:
    return float(np.ravel(value)[0])


def _response(epsilon: float) -> Loss:
    return FiniteLoss.randomized_response(epsilon)


def _normal(mu: float) -> Loss:
    return GaussianLoss(up(mu * mu) if mu else 0.0)


@dominating.register
def _pure(event: PureDP) -> Dominating:
    return Dominating.symmetric(FiniteLoss.randomized_response(float_up(event.epsilon)))


@dominating.register
def _approximate(event: ApproxDP) -> Dominating:
    return Dominating.symmetric(FiniteLoss.approx(float_up(event.epsilon), float_up(event.delta)))


@dominating.register
@_if_ordinary
def _gaussian(event: GDP) -> Dominating:
    return Dominating.symmetric(_normal(float_up(event.mu)))


@dominating.register
@_if_ordinary
def _concentrated(event: ZCDP) -> Dominating | None:
    """The Gaussian pair of its GDP parameter, which lies below its testing boundary."""
    known = portfolio_of(event).numbers(GDP)
    if known is None:
        return None
    return Dominating.symmetric(_normal(known[0]), attained=False)


@dominating.register
@_if_ordinary
def _logistic(event: LogisticDP) -> Dominating:
    return Dominating.symmetric(LogisticLoss.one(float_up(event.epsilon)))


@dominating.register
@_if_ordinary
def _bounded_range(event: BoundedRange) -> Dominating:
    return Dominating.symmetric(LogisticLoss.one(float_up(event.epsilon)), attained=False)


@dominating.register
def _curve(event: CurveGuarantee) -> Dominating | None:
    """The pair of the curve's corners, which are rounded to the side of more leakage.

    The curve holds for both orders, so one of the two orders of its pair covers both.
    """
    if event.event is not None:
        return dominating(event.event)
    corners = event.piecewise().vertices
    alpha, power = (
        [column.exact(i) for i in range(len(column))] for column in (corners.alpha, corners.power)
    )
    pair = ListedPair.of_corners(alpha, power)
    return on_lattice(Dominating.symmetric(pair.reversed().loss(), attained=False))
