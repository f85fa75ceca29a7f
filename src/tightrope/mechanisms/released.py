"""What a mechanism gave out, and what it cost."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from tightrope.events import Event


@dataclass(frozen=True, eq=False)
class Released:
    """A value that may be published, with the event that accounting uses.

    Attributes:
        value: what was released.
        event: what was run, exactly as it was run.
        secure: whether all randomness came from the operating system; a release that is not
            secure is for tests and must not be published.
    """

    value: Any
    event: Event
    secure: bool

    def why(self, notion: type | None = None, **given: Any) -> Any:
        """The derivation of what the event guarantees; see ``Event.why``."""
        return self.event.why(notion, **given)

    def __repr__(self) -> str:
        warning = "" if self.secure else ", INSECURE: drawn from a fixed seed"
        return f"{type(self).__name__}({self.value!r}, by {self.event!r}{warning})"
