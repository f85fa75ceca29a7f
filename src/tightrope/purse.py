"""What every other feature spends from: a purse that takes a charge before anything is drawn.

A feature that releases takes any ``Purse``: a book of the ledger, or something of the caller's that
has the same two methods.

Examples:
    >>> import tightrope as tr
    >>> class Free:
    ...     def charge(self, event, *, note="", key=None, part=None): ...
    ...     def reserve(self, event, *, note="", key=None, part=None): ...
    >>> isinstance(Free(), tr.Purse)
    True
"""

from __future__ import annotations

from types import TracebackType
from typing import Any, Protocol, Self, runtime_checkable

from tightrope.events import Event


@runtime_checkable
class Hold(Protocol):
    """An amount that is set aside for one release, and counts as spent until it is given back."""

    def commit(self, *, note: str = "") -> Any:
        """The release was made: the amount is spent for good."""

    def release(self) -> Any:
        """Nothing was drawn: the amount goes back."""

    def __enter__(self) -> Self: ...

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None: ...


@runtime_checkable
class Purse(Protocol):
    """Something to spend from; both verbs raise before anything is drawn if it does not suffice."""

    def charge(
        self, event: Event, *, note: str = "", key: str | None = None, part: str | None = None
    ) -> Any:
        """Spend what the event costs, and return a receipt.

        Args:
            event: what is about to be released.
            note: what it is, for people.
            key: names this charge, so that a retry does not pay twice.
            part: the declared part of the data that the event is about, if not all of it.
        """

    def reserve(
        self, event: Event, *, note: str = "", key: str | None = None, part: str | None = None
    ) -> Hold:
        """Set aside what the event costs; ``commit`` it once released, or ``release`` it."""
