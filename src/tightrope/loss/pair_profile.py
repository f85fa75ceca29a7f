"""The privacy profile of an event: the worst of its orders, at every real epsilon."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from tightrope.loss.dominating import Dominating
from tightrope.loss.interval import LogInterval
from tightrope.loss.inverse import Inverse
from tightrope.loss.profile import OrderProfile
from tightrope.num.arrays import Floats
from tightrope.num.logspace import log1mexp
from tightrope.num.rounding import EPS

if TYPE_CHECKING:
    from tightrope.loss.curve.chords import TypeTwoBounds


class PairProfile:
    """delta and epsilon of one or more dominating pairs, of which the neighbours fix one.

    Attributes:
        pairs: the alternatives (parts of the data, say); the largest counts.
        rivals: other profiles that cover the same event; the smallest bound counts.
        told: what was answered about tests, by the type I errors that were asked.
    """

    def __init__(self, pairs: Iterable[Dominating], rivals: Iterable[PairProfile] = ()):
        self.pairs, self.rivals = tuple(pairs), tuple(rivals)
        self.told: dict[tuple[tuple[int, ...], bytes], TypeTwoBounds] = {}

    @cached_property
    def orders(self) -> tuple[tuple[OrderProfile, OrderProfile], ...]:
        """Every order of every pair, with the order of the exchanged data sets."""
        found = []
        for pair in self.pairs:
            profiles = [OrderProfile(total) for total in pair.orders]
            found += list(zip(profiles, reversed(profiles), strict=True))
        return tuple(found)

    @property
    def attained(self) -> bool:
        """Whether the pairs are those of the mechanisms themselves, and not only cover them."""
        return all(pair.attained for pair in self.pairs)

    def log_delta(self, epsilon: Floats) -> LogInterval:
        """Bounds on log delta at every real epsilon of a flat array."""
        ends = [both_signs(order, reverse, epsilon) for order, reverse in self.orders]
        lower = np.max([end.lower for end in ends], axis=0)
        upper = np.max([end.upper for end in ends], axis=0)
        for rival in self.rivals:
            found = rival.log_delta(epsilon)
            lower, upper = np.minimum(lower, found.lower), np.minimum(upper, found.upper)
        return LogInterval(lower, upper, ends[0].method)

    def epsilon(self, log_delta: float) -> tuple[float, float]:
        """Bounds on the least epsilon >= 0 whose log delta is at most the given one."""
        asked: list[Inverse] = []
        for order, _ in self.orders:
            near = asked[0].start.c if asked else None  # orders tend to have similar saddles
            asked.append(Inverse(order, log_delta, near))
        first, *others = sorted(asked, key=lambda one: -one.start.epsilon)
        low, high = first.bounds()
        for other in others:
            if not other.at_most(low):
                ends = other.bounds()
                low, high = max(low, ends[0]), max(high, ends[1])
        for rival in self.rivals:
            ends = rival.epsilon(log_delta)
            low, high = min(low, ends[0]), min(high, ends[1])
        return low, high

    def method(self, epsilon: float) -> str:
        """How delta near that epsilon was computed, in words."""
        return self.log_delta(np.array([epsilon])).method


def both_signs(order: OrderProfile, reverse: OrderProfile, epsilon: Floats) -> LogInterval:
    """delta(-e) = 1 - exp(-e) + exp(-e) * (delta of the exchanged data sets at e)."""
    negative = epsilon < 0
    if not negative.any():
        return order.log_delta(epsilon)
    lower, upper = np.empty((2, len(epsilon)))
    method = ""
    if not negative.all():
        lower[~negative], upper[~negative], method = order.log_delta(epsilon[~negative])
    swapped = reverse.log_delta(-epsilon[negative])
    gap = np.asarray(log1mexp(-epsilon[negative]))
    for end, value, sign in ((lower, swapped.lower, -1), (upper, swapped.upper, 1)):
        total = np.logaddexp(gap, epsilon[negative] + value)
        end[negative] = np.minimum(total + sign * 8 * EPS * (1 + np.abs(total)), 0)
    return LogInterval(lower, upper, method or swapped.method)
