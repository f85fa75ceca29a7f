"""Renyi curves: a bound on the Renyi divergence at every order, and the algebra of such bounds.

A curve maps an order (1 is Kullback-Leibler, ``inf`` the largest log-ratio) to a bound on the
divergence of both orders of any two neighbours; it is nondecreasing, and (order - 1) times it is
convex. Beyond ``max_order`` nothing is known and the value is infinite. Values err upwards.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from tightrope._errors import InvalidArgument
from tightrope.num.rounding import up

Floats = NDArray[np.float64]
Kernel = Callable[..., Floats]
"""``kernel(orders, *parameters)``: bounds for one family of events, broadcasting."""

BLOCK = 1 << 20
"""Most numbers that one evaluation of a column holds at once."""


class RenyiCurve:
    """Base of all curves; call it with orders of at least 1."""

    max_order: float
    """Largest order at which something is known."""

    @property
    def kinks(self) -> tuple[float, ...]:
        """Orders at which the bound may bend, so that the best order may sit right there."""
        return ()

    def __call__(self, orders: ArrayLike) -> Any:
        """The bounds at ``orders`` (any shape); a float for a scalar."""
        asked = np.asarray(orders, dtype=float)
        if np.isnan(asked).any() or (asked < 1).any():
            raise InvalidArgument(f"order must be at least 1; you passed {orders!r}")
        flat = asked.ravel()
        values = np.full(flat.shape, np.inf)
        known = flat <= self.max_order
        values[known] = self.bound(flat[known])
        return float(values[0]) if asked.ndim == 0 else values.reshape(asked.shape)

    def bound(self, orders: Floats) -> Floats:
        """The bounds at a vector of orders, all of them known."""
        raise NotImplementedError  # pragma: no cover


def _all_kinks(curves: tuple[RenyiCurve, ...]) -> tuple[float, ...]:
    return tuple(sorted({order for curve in curves for order in curve.kinks}))


@dataclass(frozen=True, eq=False)
class Column(RenyiCurve):
    """The sum over many events of one family: parameters and counts as columns."""

    kernel: Kernel
    parameters: tuple[Floats, ...]
    counts: Floats
    max_order: float = np.inf

    def bound(self, orders: Floats) -> Floats:
        """See ``RenyiCurve.bound``."""
        total = np.zeros(orders.shape)
        step = max(1, BLOCK // max(1, orders.size))
        for start in range(0, self.counts.size, step):
            rows = slice(start, start + step)
            each = self.kernel(orders[None, :], *(p[rows, None] for p in self.parameters))
            with np.errstate(over="ignore"):
                total += (self.counts[rows, None] * each).sum(axis=0)
        return up(total, 32)  # pairwise summation: fewer than 32 ulps for any length


@dataclass(frozen=True)
class Total(RenyiCurve):
    """The sum of curves, each counted: composition adds divergences."""

    curves: tuple[RenyiCurve, ...]
    counts: tuple[int, ...]
    max_order: float = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "max_order", min(c.max_order for c in self.curves))

    @property
    def kinks(self) -> tuple[float, ...]:
        """See ``RenyiCurve.kinks``."""
        return _all_kinks(self.curves)

    def bound(self, orders: Floats) -> Floats:
        """See ``RenyiCurve.bound``."""
        terms = [n * np.asarray(c(orders)) for c, n in zip(self.curves, self.counts, strict=True)]
        return up(np.asarray(np.sum(terms, axis=0)), 2 + len(terms))


@dataclass(frozen=True)
class Least(RenyiCurve):
    """The pointwise least of several valid bounds."""

    curves: tuple[RenyiCurve, ...]
    max_order: float = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "max_order", max(c.max_order for c in self.curves))

    @property
    def kinks(self) -> tuple[float, ...]:
        """See ``RenyiCurve.kinks``."""
        return _all_kinks(self.curves)

    def bound(self, orders: Floats) -> Floats:
        """See ``RenyiCurve.bound``."""
        return np.asarray(np.min([c(orders) for c in self.curves], axis=0))


@dataclass(frozen=True)
class Most(RenyiCurve):
    """The pointwise greatest: what holds whichever of several events was touched."""

    curves: tuple[RenyiCurve, ...]
    max_order: float = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "max_order", min(c.max_order for c in self.curves))

    @property
    def kinks(self) -> tuple[float, ...]:
        """See ``RenyiCurve.kinks``."""
        return _all_kinks(self.curves)

    def bound(self, orders: Floats) -> Floats:
        """See ``RenyiCurve.bound``."""
        return np.asarray(np.max([c(orders) for c in self.curves], axis=0))


@dataclass(frozen=True)
class OfGroup(RenyiCurve):
    """The bound for ``size`` units at once: sum over m < k of k a/(k a - m) D(k a - m).

    The chained triangle inequality of Bun and Steinke (2016), Lemma 5.2, unrolled: step j of the
    chain has order k a - (k - j), and the factors in front telescope. In a large group runs of
    terms are bounded by their first divergence, the largest.
    """

    curve: RenyiCurve
    size: int
    max_order: float = field(init=False)
    most_blocks: ClassVar[int] = 64

    def __post_init__(self) -> None:
        object.__setattr__(self, "max_order", self.curve.max_order / self.size)

    @property
    def kinks(self) -> tuple[float, ...]:
        """See ``RenyiCurve.kinks``."""
        return tuple(order / self.size for order in self.curve.kinks)

    def bound(self, orders: Floats) -> Floats:
        """See ``RenyiCurve.bound``."""
        top = self.size * orders
        edges = np.unique(
            np.linspace(0, self.size, min(self.size, self.most_blocks) + 1).astype(int)
        )
        total = np.zeros(orders.shape)
        for first, end in pairwise(edges.tolist()):
            total += self._weight(top, first, end) * np.asarray(self.curve(top - first))
        return up(total, 8 + len(edges))

    @staticmethod
    def _weight(top: Floats, first: int, end: int) -> Floats:
        """At least the sum of top/(top - m) for first <= m < end; exact for a single m."""
        last = top - end + 1
        with np.errstate(invalid="ignore"):
            weight = top * (1 / last + np.log((top - first) / last))
        return np.where(np.isinf(top), end - first, weight)


@dataclass(frozen=True)
class Tabulated(RenyiCurve):
    """Bounds known at finitely many orders.

    Between two of them (order - 1) D lies below its chord, as it is convex; below the first,
    D is at most the value there, as it is nondecreasing.
    """

    orders: tuple[float, ...]
    values: tuple[float, ...]

    @property
    def max_order(self) -> float:  # type: ignore[override]
        """The last order of the table."""
        return self.orders[-1]

    @property
    def kinks(self) -> tuple[float, ...]:
        """Every order of the table."""
        return self.orders

    def bound(self, orders: Floats) -> Floats:
        """See ``RenyiCurve.bound``."""
        table, values = np.array(self.orders), np.array(self.values)
        right = np.searchsorted(table, orders)
        monotone = np.minimum.accumulate(values[::-1])[::-1][right]
        finite = np.isfinite(table)
        if not finite.any():
            return np.asarray(monotone)
        chord = np.interp(orders, table[finite], (table[finite] - 1) * values[finite])
        inside = (orders >= table[0]) & (orders > 1) & (orders <= table[finite].max(initial=1))
        with np.errstate(divide="ignore", invalid="ignore"):
            convex = np.where(inside, up(chord / (orders - 1), 8), np.inf)
        return np.minimum(monotone, convex)


@dataclass(frozen=True)
class Stated(RenyiCurve):
    """A curve given by the caller as a function of one order."""

    function: Callable[[float], float]
    max_order: float = np.inf

    def bound(self, orders: Floats) -> Floats:
        """See ``RenyiCurve.bound``."""
        values = np.array([self._at(float(order)) for order in orders])
        if np.isnan(values).any() or (values < 0).any():
            raise InvalidArgument(
                f"RDP: the curve must give bounds of at least 0; it gave {values.tolist()} "
                f"at orders {orders.tolist()}"
            )
        return values

    def _at(self, order: float) -> float:
        try:
            return float(self.function(order))
        except (TypeError, ValueError, ArithmeticError) as error:
            raise InvalidArgument(f"RDP: the curve failed at order {order}: {error}") from None
