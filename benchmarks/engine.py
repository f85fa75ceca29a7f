"""The exact engine beside a peer in the same run: `python benchmarks/engine.py`.

Every row is one question: its value and the width of its proved interval, our time, and the
time of dp_accounting's privacy loss distributions over ours. Events are built anew for every
repeat, so nothing is remembered. Both take turns, so that a machine that is slow for a while is
slow for both; times are medians.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import resource
import statistics
import time
from collections.abc import Callable
from datetime import date
from typing import Any

import numpy as np
from accounting import median_seconds

import tightrope as tr

Build = Callable[[], tr.Event]


def training(sigma: float, rate: float, steps: int) -> Build:
    return lambda: tr.Gaussian(sigma).sampled(rate) ** steps


def mixed() -> tr.Event:
    """1,000 different mechanisms of five kinds."""
    events: list[tr.Event] = []
    for u in np.linspace(0, 1, 200).tolist():
        events += [
            tr.Gaussian(40 + 60 * u),
            tr.Laplace(40 + 60 * u),
            tr.RandomizedResponse(0.01 + 0.02 * u),
            tr.Exponential(0.01 + 0.02 * u),
            tr.DiscreteGaussian(40 + 60 * u),
        ]
    return tr.compose(*events)


def distinct(kind: type, count: int) -> Build:
    return lambda: tr.compose(*(kind(float(s)) for s in np.linspace(40, 100, count)))


def questions() -> list[tuple[str, Build, float, Any]]:
    """(question, ours, delta, the peer's event or None)."""
    import dp_accounting as dpa

    def sampled(sigma: float, rate: float, steps: int) -> Any:
        inner = dpa.PoissonSampledDpEvent(rate, dpa.GaussianDpEvent(sigma))
        return dpa.SelfComposedDpEvent(inner, steps)

    hundred, thousand = np.linspace(40, 100, 100), np.linspace(40, 100, 1000)
    laplaces = dpa.ComposedDpEvent([dpa.LaplaceDpEvent(float(s)) for s in thousand])
    fewer = dpa.ComposedDpEvent([dpa.LaplaceDpEvent(float(s)) for s in hundred])
    gaussians = dpa.ComposedDpEvent([dpa.GaussianDpEvent(float(s)) for s in thousand])
    return [
        ("DP-SGD a1", training(1.0, 0.01, 10_000), 1e-5, sampled(1.0, 0.01, 10_000)),
        ("DP-SGD a2", training(0.8, 0.001, 100_000), 1e-6, sampled(0.8, 0.001, 100_000)),
        ("DP-SGD a3", training(9.4, 0.328, 2000), 1e-5, sampled(9.4, 0.328, 2000)),
        ("1,000 different, five kinds", mixed, 1e-6, gaussians),
        ("1,000 different Laplaces", distinct(tr.Laplace, 1000), 1e-6, laplaces),
        ("100 different Laplaces", distinct(tr.Laplace, 100), 1e-6, fewer),
        ("500 Laplaces", lambda: tr.Laplace(10) ** 500, 1e-6, None),
        ("1,000 discrete Gaussians", lambda: tr.DiscreteGaussian(10) ** 1000, 1e-6, None),
        ("100,000 discrete Gaussians", lambda: tr.DiscreteGaussian(90) ** 100_000, 1e-6, None),
    ]


ROUNDS, TURNS = 5, 5
"""How often the peer is asked, and how often we are before each time."""

LONG = 2.0
"""Seconds of one call of the peer, beyond which there are fewer rounds."""


def seconds_of(call: Callable[[], Any]) -> tuple[float, Any]:
    """How long one call takes, and its result."""
    start = time.perf_counter()
    result = call()
    return time.perf_counter() - start, result


def beside(ours: Callable[[], Any], theirs: Callable[[], Any]) -> tuple[float, float, Any, Any]:
    """Median times of two calls that take turns, and their results."""
    (_, mine), (first, value) = seconds_of(ours), seconds_of(theirs)
    own, others = [], []
    for _ in range(ROUNDS if first < LONG else 2):
        own += [seconds_of(ours)[0] for _ in range(TURNS)]
        others.append(seconds_of(theirs)[0])
    return statistics.median(own), statistics.median(others), mine, value


def row(question: str, build: Build, delta: float, peer: Any) -> dict[str, Any]:
    import dp_accounting as dpa

    def ours() -> tuple[float, float]:
        return build().epsilon_interval(delta)

    if peer is None:
        seconds, (low, high) = median_seconds(ours)
        return _found(question, low, high, seconds)
    seconds, theirs, (low, high), value = beside(
        ours, lambda: dpa.pld.PLDAccountant().compose(peer).get_epsilon(delta)
    )
    return _found(question, low, high, seconds) | {"peer": value, "ratio": theirs / seconds}


def _found(question: str, low: float, high: float, seconds: float) -> dict[str, Any]:
    return {
        "question": question,
        "epsilon": high,
        "relative width": (high - low) / high,
        "milliseconds": 1e3 * seconds,
    }


def calibration() -> dict[str, Any]:
    """The noise of 2,000 steps for epsilon 1 and 8."""
    found: dict[str, Any] = {}
    for epsilon in (1.0, 8.0):
        seconds, noise = median_seconds(
            lambda e=epsilon: tr.calibrate(
                lambda s: tr.Gaussian(s).sampled(0.01) ** 2000, tr.ApproxDP(e, 1e-5)
            )
        )
        found[f"noise for epsilon {epsilon:g}"] = noise
        found[f"milliseconds for epsilon {epsilon:g}"] = 1e3 * seconds
    return found


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--json", action="store_true", help="print plain data")
    options = parser.parse_args()
    facts: dict[str, Any] = {
        "date": date.today().isoformat(),
        "machine": f"{platform.machine()}, {os.cpu_count()} cores",
    }
    facts |= calibration()
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    rows = [row(*question) for question in questions()]
    facts["megabytes at most, before the peer was loaded"] = round(memory)
    if options.json:
        print(json.dumps({"facts": facts, "rows": rows}, indent=1))
        return
    for name, value in facts.items():
        print(f"{name}: {value}")
    print("\n| question | epsilon | relative width | ms | peer | its time / ours |")
    print("| --- | --- | --- | --- | --- | --- |")
    for found in rows:
        peer = f"{found['peer']:.9g} | {found['ratio']:.3g}" if "peer" in found else "| "
        print(
            f"| {found['question']} | {found['epsilon']:.10g} | {found['relative width']:.1e} "
            f"| {found['milliseconds']:.1f} | {peer} |"
        )


if __name__ == "__main__":
    main()
