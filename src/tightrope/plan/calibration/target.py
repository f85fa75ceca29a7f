"""What a target asks of an event: how far the event misses it, proved and roughly.

The rough misses are quick and near, and nothing follows from them; a search begins there.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from fractions import Fraction
from functools import partial
from typing import Any, NamedTuple

import numpy as np

from tightrope._check import Real
from tightrope._errors import InvalidArgument
from tightrope._wire import shown, shown_down
from tightrope.events import Event
from tightrope.notions import (
    GDP,
    RDP,
    TCDP,
    ZCDP,
    ApproxDP,
    Guarantee,
    LogisticDP,
    Profile,
    PureDP,
    TradeOff,
)
from tightrope.notions.curves import CurveGuarantee
from tightrope.notions.renyi_curve import Tabulated
from tightrope.num.rounding import float_down, float_up
from tightrope.plan import answers
from tightrope.plan.calibration.error_points import ErrorPoints
from tightrope.plan.calibration.misses import log_ratio, worst
from tightrope.plan.calibration.profile_points import ProfilePoints
from tightrope.plan.to_notion import to

LOSSLESS = (GDP, PureDP, ApproxDP, LogisticDP)
"""Guarantees that say no more and no less than their curves."""


class Aim(NamedTuple):
    """What a target asks of an event.

    Attributes:
        miss: the proved miss; raises NotReachable where nothing can be proved.
        rough: the rough one; None where it is not known for that event.
        follow: from an event to a function that gives sharp misses of events that hardly differ
            from it; None where there is no such function. Nothing follows from them either.
        told: what the event reaches, in words.
    """

    miss: Callable[[Event], float]
    rough: Callable[[Event], float | None]
    told: Callable[[Event], str]
    follow: Callable[[Event], Callable[[Event], float] | None] = lambda _: None


def aim(target: Any) -> Aim:
    """What ``target`` asks.

    Raises:
        InvalidArgument: it is no guarantee, or one that cannot be verified.
    """
    if isinstance(target, CurveGuarantee) and isinstance(target.event, LOSSLESS):
        target = target.event
    if isinstance(target, CurveGuarantee) and target.points is None:
        raise InvalidArgument(
            "calibrate: target must be a curve given by points, such as tr.TradeOff(alpha, "
            f"event.tradeoff(alpha)); the curve of a whole event is none; you passed {target!r}"
        )
    if isinstance(target, RDP):
        return _renyi(target)
    if isinstance(target, TradeOff):
        return _tradeoff(target)
    if isinstance(target, Profile | ApproxDP):
        return _claims(target)
    if isinstance(target, Guarantee):
        return Aim(partial(_scalar, target), _unknown, partial(_told_scalar, type(target)))
    raise InvalidArgument(
        "calibrate: target must be a guarantee, such as tr.ApproxDP(1.0, 1e-6) or tr.GDP(0.5); "
        f"you passed {target!r}"
    )


def _unknown(_: Event) -> None:
    return None


# --- notions with plain parameters ----------------------------------------------------------


def _scalar(target: Any, event: Event) -> float:
    pairs = list(_pairs(to(event, type(target)), target))
    if len(pairs) == 1:
        have, want = pairs[0]
        return log_ratio(float_up(have), float_down(want))
    # of several numbers one may be fixed, and 1/10 here may be the double 0.1 there
    return worst(log_ratio(float(have), float(want)) for have, want in pairs)


def _pairs(found: Any, target: Any) -> Iterable[tuple[Real, Real]]:
    """Numbers of which none may be above the other for the target to hold."""
    if isinstance(target, TCDP):  # a larger reach is the stronger promise
        return (found.rho, target.rho), (target.omega, found.omega)
    if isinstance(target, ZCDP):  # the line is below the other at order 1 and towards infinity
        at_one = (Fraction(line.rho) + Fraction(line.xi) for line in (found, target))
        return (found.rho, target.rho), tuple(at_one)  # type: ignore[return-value]
    return zip(found.values, target.values, strict=True)


def _told_scalar(notion: type, event: Event) -> str:
    return repr(to(event, notion))


def _renyi(target: RDP) -> Aim:
    curve = target.curve
    if not isinstance(curve, Tabulated):
        raise InvalidArgument(
            "calibrate: an RDP target needs orders, as in tr.RDP([8], [0.5]); a function of the "
            "order cannot be verified at every order"
        )
    orders = np.array(curve.orders)

    def miss(event: Event) -> float:
        found = np.asarray(to(event, RDP)(orders))
        return worst(map(log_ratio, found.tolist(), curve.values))

    def told(event: Event) -> str:
        found = [float(shown(value)) for value in to(event, RDP)(orders)]
        return f"RDP({orders.tolist()}, {found})"

    return Aim(miss, _unknown, told)


# --- curves ---------------------------------------------------------------------------------


def _tradeoff(target: TradeOff) -> Aim:
    given = np.array(target.points)
    alpha, beta = given[:, given[1] > 0]  # the others ask for nothing
    points = ErrorPoints(alpha, beta)

    def told(event: Event) -> str:
        found = [float(shown_down(value)) for value in answers.tradeoff(event, alpha)]
        return f"TradeOff({alpha.tolist()}, {found})"

    return Aim(points.miss, points.rough, told)


def _claims(target: Any) -> Aim:
    """Several (epsilon, delta) at once; of those with delta = 0 the least epsilon is pure."""
    asked: Any = [target.values]
    if isinstance(target, Profile):
        asked = np.transpose(np.array(target.points)).tolist()
    known = [(float_down(epsilon), float_down(delta)) for epsilon, delta in asked]
    pure = min((epsilon for epsilon, delta in known if delta == 0), default=math.inf)
    points = ProfilePoints([(epsilon, delta) for epsilon, delta in known if 0 < delta < 1])

    def miss(event: Event) -> float:
        found = points.miss(event)
        if pure < math.inf:
            found = max(found, log_ratio(float(to(event, PureDP).epsilon), pure))
        return found

    def told(event: Event) -> str:
        if isinstance(target, ApproxDP):
            return repr(to(event, ApproxDP, delta=target.delta))
        epsilon = [point[0] for point in known]
        found = [float(shown(value)) for value in answers.delta(event, epsilon)]
        return f"Profile({epsilon}, {found})"

    if pure < math.inf:
        return Aim(miss, _unknown, told)
    return Aim(miss, points.rough, told, points.follow)
