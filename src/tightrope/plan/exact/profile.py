"""The exact engine's view of an event: the pairs that dominate it, where they are known.

One rule for every kind of node; ``nodes`` has those that compose. ``None`` means that the pair is
not known, or that composing its alternatives release by release would have to be covered first; the
portfolio answers then.
"""

from __future__ import annotations

import math
from functools import singledispatch
from itertools import product
from typing import Any

from tightrope.events import Composed, Event, Joint, Parallel, PostProcessed, Sampled
from tightrope.loss.dominating import Dominating
from tightrope.loss.pair_profile import PairProfile
from tightrope.loss.total import Total
from tightrope.mechanisms.mechanism import Mechanism
from tightrope.notions.curves import CurveGuarantee
from tightrope.plan.exact import nodes  # noqa: F401  (registers its rules)
from tightrope.plan.exact.covers import covered, touches_one_part
from tightrope.plan.exact.leaves import dominating
from tightrope.plan.exact.poisson import alone
from tightrope.plan.exact.ranges import adaptively_composed
from tightrope.plan.remembered import remembered

MOST_TOGETHER = 64
"""Most ways in which units that change together are removed or added."""


@remembered
def exact_profile(event: Event) -> PairProfile | None:
    """The profile of the pairs that dominate the event."""
    return _profile(event)


@singledispatch
def _profile(event: Any) -> PairProfile | None:
    return _of_pair(dominating(event))


def _of_pair(pair: Dominating | None) -> PairProfile | None:
    return PairProfile((pair,)) if pair is not None else None


@_profile.register
def _of_published(event: PostProcessed) -> PairProfile | None:
    return exact_profile(event.event)


@_profile.register
def _of_curve(event: CurveGuarantee) -> PairProfile | None:
    return _of_pair(dominating(event)) if event.event is None else exact_profile(event.event)


@_profile.register
def _of_mechanism(event: Mechanism) -> PairProfile | None:
    pairs = event.alternatives()
    return PairProfile(pairs) if pairs is not None else _of_pair(dominating(event))


@_profile.register
def _of_sample(event: Sampled) -> PairProfile | None:
    return _of_pair(alone(event))


@_profile.register
def _of_runs(event: Composed) -> PairProfile | None:
    pair = dominating(event)
    if pair is None:
        return None
    sharper = adaptively_composed(event)
    return PairProfile((pair,), (PairProfile((sharper,)),) if sharper is not None else ())


@_profile.register
def _of_parts(event: Parallel) -> PairProfile | None:
    """One part, which the neighbours fix; a replaced unit may also touch two."""
    parts = list(dict.fromkeys(event.parts))
    pairs = [dominating(part) for part in parts]
    known = [pair for pair in pairs if pair is not None]
    if len(known) < len(pairs):
        return None
    return PairProfile(known) if touches_one_part(event) else None


@_profile.register
def _of_units(event: Joint) -> PairProfile | None:
    """Units that change together: each may be removed or added, whatever the others are."""
    pairs = [dominating(part) or covered(part) for part in event.parts]
    known = [pair for pair in pairs if pair is not None]
    if len(known) < len(pairs) or math.prod(len(pair.orders) for pair in known) > MOST_TOGETHER:
        return None
    every = product(*(pair.orders for pair in known))
    orders = (Total.of((loss, 1) for total in one for loss in total.losses) for one in every)
    return PairProfile([Dominating(tuple(orders), all(pair.attained for pair in known))])
