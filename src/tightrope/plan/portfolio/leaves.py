"""Portfolios of leaves: columns of guarantees or mechanisms of one class."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import singledispatch
from typing import Any

import numpy as np

from tightrope.events.event import Event
from tightrope.events.nodes import spelled
from tightrope.mechanisms.finite_pair import FinitePair
from tightrope.mechanisms.mechanism import Mechanism
from tightrope.notions import (
    GDP,
    RDP,
    TCDP,
    ZCDP,
    ApproxDP,
    Guarantee,
    Profile,
    PureDP,
    TradeOff,
)
from tightrope.notions.curves import CurveGuarantee
from tightrope.notions.piecewise import PiecewiseCurve
from tightrope.notions.renyi_curve import Column, RenyiCurve, Total
from tightrope.num.arrays import Floats
from tightrope.num.rounding import float_down, float_up, up
from tightrope.plan.derivation import PROFILE, Origin, Step, after, claim
from tightrope.plan.portfolio.portfolio import SCALARS, Candidate, Portfolio, route
from tightrope.theorems.into_rdp import pure_to_rdp, tcdp_to_rdp, zcdp_to_rdp
from tightrope.theorems.registry import Theorem, named
from tightrope.theorems.renyi_supremum import renyi_finite

NOTHING = PiecewiseCurve.from_points([0, 1], [1, 0])
"""The curve of what leaks nothing."""


def leaf_column(leaves: Sequence[Event]) -> Portfolio:
    """The portfolio of leaves that are all of one class."""
    return _column(leaves[0], leaves)


@singledispatch
def _column(_: Any, leaves: Sequence[Any]) -> Portfolio:
    raise TypeError(f"{leaves[0]!r} is not something that can be accounted for")


def _given(leaves: Sequence[Event]) -> Origin:
    def origin(i: int) -> Step:
        leaf = leaves[i]
        known = leaf.derivation_step() if isinstance(leaf, Guarantee) else None
        return known if isinstance(known, Step) else Step(spelled(leaf))

    return origin


def _empty(size: int, failure: Any = 0.0) -> Portfolio:
    return Portfolio(size, np.broadcast_to(np.asarray(failure, dtype=float), (size,)))


@_column.register
def _guarantees(_: Guarantee, leaves: Sequence[Guarantee]) -> Portfolio:
    portfolio = _empty(len(leaves))
    rows = np.array([[float_up(value) for value in leaf.values] for leaf in leaves])
    portfolio.offer(type(leaves[0]), tuple(rows.T), _given(leaves))
    return with_straight_curves(portfolio.close())


@_column.register
def _approximate(_: ApproxDP, leaves: Sequence[ApproxDP]) -> Portfolio:
    portfolio = _empty(len(leaves), [float_up(leaf.delta) for leaf in leaves])
    epsilon = np.array([float_up(leaf.epsilon) for leaf in leaves])

    def origin(i: int) -> Step:
        note = "beside a failure of probability delta" if leaves[i].delta else ""
        given = _given(leaves)(i)
        return Step(claim(PureDP, (epsilon[i],)), named("approx_profile"), ((1, given),), note)

    portfolio.offer(PureDP, epsilon, origin)
    return with_straight_curves(portfolio.close())


@_column.register
def _truncated(_: TCDP, leaves: Sequence[TCDP]) -> Portfolio:
    portfolio = _empty(len(leaves))
    rho = np.array([float_up(leaf.rho) for leaf in leaves])
    omega = np.array([float_down(leaf.omega) for leaf in leaves])
    portfolio.offer(TCDP, (rho, omega), _given(leaves))
    portfolio.straight = False
    portfolio.curve = lambda counts: Column(
        tcdp_to_rdp, (rho, omega), np.array(counts, dtype=float), float(omega.min())
    )
    return portfolio


@_column.register
def _renyi(_: RDP, leaves: Sequence[RDP]) -> Portfolio:
    portfolio = _empty(len(leaves))
    given = _given(leaves)
    for notion in (PureDP, ZCDP):
        theorem = named(f"rdp_to_{'pure' if notion is PureDP else 'zcdp'}")
        with np.errstate(all="ignore"):
            results = [np.atleast_1d(theorem(_bounded(leaf.curve))) for leaf in leaves]
        columns = tuple(np.array(results, dtype=float).T)
        portfolio.offer(notion, columns, _by(theorem, notion, columns, given))
    portfolio.straight = False
    portfolio.curve = lambda counts: Total(tuple(leaf.curve for leaf in leaves), tuple(counts))
    return portfolio.close()


def _bounded(curve: RenyiCurve) -> Callable[[Any], Any]:
    """The curve; a function that cannot take an infinite order counts as unbounded there."""

    def at(orders: Any) -> Any:
        try:
            return curve(orders)
        except (OverflowError, ZeroDivisionError, ValueError):
            if np.ndim(orders) == 0 and np.isinf(orders):
                return np.inf
            raise

    return at


@_column.register(CurveGuarantee)
@_column.register(FinitePair)
def _curves(_: Any, leaves: Sequence[CurveGuarantee | FinitePair]) -> Portfolio:
    curves = [leaf.piecewise() for leaf in leaves]
    portfolio = _empty(len(leaves), [curve.failure for curve in curves])
    rests = [curve.without_failure() if curve.failure < 1 else NOTHING for curve in curves]
    given = _given(leaves)
    for notion, name in ((PureDP, "slope_to_pure"), (GDP, "vertices_to_gdp")):
        columns = (np.array([named(name)(rest) for rest in rests], dtype=float),)
        portfolio.offer(notion, columns, _by(named(name), notion, columns, given))
    kernels = tuple(_PairCurve(rest) for rest in rests)
    portfolio.straight = False
    portfolio.curve = lambda counts: Total(kernels, tuple(counts))
    if len(leaves) == 1:
        offer_piecewise(portfolio, rests[0], given)
    return portfolio.close()


class _PairCurve(RenyiCurve):
    """The Renyi curve of the pair behind a piecewise-linear trade-off curve."""

    max_order = np.inf

    nearest = 1e-6
    """Orders closer to 1 than this take the value there, as rounding is divided by order - 1."""

    def __init__(self, curve: PiecewiseCurve):
        self.masses, self.atoms = curve.pair(), curve.atoms

    def bound(self, orders: Floats) -> Floats:
        """The divergence, with the stated errors of the masses and log-ratios added."""
        safe = np.maximum(orders, 1 + self.nearest)
        values: Floats = renyi_finite(*self.masses, safe)
        return up(values + self.atoms.mass_error / (safe - 1) + self.atoms.loss_error, 64)


def offer_piecewise(portfolio: Portfolio, curve: PiecewiseCurve, origin: Origin) -> None:
    """Add an exact piecewise-linear curve (on what is left beside failures) to a portfolio."""
    portfolio.piecewise = curve
    portfolio.tradeoffs.append(Candidate(curve, origin))
    step = after(origin, named("tradeoff_to_profile"), PROFILE)
    portfolio.profiles.append(Candidate(curve.log_delta, step))


@_column.register
def _mechanisms(_: Mechanism, leaves: Sequence[Mechanism]) -> Portfolio:
    return mechanism_column(leaves, SCALARS)


def mechanism_column(leaves: Sequence[Event], notions: Sequence[type]) -> Portfolio:
    """The portfolio of mechanisms of one class by their facts in some notions only."""
    return _by_facts([leaf for leaf in leaves if isinstance(leaf, Mechanism)], notions)


def _by_facts(leaves: Sequence[Mechanism], notions: Sequence[type]) -> Portfolio:
    portfolio = _empty(len(leaves))
    strength = tuple(np.array([leaf.strength() for leaf in leaves]).T)
    facts = leaves[0].facts()
    given = _given(leaves)
    for notion in notions:
        if notion in facts:
            values = facts[notion](*strength)
            columns = values if isinstance(values, tuple) else (values,)
            portfolio.offer(notion, columns, _by(facts[notion], notion, columns, given))
    portfolio.close()
    _mechanism_curves(portfolio, facts, strength, given)
    return portfolio


def _mechanism_curves(
    portfolio: Portfolio, facts: Mapping[type, Theorem], strength: tuple[Floats, ...], given: Origin
) -> None:
    if RDP in facts:
        kernel = facts[RDP].function
        portfolio.straight = False
        portfolio.curve = lambda counts: Column(kernel, strength, np.array(counts, dtype=float))
    else:
        with_straight_curves(portfolio)
    if portfolio.size > 1:
        return
    numbers = [float(column[0]) for column in strength]
    for notion, candidates in ((Profile, portfolio.profiles), (TradeOff, portfolio.tradeoffs)):
        if notion in facts:
            candidates.append(route(facts[notion], numbers, given))


def _by(theorem: Theorem, notion: type, columns: Any, given: Origin) -> Origin:
    rows = [
        np.broadcast_to(np.asarray(c, dtype=float).ravel(), np.size(columns[0])) for c in columns
    ]
    return lambda i: Step(claim(notion, tuple(r[i] for r in rows)), theorem, ((1, given(i)),))


def with_straight_curves(portfolio: Portfolio) -> Portfolio:
    """Add the Renyi curves that pure DP and zCDP amount to, where they are known."""
    nothing = np.full(portfolio.size, np.inf)
    (epsilon,) = portfolio.values.get(PureDP, (nothing,))
    rho, xi = portfolio.values.get(ZCDP, (nothing, np.zeros(portfolio.size)))
    if not (np.isfinite(epsilon) | np.isfinite(rho)).all():
        return portfolio
    portfolio.straight = not bool(np.isfinite(epsilon).any())
    portfolio.curve = lambda counts: Column(
        _pure_or_zcdp, (epsilon, rho, xi), np.array(counts, dtype=float)
    )
    return portfolio


def _pure_or_zcdp(orders: Any, epsilon: Any, rho: Any, xi: Any) -> Any:
    """The lesser of the Renyi curves of pure DP and of zCDP."""
    with np.errstate(all="ignore"):
        line = np.where(
            np.isinf(rho), np.inf, zcdp_to_rdp(orders, np.where(np.isinf(rho), 0, rho), xi)
        )
        return np.minimum(pure_to_rdp(orders, epsilon), line)
