"""Truncated concentrated differential privacy: a zCDP line up to a finite order."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from tightrope._check import NONNEGATIVE, ORDER, Real, declared
from tightrope.notions.guarantee import Columns, Guarantee
from tightrope.num.arrays import Flags


@dataclass(frozen=True, repr=False)
class TCDP(Guarantee):
    """(rho, omega)-tCDP: D_a(P||Q) <= rho a for every order 1 < a < omega, all neighbours.

    Source: Bun, Dwork, Rothblum and Steinke (2018), Definition 1.

    Examples:
        >>> import tightrope as tr
        >>> tr.TCDP(0.01, 200).to(tr.ApproxDP, delta=1e-6)
        ApproxDP(epsilon=0.6217, delta=1e-06)
    """

    short: ClassVar[str] = "tcdp"
    title: ClassVar[str] = "tCDP"
    protective: ClassVar[frozenset[str]] = frozenset({"omega"})

    rho: Real = declared("ρ", r"\rho", NONNEGATIVE, (1e-3, 1), "slope of the Renyi curve")
    omega: Real = declared("ω", r"\omega", ORDER, (2, 1000), "order up to which it holds")

    @classmethod
    def improves(cls, new: Columns, old: Columns) -> Flags:
        """The larger reach, then the smaller slope."""
        return np.asarray((new[1] > old[1]) | ((new[1] == old[1]) & (new[0] < old[0])))

    @classmethod
    def greatest(cls, rows: Sequence[Columns]) -> Columns:
        """The largest slope, up to the order that all reach."""
        slopes, orders = zip(*rows, strict=True)
        return np.max(slopes, axis=0), np.min(orders, axis=0)
