"""Compositions with many bounded-range releases of one epsilon: a sharper pair than their own."""

from __future__ import annotations

import math
from functools import singledispatch
from typing import Any

import numpy as np

from tightrope.events import Composed
from tightrope.loss.dominating import Dominating, compose
from tightrope.loss.finite.bounded_range import adaptive
from tightrope.loss.logistic import LogisticLoss
from tightrope.mechanisms.mechanism import Mechanism
from tightrope.notions import BoundedRange
from tightrope.num.rounding import float_up
from tightrope.plan.exact.leaves import dominating


def adaptively_composed(event: Composed) -> Dominating | None:
    """The composition with its largest group of bounded-range releases taken together.

    Only one group: an adversary who also chooses the order in which groups are run is not
    covered by the product of their bounds.
    """
    ranges = [(part, count, _range(part)) for part, count in event.counts.items()]
    runs: dict[float, int] = {}
    for _, count, length in ranges:
        if 0 < length < math.inf:
            runs[length] = runs.get(length, 0) + count
    epsilon = max(runs, key=lambda e: runs[e] * e * e, default=0.0)
    if not runs.get(epsilon, 0) > 1:
        return None
    together = adaptive(epsilon, runs[epsilon])
    pairs = [(dominating(part), count) for part, count, length in ranges if length != epsilon]
    known = [(pair, count) for pair, count in pairs if pair is not None]
    if together is None or len(known) < len(pairs):
        return None
    return compose([(Dominating.symmetric(together, attained=False), 1), *known])


@singledispatch
def _range(event: Any) -> float:
    """The range of one release of which nothing sharper is known; infinite if it has none."""
    return math.inf


@_range.register
def _stated(event: BoundedRange) -> float:
    return float_up(event.epsilon)


@_range.register
def _mechanism(event: Mechanism) -> float:
    """That of its fact, if the pair of its release is the logistic one and only covers it."""
    fact = event.facts().get(BoundedRange)
    if fact is None:
        return math.inf
    pair = dominating(event)
    if pair is None or pair.attained or len(pair.orders) > 1:
        return math.inf
    logistic = all(isinstance(loss, LogisticLoss) for loss in pair.orders[0].losses)
    return float(np.ravel(fact(*event.strength()))[0]) if logistic else math.inf
