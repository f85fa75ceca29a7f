"""Zero-concentrated differential privacy: Renyi divergences below a line through the orders."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from tightrope._check import NONNEGATIVE, Real, declared
from tightrope.notions.guarantee import Columns, Guarantee
from tightrope.num.arrays import Flags


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

    @classmethod
    def improves(cls, new: Columns, old: Columns) -> Flags:
        """Nowhere a larger bound: neither at order 1, nor towards infinity."""
        at_one, before = new[0] + new[1], old[0] + old[1]
        less = (at_one < before) | (new[0] < old[0])
        return np.asarray(less & (at_one <= before) & (new[0] <= old[0]))
