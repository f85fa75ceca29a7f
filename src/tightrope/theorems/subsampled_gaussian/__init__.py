"""Exact privacy of one release of the Poisson-subsampled Gaussian.

Neither GDP nor zCDP is amplified: the tight parameters stay mu and mu^2/2 for every positive rate.
What sampling improves are the profile, the trade-off curve and the Renyi divergences.
"""

from tightrope.theorems.subsampled_gaussian.profile import (
    log_delta_with,
    log_delta_without,
    tradeoff,
)
from tightrope.theorems.subsampled_gaussian.renyi import renyi, renyi_integer

__all__ = ["log_delta_with", "log_delta_without", "renyi", "renyi_integer", "tradeoff"]
