"""Renyi divergences of one order, proved from the losses of all releases."""

from __future__ import annotations

import math

from tightrope.certifying.derivable import NORMAL
from tightrope.certifying.proof import Proof
from tightrope.certifying.subjects import NotCertified
from tightrope.certifying.wire import exact
from tightrope.events import Composed, Event, PostProcessed, Sampled
from tightrope.notions import RDP
from tightrope.plan import to
from tightrope.theorems.registry import named

ATTAINED = frozenset(("GDP", "Gaussian", "Laplace", "PureDP", "RandomizedResponse"))
"""Leaves whose Renyi curve is that of their losses, at every order."""


def prove_renyi(proof: Proof, event: Event, order: float) -> tuple[str, float]:
    """The step that proves the divergence of one order, and that divergence."""
    if order <= 1 or not _attained(event, whole=float(order).is_integer()):
        raise NotCertified(f"the divergence of order {order!r} is not proved from the losses alone")
    bound = float(to(event, RDP)(order))
    if not math.isfinite(bound):
        raise NotCertified(f"nothing is known at order {order!r}")
    values = {"order": exact(order), "epsilon": exact(bound)}
    return proof.enter_named(event, named("compose_rdp"), (), RDP, values), bound


def _attained(event: Event, *, whole: bool) -> bool:
    """Whether its curve is as sharp as its losses are; that of samples is at whole orders."""
    if isinstance(event, Composed):
        return all(_attained(part, whole=whole) for part in event.counts)
    if isinstance(event, PostProcessed):
        return _attained(event.event, whole=whole)
    if isinstance(event, Sampled):
        return whole and type(event.event).__name__ in NORMAL - {"ZCDP"}
    return type(event).__name__ in ATTAINED
