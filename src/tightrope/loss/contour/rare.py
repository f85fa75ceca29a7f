"""Where results that practically never occur stand in the way of the saddle.

The transform of a sampled Gaussian is the sum of a moderate part and of exp(c^2 mu^2/2) times a
tiny power of the rate, which comes from results that many standard deviations away. Beyond some c
the second part is all there is, although such results add nothing to delta: the contour cannot
reach the saddle of the first part, and short of it most digits cancel. Leaving these results out,

    delta without them <= delta <= delta without them + their probability.
"""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

import numpy as np

from tightrope.loss.contour import saddle
from tightrope.loss.interval import LogInterval
from tightrope.loss.profile import OrderProfile, with_escape
from tightrope.loss.total import Total
from tightrope.num.arrays import Floats

WIDE = 1e-9
"""Relative width of an interval that is worth another try."""

FAIR = 1e-6
"""Relative width with which a total of few releases may serve without its rare results."""

MOST_VAIN = 8
"""Epsilons at which leaving something out was in vain, after which it is not tried again."""

LOG_PROBABILITIES = (-50.0, -100.0, -250.0, -600.0)
"""Of what is left out, one after the other."""

ASIDE = 32.0
"""How far, in logarithms, that is to lie below delta."""

DIGITS = 5
"""Of an epsilon, so many tell where its saddle is: those asked for are often close together."""


class Rest(NamedTuple):
    """A total without its rare results.

    Attributes:
        profile: of what is left.
        log_probability: log of a bound on the probability of what was left out.
    """

    profile: OrderProfile
    log_probability: float

    def log_delta(self, epsilon: Floats) -> LogInterval:
        """Bounds on log delta of the whole, infinite losses included."""
        found = with_escape(self.profile.total, self.profile.by_contours(epsilon))
        return found._replace(upper=np.logaddexp(found.upper, self.log_probability))

    def reaches_further(self, total: Total, epsilon: float) -> bool:
        """Whether the saddle was out of reach before."""
        near = float(f"{epsilon:.{DIGITS}g}")
        return _place(self.profile.total, near) > 1.1 * _place(total, near)


def narrowed(profile: OrderProfile, epsilon: Floats, interval: LogInterval) -> LogInterval:
    """The interval of log delta at every epsilon, narrower where rare results make it wide.

    Infinite losses are counted in the interval that is given, and in the one returned. What made
    an interval narrow is remembered by the profile.
    """
    total = profile.total
    if not any(loss.has_rare for loss in total.losses):
        return interval
    if total.law is not None:
        interval = total.law.narrowed(epsilon, interval)
    lower, upper = interval.lower.copy(), interval.upper.copy()
    enough = WIDE
    for log_probability in LOG_PROBABILITIES:
        with np.errstate(invalid="ignore"):
            wide = ~(upper - lower <= enough) & (upper - ASIDE > log_probability)
        rest = _without(total, log_probability)
        if profile.vain[rest] >= MOST_VAIN:
            continue
        for i in np.flatnonzero(wide):
            if rest in profile.rests or rest.reaches_further(total, float(epsilon[i])):
                found = rest.log_delta(epsilon[i : i + 1])
                lower[i] = max(lower[i], found.lower[0])
                upper[i] = min(upper[i], found.upper[0])
                if not upper[i] - lower[i] <= FAIR:
                    profile.vain[rest] += 1
                elif rest not in profile.rests:
                    profile.rests.append(rest)
        enough = FAIR if total.law is not None else WIDE
    return interval._replace(lower=lower, upper=upper)


def left_out(total: Total, log_delta: float) -> Rest | None:
    """The total without results that hardly count beside delta; None if it has no such results."""
    if not any(loss.has_rare for loss in total.losses):
        return None
    fitting = (p for p in LOG_PROBABILITIES if p < log_delta - ASIDE)
    return next((_without(total, p) for p in fitting), None)


@lru_cache(maxsize=64)
def _place(total: Total, epsilon: float) -> float:
    return saddle.for_epsilon(total, epsilon)


@lru_cache(maxsize=16)
def _without(total: Total, log_probability: float) -> Rest:
    losses = tuple(loss.without_rare(log_probability) for loss in total.losses)
    return Rest(OrderProfile(Total(losses)), log_probability)
