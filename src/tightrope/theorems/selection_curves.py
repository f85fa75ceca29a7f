"""Renyi curves of private selection.

Both bounds have the form (convex function of order - 1)/(order - 1): they fall and then rise again,
and are infinite at order 1. A divergence is nondecreasing in its order, so below the order where
the bound is least, its value there holds.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from tightrope.events.repeated import NegativeBinomialRepetitions, PoissonRepetitions
from tightrope.notions.renyi_curve import Floats, RenyiCurve
from tightrope.num.logspace import softplus
from tightrope.num.rounding import EPS, up
from tightrope.theorems.order_search import argmin, ceiling

HIGHEST = 1e6
"""Largest order that is tried for a tail."""

ORDERS, SLOPES = 256, 128
"""Orders of tails, and half-planes of tests, that are tried; each of them gives a valid bound."""

LARGEST = 1e300
"""Orders count as this in products, so that infinity times nothing stays nothing."""


def renyi_tail(curve: RenyiCurve) -> Callable[[Any], Floats]:
    """A fast profile: the least of the tails of many orders, from Renyi divergences alone.

    Source: Canonne, Kamath and Steinke (2020), Proposition 12.
    """
    highest = min(HIGHEST, max(curve.max_order - 1, 1e-3))
    tried = [*(1 + np.geomspace(1e-3, highest, ORDERS)), *curve.kinks]
    orders = np.unique(np.minimum(tried, min(curve.max_order, HIGHEST)))
    orders = orders[orders > 1]
    bounds = np.asarray(curve(orders))
    heights = (orders - 1) * np.log1p(-1 / orders) - np.log(orders)

    def log_delta(epsilon: Any) -> Floats:
        asked = np.asarray(epsilon, dtype=float)[..., None]
        size = 1 + (orders - 1) * (bounds + asked) + np.abs(heights)
        tails = (orders - 1) * (bounds - asked) + heights + 8 * EPS * size
        return np.asarray(np.min(tails, axis=-1, initial=0.0))

    return log_delta


@dataclass(frozen=True)
class _Selected(RenyiCurve):
    """What both curves share: the Renyi curve and a profile of one run."""

    curve: RenyiCurve
    log_delta: Callable[[Any], Any]

    @property
    def max_order(self) -> float:  # type: ignore[override]
        """The last order that is known of one run."""
        return self.curve.max_order

    @property
    def kinks(self) -> tuple[float, ...]:
        """See ``RenyiCurve.kinks``."""
        return tuple(sorted({*self.curve.kinks, self.least}))

    @cached_property
    def least(self) -> float:
        """The order where the bound is least, as nearly as a search finds it."""
        found = argmin(lambda x: self._value(1 + math.exp(x)), 0.0, ceiling(self.max_order))
        bends = (order for order in self.curve.kinks if order > 1)
        return min((min(1 + math.exp(found), self.max_order), *bends), key=self._value)

    def _value(self, order: float) -> float:
        return min(float(self.at(np.array([min(order, self.max_order)]))[0]), LARGEST)

    def bound(self, orders: Floats) -> Floats:
        """See ``RenyiCurve.bound``."""
        return self.at(np.maximum(orders, self.least))

    def at(self, orders: Floats) -> Floats:
        """The bound at orders above 1, before it is made monotone."""
        raise NotImplementedError  # pragma: no cover


@dataclass(frozen=True)
class BestOfPoisson(_Selected):
    """The best of a Poisson number of runs."""

    law: PoissonRepetitions

    def at(self, orders: Floats) -> Floats:
        """Papernot and Steinke (2022), Theorem 6, where it is sharp: at log(order/(order - 1))."""
        gaps = np.minimum(orders, LARGEST) - 1
        mean, log_mean = self.law.mean_up, self.law.log_mean
        chance = np.exp(np.asarray(self.log_delta(np.log1p(1 / gaps) * (1 - 4 * EPS))))
        rise = up(np.asarray(self.curve(orders)) + mean * chance, 8)
        with np.errstate(over="ignore"):
            none = np.asarray(softplus(-mean - log_mean - gaps * rise))
        error = 8 * EPS * (1 + mean + abs(log_mean)) / gaps
        return np.asarray(up(rise + (log_mean + none) / gaps + error, 8))


@dataclass(frozen=True)
class BestOfBinomial(_Selected):
    """The best of a negative binomial number of runs."""

    law: NegativeBinomialRepetitions

    def at(self, orders: Floats) -> Floats:
        """See ``select_rdp``; the supremum over tests is at most that over any half-plane."""
        gaps = np.minimum(orders, LARGEST) - 1
        log_mean, exponent = self.law.log_mean, self.law.exponent_up
        log_gamma = math.log(self.law.gamma_down)
        supremum, size = self._supremum(gaps + 1, log_gamma)
        excess = log_mean + exponent * (log_gamma + supremum)
        error = 16 * EPS * (1 + abs(log_mean) + exponent * (abs(log_gamma) + size))
        return np.asarray(up(np.asarray(self.curve(orders)) + (excess + error) / gaps, 8))

    @cached_property
    def _lines(self) -> tuple[Floats, Floats, Floats]:
        """Half-planes p' <= a p + b that hold for all tests: log a, and b with its error."""
        gamma = self.law.gamma_down
        slopes = np.geomspace(1e-5, 8 - math.log(gamma), SLOPES)
        chance = (1 - gamma) * np.exp(np.asarray(self.log_delta(slopes)))
        drop = gamma * np.expm1(slopes)
        return slopes, chance - drop, 16 * EPS * (chance + drop)

    def _supremum(self, orders: Floats, log_gamma: float) -> tuple[Floats, Floats]:
        """At least sup (order - 1) log p' - order log p over p >= gamma, and its terms' size.

        On the edge of a half-plane with b < 0 the function is largest at p = -order b/a, or at
        p = gamma if that is less.
        """
        slopes, b, error = self._lines
        order, start = orders[:, None], np.exp(slopes + log_gamma)
        with np.errstate(divide="ignore", invalid="ignore"):
            log_b = np.log(np.maximum(-b - error, 0.0))
            log_start = np.log(np.maximum(start + b + error, 0.0))
            inside = order * slopes - log_b - np.log(order) + (order - 1) * np.log1p(-1 / order)
            edge = (order - 1) * log_start - order * log_gamma
        at_edge = b - error >= -start * (1 - 4 * EPS * (1 + abs(log_gamma))) / order
        values = np.where(at_edge, edge, inside)
        sizes = order * (1 + slopes + abs(log_gamma)) + np.where(
            at_edge, order * np.abs(log_start), np.abs(log_b)
        )
        best = np.arange(len(orders)), np.argmin(values, axis=1)
        return values[best], sizes[best]
