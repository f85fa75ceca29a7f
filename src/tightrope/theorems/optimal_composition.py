"""Optimal composition of (epsilon, delta)-DP releases, and the closed form that came before it.

What can be said of releases of which only (epsilon_i, delta_i) is known is decided by the worst
such releases: with probability delta_i everything leaks, else the answer is randomised response
with log-odds epsilon_i (Kairouz, Oh and Viswanath, 2015, Theorem 3.3, for equal parts; Murtagh and
Vadhan, 2016, Theorem 1.5, for different ones). With L the sum of the losses +-epsilon_i,

    1 - delta(e) = prod(1 - delta_i) (1 - E[(1 - exp(e - L))_+]).

The expectation is a sum over the lattice of the values of L, prod(n_j + 1) points for n_j parts of
the j-th kind. In general the problem is #P-complete (the same, Theorem 1.7), but parts are counted,
and few kinds of them are common; the sum is done in full or not at all.
"""

import math
from collections.abc import Mapping

import numpy as np

from tightrope.num.binomial import log_binomial, log_binomial_error
from tightrope.num.elementwise import FloatArray, ScalarOrArray, elementwise
from tightrope.num.logistic import sigmoid
from tightrope.num.logspace import log1mexp, logsumexp
from tightrope.num.rounding import EPS, two_product, up

__all__ = ["OptimalComposition", "Parts", "advanced_epsilon", "optimal_log_delta"]

Parts = Mapping[float, int] | Mapping[tuple[float, float], int]
"""How often each (epsilon, delta) occurs; a bare epsilon stands for (epsilon, 0)."""

_POINTS = 2_000_000
_LARGEST_EPSILON = 700.0
_ODDS_ERROR = 5 * EPS
"""Of the probabilities of the two answers, together."""


class OptimalComposition:
    """The exact privacy profile of counted (epsilon_i, delta_i)-DP parts.

    Args:
        parts: how often each `(epsilon, delta)` occurs, `epsilon` in [0, 700], `delta` in [0, 1]; a
            bare `epsilon` stands for `(epsilon, 0)`.

    Raises:
        ValueError: a parameter is outside its range, or the lattice has over two million points.

    >>> ten = OptimalComposition({(0.1, 1e-6): 10})
    >>> f"{math.exp(ten.log_delta(0.5)):.9g}"
    '0.00993952758'
    """

    def __init__(self, parts: Parts) -> None:
        kinds = _kinds(parts)
        if not _small(kinds):
            raise ValueError(f"OptimalComposition: over {_POINTS} lattice points, or epsilon > 700")
        self._log_sound = math.fsum(
            count * (math.log1p(-delta) if delta < 1 else -math.inf) for _, delta, count in kinds
        )
        self._loss, self._rest, self._log_mass = _lattice(kinds)

    @staticmethod
    def feasible(parts: Parts) -> bool:
        """Whether the lattice is small enough, and no epsilon above 700."""
        return _small(_kinds(parts))

    def log_delta(self, epsilon: ScalarOrArray) -> ScalarOrArray:
        """Return log delta at any real epsilon, rounded up; -inf where delta is 0.

        With l = |log delta| and n parts, the bound exceeds delta by a relative error of at most
        6e-14 + 6e-15 (l + sqrt(n l)): 2e-12 for 10,000 parts at delta = 1e-3.
        """

        def bound(e: FloatArray) -> FloatArray:
            rest = np.array([self._log_excess(x) for x in e.ravel().tolist()]).reshape(e.shape)
            whole = np.logaddexp(log1mexp(-self._log_sound), self._log_sound + rest)
            error = 60 - 3 * whole
            return np.minimum(np.where(np.isneginf(whole), whole, whole + EPS * error), 0.0)

        return elementwise(bound)(epsilon)

    def _log_excess(self, epsilon: float) -> float:
        """log E[(1 - exp(epsilon - L))_+]; the gap L - epsilon is rounded once."""
        above = slice(int(np.searchsorted(self._loss, epsilon)), None)
        gap = (self._loss[above] - epsilon) + self._rest[above]
        terms = np.asarray(log1mexp(np.maximum(gap, 0.0))) + self._log_mass[above]
        return float(logsumexp(terms))


