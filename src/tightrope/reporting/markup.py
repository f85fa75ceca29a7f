"""HTML and SVG as text in which everything is escaped that was not made here.

A report shows titles, labels and notes that somebody else wrote. So a plain text is never markup:
what is put inside an element is escaped unless it is an element itself.
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterable

from tightrope._text import cleaned

VOID = ("meta", "line", "path", "rect", "circle", "col", "wbr")
"""Elements that have nothing inside."""


PROSE = frozenset(
    ("h1", "h2", "h3", "h4", "p", "li", "th", "td", "caption", "figcaption", "summary", "span")
)
"""Elements whose words flow in lines."""

BREAKABLE = re.compile(r"\d[\d.,]*(?:e-\d+(?:[ \u00a0]%)?|[ \u00a0]%)")
"""Numbers that a browser would break: before their per cent sign, or after their minus."""

AFTER = re.compile(r"(?<=[a-z][(=])(?=\w{4})")
"""Where the text of an event may be broken rather than within a word."""


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


def prose(text: str) -> Markup:
    """A text whose numbers are never broken into lines, and whose long words break where they may.

    Examples:
        >>> prose("at most 5 % of < 7")
        'at most <span class="whole">5 %</span> of &lt; 7'
    """
    if isinstance(text, Markup):
        return text
    kept = BREAKABLE.sub(lambda found: f'<span class="whole">{found[0]}</span>', escaped(text))
    return Markup(AFTER.sub("<wbr/>", kept))


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
    content = joined(map(prose, inside) if name in PROSE else inside)
    return Markup(f"<{name}{named}>{content}</{name}>")


def _value(value: str | float) -> str:
    return value if isinstance(value, str) else f"{value:.6g}"
