"""The operators that a text may use, on numbers and on events."""

from __future__ import annotations

import ast
import math
import operator
from collections.abc import Callable
from fractions import Fraction
from typing import Any

from tightrope._errors import InvalidArgument
from tightrope.events.event import Event

MOST_BITS = 10_000
"""Most bits of a number that a power may give."""

_OPERATORS: dict[type, Callable[[Any, Any], Any]] = {
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
}


def combined(kind: ast.operator, left: Any, right: Any) -> Any:
    """What ``left`` and ``right`` give, be they numbers or events.

    Raises:
        InvalidArgument: the operator is not one of theirs.
    """
    if isinstance(kind, ast.Pow):
        return _power(left, right)
    if isinstance(kind, ast.Div) and isinstance(left, int | Fraction):
        return Fraction(left) / right if isinstance(right, int | Fraction) else left / right
    if isinstance(kind, ast.Div):
        return left / right
    if isinstance(kind, ast.Mult) and (isinstance(left, Event) or isinstance(right, Event)):
        raise InvalidArgument(
            "parse: an event is no number to multiply; n runs of it, each with fresh noise, are "
            "event ** n"
        )
    if type(kind) in _OPERATORS and not isinstance(left, Event | str | list):
        return _OPERATORS[type(kind)](left, right)
    raise InvalidArgument(
        "parse: events are put together by + and **, and numbers by + - * / **; the operator "
        f"{type(kind).__name__} is not allowed here"
    )


def _power(left: Any, right: Any) -> Any:
    if isinstance(left, Event):
        return left**right
    if not isinstance(right, int) or abs(right) > 64 or _bits(left) * abs(right) > MOST_BITS:
        raise InvalidArgument("parse: a number is raised only to a whole power of at most 64")
    return left**right


def _bits(number: Any) -> float:
    """Length of a number in bits; infinite where it is none."""
    if isinstance(number, float):
        return 64 if math.isfinite(number) else math.inf
    exact = Fraction(number)
    return exact.numerator.bit_length() + exact.denominator.bit_length()
