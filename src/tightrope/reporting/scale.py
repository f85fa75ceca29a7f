"""Axes: where a value lies on one, and which values are marked on it."""

from __future__ import annotations

import math
from collections.abc import Iterator

from tightrope.reporting.record import Axis

MOST_TICKS = 6
RAISED = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")
ROUND = 1e-9
"""Slack for rounding, as a share of an axis."""


def place(axis: Axis, value: float) -> float:
    """Where a value lies: 0 at the low end, 1 at the high one, and never outside."""
    low, high, at = (_scaled(axis, number) for number in (axis.low, axis.high, value))
    return min(max((at - low) / (high - low), 0.0), 1.0)


def _scaled(axis: Axis, number: float) -> float:
    return math.log10(max(number, axis.low)) if axis.log else number


def ticks(axis: Axis) -> list[tuple[float, str]]:
    """Marked values with their texts.

    Examples:
        >>> [text for _, text in ticks(Axis("x", 0.0, 18.3))]
        ['0', '5', '10', '15']
        >>> [text for _, text in ticks(Axis("y", 1e-13, 1.0, log=True))]
        ['10⁻¹²', '10⁻⁹', '10⁻⁶', '10⁻³', '1']
    """
    return list(axis.marks or (_powers(axis) if axis.log else _steps(axis)))


def _powers(axis: Axis) -> Iterator[tuple[float, str]]:
    low, high = round(math.log10(axis.low), 9), round(math.log10(axis.high), 9)
    stride = max(1, math.ceil((high - low) / (MOST_TICKS - 1)))
    for power in range(math.floor(high), math.ceil(low) - 1, -stride)[::-1]:
        yield 10.0**power, f"10{str(power).translate(RAISED)}" if power else "1"


def _steps(axis: Axis) -> Iterator[tuple[float, str]]:
    step = _step((axis.high - axis.low) / MOST_TICKS)
    first = math.ceil(axis.low / step - ROUND)
    last = math.floor(axis.high / step + ROUND)
    for count in range(first, last + 1):
        yield count * step, f"{count * step:g}"


def _step(least: float) -> float:
    """The least of 1, 2 and 5 times a power of ten that is not smaller than ``least``."""
    power = 10.0 ** math.floor(math.log10(least))
    return next(m * power for m in (1, 2, 5, 10) if m * power >= least * (1 - ROUND))
