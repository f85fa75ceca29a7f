"""What notebooks show: one page in three languages, of which they take the one that they can."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Protocol

from tightrope import _html, _latex, _markdown


class Form(Protocol):
    """A language for pages; every text is escaped in it."""

    def statement(self, text: str, /, *notes: str) -> str:
        """A text that stands out, with notes below it."""

    def preformatted(self, text: str, /, *notes: str) -> str:
        """A text whose lines stay as they are, with notes below it."""

    def item(self, text: str, note: str, inside: str = "", /) -> str:
        """An entry of a list, with what belongs to it."""

    def listed(self, items: Iterable[str], /) -> str:
        """Entries, one below the other."""


class Shown:
    """Base of all that notebooks show."""

    def _page(self, form: Form) -> str:
        raise NotImplementedError  # pragma: no cover

    def _repr_html_(self) -> str:
        """For notebooks."""
        return self._page(_html)

    def _repr_markdown_(self) -> str:
        """For documents that are made from notebooks."""
        return self._page(_markdown)

    def _repr_latex_(self) -> str:
        """For papers that are made from notebooks."""
        return self._page(_latex)
