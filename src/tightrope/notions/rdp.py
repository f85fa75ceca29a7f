"""Renyi differential privacy: a bound on the Renyi divergence at every order that is known."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike

from tightrope import _wire
from tightrope._errors import InvalidArgument
from tightrope.neighbors import Neighbors, add_or_remove
from tightrope.notions.guarantee import Guarantee
from tightrope.notions.renyi_curve import RenyiCurve, Stated, Tabulated
from tightrope.num.rounding import float_down, float_up

SHOWN_AT = (2, 4, 8, 16, 32, 64)
"""Orders at which a computed curve prints its bound."""


@dataclass(frozen=True, repr=False, init=False)
class RDP(Guarantee):
    """Renyi DP: D_a(P||Q) <= curve(a) for both orders of all neighbours.

    Give a function of the order (at least 1, ``inf`` being the pure-DP bound), or finitely many
    orders with their bounds; nothing is then known beyond the last one. Source: Mironov (2017),
    Definition 4.

    Args:
        orders: the function, or a sequence of orders of at least 1.
        epsilons: the bounds at these orders, if orders are given.

    Examples:
        >>> import tightrope as tr
        >>> tr.RDP([2, 32], [0.5, 1.0]).to(tr.ApproxDP, delta=1e-10)
        ApproxDP(epsilon=1.6, delta=1e-10)
        >>> tr.RDP(lambda order: 0.5 * order).to(tr.ApproxDP, delta=1e-6)
        ApproxDP(epsilon=5.222, delta=1e-06)
    """

    short: ClassVar[str] = "rdp"
    title: ClassVar[str] = "Renyi DP"

    curve: RenyiCurve

    def __init__(
        self,
        orders: Callable[[float], float] | ArrayLike,
        epsilons: ArrayLike | None = None,
        *,
        neighbors: Neighbors = add_or_remove,
    ):
        object.__setattr__(self, "neighbors", neighbors)
        object.__setattr__(self, "curve", _curve(orders, epsilons))
        self.__post_init__()

    def __call__(self, order: ArrayLike) -> Any:
        """The bound on the divergence at ``order``, also of a computed curve.

        Examples:
            >>> import tightrope as tr
            >>> run = tr.Gaussian(noise_scale=2).sampled(rate=0.1) ** 100
            >>> round(run.to(tr.RDP)(8), 4)
            1.3725
        """
        return self.curve(order)

    @classmethod
    def from_short(cls, text: str) -> RDP:
        """Read ``2=0.5,32=1``: order = bound, separated by commas."""
        pairs = [part.split("=") for part in text.split(",")]
        try:
            table = [(float(order), float(bound)) for order, bound in pairs]
        except ValueError:
            raise InvalidArgument(
                f"parse: 'rdp:{text}' must read like rdp:2=0.5,32=1 (order=bound)"
            ) from None
        return cls([order for order, _ in table], [bound for _, bound in table])

    def __repr__(self) -> str:
        return f"RDP({', '.join([*self._curve_told(), *_wire.told_neighbors(self)])})"

    def _curve_told(self) -> list[str]:
        """The curve as it was given; of a computed one, its bound at a few orders."""
        if isinstance(self.curve, Tabulated):
            return [f"orders={list(self.curve.orders)}", f"epsilons={list(self.curve.values)}"]
        if isinstance(self.curve, Stated):
            return [getattr(self.curve.function, "__name__", repr(self.curve.function))]
        some = (f"{n}: {_wire.shown(float(self.curve(n)))}" for n in SHOWN_AT)
        return [f"<{', '.join(some)}>"]


def _curve(orders: Any, epsilons: Any) -> RenyiCurve:
    if isinstance(orders, RenyiCurve):
        return orders
    if callable(orders):
        if epsilons is not None:
            raise InvalidArgument("RDP: give a curve, or orders with epsilons, not both")
        return Stated(orders)
    return _table(orders, epsilons)


def _table(orders: Any, epsilons: Any) -> Tabulated:
    where = _vector("orders", orders, "orders of at least 1", lambda x: x >= 1, float_down)
    bounds = _vector("epsilons", epsilons, "bounds of at least 0", lambda x: x >= 0, float_up)
    if len(where) != len(bounds):
        raise InvalidArgument(
            f"RDP: orders and epsilons must have one length; {len(where)} and {len(bounds)} given"
        )
    pairs = sorted(zip(where, bounds, strict=True))
    known: dict[float, float] = {}
    for order, bound in pairs:
        known[order] = min(bound, known.get(order, np.inf))
    return Tabulated(tuple(known), tuple(known.values()))


def _vector(
    name: str,
    values: Any,
    words: str,
    admits: Callable[[float], bool],
    side: Callable[[Any], float],
) -> list[float]:
    if values is None or isinstance(values, str):
        raise InvalidArgument(f"RDP: {name} must be a sequence of {words}; you passed {values!r}")
    sequence: Sequence[Any] = np.atleast_1d(np.asarray(values, dtype=object)).tolist()
    if not sequence:
        raise InvalidArgument(f"RDP: {name} must not be empty")
    for position, value in enumerate(sequence):
        try:
            good = not isinstance(value, bool) and admits(value) and value == value  # noqa: PLR0124
        except TypeError:
            good = False
        if not good:
            raise InvalidArgument(
                f"RDP: {name} must be {words}; you passed {value!r} at position {position}"
            )
    return [side(value) for value in sequence]
