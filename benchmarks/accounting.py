"""Time and tightness beside a peer, in the same process: run by hand, `make bench`.

Every row is one question, asked of tightrope and of dp_accounting (Renyi DP and privacy loss
distributions, where it can answer). Times are medians of several calls after one warm-up; what is
quoted is the ratio within this run, never a time alone.
"""

from __future__ import annotations

import argparse
import json
import math
import os
import platform
import statistics
import time
from collections.abc import Callable
from datetime import date
from typing import Any

import numpy as np

import tightrope as tr
from tightrope.theorems.constants import mu_zcdp

REPEATS = 5


def median_seconds(call: Callable[[], Any]) -> tuple[float, Any]:
    """The median time of a call and its result; one call only if it takes over 2 s."""
    start = time.perf_counter()
    result = call()
    first = time.perf_counter() - start
    if first > 2:
        return first, result
    times = []
    for _ in range(REPEATS):
        start = time.perf_counter()
        result = call()
        times.append(time.perf_counter() - start)
    return statistics.median(times), result


def fresh(build: Callable[[], tr.Event], ask: Callable[[tr.Event], float]) -> Callable[[], float]:
    """A call that builds the event anew, so that nothing is remembered between repeats."""
    return lambda: ask(build())


def cases() -> list[tuple[str, Callable[[], float], dict[str, Callable[[], float]]]]:
    """(question, ours, peers)."""
    import dp_accounting as dpa

    def rdp(event: Any, delta: float) -> Callable[[], float]:
        return lambda: dpa.rdp.RdpAccountant().compose(event).get_epsilon(delta)

    def pld(event: Any, delta: float) -> Callable[[], float]:
        return lambda: dpa.pld.PLDAccountant().compose(event).get_epsilon(delta)

    sampled = dpa.SelfComposedDpEvent(
        dpa.PoissonSampledDpEvent(0.01, dpa.GaussianDpEvent(1.0)), 10_000
    )
    hundred = np.linspace(40, 100, 100)
    gaussians = dpa.ComposedDpEvent([dpa.GaussianDpEvent(s) for s in hundred])
    laplaces = dpa.ComposedDpEvent([dpa.LaplaceDpEvent(s) for s in hundred])
    return [
        (
            "Gaussian, scale 1, delta 1e-5",
            fresh(lambda: tr.Gaussian(1.0), lambda e: e.epsilon(1e-5)),
            {
                "RDP": rdp(dpa.GaussianDpEvent(1.0), 1e-5),
                "PLD": pld(dpa.GaussianDpEvent(1.0), 1e-5),
            },
        ),
        (
            "Gaussian, scale 1, delta 1e-18",
            fresh(lambda: tr.Gaussian(1.0), lambda e: e.epsilon(1e-18)),
            {
                "RDP": rdp(dpa.GaussianDpEvent(1.0), 1e-18),
                "PLD": pld(dpa.GaussianDpEvent(1.0), 1e-18),
            },
        ),
        (
            "rho = 0.5 zCDP, delta 1e-6",
            fresh(lambda: tr.ZCDP(0.5), lambda e: e.epsilon(1e-6)),
            {"RDP": rdp(dpa.ZCDpEvent(0.5), 1e-6)},
        ),
        (
            "100 different Gaussians, delta 1e-6",
            fresh(lambda: sum(tr.Gaussian(float(s)) for s in hundred), lambda e: e.epsilon(1e-6)),
            {"RDP": rdp(gaussians, 1e-6), "PLD": pld(gaussians, 1e-6)},
        ),
        (
            "100 different Laplaces, delta 1e-6",
            fresh(lambda: sum(tr.Laplace(float(s)) for s in hundred), lambda e: e.epsilon(1e-6)),
            {"RDP": rdp(laplaces, 1e-6), "PLD": pld(laplaces, 1e-6)},
        ),
        (
            "DP-SGD: rate 0.01, noise 1, 10,000 steps, delta 1e-5",
            fresh(lambda: tr.Gaussian(1.0).sampled(0.01) ** 10_000, lambda e: e.epsilon(1e-5)),
            {"RDP": rdp(sampled, 1e-5), "PLD": pld(sampled, 1e-5)},
        ),
    ]


def compare() -> list[dict[str, Any]]:
    """One row a question and peer."""
    rows = []
    for question, ours, peers in cases():
        seconds, value = median_seconds(ours)
        for name, call in peers.items():
            try:
                peer_seconds, peer_value = median_seconds(call)
            except Exception as error:  # a peer's failure is a row of the table
                rows.append(
                    {"question": question, "tightrope": value, "peer": name, "fails": repr(error)}
                )
                continue
            rows.append(
                {
                    "question": question,
                    "tightrope": value,
                    "peer": name,
                    "value": peer_value,
                    "ratio": peer_seconds / seconds,
                }
            )
    return rows


def throughput() -> float:
    """Conversions from zCDP to GDP per second, in an array of a million."""
    rho = np.exp(np.random.default_rng(0).uniform(math.log(1e-6), math.log(100), 1_000_000))
    seconds, _ = median_seconds(lambda: mu_zcdp(rho))
    return rho.size / seconds


def planner_seconds() -> float:
    """Seconds to plan a composition of 10,000 distinct leaves."""

    def plan() -> float:
        leaves = [tr.ZCDP(1e-3 + i * 1e-7) for i in range(5000)]
        leaves += [tr.BoundedRange(1e-3 + i * 1e-7) for i in range(5000)]
        run = sum(leaves)
        start = time.perf_counter()
        run.to(tr.GDP)
        return time.perf_counter() - start

    return statistics.median(plan() for _ in range(3))


def markdown(rows: list[dict[str, Any]]) -> str:
    """The rows as a table."""
    lines = [
        "| question | tightrope | peer | its value | its time / ours |",
        "| --- | --- | --- | --- | --- |",
    ]
    for row in rows:
        if "fails" in row:
            end = f"fails: {row['fails'][:60]} | "
        else:
            end = f"{row['value']:.6g} | {row['ratio']:.2g} |"
        lines.append(f"| {row['question']} | {row['tightrope']:.6g} | {row['peer']} | {end}")
    return "\n".join(lines)


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--json", action="store_true", help="print plain data")
    options = parser.parse_args()
    rows = compare()
    facts = {
        "date": date.today().isoformat(),
        "machine": f"{platform.machine()}, {os.cpu_count()} cores",
        "Python": platform.python_version(),
        "zCDP to GDP, million values a second": round(throughput() / 1e6, 2),
        "planning 10,000 distinct leaves, seconds": round(planner_seconds(), 3),
    }
    if options.json:
        print(json.dumps({"facts": facts, "rows": rows}, indent=1))
        return
    for name, value in facts.items():
        print(f"{name}: {value}")
    print()
    print(markdown(rows))


if __name__ == "__main__":
    main()
