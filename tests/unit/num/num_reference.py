"""High-precision references for the tests of `tightrope.num`; imports nothing of ours.

Values come from mpmath at 60 digits or more, from the definitions.  An inverse function is not
inverted: the increasing function is evaluated a little below and a little above the result.
"""

import json
from collections.abc import Callable
from pathlib import Path

import mpmath as mp
import numpy as np

mp.mp.dps = 60
GOLDEN = Path(__file__).parents[2] / "golden" / "golden.json"


def exact(x: float) -> mp.mpf:
    return mp.mpf(float(x))


def golden(name: str) -> list[list[str]]:
    return json.loads(GOLDEN.read_text())[name]["values"]


def relative_error(value: float, reference: mp.mpf) -> float:
    if reference == 0:
        return 0.0 if value == 0 else float("inf")
    return float(abs((exact(value) - reference) / reference))


def worst(function: Callable, reference: Callable, points: np.ndarray) -> float:
    """Return the worst relative error over the points, each given as an exact double."""
    values = function(np.asarray(points, dtype=float))
    return max(relative_error(v, reference(exact(x))) for x, v in zip(points, values, strict=True))


def brackets(increasing: Callable, target: mp.mpf, x: float, tolerance: float) -> bool:
    """Whether the root of `increasing(root) = target` lies within a relative tolerance of x."""
    ends = sorted((exact(x) * (1 - exact(tolerance)), exact(x) * (1 + exact(tolerance))))
    return increasing(ends[0]) <= target <= increasing(ends[1])


def log_spaced(low: float, high: float, count: int, seed: int) -> np.ndarray:
    """Return a regular grid of exponents between powers of ten, and as many random ones."""
    exponents = np.random.default_rng(seed).uniform(low, high, count)
    return 10.0 ** np.concatenate([np.linspace(low, high, count), exponents])


def log_survival(x: mp.mpf) -> mp.mpf:
    """log(1 - Phi(x)); by the asymptotic series where erfc would take too long."""
    if x < 10**4:
        return mp.log(mp.erfc(x / mp.sqrt(2)) / 2)
    term = total = mp.mpf(1)
    for k in range(1, 30):
        term *= -(2 * k - 1) / x**2
        total += term
    return -x * x / 2 - mp.log(x * mp.sqrt(2 * mp.pi)) + mp.log(total)


def log_cdf(x: mp.mpf) -> mp.mpf:
    return mp.log1p(-mp.erfc(x / mp.sqrt(2)) / 2) if x > 0 else log_survival(-x)


def logit_cdf(x: mp.mpf) -> mp.mpf:
    """log(Phi(x)/Phi(-x)), without cancellation near 0."""
    if abs(x) < 1:
        return 2 * mp.atanh(mp.erf(x / mp.sqrt(2)))
    return mp.sign(x) * (log_cdf(abs(x)) - log_survival(abs(x)))


def gaussian_log_delta(mu: float, epsilon: float, digits: int = 120) -> mp.mpf:
    """The textbook difference, at so many digits that its cancellation does not matter."""
    with mp.workdps(digits):
        m, e = exact(mu), exact(epsilon)
        first = mp.erfc((e / m - m / 2) / mp.sqrt(2))
        return mp.log((first - mp.exp(e) * mp.erfc((e / m + m / 2) / mp.sqrt(2))) / 2)
