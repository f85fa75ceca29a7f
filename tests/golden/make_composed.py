"""Writes composed.json: log delta of composed losses, each value found in two ways.

    python tests/golden/make_composed.py

An argument or an epsilon is a decimal string and means the double nearest.  A row whose two values
differ by more than 1e-20 of delta, or that takes too long, is left out, and said.
"""

from __future__ import annotations

import json
import math
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from flint import ctx

sys.path.insert(0, str(Path(__file__).parents[1]))

from oracle import composed

TARGETS = (0.5, 1e-3, 1e-6, 1e-12, 1e-30, 1e-100, 1e-300)
COPIES = (1, 2, 3, 10, 1000, 100_000)
TOLERANCE = 1e-20
SAMPLED = [("1", "0.01"), ("0.8", "0.001"), ("9.4", "0.328"), ("0.3", "0.01"), ("4", "0.00033")]


def losses() -> Iterator[tuple[str, dict[str, Any]]]:
    yield from (("laplace", {"epsilon": e}) for e in ("0.1", "1", "5"))
    yield from (("logistic", {"epsilon": e}) for e in ("0.5", "4"))
    yield from (("randomized_response", {"epsilon": e}) for e in ("0.1", "2"))
    yield from (("k_randomized_response", {"epsilon": e, "k": k}) for e, k in (("1", 5), ("2", 50)))
    yield from (("discrete_laplace", {"scale": "2", "shift": s}) for s in (1, 3))
    for sigma, shift in (("0.5", 1), ("2", 1), ("10", 1), ("3", 4)):
        yield "discrete_gaussian", {"sigma": sigma, "shift": shift}
    yield from (("gaussian", {"mu": mu}) for mu in ("0.1", "1"))
    yield "approx_dp", {"epsilon": "0.5", "delta": "1e-8"}
    masses = (["0.5", "0.3", "0.2"], ["0.2", "0.5", "0.3"])
    yield from (("finite", {"p": p, "q": q}) for p, q in (masses, masses[::-1]))
    for order in ("with", "without"):
        yield "poisson_laplace", {"epsilon": "1", "rate": "0.1", "order": order}
        for sigma, rate in SAMPLED:
            yield "poisson_gaussian", {"sigma": sigma, "rate": rate, "order": order}


def targets(loss: str, n: int) -> tuple[float, ...]:
    if loss == "poisson_gaussian" and n > 1:
        return TARGETS if n > 10 else (0.5, 1e-6, 1e-30, 1e-300)
    if loss == "laplace" and n == 1000:
        return (0.5, 1e-3, 1e-6, 1e-12, 1e-30)  # beyond, the atoms dominate and no contour decays
    if loss == "approx_dp":
        return (0.5, 1e-3, 1e-6, 1e-12)
    return TARGETS


def epsilons(loss: str, args: dict[str, Any], n: int) -> list[str]:
    """About the targets; none where delta hangs on the last digits of epsilon."""
    picture = composed.sketch(loss, args)
    found = []
    for target in targets(loss, n):
        epsilon, c = picture.epsilon_for(n, math.log(target))
        if c * abs(epsilon) < 1e7:
            found.append(f"{max(epsilon, 0):.9g}")
    return list(dict.fromkeys(found))


def row(loss: str, args: dict[str, Any], n: int, epsilon: str) -> tuple[dict[str, Any], float]:
    one, two = (way(loss, args, n, float(epsilon)) for way in (composed.first, composed.second))
    with ctx.workprec(256):
        gap = float(abs(one / two - 1).upper())
        log_delta = one.log().str(32, radius=False)
    values = {"loss": loss, "args": args, "n": n, "epsilon": epsilon, "log_delta": log_delta}
    return values, gap


def copies(loss: str) -> tuple[int, ...]:
    """Ten sampled Laplace releases have too many kinks for quadrature and atoms for a contour."""
    return (1, 2, 3, 1000, 100_000) if loss == "poisson_laplace" else COPIES


def rows_of(loss: str, args: dict[str, Any]) -> list[dict[str, Any]]:
    rows, worst, since = [], 0.0, time.process_time()
    for n in copies(loss):
        for epsilon in epsilons(loss, args, n):
            try:
                values, gap = row(loss, args, n, epsilon)
            except ArithmeticError as slow:
                print(f"  left out: {slow}: {loss} {args} {n} {epsilon}", flush=True)
                continue
            if not gap < TOLERANCE:
                print(f"  left out: {gap:.1e} {values}", flush=True)
                continue
            worst = max(worst, gap)
            rows.append(values)
    seconds = time.process_time() - since
    print(f"{loss} {args}: {len(rows)} rows, worst {worst:.1e}, {seconds:.0f} s", flush=True)
    return rows


def main() -> None:
    lines: list[str] = []
    for loss, args in losses():
        lines += [json.dumps(values) for values in rows_of(loss, args)]
        text = ",\n".join(lines)
        Path(__file__).with_name("composed.json").write_text(f"[\n{text}\n]\n")


if __name__ == "__main__":
    main()
