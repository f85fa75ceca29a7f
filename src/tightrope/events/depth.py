"""How deep events may stand within one another: as deep as they can be walked without a mistake.

A composition of compositions is no deeper than its parts, however it was built, since it is a
multiset of runs. Every other node counts.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from tightrope._errors import InvalidArgument

MOST_NESTED = 50
"""Most levels of samples, parts, groups and publications within one another."""


def nested(inside: Iterable[Any]) -> int:
    """The level of a node around the given events.

    Raises:
        InvalidArgument: it would be nested too deeply.
    """
    level = 1 + max(map(_level, inside), default=0)
    if level > MOST_NESTED:
        raise InvalidArgument(
            f"an event nests at most {MOST_NESTED} levels of samples, parts, groups and "
            "publications; put disjoint parts side by side, as in tr.parallel(*parts), and runs "
            "one after the other, as in tr.compose(*runs) or event ** n"
        )
    return level


def _level(event: Any) -> int:
    stated_of = getattr(event, "event", None)  # a curve that was read off an event
    known: int = event.__dict__.get("_level", 0)
    return known or (0 if stated_of is None else 1 + _level(stated_of))
