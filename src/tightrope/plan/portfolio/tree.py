"""From an event to its portfolio: one rule for every kind of node, chosen by the node's class."""

from __future__ import annotations

from functools import singledispatch
from typing import Any

from tightrope.events import Event
from tightrope.notions.curves import CurveGuarantee
from tightrope.plan.portfolio.leaves import leaf_column
from tightrope.plan.portfolio.portfolio import Portfolio
from tightrope.plan.remembered import remembered


@remembered
def portfolio_of(event: Event) -> Portfolio:
    """The portfolio of one event."""
    return planned(event)


@singledispatch
def planned(event: Any) -> Portfolio:
    """The portfolio of an event; the modules beside this one register a rule for each node."""
    return leaf_column([event])


@planned.register
def _of_curve(event: CurveGuarantee) -> Portfolio:
    return leaf_column([event]) if event.event is None else portfolio_of(event.event)
