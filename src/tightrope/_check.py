"""Parameters, declared once: symbol, domain and typical range next to the field they belong to.

Validation, the command line, specs, test strategies and the documentation all read these
declarations, so that what is admissible is said in exactly one place.
"""

from __future__ import annotations

import math
import numbers
import sys
from collections.abc import Callable
from dataclasses import MISSING, dataclass, field, fields
from decimal import Decimal
from fractions import Fraction
from functools import cache
from typing import Any

from tightrope._errors import InvalidArgument
from tightrope._text import named

Real = int | float | Fraction
"""An exact number: a float means precisely the binary number that it is."""


@dataclass(frozen=True)
class Domain:
    """A set of admissible numbers and the words for it."""

    words: str
    contains: Callable[[Real], bool]
    integral: bool = False


LARGEST = sys.float_info.max
WHOLE_LARGEST = int(LARGEST)
MOST = 10**18
"""Largest count: of runs, of units in a group, of categories."""

POSITIVE = Domain("a finite number above 0", lambda x: x > 0)
NONNEGATIVE = Domain("a finite number of at least 0", lambda x: x >= 0)
PROBABILITY = Domain("a probability in [0, 1)", lambda x: 0 <= x < 1)
OPEN_PROBABILITY = Domain("a probability strictly between 0 and 1", lambda x: 0 < x < 1)
CLOSED_PROBABILITY = Domain("a probability in [0, 1]", lambda x: 0 <= x <= 1)
RATE = Domain("a sampling rate in [0, 1]", lambda x: 0 <= x <= 1)
ORDER = Domain("a finite order above 1", lambda x: x > 1)
COUNT = Domain(
    "a whole number of at least 1 and at most 10^18", lambda x: 1 <= x <= MOST, integral=True
)
CATEGORIES = Domain(
    "a whole number of at least 2 and at most 10^18", lambda x: 2 <= x <= MOST, integral=True
)


@dataclass(frozen=True)
class Parameter:
    """What is known of a parameter beside its value."""

    name: str
    symbol: str
    latex: str
    domain: Domain
    typical: tuple[float, float]
    about: str


def declared(  # noqa: PLR0913  (a declaration states all that there is to say)
    symbol: str,
    latex: str,
    domain: Domain,
    typical: tuple[float, float],
    about: str,
    default: Any = MISSING,
) -> Any:
    """Declare a dataclass field together with what is known of the parameter."""
    metadata = {"parameter": (symbol, latex, domain, typical, about)}
    return field(default=default, metadata=metadata)


def parameters(owner: Any) -> tuple[Parameter, ...]:
    """The declared parameters of a dataclass (or of an instance), in order."""
    return _of_class(owner if isinstance(owner, type) else type(owner))


@cache
def _of_class(owner: type) -> tuple[Parameter, ...]:
    return tuple(
        Parameter(f.name, *f.metadata["parameter"])
        for f in fields(owner)
        if "parameter" in f.metadata
    )


def _exact(value: Any, what: str, admissible: str) -> Real:
    """Return ``value`` as an int, a Fraction or a float of exactly the same value."""
    if not is_number(value):
        raise InvalidArgument(
            f"{what} must be {admissible}; you passed {value!r}, which is "
            f"{named(type(value).__name__)}"
        )
    return exact_number(value)


def exact_number(value: Any) -> Real:
    """A number as an int, a Fraction or a float of exactly the same value."""
    if isinstance(value, Fraction):
        return Fraction(value)
    if isinstance(value, float):
        return float(value)
    if isinstance(value, numbers.Integral):
        return int(value)
    if isinstance(value, numbers.Rational):
        return Fraction(int(value.numerator), int(value.denominator))
    if isinstance(value, Decimal):
        return Fraction(value) if value.is_finite() else float("nan")
    try:  # a float of another size
        return Fraction(*value.as_integer_ratio())
    except (AttributeError, ValueError, OverflowError):  # infinite, or not a number
        return float(value)


def within_doubles(number: Real) -> bool:
    """Whether the number is finite, and no larger than the largest double."""
    if isinstance(number, float):
        return math.isfinite(number)
    return abs(number.numerator) <= WHOLE_LARGEST * number.denominator


def is_number(value: object) -> bool:
    """Whether it is a real number, and neither a truth value nor one of NumPy's spans of time.

    Those are registered as whole numbers. NumPy is not loaded here: help has to be quick.
    """
    plain = not isinstance(value, bool) and type(value).__name__ != "timedelta64"
    return plain and isinstance(value, numbers.Real | Decimal)


def validated(value: Any, domain: Domain, what: str) -> Real:
    """Return ``value`` if it is a finite number in ``domain``, else raise InvalidArgument."""
    number = _exact(value, what, domain.words)
    if not within_doubles(number) or not domain.contains(number):
        raise InvalidArgument(f"{what} must be {domain.words}; you passed {_told(value)}")
    if domain.integral:
        if number != int(number):
            raise InvalidArgument(f"{what} must be {domain.words}; you passed {_told(value)}")
        return int(number)
    return number


def _told(value: Any) -> str:
    """A value as it was written: an exact fraction as ``1/3``."""
    return str(value) if isinstance(value, Fraction) else repr(value)


def require_flag(value: object, what: str) -> None:
    """Raise InvalidArgument unless ``value`` is a bool."""
    if not isinstance(value, bool):
        raise InvalidArgument(f"{what} must be True or False; you passed {value!r}")


def validate_fields(instance: Any) -> None:
    """Check every declared field of a frozen dataclass, and store its exact value."""
    owner = type(instance).__name__
    for p in parameters(instance):
        value = getattr(instance, p.name)
        if value is None:
            raise InvalidArgument(f"{owner}: {p.name} must be {p.domain.words}; none was given")
        number = validated(value, p.domain, f"{owner}: {p.name}")
        object.__setattr__(instance, p.name, number)
