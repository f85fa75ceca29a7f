"""Is the noise drawn anew? Runs that share it differ by the same number, again and again.

All other tests take outputs for independent. A generator that starts anew from one seed with every
input gives samples that look right, each by itself; but the k-th output of one input minus the k-th
of the other is always the same, and whoever knows one of the two knows the noise of the other. So
differences of runs of equal number are compared with those of runs that are one apart. Were outputs
independent, the commonest difference would be as common among the former as among the latter: of
all pairs that show it, the number of the former is hypergeometric (Fisher's exact test). Which
difference that is, the first quarter decides.
"""

from __future__ import annotations

import math

import numpy as np

from tightrope.auditing.findings import Finding
from tightrope.auditing.outputs import Outputs, hashed
from tightrope.num.arrays import Floats, Integers

__all__ = ["freshness"]

_DIGITS = 2.0**30
"""Differences are told apart to this part of their usual size: floats round them."""


def freshness(pair: tuple[Outputs, Outputs], level: float) -> Finding:
    """Test whether runs on the two inputs share their noise.

    Args:
        pair: outputs of the two inputs, in the order in which they were drawn.
        level: the chance of a false refutation.
    """
    first, second = (side.numbers for side in pair)
    count = min(len(first), len(second)) // 4 * 4
    quarter = count // 4
    runs = np.arange(quarter, count - 1)
    even, odd = runs[runs % 4 == 0], runs[runs % 4 == 2]
    size = float(np.median(np.abs(first[:quarter] - second[:quarter]).max(axis=1, initial=0.0)))
    names, counts = np.unique(_named(first[:quarter], second[:quarter], size), return_counts=True)
    commonest = names[np.argmax(counts)]
    alike = int((_named(first[even], second[even], size) == commonest).sum())
    apart = int((_named(first[odd], second[odd + 1], size) == commonest).sum())
    value = _at_least(alike, alike + apart, len(even), len(even) + len(odd))
    return Finding(
        name="fresh noise",
        tried="the commonest difference of two runs of equal number",
        statistic=f"{alike:,} of {len(even):,} runs of equal number differ by it, "
        f"{apart:,} of {len(odd):,} that are one apart",
        p_value=value,
        refuted=value <= level,
        samples=2 * (len(even) + len(odd)),
        claimed="noise drawn anew",
        detectable=f"{_least(len(even), level):,} runs that share it, of {len(even):,}",
    )


def _named(first: Floats, second: Floats, size: float) -> Integers:
    """One number for each difference, to nine digits of the usual one."""
    unit = size if size > 0 and math.isfinite(size) else 1.0
    scaled = np.rint((np.nan_to_num(first) - np.nan_to_num(second)) / unit * _DIGITS) + 0.0
    return hashed(np.ascontiguousarray(scaled).view(np.uint64))


def _at_least(hits: int, drawn: int, marked: int, total: int) -> float:
    """The probability that at least so many of those drawn are marked (hypergeometric)."""
    from scipy import special

    def log_choose(n: int, k: Floats) -> Floats:
        return np.asarray(
            special.gammaln(n + 1.0) - special.gammaln(k + 1) - special.gammaln(n - k + 1)
        )

    k = np.arange(max(hits, drawn - (total - marked)), min(drawn, marked) + 1, dtype=float)
    logs = log_choose(marked, k) + log_choose(total - marked, drawn - k)
    logs -= log_choose(total, np.array([float(drawn)]))
    return float(min(1.0, np.exp(special.logsumexp(logs)) * (1 + 1e-6)))


def _least(runs: int, level: float) -> int:
    """How many of the runs of equal number it takes where none of the others differ by it."""
    return min(runs, math.ceil(-math.log2(level)) + 1)
