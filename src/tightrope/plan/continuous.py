"""An estimate: discrete Gaussian noise taken as continuous noise of the same scale.

At moderate scales the two leak nearly the same, but the discrete law is not quite as private, so
what comes out is an Estimate and never a guarantee.
"""

from __future__ import annotations

from tightrope._calls import spoken
from tightrope.events import Composed, Event, Joint, compose, jointly, require_event
from tightrope.mechanisms.discrete_gaussian import DiscreteGaussian
from tightrope.mechanisms.gaussian import Gaussian
from tightrope.notions import Estimate


@spoken
def as_continuous(event: Event) -> Estimate:
    """``event`` with every discrete Gaussian replaced by its continuous twin.

    Examples:
        >>> import tightrope as tr
        >>> tr.as_continuous(tr.DiscreteGaussian(2.0) ** 10).subject
        Gaussian(noise_scale=2.0) ** 10
    """
    require_event(event, "as_continuous: event")
    return Estimate(_twin(event), "discrete Gaussian noise taken as continuous")


def _twin(event: Event) -> Event:
    if isinstance(event, DiscreteGaussian):
        if event.noise_scale is not None:
            return Gaussian(event.noise_scale, event.sensitivity, neighbors=event.neighbors)
        return Gaussian(
            variance=event.variance, sensitivity=event.sensitivity, neighbors=event.neighbors
        )
    if isinstance(event, Composed):
        return compose(*(_twin(part) ** count for part, count in event.counts.items()))
    if isinstance(event, Joint):
        return jointly(*(_twin(part) for part in event.parts))
    return event
