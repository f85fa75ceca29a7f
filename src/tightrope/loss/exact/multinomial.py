"""The law of the sum of many runs of one finite loss, every composition of the runs enumerated.

With x_i runs at the i-th atom, sum x_i = n, and the deviance D(x, m) = x log(x/m) + m - x,

    log P(x) = 1/2 log(2 pi n) + s(n) - sum of [D(x_i, n p_i) + s(x_i) + 1/2 log(2 pi x_i)],

s being what Stirling's formula leaves over of log n!, and an empty class adding n p_i alone: no
difference of large numbers, unlike log-factorials. An error in p_i moves this by |x_i - n p_i|
times its relative size, and |x - m| <= 2 D + sqrt(2 D m); so the improbable sums are known as
well as the others. Nor is that ever more than the worst of the errors n times, and their mean.

Source: Loader (2000), "Fast and accurate computation of binomial probabilities".
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from tightrope.loss.finite.pairs import Rows
from tightrope.num.arrays import Floats, Indices
from tightrope.num.binomial import deviance, stirling_rest
from tightrope.num.normal import HALF_LOG_2PI
from tightrope.num.rounding import EPS, two_product, two_sum


@dataclass(frozen=True)
class Doubt:
    """How far log-probabilities of sums may be off.

    Attributes:
        log_mean: n p_i of the atoms, as logarithms.
        relative: the relative errors of p_i.
        summit: 1/2 log(2 pi n) + s(n) of each row, added up.
        runs: n, likewise.
    """

    log_mean: Floats
    relative: Floats
    summit: float
    runs: int

    def __add__(self, other: Doubt) -> Doubt:
        return Doubt(
            np.concatenate([self.log_mean, other.log_mean]),
            np.concatenate([self.relative, other.relative]),
            self.summit + other.summit,
            self.runs + other.runs,
        )

    def at(self, size: Floats) -> Floats:
        """A bound on the error where the log-probability is at least -size."""
        spent = (size + self.summit)[:, None]
        mean = np.exp(self.log_mean)
        far = 2 * spent + np.sqrt(2 * spent * mean)
        # one run at an atom costs a deviance of log(1/mean) - 1 + mean: out of reach, x is 0
        out = self.log_mean < -1 - spent
        off = np.where(out, mean, far) @ self.relative
        worst = np.where(out, 0.0, self.relative).max(axis=1, initial=0.0)
        off = np.minimum(off, self.runs * worst + mean @ self.relative)
        return np.asarray(off + EPS * 128 * (spent[:, 0] + len(self.relative)))


class RunSums(NamedTuple):
    """Sums of runs, in no order.

    Attributes:
        value: the sums.
        rest: what rounding took from them.
        log_mass: log of their probabilities.
        doubt: how far log_mass may be off.
    """

    value: Floats
    rest: Floats
    log_mass: Floats
    doubt: Doubt

    def plus(self, other: RunSums) -> RunSums:
        """Independent sums added up."""
        value, rest = two_sum(*np.broadcast_arrays(self.value[:, None], other.value))
        rest = rest + np.add.outer(self.rest, other.rest)
        log_mass = np.add.outer(self.log_mass, other.log_mass)
        return RunSums(value.ravel(), rest.ravel(), log_mass.ravel(), self.doubt + other.doubt)


NOTHING = RunSums(np.zeros(1), np.zeros(1), np.zeros(1), Doubt(np.zeros(0), np.zeros(0), 0.0, 0))
"""The sum of no runs."""


def sums(rows: Rows, row: int, count: int) -> RunSums:
    """All sums of ``count`` runs of one row."""
    losses, log_p = rows.losses[row], rows.log_probabilities[row]
    relative = rows.mass_error[row] + 8 * EPS
    log_mean = log_p + math.log(count)
    if count == 1:
        return RunSums(losses, np.zeros(len(losses)), log_p, Doubt(log_mean, relative, 0.0, 1))
    summit = HALF_LOG_2PI + 0.5 * math.log(count) + float(stirling_rest(np.array([count]))[0])
    drawn = _compositions(count, len(losses))
    value, rest = np.zeros((2, len(drawn[0])))
    log_mass = np.full(len(drawn[0]), summit)
    for x, loss, mean in zip(drawn, losses, log_mean, strict=True):
        product, first = two_product(x.astype(float), np.full(len(x), loss))
        value, second = two_sum(value, product)
        rest += first + second
        log_mass -= _penalties(count, float(mean))[x]
    return RunSums(value, rest, log_mass, Doubt(log_mean, relative, summit, count))


def how_many(rows: Rows, row: int) -> int:
    """How many compositions there are."""
    return math.comb(int(rows.count[row]) + rows.atoms - 1, rows.atoms - 1)


def _penalties(count: int, log_mean: float) -> Floats:
    """D(x, mean) + s(x) + 1/2 log(2 pi x) for x of 1, ..., count; the mean itself at 0."""
    x = np.arange(1.0, count + 1)
    mean = math.exp(log_mean)
    # a quotient by a mean below the normal range of doubles would lose digits
    spread = deviance(x, mean) if log_mean > -600 else x * (np.log(x) - log_mean) + mean - x
    return np.append(mean, spread + stirling_rest(x) + 0.5 * np.log(x) + HALF_LOG_2PI)


def _compositions(count: int, parts: int) -> list[Indices]:
    """Every way to write ``count`` as an ordered sum of naturals; one array a summand."""
    left = np.array([count])
    drawn: list[Indices] = []
    for _ in range(parts - 1):
        choices = left + 1
        before = np.cumsum(choices) - choices
        x = np.arange(choices.sum()) - np.repeat(before, choices)
        drawn = [np.repeat(earlier, choices) for earlier in drawn]
        left = np.repeat(left, choices) - x
        drawn.append(x)
    return [*drawn, left]
