"""What a mechanism gave out, and what it cost."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from tightrope._notebook import Form, Shown
from tightrope.events import Event
from tightrope.events.questions import Questions


@dataclass(frozen=True, eq=False)
class Released(Shown, Questions):
    """A value that may be published, with the event that accounting uses.

    All that can be asked of the event can be asked of it: ``noisy.to(tr.GDP)``,
    ``noisy.epsilon(delta=1e-6)``, ``noisy.why()``.

    Attributes:
        value: what was released.
        event: what was run, exactly as it was run.
        secure: whether all randomness came from the operating system; a release that is not
            secure is for tests and must not be published.
    """

    value: Any
    event: Event
    secure: bool

    @property
    def _subject(self) -> Event:
        return self.event

    @property
    def _by(self) -> str:
        """What was run, in words."""
        return f"by {self.event!r}"

    @property
    def _warning(self) -> str:
        """What a reader must know before anything is published."""
        return "" if self.secure else ", INSECURE: drawn from a fixed seed"

    def _page(self, form: Form) -> str:
        warning = self._warning.removeprefix(", ")
        protected = f"for neighbours that {self.event.neighbors}"
        return form.preformatted(repr(self.value), warning, self._by, protected)

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.value!r}, {self._by}{self._warning})"
