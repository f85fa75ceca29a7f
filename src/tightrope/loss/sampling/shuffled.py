"""The loss of shuffled reports: n users run one local randomiser, and who sent what is lost.

Let P_0 and P_1 be the laws of the report of one user for two values, and R that of another user.
There are laws Q_0, Q_1 with P_0 = s Q_0 + (1 - s) Q_1 and P_1 = (1 - s) Q_0 + s Q_1,
s = 1/(1 + exp(-epsilon)), and R >= p (P_0 + P_1) = p (Q_0 + Q_1) for p = exp(-epsilon)/2. So
every other user sends, with probability 2 p, a *clone*: a draw from Q_0 or Q_1, with even odds.
Telling how many draws from Q_0 and from Q_1 there are, the user's own among them, tells all that
the reports say of the user. With C ~ Binomial(n - 1, 2 p), A ~ Binomial(C, 1/2) and
D ~ Bernoulli(s) these are (A + D, C - A + 1 - D) for one value and (A + 1 - D, C - A + D) for the
other, and

    loss(a, b) = log((exp(epsilon) a + b)/(a + exp(epsilon) b)).

For a randomised response, R >= (P_0 + P_1)/(1 + exp(epsilon)) holds as well: no answer is the
likely one for both values. So there p = 1/(1 + exp(epsilon)) (docs/theory.md).

Sources: Feldman, McMillan and Talwar (2021), Theorem 3.1 (clones), Kairouz, Oh and Viswanath
(2015), Theorem 3.3 (Q_0 and Q_1). The larger p of the general theorem of Feldman, McMillan and
Talwar (2023) holds for some randomisers only, as its authors' erratum says.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from tightrope.loss.finite.finite import FiniteLoss
from tightrope.loss.finite.laid import on_lattice_if_many
from tightrope.loss.finite.pairs import Scalars
from tightrope.num.arrays import Floats
from tightrope.num.binomial import deviance, log_binomial, stirling_rest
from tightrope.num.rounding import EPS, down

MOST_ATOMS = 1 << 21
"""Pairs (a, b) that are looked at."""

MOST_REPORTS = 10_000_000
"""More reports count as so many, which hide less."""

DEPTH = 80.0
"""Tails below exp(-80) are moved to the largest loss."""

DOUBT = 256 * EPS
"""Relative error of losses, and of log-probabilities per unit of their size."""


class _Atoms(NamedTuple):
    loss: Floats
    mass: Floats


def shuffled(epsilon: float, reports: int, *, response: bool = False) -> FiniteLoss:
    """The pair of one user's two values, among shuffled reports.

    Args:
        epsilon: pure-DP parameter of one report, for replacing the user's value; at least 0.
        reports: how many users report, this one among them.
        response: whether the randomiser is a randomised response, over any number of answers.

    >>> f"{shuffled(1.0, 1).highest:.4f}"
    '1.0000'
    """
    if epsilon == 0:
        return FiniteLoss.one(np.zeros(1), np.ones(1))
    clone = down(2 / (1 + math.exp(epsilon)) if response else math.exp(-epsilon), 4)
    parts = list(_parts(epsilon, min(reports, MOST_REPORTS), clone))
    losses, masses = (np.concatenate(side) for side in zip(*parts, strict=True))
    return on_lattice_if_many(losses, masses, Scalars(loss_doubt=DOUBT, mass_doubt=DOUBT))


def _parts(epsilon: float, reports: int, clone: float) -> Iterator[_Atoms]:
    """The atoms for some numbers of clones; a number in between counts as the one below.

    Fewer clones hide less, as a clone can be added by whoever sees the result.
    """
    number, weight = _clones(reports - 1, clone)
    for clones, log_weight in zip(number.tolist(), np.log(weight), strict=True):
        a = _window(clones)
        log_mass = log_weight + _log_half(clones + 1, a)
        own = a + (clones + 1 - a) * math.exp(-epsilon)
        share = np.log(2 * own / ((clones + 1) * (1 + math.exp(-epsilon))))
        mass = np.exp(log_mass + share)
        loss = np.log(own) - np.log((clones + 1 - a) + a * math.exp(-epsilon))
        tail = 2 * math.exp(log_weight - DEPTH)
        yield _Atoms(np.append(loss, epsilon), np.append(mass, tail))


def _clones(others: int, clone: float) -> tuple[Floats, Floats]:
    """Numbers of clones, and the probability of each or of those up to the next one."""
    if others == 0:
        return np.zeros(1), np.ones(1)
    if clone >= 1:
        return np.array([float(others)]), np.ones(1)
    log_p = log_binomial(others, clone, 1 - clone)
    kept = np.flatnonzero(log_p > -DEPTH)
    first, last = int(kept[0]), int(kept[-1])
    width = min(2 * math.sqrt(DEPTH * (last + 1) / 2), last + 1)
    step = max(1, math.ceil((last - first + 1) * width / MOST_ATOMS))
    number = np.unique(np.append(0, np.arange(first, last + 1, step)))
    weight = np.add.reduceat(np.exp(log_p), number)
    return number[weight > 0].astype(float), weight[weight > 0]


def _window(clones: float) -> Floats:
    """The a whose probability matters, of 0 to clones + 1 (Hoeffding)."""
    whole = clones + 1
    half = math.sqrt(DEPTH * whole / 2) + 1
    return np.arange(max(0.0, math.floor(whole / 2 - half)), min(whole, whole / 2 + half) + 1)


def _log_half(count: float, a: Floats) -> Floats:
    """log of the binomial probabilities of a, for even odds."""
    if len(a) > count:
        return log_binomial(int(count), 0.5, 0.5)
    b = count - a
    whole = stirling_rest(np.array([count])) - stirling_rest(a) - stirling_rest(b)
    spread = deviance(a, count / 2) + deviance(b, count / 2)
    return np.asarray(whole - spread + 0.5 * np.log(count / (2 * math.pi * a * b)))
