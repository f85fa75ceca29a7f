"""One candidate by its score: what the releases of all selections share."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from numpy.typing import NDArray

from tightrope._check import Real
from tightrope.events import Event
from tightrope.mechanisms.candidates import coefficient, read_scores
from tightrope.mechanisms.released import Released
from tightrope.mechanisms.source import source_of
from tightrope.noise.entropy import Entropy

Sampler = Callable[..., NDArray[Any]]
"""From scores and the factor that they get in the exponents to the number of a candidate."""


def choose(  # noqa: PLR0913  (what is run, how it is drawn, and from what)
    event: Event,
    epsilon: Real,
    sampler: Sampler,
    scores: Any,
    sensitivity: Real,
    monotone: bool,
    entropy: Entropy | None,
) -> Released:
    """Release the number of one candidate.

    Raises:
        InvalidArgument: a score is not finite (its place is told), there is no candidate, there
            are several selections, or an argument is not admissible.
    """
    caller = f"{type(event).__name__}.release"
    source = source_of(entropy, caller)
    known = read_scores(scores, caller)
    factor = coefficient(epsilon, sensitivity, monotone, caller)
    return Released(int(sampler(known, factor, entropy=source)), event, source.secure)
