"""Axes of time: marks at whole seconds, hours, days, months and years, in UTC."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime

from tightrope.reporting.record import Axis

MOST = 5
"""Most marks of an axis; their texts are longer than numbers."""

MINUTE, HOUR, DAY = 60, 3600, 86400

STEPS = (
    *((count, "%H:%M:%S") for count in (1, 2, 5, 10, 15, 30)),
    *((count * MINUTE, "%H:%M") for count in (1, 2, 5, 10, 15, 30)),
    *((count * HOUR, "%d %b %H:%M") for count in (1, 2, 3, 6, 12)),
    *((count * DAY, "%d %b %Y") for count in (1, 2, 5, 10, 20)),
)
"""Steps in seconds, and how their marks are written."""

MONTHS = (1, 2, 3, 6, 12, 24, 60, 120, 240, 600, 1200)
"""Longer steps, in months."""

LONGEST_MONTH = 31 * DAY


def time_axis(label: str, low: float, high: float) -> Axis:
    """An axis from one time to another, in seconds since 1970; it counts from the first one.

    Examples:
        >>> time_axis("time", 3000.0, 9000.0).marks
        ((600.0, '01:00'), (2400.0, '01:30'), (4200.0, '02:00'), (6000.0, '02:30'))
    """
    end = max(high, low + MOST)
    marks = ((time - low, text) for time, text in _marks(low, end))
    return Axis(label, 0.0, end - low, marks=tuple(marks))


def _marks(low: float, high: float) -> Iterator[tuple[float, str]]:
    span = high - low
    for step, form in STEPS:
        if span / step <= MOST:
            first = -int(-low // step)
            for count in range(first, int(high // step) + 1):
                yield float(count * step), f"{_at(count * step):{form}}"
            return
    yield from _months(low, high)


def _months(low: float, high: float) -> Iterator[tuple[float, str]]:
    stride = next((m for m in MONTHS if (high - low) / (m * LONGEST_MONTH) <= MOST - 1), MONTHS[-1])
    first, last = _at(low), _at(high)
    for month in range(12 * first.year, 12 * (last.year + 1), stride):
        time = datetime(month // 12, month % 12 + 1, 1, tzinfo=UTC)
        if low <= time.timestamp() <= high:
            yield time.timestamp(), f"{time:%b %Y}"


def _at(seconds: float) -> datetime:
    return datetime.fromtimestamp(seconds, UTC)
