"""Gaussian differential privacy: no easier to tell apart than two unit Gaussians mu apart."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from tightrope._check import NONNEGATIVE, Real, declared
from tightrope.notions.guarantee import Guarantee


@dataclass(frozen=True, repr=False)
class GDP(Guarantee):
    """mu-GDP: every trade-off curve of neighbours lies above that of N(0, 1) and N(mu, 1).

    Source: Dong, Roth and Su (2022), Definition 2.6.

    Examples:
        >>> import tightrope as tr
        >>> tr.GDP(1.0).to(tr.ApproxDP, delta=1e-6)
        ApproxDP(epsilon=4.887, delta=1e-06)
    """

    short: ClassVar[str] = "gdp"
    title: ClassVar[str] = "GDP"

    mu: Real = declared(
        "μ", r"\mu", NONNEGATIVE, (0.05, 5), "distance of the two Gaussians in deviations"
    )
