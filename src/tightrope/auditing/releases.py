"""Our own mechanisms under audit: many releases at a time, and inputs that show what they leak.

Everything is drawn by the samplers that ``release`` calls, with the parameters it gives them.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from tightrope._errors import InvalidArgument
from tightrope.auditing.draws import Draw, Sample, one_by_one
from tightrope.events import Event
from tightrope.mechanisms import (
    DiscreteGaussianVector,
    Exponential,
    Mechanism,
    PermuteAndFlip,
    RandomizedResponse,
    ReportNoisyMax,
)
from tightrope.mechanisms.candidates import coefficient
from tightrope.mechanisms.laplace_argmax import laplace_argmax
from tightrope.mechanisms.releasing import AdditiveNoise
from tightrope.noise import exponential_choice, permute_and_flip
from tightrope.noise.entropy import Entropy

__all__ = ["claim_on", "draw_of", "usual_neighbors"]

_US = "audit"


def draw_of(mechanism: Mechanism, entropy: Entropy) -> Draw:
    """Draw releases of a mechanism, with scores of sensitivity 1 where it selects.

    Raises:
        InvalidArgument: the mechanism has no release.
    """
    if isinstance(mechanism, AdditiveNoise):
        return _additive(mechanism, entropy)
    if isinstance(mechanism, RandomizedResponse):
        return lambda x, count: mechanism.release(np.full(count, x), entropy=entropy).value
    if isinstance(mechanism, Exponential):
        factor = coefficient(mechanism.epsilon, 1, False, _US)
        return _selecting(exponential_choice, factor, entropy)
    if isinstance(mechanism, PermuteAndFlip):
        factor = coefficient(mechanism.epsilon, 1, False, _US)
        return _selecting(permute_and_flip, factor, entropy)
    if isinstance(mechanism, ReportNoisyMax):
        return _noisy_max(mechanism, entropy)
    release = getattr(mechanism, "release", None)
    if release is None:
        raise InvalidArgument(
            f"{_US}: {mechanism!r} has no release; pass a program that runs it, with claim="
        )
    return one_by_one(lambda x: release(x, entropy=entropy).value, type(mechanism).__name__)


def claim_on(mechanism: Mechanism, x: Any) -> Event:
    """The event that accounts for a release of x, of which a unit can change every entry."""
    if isinstance(mechanism, AdditiveNoise):
        return mechanism.as_released(max(np.size(x), 1))
    return mechanism


def usual_neighbors(mechanism: Mechanism) -> tuple[Any, Any]:
    """Two inputs that are as far apart as the sensitivity lets neighbours be.

    Raises:
        InvalidArgument: none are known for such a mechanism.
    """
    if isinstance(mechanism, DiscreteGaussianVector):
        return _vectors(mechanism)
    if isinstance(mechanism, AdditiveNoise):
        size = mechanism.sensitivity
        return (0, int(size)) if mechanism.whole else (0.0, float(size))
    if isinstance(mechanism, RandomizedResponse):
        return 0, 1
    if isinstance(mechanism, Exponential):
        return [1, 0], [0, 1]
    if isinstance(mechanism, PermuteAndFlip):
        return [2, 0], [1, 1]
    if isinstance(mechanism, ReportNoisyMax):
        return ([1, 0], [1, 1]) if mechanism.monotone else ([2, 0], [1, 1])
    raise InvalidArgument(
        f"{_US}: neighbors must be given for {mechanism!r}, two inputs that differ by one unit"
    )


def _vectors(mechanism: DiscreteGaussianVector) -> tuple[list[int], list[int]]:
    """Zeros, and entries whose squares add up to at most the squared sensitivity, greedily."""
    entries, left = [], int(mechanism.squared_sensitivity)
    for _ in range(int(mechanism.dimension)):
        entries.append(math.isqrt(left))
        left -= entries[-1] ** 2
    return [0] * len(entries), entries


def _additive(mechanism: AdditiveNoise, entropy: Entropy) -> Draw:
    def draw(x: Any, count: int) -> Sample:
        one = np.asarray(x)
        many = np.broadcast_to(one, (count, *one.shape))
        noisy = mechanism.release(many, coordinates=max(one.size, 1), entropy=entropy)
        values: Sample = noisy.value
        return values

    return draw


def _selecting(choose: Callable[..., Any], factor: Any, entropy: Entropy) -> Draw:
    def draw(x: Any, count: int) -> Sample:
        winners: Sample = choose(_rows(x, count), factor, entropy=entropy)
        return winners

    return draw


def _noisy_max(mechanism: ReportNoisyMax, entropy: Entropy) -> Draw:
    epsilon, monotone = mechanism.epsilon, mechanism.monotone
    if mechanism.noise != "laplace":
        choose = exponential_choice if mechanism.noise == "gumbel" else permute_and_flip
        return _selecting(choose, coefficient(epsilon, 1, monotone, _US), entropy)

    def draw(x: Any, count: int) -> Sample:
        return laplace_argmax(_rows(x, count), epsilon, 1, monotone, entropy)

    return draw


def _rows(scores: Any, count: int) -> Any:
    one = np.asarray(scores, dtype=np.float64)
    return np.broadcast_to(one, (count, *one.shape))
