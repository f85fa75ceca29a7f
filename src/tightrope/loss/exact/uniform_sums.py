"""Few releases of a Laplace or a logistic mechanism: the law of their sum is a mixture of splines.

Tilted by exp(-L/2), the logistic loss is uniform on (-epsilon, epsilon), and the Laplace loss is
that with probability epsilon/(2 + epsilon), else -epsilon or epsilon with even odds. So the sum of
n losses is n epsilon - 2 epsilon y, with y a sum of j uniform variables on (0, 1) and of n - j fair
coins. With Y = (n - e/epsilon)/2, a release turns exp(epsilon/2) times its tilt into

    delta(e) = sum over j of C(n, j) (epsilon/2)^j
               * sum over k of C(n - j, k) 2^(j - n) exp(-epsilon k) H_j(Y - k)

for Laplace, and (epsilon/(1 - exp(-epsilon)))^n H_n(Y) for the logistic mechanism, where H_j are
the hockey sticks of ``splines``: all terms are positive.

Of many releases with a small epsilon few are uniform. A coin spreads more than a uniform variable,
and the hockey stick is convex in y; so what more than J uniform variables add is at most the
term with none, times the odds of more than J against none.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Self

import numpy as np

from tightrope.loss.exact.splines import Splines
from tightrope.loss.interval import LogInterval
from tightrope.loss.laplace.laplace import LaplaceLoss
from tightrope.loss.law import Law
from tightrope.loss.logistic import LogisticLoss
from tightrope.loss.total import Total
from tightrope.num.arrays import Floats
from tightrope.num.binomial import deviance, log_binomial, stirling_rest
from tightrope.num.logspace import logsumexp
from tightrope.num.rounding import EPS, two_product

MOST_UNIFORM = 160
"""Uniform variables of a sum."""

MOST_QUICK = 64
"""The same of a sum that is preferred to a contour, which must be tried first otherwise."""

MOST_TERMS = 1 << 18
"""Pairs (j, k) of a sum."""

MOST_LOGISTIC = 60
"""Logistic releases; of more, a contour does as well."""

LARGEST = 128.0
"""Beyond this epsilon the rule would need too many nodes."""

NEGLIGIBLE = 60.0
"""Terms below exp(-60) of the result, a million at most, do not matter."""


LOST = -1300.0
"""log of what may underflow."""


@dataclass(frozen=True, eq=False)
class FewUniform(Law):
    """The law of a sum of alike losses.

    Attributes:
        count: how many releases there are.
        epsilon: the largest loss of each.
        log_front: log of the factor before the sums; no other is above 1.
        log_weight: of each number j of uniform variables, the factor before its sum over k.
        log_coins: log C(n - j, k) 2^(j - n); j x k.
        splines: H_j.
        cut: what larger j may add, relative to delta.
    """

    count: int
    epsilon: float
    log_front: float
    log_weight: Floats
    log_coins: Floats
    splines: Splines
    cut: float

    @classmethod
    def of(cls, total: Total) -> Self | None:
        """The law, or None if there is another kind of loss, or too much to add up."""
        if len(total.losses) != 1:
            return None
        (loss,) = total.losses
        if not isinstance(loss, LaplaceLoss | LogisticLoss) or len(loss.count) != 1:
            return None
        count, epsilon = int(loss.count[0]), float(loss.epsilon[0])
        if not 0 < epsilon <= LARGEST:
            return None
        if isinstance(loss, LogisticLoss):
            return cls._logistic(count, epsilon)
        return cls._laplace(count, epsilon)

    @classmethod
    def _logistic(cls, count: int, epsilon: float) -> Self | None:
        if count > MOST_LOGISTIC:
            return None
        log_weight = np.full(count + 1, -np.inf)
        front = log_weight[-1] = count * -math.log(-math.expm1(-epsilon) / epsilon)
        coins = np.zeros((count + 1, 1))
        return cls(count, epsilon, front, log_weight, coins, Splines(count, epsilon), 0.0)

    @classmethod
    def _laplace(cls, count: int, epsilon: float) -> Self | None:
        if count * math.log1p(epsilon / 2) > MOST_UNIFORM or count > MOST_TERMS:
            return None
        log_pmf = log_binomial(count, epsilon / (2 + epsilon), 2 / (2 + epsilon))
        beyond = np.append(np.cumsum(np.exp(log_pmf[:0:-1]))[::-1], 0.0)
        odds = beyond / math.exp(log_pmf[0])
        most = int(np.argmax(odds < EPS))
        columns = count // 2 + 1
        if most > MOST_UNIFORM or (most + 1) * columns > MOST_TERMS:
            return None
        coins = _log_coins(count, most, columns)
        front = count * math.log1p(epsilon / 2)
        splines = Splines(max(most, 1), epsilon)
        log_weight = log_pmf[: most + 1] + front
        return cls(count, epsilon, front, log_weight, coins, splines, float(odds[most]))

    @property
    def quick(self) -> bool:
        """Whether an epsilon costs no more than a contour."""
        return self.splines.most <= MOST_QUICK and self.log_coins.size <= MOST_QUICK**2

    @property
    def terms(self) -> int:
        """Pairs (j, k), at both ends of Y."""
        return 2 * self.log_coins.size

    @property
    def method(self) -> str:
        """For a derivation."""
        return f"splines for up to {len(self.log_weight) - 1} uniform variables"

    def log_delta(self, epsilon: Floats) -> LogInterval:
        """Bounds on log delta at every epsilon >= 0."""
        product, rest = two_product(np.array([float(self.count)]), np.array([self.epsilon]))
        top = np.maximum((product - epsilon) + rest, 0) / (2 * self.epsilon)
        ends = np.concatenate([top * (1 - 4 * EPS), top * (1 + 4 * EPS)])
        width = max(1, MOST_TERMS // self.log_coins.size)
        parts = [self._log_sum(ends[i : i + width]) for i in range(0, len(ends), width)]
        lower, upper = np.concatenate(parts).reshape(2, -1)
        upper = np.where(top > 0, np.logaddexp(upper, self.log_front + LOST), -np.inf)
        return LogInterval(lower - self._error(lower), upper + self._error(upper), self.method)

    def _error(self, log_value: Floats) -> Floats:
        """Of what matters, no probability is much smaller than delta over the front factor."""
        size = np.where(log_value > -math.inf, -log_value, 0.0) + NEGLIGIBLE + self.log_front
        drawn = 300 * size + 8 * np.sqrt(2 * size * self.count)
        return np.asarray(EPS * drawn + self.splines.error + self.cut)

    def _log_sum(self, top: Floats) -> Floats:
        """log of the sum over j and k, for every Y."""
        whole = np.floor(top)
        j, k = np.arange(self.log_coins.shape[0]), np.arange(self.log_coins.shape[1])
        row = (whole[:, None] - k).astype(int)[:, None, :]
        rows = min(self.splines.most, int(whole.max()) + 1)
        partial = self.splines.log_partial(top - whole, rows)
        at = np.arange(len(top))[:, None, None]
        some = partial[at, np.maximum(j - 1, 0)[:, None], np.clip(row, 0, rows - 1)]
        complete = row >= j[:, None]
        with np.errstate(divide="ignore"):
            v = np.where(complete, (top[:, None] - k)[:, None, :], j[:, None])
            log_h = np.where(complete, self.splines.log_complete(v, j[:, None]), some)
        terms = self.log_weight[:, None] + self.log_coins - self.epsilon * k + log_h
        terms[np.broadcast_to(row < 0, terms.shape)] = -np.inf
        return logsumexp(terms, (1, 2))


def _log_coins(count: int, most: int, columns: int) -> Floats:
    """log C(t, k) 2^-t for t = count - j, j of 0, ..., most; Loader's form, see ``binomial``."""
    rest = stirling_rest(np.arange(1.0, max(count, 2) + 1))
    tossed = count - np.arange(most + 1)[:, None]
    k = np.arange(columns)
    inside = (k > 0) & (k < tossed)
    t, heads = np.where(inside, tossed, 2), np.where(inside, k, 1)
    tails = t - heads
    coins = (
        rest[t - 1]
        - rest[heads - 1]
        - rest[tails - 1]
        - 0.5 * np.log(2 * math.pi * heads * (tails / t))
    )
    coins -= deviance(heads * 1.0, t / 2) + deviance(tails * 1.0, t / 2)
    edge = np.where((k == 0) | (k == tossed), -math.log(2) * tossed, -np.inf)
    return np.where(inside, coins, edge)
