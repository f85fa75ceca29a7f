"""Plain texts that somebody else wrote, made safe to show anywhere."""

from __future__ import annotations

import unicodedata

REPLACEMENT = "\N{REPLACEMENT CHARACTER}"


def named(noun: str) -> str:
    """A noun with its indefinite article.

    Examples:
        >>> named("int"), named("Gaussian"), named("ufunc")
        ('an int', 'a Gaussian', 'a ufunc')
    """
    vowel = noun[:1].lower() in "aeio" or noun[:2].lower() in ("un", "up", "ul", "um")
    return f"{'an' if vowel and noun[:3].lower() not in ('uni', 'one') else 'a'} {noun}"


def cleaned(text: str) -> str:
    """The text without characters that control a terminal, a page or the direction of reading.

    Examples:
        >>> cleaned("a\\x00b\\u202ec")
        'a�b�c'
    """
    return "".join(c if c in "\n\t" or not _controls(c) else REPLACEMENT for c in text)


def _controls(character: str) -> bool:
    return unicodedata.category(character) in ("Cc", "Cf", "Cs", "Co", "Cn")
