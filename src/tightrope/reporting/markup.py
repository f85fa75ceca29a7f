"""HTML and SVG as text in which everything is escaped that was not made here.

A report shows titles, labels and notes that somebody else wrote. So a plain text is never markup:
what is put inside an element is escaped unless it is an element itself.
"""

from __future__ import annotations

import html
from collections.abc import Iterable

from tightrope._text import cleaned

VOID = ("meta", "line", "path", "rect", "circle", "col")
"""Elements that have nothing inside."""


class Markup(str):
    """A text that is markup already."""

    __slots__ = ()


def escaped(text: str) -> Markup:
    """A text as markup that shows it.

    Examples:
        >>> escaped("<b> & 'c'")
        '&lt;b&gt; &amp; &#x27;c&#x27;'
    """
    return Markup(text if isinstance(text, Markup) else html.escape(cleaned(text), quote=True))


def joined(pieces: Iterable[str]) -> Markup:
    """Several pieces, one after the other."""
    return Markup("".join(map(escaped, pieces)))


def tag(name: str, /, *inside: str, **attributes: str | float) -> Markup:
    """An element; an underscore at the end of an attribute's name is dropped, others are dashes.

    Examples:
        >>> tag("a", "x < y", href="#top", class_="number")
        '<a href="#top" class="number">x &lt; y</a>'
    """
    named = "".join(
        f' {key.rstrip("_").replace("_", "-")}="{escaped(_value(value))}"'
        for key, value in attributes.items()
    )
    if name in VOID:
        return Markup(f"<{name}{named}/>")
    return Markup(f"<{name}{named}>{joined(inside)}</{name}>")


def _value(value: str | float) -> str:
    return value if isinstance(value, str) else f"{value:.6g}"
