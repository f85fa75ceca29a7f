"""From an event to its portfolio: one rule for every kind of node, chosen by the node's class."""

from __future__ import annotations

from functools import singledispatch
from typing import Any

from tightrope.events import Event
from tightrope.notions.curves import CurveGuarantee
from tightrope.plan.leaves import leaf_column
from tightrope.plan.portfolio import Portfolio


def portfolio_of(event: Event) -> Portfolio:
    """The portfolio of one event, computed once and kept with it."""
    known = event.__dict__.get("_portfolio")
    if known is None:
        known = planned(event)
        object.__setattr__(event, "_portfolio", known)
    result: Portfolio = known
    return result


@singledispatch
def planned(event: Any) -> Portfolio:
    """The portfolio of an event; the modules beside this one register a rule for each node."""
    return leaf_column([event])


@planned.register
def _of_curve(event: CurveGuarantee) -> Portfolio:
    return leaf_column([event]) if event.event is None else portfolio_of(event.event)
