"""Zero-concentrated differential privacy: Renyi divergences below a line through the orders."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from tightrope._check import NONNEGATIVE, Real, declared
from tightrope.notions.guarantee import Guarantee


@dataclass(frozen=True, repr=False)
class ZCDP(Guarantee):
    """(xi, rho)-zCDP: D_a(P||Q) <= xi + rho a for every order a > 1 and all neighbours.

    Source: Bun and Steinke (2016), Definitions 1.1 and 8.1. With ``xi = 0``: rho-zCDP.

    Examples:
        >>> import tightrope as tr
        >>> tr.ZCDP(0.5).to(tr.GDP)
        GDP(mu=1.284)
    """

    short: ClassVar[str] = "zcdp"
    title: ClassVar[str] = "zCDP"

    rho: Real = declared("ρ", r"\rho", NONNEGATIVE, (1e-3, 10), "slope of the Renyi curve")
    xi: Real = declared("ξ", r"\xi", NONNEGATIVE, (0, 1), "offset of the Renyi curve", default=0)
