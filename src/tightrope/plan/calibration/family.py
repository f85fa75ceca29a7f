"""A family of events, one for every value of a parameter, and how far they miss a target."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from typing import Any

import numpy as np

from tightrope._errors import InvalidArgument, NotReachable
from tightrope.events import Event
from tightrope.notions import Guarantee
from tightrope.plan.calibration.edge import Axis, Search
from tightrope.plan.calibration.target import aim

TOLERANCE = 1e-11
"""Relative distance from the edge that is aimed at; 1e-10 is promised."""

ROUGHLY = 1e-3
"""The same of a rough search."""

FINELY = TOLERANCE / 64
"""Relative distance from the edge that is tried first, where misses have all digits."""

AROUND = (1 / 16, 16)
"""Where to look for a turn: factors from the edge."""

APART = 1e-6
"""Relative distance from the edge from which on misses have a sign for sure."""


class Family:
    """The events ``f(x)``, their misses, and what was refused on the way."""

    def __init__(self, f: Callable[[Any], Event], target: Guarantee, axis: Axis):
        self.f, self.target, self.axis = f, target, axis
        self.aim = aim(target)
        self.refusals: list[str] = []

    def event(self, x: float) -> Event | None:
        """The event at x; None if it is refused there, as a sampling rate above 1 is."""
        try:
            event = self.f(int(x) if self.axis.whole else x)
        except InvalidArgument as error:
            self.refusals.append(str(error))
            return None
        if not isinstance(event, Event):
            raise InvalidArgument(f"calibrate: f must give an event; f({x!r}) gave {event!r}")
        event.neighbors.merged(self.target.neighbors)
        return event

    # --- misses -----------------------------------------------------------------------------

    def miss(self, x: float) -> float:
        """How far what is proved of the event at x misses the target."""
        event = self.event(x)
        return math.inf if event is None else self._proved(event)

    def quick(self, x: float) -> float:
        """The rough miss, or else the proved one."""
        event = self.event(x)
        if event is None:
            return math.inf
        value = self.aim.rough(event)
        return self._proved(event) if value is None or math.isnan(value) else value

    def _proved(self, event: Event) -> float:
        try:
            return self.aim.miss(event)
        except NotReachable as error:
            self.refusals.append(str(error))
            return math.inf

    # --- the search -------------------------------------------------------------------------

    @np.errstate(all="ignore")  # a search may pass through extremes, where floats overflow
    def search(self, start: float) -> Search:
        """A finished search by proved misses, which begins where quicker ones lead."""
        event = self.event(start)
        if event is not None and self.aim.rough(event) is None:
            return _finished(Search(self.miss, self.axis, TOLERANCE, None, FINELY), start)
        rough = _finished(Search(self.quick, self.axis, ROUGHLY, None, ROUGHLY / 2), start)
        near, slope, nudge = rough.edge, rough.slope, FINELY
        followed = self._followed(rough)
        if followed is not None:
            near, slope, nudge = followed.edge, followed.slope, TOLERANCE / 4
        return _finished(Search(self.miss, self.axis, TOLERANCE, slope, nudge), near)

    def _followed(self, rough: Search) -> Search | None:
        """A search by the nodes that suit the event at the rough edge."""
        event = self.event(rough.edge)
        follow = None if event is None or rough.good is None else self.aim.follow(event)
        if follow is None:
            return None

        def miss(x: float) -> float:
            event = self.event(x)
            return math.inf if event is None else follow(event)

        search = Search(miss, self.axis, TOLERANCE, rough.slope, TOLERANCE / 4)
        return _finished(search, rough.edge)

    @np.errstate(all="ignore")
    def turns(self, search: Search, ends: Iterable[float]) -> bool:
        """Whether a parameter was seen that should miss and meets, or the other way round."""
        edge = search.edge
        seen = [p for p in search.trail if abs(p.x - edge) > APART * edge]
        if any(p.met != search.expected(p.x) for p in seen):
            return True
        around = {*ends, *(self.axis.nearest(edge * factor) for factor in AROUND)}
        return any(self._contradicts(search, x) for x in sorted(around) if x != edge)

    def _contradicts(self, search: Search, x: float) -> bool:
        if self.event(x) is None:
            return False
        wanted = search.expected(x)
        return (self.quick(x) <= 0) != wanted and (self.miss(x) <= 0) != wanted

    def best(self, search: Search) -> str:
        """What is reached where the target is missed by least, in words."""
        point = search.bad
        event = self.event(point.x) if point and point.usable else None
        if point is None or event is None:
            return ""
        try:
            return f"; the best that was found is {self.aim.told(event)}, at {point.x:g}"
        except NotReachable as error:
            return f"; at {point.x:g}, the best that was found, {error}"


def _finished(search: Search, start: float) -> Search:
    search.run(start)
    return search
