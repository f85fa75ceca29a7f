"""An accountant with the face of dp_accounting's, for code that composes events there."""

from __future__ import annotations

from typing import Any

from tightrope import plan
from tightrope._errors import TightropeError
from tightrope.adapters.dp_events import from_dp_accounting
from tightrope.adapters.foreign import composed, relation_of
from tightrope.events import Event
from tightrope.neighbors import Neighbors, add_or_remove


class PLDAccountant:
    """Composes events of dp_accounting, and answers with proved bounds.

    Args:
        neighboring_relation: ``tr.add_or_remove``, ``tr.replace_one``, or the members of
            dp_accounting's ``NeighboringRelation`` of these names.

    Examples:
        >>> import tightrope as tr
        >>> accountant = PLDAccountant().compose(tr.Gaussian(4.0), count=12)
        >>> accountant.ledger
        Gaussian(noise_scale=4.0) ** 12
        >>> accountant.get_epsilon(1e-6) == (tr.Gaussian(4.0) ** 12).epsilon(1e-6)
        True
    """

    def __init__(self, neighboring_relation: Any = add_or_remove):
        self._neighbors = relation_of("PLDAccountant", neighboring_relation)
        self._parts: list[Event] = []

    @property
    def neighboring_relation(self) -> Neighbors:
        """The relation that all answers are about."""
        return self._neighbors

    def compose(self, event: Any, count: int = 1) -> PLDAccountant:
        """Add ``count`` runs of an event, of dp_accounting or of this library; returns itself.

        Raises:
            InvalidArgument: see ``from_dp_accounting``.
            NeighborsMismatch: an event of this library is about another relation.
        """
        part = self._read(event)
        self._neighbors.merged(part.neighbors)
        self._parts.append(part**count)
        return self

    def supports(self, event: Any) -> bool:
        """Whether ``compose`` would take the event."""
        try:
            self._neighbors.merged(self._read(event).neighbors)
        except TightropeError:
            return False
        return True

    def _read(self, event: Any) -> Event:
        return event if isinstance(event, Event) else from_dp_accounting(event, self._neighbors)

    @property
    def ledger(self) -> Event:
        """All that was composed so far, as an event of this library."""
        return composed(self._parts, self._neighbors)

    def get_epsilon(self, target_delta: float) -> float:
        """An upper bound on the epsilon of all events so far, at ``target_delta``."""
        return float(plan.epsilon(self.ledger, target_delta))

    def get_delta(self, target_epsilon: float) -> float:
        """An upper bound on the delta of all events so far, at ``target_epsilon``."""
        return float(plan.delta(self.ledger, target_epsilon))
