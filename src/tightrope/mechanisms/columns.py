"""Columns of exact numbers that users give: probabilities, and what belongs to them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Set
from fractions import Fraction
from typing import Any

import numpy as np

from tightrope._check import CLOSED_PROBABILITY, Domain, Real, validated
from tightrope._errors import InvalidArgument

MOST = 10_000
"""Most outcomes or components."""

TOLERANCE = Fraction(1, 10**9)
"""How far a sum of probabilities may be from 1; what is left is taken for rounding."""


def column(values: Any, domain: Domain, what: str) -> tuple[Real, ...]:
    """A sequence of 1 to 10,000 numbers of one domain, taken exactly."""
    if isinstance(values, np.ndarray):
        values = values.tolist()
    if not isinstance(values, Iterable) or isinstance(values, str | bytes | Set | Mapping):
        raise InvalidArgument(f"{what} must be a sequence of numbers; you passed {values!r}")
    numbers = tuple(validated(value, domain, f"{what}[{i}]") for i, value in enumerate(values))
    if not 1 <= len(numbers) <= MOST:
        raise InvalidArgument(
            f"{what} must have 1 to {MOST:,} entries; you passed {len(numbers):,}"
        )
    return numbers


def probabilities(values: Any, what: str) -> tuple[Real, ...]:
    """Numbers in [0, 1] whose sum is 1 within 1e-9; they are kept as they are."""
    numbers = column(values, CLOSED_PROBABILITY, what)
    total = sum((Fraction(x) for x in numbers), Fraction(0))
    if abs(total - 1) > TOLERANCE:
        raise InvalidArgument(
            f"{what} must add up to 1 within 1e-9; those that you passed add up to {float(total)!r}"
        )
    return numbers


def of_one_length(owner: str, **columns: tuple[Real, ...]) -> None:
    """Raise InvalidArgument unless all the columns have as many entries."""
    if len({len(numbers) for numbers in columns.values()}) > 1:
        raise InvalidArgument(
            f"{owner}: {' and '.join(columns)} must have one length; "
            f"{' and '.join(str(len(numbers)) for numbers in columns.values())} given"
        )
