"""Noise, releases and selections beside peers, in the same process: run by hand, `make bench`.

Times are processor times of one thread, the least of several repeats; read the ratios, which are of
one run. Beside OpenDP and diffprivlib stands NumPy's own normal generator, which is no safe noise:
it draws floats, from a generator whose past can be computed from its output.

usage: mechanisms.py [--quick] [--json]
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import resource
import subprocess
import sys
import time
from collections.abc import Callable
from datetime import date
from typing import Any

import numpy as np
from noise_peers import PEERS_DRAW, diffprivlib, opendp
from timing_channel import channels

import tightrope as tr
from tightrope.noise import (
    discrete_gaussian,
    discrete_laplace,
    discrete_logistic,
    exponential_top,
)

MILLION = 1_000_000

LAPLACE = (4, 1000, 2**30, 2**40)
GAUSSIAN = (4, 100, 256, 1000, 2**30, 2**40)
LOGISTIC = (4, 1000, 2**30, 2**40)


Row = dict[str, Any]


def least_seconds(call: Callable[[], Any], repeats: int) -> float:
    """The least processor time of a call, after one warm-up."""
    call()
    times = []
    for _ in range(repeats):
        start = time.process_time()
        call()
        times.append(time.process_time() - start)
    return min(times)


def wide(scale: float) -> str:
    """A scale as a power of two where it is a large one."""
    return f"2^{int(scale).bit_length() - 1}" if scale >= 2**20 else f"{scale:g}"


# --- noise ----------------------------------------------------------------------------------


def noise(repeats: int) -> list[Row]:
    """A million draws of each law and scale, beside the peers."""
    generator = np.random.default_rng(1)
    unsafe = least_seconds(lambda: generator.normal(size=MILLION), repeats)
    peers = {"OpenDP": opendp(), "diffprivlib": diffprivlib()}
    samplers: dict[str, tuple[tuple[int, ...], Callable[[int], Callable[[], Any]]]] = {
        "Laplace": (LAPLACE, lambda scale: lambda: discrete_laplace(scale, MILLION)),
        "Gaussian": (GAUSSIAN, lambda scale: lambda: discrete_gaussian(scale**2, MILLION)),
        "logistic": (LOGISTIC, lambda scale: lambda: discrete_logistic(scale, MILLION)),
    }
    rows: list[Row] = [{"law": "NumPy's normal", "million a second": 1 / unsafe, "to NumPy": 1.0}]
    for law, (scales, drawing) in samplers.items():
        for scale in scales:
            seconds = least_seconds(drawing(scale), repeats)
            row: Row = {
                "law": f"{law}, {wide(scale)}",
                "million a second": 1 / seconds,
                "to NumPy": unsafe / seconds,
            }
            if law != "logistic":
                row |= {
                    name: slower(peer, law, scale, seconds) for name, peer in peers.items() if peer
                }
            rows.append(row)
    return rows


def slower(peer: Any, law: str, scale: float, seconds: float) -> float | None:
    """How many times longer a peer takes for a draw; None where it refuses."""
    try:
        taken = least_seconds(peer(law, float(scale)), 1)
    except Exception as error:
        print(f"a peer refuses {law} of scale {scale:g}: {error}", file=sys.stderr)
        return None
    return taken / PEERS_DRAW * MILLION / seconds


# --- releases and selections ----------------------------------------------------------------

RELEASED = {
    "Laplace": tr.Laplace(2.0),
    "Gaussian": tr.Gaussian(2.0),
    "logistic": tr.Logistic(2.0),
}


def release(name: str) -> Row:
    """Ten million floats released, by themselves in this process: seconds, and its peak memory."""
    values = np.random.default_rng(2).normal(size=10 * MILLION)
    mechanism = RELEASED[name]
    mechanism.release(values[:10], coordinates=1)
    start = time.process_time()
    mechanism.release(values, coordinates=1)
    seconds = time.process_time() - start
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    return {"question": f"10 million floats, {name}", "seconds": seconds, "peak MiB": peak}


def releases() -> list[Row]:
    """Each release in a process of its own, as its peak memory is that of the process."""
    rows = []
    for name in RELEASED:
        command = [sys.executable, __file__, "--release", name]
        rows.append(json.loads(subprocess.run(command, capture_output=True, check=True).stdout))
    return rows


def selections(repeats: int) -> list[Row]:
    """One among a million, and many times ten among a thousand."""
    generator = np.random.default_rng(3)
    many, some = generator.normal(size=MILLION), generator.normal(size=(10_000, 1000))
    calls: dict[str, tuple[Callable[[], Any], int]] = {
        "exponential mechanism, 1 million candidates": (
            lambda: tr.Exponential(1.0).release(many),
            repeats,
        ),
        "permute-and-flip, 1 million candidates": (
            lambda: tr.PermuteAndFlip(1.0).release(many),
            repeats,
        ),
        "10,000 times the top 10 of 1,000": (lambda: exponential_top(some, 0.5, 10), 1),
    }
    return [
        {"question": name, "seconds": least_seconds(call, times)}
        for name, (call, times) in calls.items()
    ]


# --- printing -------------------------------------------------------------------------------


def markdown(rows: list[Row]) -> str:
    """The rows as a table."""
    names = list(dict.fromkeys(name for row in rows for name in row))
    lines = [" | ".join(names), " | ".join("---" for _ in names)]
    lines += [" | ".join(shown(row.get(name, "")) for name in names) for row in rows]
    return "\n".join(f"| {line} |" for line in lines)


def shown(value: Any) -> str:
    """Three digits."""
    if value is None:
        return "refuses"
    return f"{value:.3g}" if isinstance(value, float) else str(value)


def main() -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--quick", action="store_true", help="fewer repeats and calls")
    parser.add_argument("--json", action="store_true", help="print plain data")
    parser.add_argument("--release", choices=RELEASED, help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.release:
        print(json.dumps(release(given.release)))
        return
    repeats, calls = (2, 5000) if given.quick else (7, 100_000)
    tables = {
        "noise, a million draws; peers: their time over ours": noise(repeats),
        "releases": releases(),
        "selections": selections(repeats),
        f"time against the size of the noise, {calls:,} calls": channels(calls),
    }
    machine = f"{date.today()}, {platform.machine()}, {os.cpu_count()} cores"
    if given.json:
        print(json.dumps({"machine": machine, "tables": tables}, indent=1))
        return
    print(f"{machine}, Python {platform.python_version()}, NumPy {np.__version__}")
    for title, rows in tables.items():
        print(f"\n{title}\n\n{markdown(rows)}")


if __name__ == "__main__":
    main()
