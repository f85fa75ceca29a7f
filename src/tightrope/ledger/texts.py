"""Texts from callers: what every store can hold and compare, and everybody be shown.

A database that indexes a text limits its length, refuses the character NUL, and knows no half
characters. What one kind of store would refuse is refused for all, before anything is asked of it.
"""

from __future__ import annotations

import unicodedata
from typing import Any

from tightrope._errors import InvalidArgument

LONGEST_NOTE = 100_000
"""Most characters of a text that is only kept."""

LONGEST_NAME = 200
"""Most characters of a text by which something is found."""


def storable(text: Any) -> bool:
    """Whether a store can be asked for it at all.

    >>> storable("census"), storable("a\\0"), storable("half \\ud800"), storable(7)
    (True, False, False, False)
    """
    return isinstance(text, str) and not _unfit(text)


def note(text: Any, what: str) -> str:
    """A text for people, which may be empty; raise InvalidArgument if it cannot be kept."""
    return _checked(text, what, LONGEST_NOTE)


def name(text: Any, what: str) -> str:
    """A text by which something is found; raise InvalidArgument if it cannot be."""
    found = _checked(text, what, LONGEST_NAME)
    if not found.strip():
        raise InvalidArgument(f"{what} must not be blank; you passed {text!r}")
    return found


def unit(text: Any, what: str) -> str:
    """The name of a unit, of which there is one spelling; raise InvalidArgument if it is another.

    Blanks at its ends, characters that nobody sees and letters in two parts would make one unit
    two, each with a budget of its own.
    """
    found = name(text, what)
    if found != unicodedata.normalize("NFC", found.strip()) or any(map(_unseen, found)):
        raise InvalidArgument(
            f"{what} must have no blanks at its ends, no characters that nobody sees and no "
            f"letters in parts (Unicode's NFC), so that it is one unit; you passed {found!r}"
        )
    return found


def _unseen(character: str) -> bool:
    return unicodedata.category(character) in ("Cc", "Cf", "Zl", "Zp")


def _checked(text: Any, what: str, longest: int) -> str:
    if not isinstance(text, str) or len(text) > longest:
        raise InvalidArgument(f"{what} must be a text of at most {longest:,} characters")
    reason = _unfit(text)
    if reason:
        raise InvalidArgument(f"{what} holds {reason}; leave it out")
    return text


def _unfit(text: str) -> str:
    if "\0" in text:
        return "the character NUL"
    try:
        text.encode()
    except UnicodeEncodeError:
        return "half a character, a lone surrogate"
    return ""
