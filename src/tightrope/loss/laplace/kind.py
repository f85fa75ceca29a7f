"""One kind of Laplace release on a Poisson sample, by its two numbers."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from tightrope.num.arrays import Floats
from tightrope.num.logspace import log_mixture


class Kind(NamedTuple):
    """One release: sensitivity over noise scale, and the rate of its sample."""

    epsilon: float
    rate: float

    def log_ratio(self, x: Floats) -> Floats:
        """log r."""
        return log_mixture(x, self.rate)

    def inner(self, log_ratio: Floats) -> Floats:
        """The x that belongs to log r, -infinity or not a number where there is none."""
        with np.errstate(invalid="ignore", divide="ignore"):
            return np.asarray(np.log1p(np.expm1(log_ratio) / self.rate))

    @property
    def ends(self) -> Floats:
        """log r at both ends."""
        return self.log_ratio(np.array([-self.epsilon, self.epsilon]))
