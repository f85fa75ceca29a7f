"""f-differential privacy: a lower bound on the trade-off curve of any two neighbours."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from numpy.typing import ArrayLike

from tightrope import _wire
from tightrope.neighbors import Neighbors, add_or_remove
from tightrope.notions.curves import CurveGuarantee
from tightrope.notions.piecewise import PiecewiseCurve

SHOWN_AT = (0.01, 0.05, 0.1)
"""Type I errors at which a computed curve prints its type II error."""


@dataclass(frozen=True, repr=False, init=False)
class TradeOff(CurveGuarantee):
    """f-DP: every test with type I error alpha has type II error at least f(alpha).

    Source: Dong, Roth and Su (2022), Definition 2.3. The curve is the piecewise-linear one
    through the given vertices; it holds for both orders of the neighbours.

    Args:
        alpha: type I errors in [0, 1], ascending.
        beta: type II errors at them: convex, non-increasing, at most 1 - alpha.

    Examples:
        >>> import tightrope as tr
        >>> f = tr.TradeOff([0, 0.25, 1], [1, 0.25, 0])
        >>> f.to(tr.PureDP)
        PureDP(epsilon=1.099)
        >>> float(f.tradeoff(0.5)) <= 1 / 6
        True
        >>> tr.GDP(1).to(tr.TradeOff)
        GDP(mu=1).to(TradeOff)  # beta 0.9076 at alpha 0.01, 0.7404 at alpha 0.05, ...
    """

    short: ClassVar[str] = ""
    title: ClassVar[str] = "f-DP"

    def __init__(self, alpha: ArrayLike, beta: ArrayLike, *, neighbors: Neighbors = add_or_remove):
        self._fill(("alpha", "beta"), (alpha, beta), neighbors)
        self.piecewise()

    def piecewise(self) -> PiecewiseCurve:
        """The curve through the given vertices, made symmetric."""
        assert self.points is not None
        return PiecewiseCurve.from_points(*self.points).symmetrised()

    def _some_points(self) -> str:
        told = (f"{_wire.shown_down(float(self.tradeoff(a)))} at alpha {a:g}" for a in SHOWN_AT)
        return f"beta {', '.join(told)}"
