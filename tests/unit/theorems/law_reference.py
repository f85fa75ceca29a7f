"""Laws and divergences from their definitions, in 80 digits; imports nothing of ours."""

import json
from collections.abc import Callable, Iterator, Sequence
from itertools import accumulate
from pathlib import Path
from typing import Any

import mpmath as mp

GOLDEN = Path(__file__).parents[2] / "golden" / "golden.json"
DIGITS = 80


def eighty_digits() -> Iterator[None]:
    """The body of a fixture: a test computes its own references at full precision too."""
    with mp.workdps(DIGITS):
        yield


def precise(function: Callable) -> Callable:
    """Run a reference at full precision, whatever the precision of other tests."""
    return mp.workdps(DIGITS)(function)


def golden(name: str) -> list[list[str]]:
    return json.loads(GOLDEN.read_text())[name]["values"]


@precise
def excess(bound: float, truth: Any) -> float:
    """By how much, relatively, a bound lies above the truth."""
    return float((mp.mpf(float(bound)) - mp.mpf(truth)) / abs(mp.mpf(truth)))


@precise
def log_excess(bound: float, truth: Any) -> float:
    """By how much a bound on log delta lies above the logarithm of the truth."""
    return float(mp.mpf(float(bound)) - mp.log(mp.mpf(truth)))


@precise
def score(log_p: Any) -> Any:
    """-Phi^-1(exp(log_p)), by Newton's method on the logarithm."""
    if log_p > mp.log(mp.mpf(1) / 2):
        return -score(mp.log(-mp.expm1(log_p)))
    x = mp.sqrt(-2 * log_p) if log_p < -1 else mp.mpf(0)
    for _ in range(200):
        tail = mp.erfc(x / mp.sqrt(2)) / 2
        step = (mp.log(tail) - log_p) * tail / mp.npdf(x)
        x += step
        if abs(step) < mp.mpf(10) ** -60:
            return x
    raise ArithmeticError(f"no root for {log_p}")


@precise
def gaussian_delta(mu: Any, epsilon: Any) -> Any:
    a, b = mp.mpf(mu), mp.mpf(epsilon)
    return mp.ncdf(a / 2 - b / a) - mp.exp(b) * mp.ncdf(-a / 2 - b / a)


class DiscreteGaussianLaw:
    """N_Z(0, variance) by plain sums, for variances of moderate size."""

    def __init__(self, variance: float) -> None:
        with mp.workdps(DIGITS):
            self.variance = mp.mpf(variance)
            reach = int(mp.sqrt(2 * self.variance * 1000)) + 2
            self.weights = [self.weight(z) for z in range(reach)]
            self.total = 2 * mp.fsum(self.weights) - 1
            self.sums = list(accumulate(reversed(self.weights)))[::-1]

    def weight(self, z: int) -> Any:
        return mp.exp(-(mp.mpf(z) ** 2) / (2 * self.variance))

    @precise
    def mass(self, k: int) -> Any:
        return self.weight(k) / self.total

    @precise
    def tail(self, k: int) -> Any:
        """P(Z >= k); the smaller of the two tails is summed."""
        if k <= 0:
            return 1 - self.tail(1 - k)
        if k < len(self.weights) // 2:
            return self.sums[k] / self.total
        total, z = self.weight(k), k + 1
        while (term := self.weight(z)) > total * mp.mpf(10) ** -60:
            total, z = total + term, z + 1
        return total / self.total

    @precise
    def delta(self, shift: int, epsilon: float) -> Any:
        e = mp.mpf(epsilon)
        m = int(mp.floor(e * self.variance / shift - mp.mpf(shift) / 2)) + 1
        return self.tail(m) - mp.exp(e) * self.tail(m + shift)

    @precise
    def beta(self, shift: int, alpha: float) -> Any:
        """Type II error of the best test, which draws lots at one outcome."""
        a, k = mp.mpf(alpha), 0
        while self.tail(k + 1) >= a:
            k += 1
        while self.tail(k) < a:
            k -= 1
        share = (self.tail(k) - a) / self.mass(k)
        return self.tail(1 + shift - k) + share * self.mass(k - shift)

    @precise
    def increment(self, shift: int, k: int) -> Any:
        """Phi^-1(power) - Phi^-1(type I error) at the vertex k."""
        return score(mp.log(self.tail(k))) - score(mp.log(self.tail(k - shift)))


@precise
def renyi(p: Sequence[Any], q: Sequence[Any], order: Any) -> Any:
    a = mp.mpf(order)
    if a == 1:
        return mp.fsum(x * mp.log(x / y) for x, y in zip(p, q, strict=True) if x > 0)
    return mp.log(mp.fsum(x**a * y ** (1 - a) for x, y in zip(p, q, strict=True) if x > 0)) / (
        a - 1
    )


@precise
def krr(epsilon: float, categories: int) -> tuple[list[Any], list[Any]]:
    grow = mp.exp(mp.mpf(epsilon))
    total = grow + categories - 1
    rest = (categories - 2) / total
    return [grow / total, 1 / total, rest], [1 / total, grow / total, rest]


@precise
def discrete_laplace(epsilon: float, shift: int) -> tuple[list[Any], list[Any]]:
    """Masses of the outcomes 0 or less, 1, ..., shift - 1, shift or more."""
    r = mp.exp(-mp.mpf(epsilon) / shift)
    inner = [(1 - r) / (1 + r) * r**z for z in range(1, shift)]
    p = [1 / (1 + r), *inner, r**shift / (1 + r)]
    return p, [r**shift / (1 + r), *reversed(inner), 1 / (1 + r)]
