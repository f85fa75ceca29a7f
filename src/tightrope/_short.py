"""The short form of a guarantee, ``zcdp:0.5``: its name, and numbers between commas."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable
from fractions import Fraction
from typing import Any

from tightrope import _wire
from tightrope._errors import InvalidArgument, TightropeError

DECIMAL_COMMA = re.compile(r"[+-]?\d+,\d+(?:[eE][+-]?\d+)?")
"""What many people write for a number that is not whole."""


def short_name(prefix: str) -> str:
    """The short name that was meant: capitals, and the name of the class, are as good.

    Examples:
        >>> import tightrope as tr
        >>> tr.parse("ZCDP:0.5"), tr.parse("PureDP:1")
        (ZCDP(rho=0.5), PureDP(epsilon=1))
    """
    lower = prefix.lower()
    if lower in _wire.short_names:
        return lower
    by_class = {owner.__name__.lower(): short for short, owner in _wire.short_names.items()}
    return by_class.get(lower, prefix)


def decimal_comma(name: str, numbers: str) -> str:
    """What to write, where a comma stands in what reads as one number; else nothing."""
    written = numbers.strip()
    if not DECIMAL_COMMA.fullmatch(written) or _needed(_wire.short_names[name]) > 1:
        return ""
    return (
        f"a comma stands between two numbers, and {written!r} reads as one: write "
        f"{name}:{written.replace(',', '.')}"
    )


def _needed(constructor: Callable[..., Any]) -> int:
    """How many numbers have no default."""
    known = inspect.signature(constructor).parameters.values()
    return sum(p.default is p.empty for p in known)


def made(name: str, numbers: str, text: str) -> Any:
    """The guarantee of that name with the numbers of a text."""
    if comma := decimal_comma(name, numbers):
        raise InvalidArgument(f"parse: {text!r}: {comma}")
    constructor = _wire.short_names[name]
    try:
        return constructor(*(number(part, text) for part in numbers.split(",")))
    except TypeError as error:
        if isinstance(error, TightropeError):
            raise
        raise InvalidArgument(f"parse: {text!r}: {name} takes fewer or more numbers") from None


def number(part: str, text: str) -> int | float | Fraction:
    """An exact number: ``1``, ``0.5``, ``1e-6`` or ``104/4099``."""
    cleaned = part.strip()
    try:
        if "/" in cleaned:
            return Fraction(cleaned)
        return int(cleaned) if cleaned.lstrip("+-").isdigit() else float(cleaned)
    except (ValueError, ZeroDivisionError):
        raise InvalidArgument(
            f"parse: {text!r}: {cleaned!r} is not a number such as 0.5 or 104/4099"
        ) from None
