"""What notebooks show: a few plain elements, every text escaped, and no colours of our own.

So a page in a dark theme stays legible, and no name that came from a file becomes markup.
"""

from __future__ import annotations

from collections.abc import Iterable
from html import escape

__all__ = ["item", "listed", "preformatted", "statement"]


def statement(text: str, *notes: str) -> str:
    """A text that stands out, with smaller notes below it.

    Examples:
        >>> statement("GDP(mu=1)", "for <all>")
        '<div><strong>GDP(mu=1)</strong><br><small>for &lt;all&gt;</small></div>'
    """
    below = "".join(f"<br><small>{escape(note)}</small>" for note in notes if note)
    return f"<div><strong>{escape(text)}</strong>{below}</div>"


def preformatted(text: str, *notes: str) -> str:
    """A text whose lines stay as they are, with smaller notes below it."""
    below = "".join(f"<div><small>{escape(note)}</small></div>" for note in notes if note)
    return f"<div><pre>{escape(text)}</pre>{below}</div>"


def item(text: str, note: str, inside: str = "") -> str:
    """An entry of a list, with what belongs to it."""
    return f"<li>{statement(text, note)}{inside}</li>"


def listed(items: Iterable[str]) -> str:
    """Entries, one below the other; nothing if there are none."""
    entries = "".join(items)
    return f"<ul>{entries}</ul>" if entries else ""
