"""The Renyi curve of a Poisson-sampled Gaussian, as a curve of the portfolio."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from tightrope.notions.renyi_curve import RenyiCurve
from tightrope.theorems.subsampled_gaussian.renyi import renyi


@dataclass(frozen=True)
class SampledGaussian(RenyiCurve):
    """Renyi divergences of the Gaussian with shift ``mu``, sampled at ``rate``.

    Exact at whole orders, on a chord between them, where (order - 1) D is convex, and the value
    at order 2 below. Source:
    Mironov, Talwar and Zhang (2019), Theorem 5 and Section 3.3.
    """

    mu: float
    rate: float
    max_order: float = np.inf

    def bound(self, orders: NDArray[np.float64]) -> NDArray[np.float64]:
        """See ``RenyiCurve.bound``."""
        return np.asarray(renyi(self.mu, self.rate, orders), dtype=float)
