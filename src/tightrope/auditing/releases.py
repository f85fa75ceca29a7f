"""Our own mechanisms under audit: many releases at a time, and inputs that show what they leak.

Everything is drawn by the samplers that ``release`` calls, with the parameters it gives them.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import partial
from typing import Any, NamedTuple

import numpy as np

from tightrope._errors import InvalidArgument
from tightrope.auditing.draws import Draw, Sample
from tightrope.auditing.sparse_vectors import draw_answers, telling_queries
from tightrope.events import Event
from tightrope.mechanisms import (
    Exponential,
    Mechanism,
    PermuteAndFlip,
    RandomizedResponse,
    ReportNoisyMax,
)
from tightrope.mechanisms.additive import NormalNoise
from tightrope.mechanisms.candidates import coefficient, read_scores
from tightrope.mechanisms.integer_noise import IntegerVector
from tightrope.mechanisms.releasing import AdditiveNoise
from tightrope.mechanisms.report_noisy_max import winners
from tightrope.mechanisms.threshold_mechanism import NoisyThreshold
from tightrope.noise import exponential_choice, permute_and_flip
from tightrope.noise.entropy import Entropy
from tightrope.noise.uniform import pick_one

__all__ = ["claim_on", "draw_of", "draw_of_argmax", "scores_of_argmax", "usual_neighbors"]

_US = "audit"

Choose = Callable[..., Sample]
"""A sampler of candidates by their scores."""


def draw_of(mechanism: Mechanism, entropy: Entropy) -> Draw:
    """Draw releases of a mechanism, with scores or queries of sensitivity 1 where it takes such.

    Raises:
        InvalidArgument: the mechanism has no release.
    """
    kind = _kind_of(mechanism)
    if kind is None:
        raise InvalidArgument(
            f"{_US}: {mechanism!r} has no release; pass a program that runs it, with claim="
        )
    return kind.draw(mechanism, entropy)


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
    kind = _kind_of(mechanism)
    if kind is None:
        raise InvalidArgument(
            f"{_US}: neighbors must be given for {mechanism!r}, two inputs that differ by one unit"
        )
    return kind.neighbors(mechanism)


def scores_of_argmax(mechanism: NormalNoise) -> tuple[list[Any], list[Any]]:
    """Two scores, and both moved, one up and one down, as far as the L2 norm allows."""
    if isinstance(mechanism, IntegerVector):
        return _vectors(mechanism)
    if mechanism.whole:
        up = math.isqrt(int(mechanism.sensitivity) ** 2 // 2)
        return ([0, 0], [up, -up]) if up else ([0, 0], [int(mechanism.sensitivity), 0])
    half = float(mechanism.sensitivity) * math.sqrt(0.5) * (1 - 1e-15)
    return [0.0, 0.0], [half, -half]


def draw_of_argmax(mechanism: NormalNoise, entropy: Entropy) -> Draw:
    """Draw the numbers of the largest noisy scores, ties broken fairly."""
    noisy = _additive(mechanism, entropy)

    def draw(x: Any, count: int) -> Sample:
        values = np.asarray(noisy(x, count))
        return pick_one(values == values.max(axis=1, keepdims=True), entropy)

    return draw


def _vectors(mechanism: IntegerVector) -> tuple[list[int], list[int]]:
    """Zeros, and entries as large as the norms allow, greedily."""
    left, sum_left = mechanism.largest_change
    entries = []
    for _ in range(int(mechanism.dimension)):
        entries.append(min(math.isqrt(left), sum_left))
        left, sum_left = left - entries[-1] ** 2, sum_left - entries[-1]
    return [0] * len(entries), entries


def _numbers(mechanism: AdditiveNoise) -> tuple[Any, Any]:
    size = mechanism.sensitivity
    return (0, int(size)) if mechanism.whole else (0.0, float(size))


def _additive(mechanism: AdditiveNoise, entropy: Entropy) -> Draw:
    def draw(x: Any, count: int) -> Sample:
        one = np.asarray(x)
        many = np.broadcast_to(one, (count, *one.shape))
        noisy = mechanism.release(many, coordinates=max(one.size, 1), entropy=entropy)
        values: Sample = noisy.value
        return values

    return draw


def _responding(mechanism: RandomizedResponse, entropy: Entropy) -> Draw:
    def draw(x: Any, count: int) -> Sample:
        if np.ndim(x):
            raise InvalidArgument(
                f"{_US}: neighbors must be two values of one person; one of them is {x!r}"
            )
        answers: Sample = mechanism.release(np.full(count, x), entropy=entropy).value
        return answers

    return draw


def _scored(choose: Choose, mechanism: Exponential | PermuteAndFlip, entropy: Entropy) -> Draw:
    factor = coefficient(mechanism.epsilon, 1, False, _US)
    return lambda x, count: choose(_rows(x, count), factor, entropy=entropy)


def _noisy_max(mechanism: ReportNoisyMax, entropy: Entropy) -> Draw:
    return lambda x, count: winners(mechanism, _rows(x, count), 1, entropy)


def _rows(scores: Any, count: int) -> Any:
    one = read_scores(scores, f"{_US}: neighbors")
    return np.broadcast_to(one, (count, *one.shape))


class _Kind(NamedTuple):
    """How the mechanisms of one class are drawn from, and which inputs tell most about them."""

    mechanisms: type[Mechanism]
    draw: Callable[[Any, Entropy], Draw]
    neighbors: Callable[[Any], tuple[Any, Any]]


_KINDS = (
    _Kind(IntegerVector, _additive, _vectors),
    _Kind(AdditiveNoise, _additive, _numbers),
    _Kind(RandomizedResponse, _responding, lambda _: (0, 1)),
    _Kind(Exponential, partial(_scored, exponential_choice), lambda _: ([1, 0], [0, 1])),
    _Kind(PermuteAndFlip, partial(_scored, permute_and_flip), lambda _: ([2, 0], [1, 1])),
    _Kind(ReportNoisyMax, _noisy_max, lambda m: ([1 if m.monotone else 2, 0], [1, 1])),
    _Kind(NoisyThreshold, draw_answers, telling_queries),
)
"""The first that fits is taken."""


def _kind_of(mechanism: Mechanism) -> _Kind | None:
    return next((kind for kind in _KINDS if isinstance(mechanism, kind.mechanisms)), None)
