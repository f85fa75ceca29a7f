"""The algebra of what was run: events, and the ways to put them together.

An event knows no notion of privacy and no mechanism; mechanisms and guarantees are events. What
can be proved about an event is the planner's business.
"""

from tightrope.events.combine import compose, jointly, parallel
from tightrope.events.event import Event, require_event
from tightrope.events.nodes import (
    Composed,
    Grouped,
    Joint,
    OneUnit,
    Parallel,
    PostProcessed,
    Restated,
    Sampled,
    spelled,
)
from tightrope.events.repeated import (
    NegativeBinomialRepetitions,
    PoissonRepetitions,
    Repeated,
    Repetitions,
)
from tightrope.events.sampling import (
    FixedSize,
    Shuffled,
    TruncatedSample,
    WithoutReplacement,
    WithReplacement,
)

__all__ = [
    "Composed",
    "Event",
    "FixedSize",
    "Grouped",
    "Joint",
    "NegativeBinomialRepetitions",
    "OneUnit",
    "Parallel",
    "PoissonRepetitions",
    "PostProcessed",
    "Repeated",
    "Repetitions",
    "Restated",
    "Sampled",
    "Shuffled",
    "TruncatedSample",
    "WithReplacement",
    "WithoutReplacement",
    "compose",
    "jointly",
    "parallel",
    "require_event",
    "spelled",
]
