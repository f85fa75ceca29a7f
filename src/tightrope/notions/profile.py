"""The privacy profile: the smallest delta at every epsilon."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from numpy.typing import ArrayLike

from tightrope import _wire
from tightrope.neighbors import Neighbors, add_or_remove
from tightrope.notions.curves import CurveGuarantee
from tightrope.notions.piecewise import PiecewiseCurve

SHOWN_AT = (1e-5, 1e-9)
"""Deltas at which a computed profile prints its epsilon."""


@dataclass(frozen=True, repr=False, init=False)
class Profile(CurveGuarantee):
    """Finitely many (epsilon, delta) statements that hold at once, and all that they imply.

    Source: Balle, Barthe and Gaboardi (2018); the trade-off curve behind several statements is
    the greatest of theirs (Dong, Roth and Su 2022, Proposition 2.12).

    Args:
        epsilon: values of at least 0.
        delta: the delta at each, in [0, 1].

    Examples:
        >>> import tightrope as tr
        >>> p = tr.Profile([0.5, 1.0], [1e-3, 1e-6])
        >>> p.to(tr.ApproxDP, epsilon=1.0).delta <= 1.001e-6
        True
        >>> tr.Gaussian(noise_scale=1).to(tr.Profile)
        Gaussian(noise_scale=1).to(Profile)  # epsilon 4.378 at delta 1e-05, 6.174 at delta 1e-09
    """

    short: ClassVar[str] = ""
    title: ClassVar[str] = "privacy profile"

    def __init__(
        self, epsilon: ArrayLike, delta: ArrayLike, *, neighbors: Neighbors = add_or_remove
    ):
        self._fill(("epsilon", "delta"), (epsilon, delta), neighbors)
        self.piecewise()

    def piecewise(self) -> PiecewiseCurve:
        """The trade-off curve that all the statements imply together."""
        assert self.points is not None
        return PiecewiseCurve.from_profile_points(*self.points)

    def _some_points(self) -> str:
        told = (f"{_wire.shown(float(self.epsilon(d)))} at delta {d:g}" for d in SHOWN_AT)
        return f"epsilon {', '.join(told)}"