def optimal_log_delta(epsilon: ScalarOrArray, parts: Parts) -> ScalarOrArray:
    """Return `OptimalComposition(parts).log_delta(epsilon)`.

    >>> f"{math.exp(optimal_log_delta(0.0, {1.0: 2})):.9g}"
    '0.462117157'
    """
    return OptimalComposition(parts).log_delta(epsilon)


def _kinds(parts: Parts) -> list[tuple[float, float, int]]:
    kinds = []
    for key, count in parts.items():
        epsilon, delta = key if isinstance(key, tuple) else (key, 0.0)
        if not (0 <= epsilon < math.inf and 0 <= delta <= 1 and count >= 0):
            raise ValueError(f"optimal composition: {count!r} parts ({epsilon!r}, {delta!r})")
        kinds.append((float(epsilon), float(delta), int(count)))
    return kinds


def _small(kinds: list[tuple[float, float, int]]) -> bool:
    points = math.prod(count + 1 for count in _counts(kinds).values())
    return points <= _POINTS and all(epsilon <= _LARGEST_EPSILON for epsilon, _, _ in kinds)


def _counts(kinds: list[tuple[float, float, int]]) -> dict[float, int]:
    """How often each positive epsilon occurs, whatever its delta."""
    counts: dict[float, int] = {}
    for epsilon, _, count in kinds:
        if epsilon > 0 and count > 0:
            counts[epsilon] = counts.get(epsilon, 0) + count
    return counts


def _lattice(kinds: list[tuple[float, float, int]]) -> tuple[FloatArray, FloatArray, FloatArray]:
    """All values of L in ascending order, each as a rounded number and its rest; log-masses."""
    loss, rest, log_mass = np.zeros(1), np.zeros(1), np.zeros(1)
    for epsilon, count in _counts(kinds).items():
        step, step_rest = two_product(np.arange(-count, count + 1.0, 2), np.asarray(epsilon))
        law = log_binomial(count, sigmoid(epsilon), sigmoid(-epsilon))
        law += log_binomial_error(count, law, _ODDS_ERROR)
        total, lost = _two_sum(loss[:, np.newaxis], step)
        rest = (rest[:, np.newaxis] + step_rest + lost).ravel()
        loss, log_mass = total.ravel(), (log_mass[:, np.newaxis] + law).ravel()
    order = np.argsort(loss)
    return loss[order], rest[order], log_mass[order]


def _two_sum(a: FloatArray, b: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return `(s, e)` with `s = fl(a + b)` and `s + e = a + b` exactly (Knuth)."""
    total = a + b
    taken = total - a
    return total, (a - (total - taken)) + (b - taken)


def advanced_epsilon(epsilon: float, delta: float, count: int, slack: float) -> tuple[float, float]:
    """Return what `count` equal (epsilon, delta)-DP releases are by advanced composition.

    `epsilon' = epsilon sqrt(2 k log(1/slack)) + k epsilon (exp(epsilon) - 1)` and
    `delta' = k delta + slack`, each rounded up (Dwork, Rothblum and Vadhan, 2010, Theorem III.3).
    Never better than the optimal composition.

    Args:
        epsilon, delta: of one release, at least 0.
        count: their number k, at least 1.
        slack: what is added to delta, in (0, 1).

    Raises:
        ValueError: an argument is outside its range.

    >>> advanced = advanced_epsilon(0.1, 0.0, 100, 1e-6)
    >>> f"{advanced[0]:.9g}, {advanced[1]:.9g}"
    '6.30823095, 1e-06'
    """
    if not (epsilon >= 0 and delta >= 0 and count >= 1 and 0 < slack < 1):
        raise ValueError(f"advanced_epsilon: got {(epsilon, delta, count, slack)!r}")
    if epsilon > _LARGEST_EPSILON:
        return math.inf, min(1.0, up(count * delta + slack, 2))
    spread = epsilon * math.sqrt(-2 * count * math.log(slack))
    drift = count * epsilon * math.expm1(epsilon)
    return up(spread + drift, 6), min(1.0, up(count * delta + slack, 2))
