"""Does the time that one value takes tell how large its noise is?"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import numpy as np

from tightrope.noise import discrete_gaussian, discrete_laplace


def timing(draw: Callable[[], Any], calls: int) -> tuple[float, float]:
    """The rank correlation of the time of one value with its size, and its standard error.

    Ranks, since a few interrupted calls would decide a correlation of the times themselves; within
    stretches of 1,000 calls, since the machine's speed drifts.
    """
    times, sizes = np.empty(calls), np.empty(calls)
    for place in range(calls):
        start = time.perf_counter_ns()
        value = draw()
        times[place] = time.perf_counter_ns() - start
        sizes[place] = abs(int(value[0]))
    jitter = np.random.default_rng(4).random(calls)
    found = [
        np.corrcoef(ranks(times[part]), ranks(sizes[part] + 0.5 * jitter[part]))[0, 1]
        for part in (slice(start, start + 1000) for start in range(0, calls, 1000))
    ]
    return float(np.mean(found)), float(np.std(found) / np.sqrt(len(found)))


def ranks(values: Any) -> Any:
    """The place of each value in their order."""
    return np.argsort(np.argsort(values, kind="stable"), kind="stable")


def channels(calls: int) -> list[dict[str, Any]]:
    """The correlation for one value at a time."""
    draws: dict[str, Callable[[], Any]] = {
        "Laplace, 4": lambda: discrete_laplace(4, 1),
        "Laplace, 2^30": lambda: discrete_laplace(2**30, 1),
        "Gaussian, 4": lambda: discrete_gaussian(16, 1),
        "Gaussian, 2^30": lambda: discrete_gaussian(2**60, 1),
    }
    rows = []
    for name, draw in draws.items():
        draw()
        found, error = timing(draw, calls)
        rows.append({"one value": name, "correlation": found, "standard error": error})
    return rows
