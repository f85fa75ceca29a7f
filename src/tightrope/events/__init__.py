"""The algebra of what was run: events, and the ways to put them together.

An event knows no notion of privacy and no mechanism; mechanisms and guarantees are events. What
can be proved about an event is the planner's business.
"""

from tightrope.events.event import Event
from tightrope.events.nodes import (
    Composed,
    Grouped,
    Joint,
    Parallel,
    PostProcessed,
    Restated,
    Sampled,
    compose,
    jointly,
    parallel,
)

__all__ = [
    "Composed",
    "Event",
    "Grouped",
    "Joint",
    "Parallel",
    "PostProcessed",
    "Restated",
    "Sampled",
    "compose",
    "jointly",
    "parallel",
]
