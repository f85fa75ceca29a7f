"""Where results that practically never occur stand in the way of the saddle.

The transform of a sampled Gaussian is the sum of a moderate part and of exp(c^2 mu^2/2) times a
tiny power of the rate, which comes from results that many standard deviations away. Beyond some c
the second part is all there is, although such results add nothing to delta: the contour cannot
reach the saddle of the first part, and short of it most digits cancel. Leaving these results out,

    delta without them <= delta <= delta without them + their probability.
"""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from tightrope.loss.contour import saddle
from tightrope.loss.interval import LogInterval
from tightrope.loss.loss import Floats
from tightrope.loss.mixture.gaussian_mixture import GaussianMixtureLoss
from tightrope.loss.profile import OrderProfile
from tightrope.loss.total import Total

WIDE = 1e-9
"""Relative width of an interval that is worth another try."""

LOG_PROBABILITIES = (-100.0, -250.0, -600.0)
"""Of what is left out, one after the other."""

ASIDE = 35.0
"""How far, in logarithms, that is to lie below delta."""


def narrowed(total: Total, epsilon: Floats, interval: LogInterval) -> LogInterval:
    """The interval of log delta at every epsilon, narrower where rare results make it wide.

    Infinite losses are counted in the interval that is given, and in the one returned.
    """
    lower, upper = interval.lower.copy(), interval.upper.copy()
    if not any(isinstance(loss, GaussianMixtureLoss) for loss in total.losses):
        return interval
    for log_probability in LOG_PROBABILITIES:
        with np.errstate(invalid="ignore"):
            wide = ~(upper - lower <= WIDE) & (upper - ASIDE > log_probability)
        for i in np.flatnonzero(wide):
            rest = _without(total, log_probability)
            if _moved(total, rest.total, float(epsilon[i])):
                found = rest.log_delta(epsilon[i : i + 1])
                lower[i] = max(lower[i], found.lower[0])
                upper[i] = min(upper[i], np.logaddexp(found.upper[0], log_probability))
    return interval._replace(lower=lower, upper=upper)


def _moved(total: Total, rest: Total, epsilon: float) -> bool:
    """Whether the saddle was out of reach before."""
    return saddle.for_epsilon(rest, epsilon) > 1.1 * saddle.for_epsilon(total, epsilon)


@lru_cache(maxsize=16)
def _without(total: Total, log_probability: float) -> OrderProfile:
    return OrderProfile(
        Total(
            tuple(
                loss.without_rare(log_probability)
                if isinstance(loss, GaussianMixtureLoss)
                else loss
                for loss in total.losses
            )
        )
    )
