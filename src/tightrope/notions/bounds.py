"""What is not a guarantee: estimates (from approximations) and lower bounds (from attacks).

Neither ever turns into a guarantee: they do not compose with events and have no ``to``.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NoReturn

from tightrope._calls import Spoken
from tightrope._errors import NotAGuarantee
from tightrope.events.event import Event


@dataclass(frozen=True, repr=False)
class NotGuaranteed(metaclass=Spoken):
    """A statement about ``subject`` that must not be used as a promise."""

    subject: Event
    reason: str

    def __post_init__(self) -> None:
        if not isinstance(self.subject, Event):
            raise NotAGuarantee(
                f"{type(self).__name__}: subject must be an event or a guarantee; "
                f"you passed {self.subject!r}"
            )

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.subject!r}, {self.reason!r})"

    def _refuse(self, *_: object, **__: object) -> NoReturn:
        raise NotAGuarantee(
            f"{self!r} is not a guarantee ({self.reason}); it cannot be composed or converted into "
            "one. Account for the event itself with .to(...) instead"
        )

    __add__ = __radd__ = __pow__ = to = group = sampled = _refuse


class Estimate(NotGuaranteed):
    """An approximation, for example from a central limit theorem or from a similar mechanism.

    Examples:
        >>> import tightrope as tr
        >>> tr.Estimate(tr.GDP(1.0), "central limit theorem").epsilon(1e-6) > 4.8
        True
    """

    def epsilon(self, delta: float) -> float:
        """The estimated epsilon at ``delta``: a number to look at, not a promise."""
        return float(self.subject.epsilon(delta))


class LowerBound(NotGuaranteed):
    """What an attack has shown: the privacy loss is at least that of ``subject``."""
