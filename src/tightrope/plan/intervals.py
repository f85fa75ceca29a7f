"""Intervals: the composed pairs' own numbers, from both sides.

The upper end of a loss (the lower end of an error) is what is reported, and holds for the event.
The other end is one of the pairs that dominate it; where they only cover the event, the event
itself may leak less. Where no pairs are known, it is what the exactly known parts leak.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from tightrope._check import Real
from tightrope._errors import NotReachable
from tightrope.events import Event
from tightrope.notions import GDP
from tightrope.num.arrays import Floats
from tightrope.num.rounding import down, float_down, float_up, up
from tightrope.plan import answers, floor
from tightrope.plan.arguments import checked_delta, finite, in_unit
from tightrope.plan.exact.answers import engine, epsilon_ends
from tightrope.plan.exact.gdp import tight_gdp
from tightrope.plan.exact.profile import exact_profile
from tightrope.plan.exact.tradeoff import closed_curve, tested
from tightrope.plan.gaussian_floor import gaussian_floor
from tightrope.plan.parts import by_parts, largest, smallest
from tightrope.plan.to_notion import to

CLOSED_ERROR = 1e-10
"""What the formulas for Gaussians and their samples may lie below the truth, relatively."""

FAINT = 1e-300
"""An upper end of errors that came out as 0 because they are too small for a formula."""


@by_parts(largest)
def epsilon_interval(event: Event, delta: Real) -> tuple[float, float]:
    """See ``Event.epsilon_interval``."""
    at, above = checked_delta(delta), float_up(delta)
    profile = engine(event)
    ends = epsilon_ends(profile, at) if profile is not None else None
    upper = answers.best_epsilon(event, at, ends)[0]
    lower = floor.composed_epsilon(event, above, ends[0] if ends is not None else math.nan)
    if lower is None or lower > upper:
        lower = floor.epsilon_floor(event, above)
    return min(lower, upper), upper


@by_parts(largest)
def proved_interval(event: Event, delta: Real) -> tuple[float, float]:
    """Bounds on the smallest epsilon at ``delta`` that anybody can prove from the description."""
    profile = exact_profile(event)
    if profile is not None and profile.attained:
        return epsilon_interval(event, delta)
    upper = answers.best_epsilon(event, checked_delta(delta))[0]
    return min(floor.epsilon_floor(event, float_up(delta)), upper), upper


@by_parts(largest)
def delta_interval(event: Event, epsilon: ArrayLike) -> tuple[Any, Any]:
    """See ``Event.delta_interval``."""
    asked = finite("delta_interval: epsilon", epsilon, float_up)
    upper = np.asarray(answers.delta(event, finite("delta_interval: epsilon", epsilon)))
    flat, most = asked.ravel(), upper.ravel()
    logs = floor.composed_log_delta(event, flat)
    lower = np.ones_like(flat) if logs is None else _probability(logs)
    better = lower > most
    if better.any():
        lower[better] = _probability(floor.log_delta_floor(event, flat[better]))
    return _pair(np.minimum(lower, most).reshape(asked.shape), upper)


@by_parts(smallest)
def tradeoff_interval(event: Event, alpha: ArrayLike) -> tuple[Any, Any]:
    """See ``Event.tradeoff_interval``."""
    asked = in_unit("tradeoff_interval: alpha", alpha)
    below = in_unit("tradeoff_interval: alpha", alpha, float_down)
    lower = np.asarray(answers.tradeoff(event, asked))
    blind = np.minimum(up(1 - below, 1), 1.0)
    if closed_curve(event) is not None:
        upper = np.maximum(np.asarray(answers.tradeoff(event, below)) * (1 + CLOSED_ERROR), FAINT)
    elif (profile := exact_profile(event)) is not None:
        upper = tested(profile, below).upper
    else:
        upper = blind
    upper = np.where(upper < lower, blind, np.minimum(upper, blind))
    return _pair(lower, np.maximum(upper, lower))


@by_parts(largest)
def gdp_interval(event: Event) -> tuple[float, float]:
    """See ``Event.gdp_interval``."""
    known, found = gaussian_floor(event), tight_gdp(event)
    try:
        upper = float(to(event, GDP).mu)
    except NotReachable:
        upper = math.inf
    lower = found.lower if found is not None and found.lower <= upper else known
    return min(lower, upper), upper


def _probability(logs: Floats) -> Floats:
    return np.maximum(down(np.exp(logs), 4), 0.0)


def _pair(lower: Any, upper: Any) -> tuple[Any, Any]:
    if np.ndim(upper) == 0:
        return float(lower), float(upper)
    return lower, upper
