"""Texts for values, and the names by which texts may call constructors.

What a user typed is shown as typed, with all digits; what was computed is shown to four digits,
rounded to the safe side. ``_parse`` reads both back.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction
from typing import Any, TypeVar

from tightrope.neighbors import add_or_remove, jointly_neighbors, replace_one

DUST = Fraction(1, 10**12)
"""Relative excess over a four-digit number that printing forgives as rounding dust."""

constructors: dict[str, Callable[..., Any]] = {
    "Fraction": Fraction,
    "jointly_neighbors": jointly_neighbors,
}
"""Every function or class that a text may call."""

short_names: dict[str, Callable[..., Any]] = {}
"""Constructors by their short prefix, as in ``zcdp:0.5``."""

constants: dict[str, Any] = {
    "add_or_remove": add_or_remove,
    "replace_one": replace_one,
    "inf": math.inf,
}
"""Names that stand for a value."""

C = TypeVar("C", bound=Callable[..., Any])


def register(constructor: C) -> C:
    """Let texts name a class or a function; usable as a decorator."""
    constructors[constructor.__name__] = constructor
    short = getattr(constructor, "__dict__", {}).get("short")
    if short:
        short_names[short] = constructor
    return constructor


def shown(value: Any, digits: int = 4) -> str:
    """A loss for people: ``digits`` significant digits, rounded up.

    Examples:
        >>> shown(1.28391312), shown(0.75), shown(3.00001e-9)
        ('1.284', '0.75', '3.001e-09')
    """
    return _rounded(value, digits, math.ceil, 1 - DUST)


def shown_down(value: Any, digits: int = 4) -> str:
    """Protection for people: ``digits`` significant digits, rounded down."""
    return _rounded(value, digits, math.floor, 1 + DUST)


def _rounded(value: Any, digits: int, side: Callable[[Any], int], forgive: Fraction) -> str:
    if not 0 < abs(value) < 1e300:  # zero, infinite, or without room to round
        return typed(value)
    exact = Fraction(value) * (forgive if value > 0 else 2 - forgive)
    place = math.floor(math.log10(abs(value))) - digits + 1
    unit = Fraction(10) ** place
    return typed(float(f"{float(side(exact / unit) * unit):.{digits}g}"))


def typed(value: Any) -> str:
    """A value as one would type it to get exactly it back."""
    return repr(float(value)) if isinstance(value, float) else repr(value)


def clipped(text: str, most: int = 80) -> str:
    """The text, or its beginning if it has more than ``most`` characters."""
    return text if len(text) <= most else f"{text[: most - 3]}..."


def told_neighbors(event: Any) -> list[str]:
    """The ``neighbors=`` argument of a repr, if it is not the default."""
    return [] if event.neighbors == add_or_remove else [f"neighbors={event.neighbors!r}"]
