"""The error of a charge that is not afforded; what would be is computed when somebody looks."""

from __future__ import annotations

from functools import cached_property

from tightrope._errors import TightropeError
from tightrope.events import Event
from tightrope.ledger.affordable import affordable
from tightrope.ledger.amounts import Amounts
from tightrope.ledger.elsewhere import sampling
from tightrope.ledger.filter import Filter
from tightrope.ledger.scope import Scope, scoped
from tightrope.notions import Guarantee


class BudgetExceeded(TightropeError):
    """The budget does not afford the event; nothing was written, so nothing may be released.

    Attributes:
        book: the name of the book.
        event: what was asked for.
    """

    def __init__(  # noqa: PLR0913  (who asked for what, what it costs, and of what is left)
        self,
        book: str,
        event: Event,
        guard: Filter,
        price: Amounts,
        left: Amounts,
        scope: Scope | None = None,
    ):
        super().__init__(book, event, guard, price, left, scope)
        self.book = book
        self.event = event
        self._guard, self._price, self._left, self._scope = guard, price, left, scope

    @property
    def requested(self) -> str:
        """What the event costs, in the words of the book's notion, rounded up."""
        return self._guard.consumption(self._price)

    @property
    def remaining(self) -> Guarantee:
        """What is left, as the largest guarantee that it covers."""
        return scoped(self._guard.single(self._left), self._scope)

    @cached_property
    def affordable(self) -> Event | None:
        """The same event with the least noise (or largest epsilon) that is left for it."""
        return affordable(self.event, self._guard, self._left)

    def __str__(self) -> str:
        hint = f"; affordable is {self.affordable!r}" if self.affordable is not None else ""
        now = "" if self._scope is None else f" in this {self._scope.per}"
        sample = "" if self._guard.gains_by_samples else sampling(self.event)
        return (
            f"book {self.book!r} does not afford {self.event!r}: it costs {self.requested}, and "
            f"{self.remaining!r} remains{now}{hint}{sample}. Nothing was written"
        )
