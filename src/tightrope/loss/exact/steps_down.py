"""The profile of a listed law, ready to be read off anywhere: one term, all positive.

With losses l_1 <= l_2 <= ... of masses p_j, let for every k

    H_k = sum over j >= k of p_j exp(l_k - l_j),
    G_k = sum over j >= k of p_j (1 - exp(l_k - l_j)).

For t between l_(k-1) and l_k (or anywhere below l_1, with k = 1)

    delta(t) = sum over j >= k of p_j (1 - exp(t - l_j)) = G_k + (1 - exp(t - l_k)) H_k.

exp(-l_k) H_k is a sum of p_j exp(-l_j) from k on, and G_k one of (1 - exp(l_j - l_(j+1))) H_(j+1):
positive terms, so that no digit is lost however small delta is.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Self

import numpy as np

from tightrope.loss.exact.multisets import Choices
from tightrope.num.arrays import Floats, Indices
from tightrope.num.logspace import log1mexp, logsumexp
from tightrope.num.rounding import EPS


@dataclass(frozen=True, eq=False)
class StepsDown:
    """A profile at its losses.

    Attributes:
        losses: rising.
        log_g: log G, and -inf beyond the last.
        log_h: log H, and -inf beyond the last.
        doubt: what the sums lost in rounding, in logarithms.
    """

    losses: Floats
    log_g: Floats
    log_h: Floats
    doubt: float

    @classmethod
    def of(cls, law: Choices) -> Self:
        """From rising losses and their masses."""
        losses = law.value
        tails, first = onward(law.log_mass - losses)
        log_h = tails + losses
        gaps = np.diff(losses)
        log_g, second = onward(log1mexp(gaps) + log_h[1:])
        return cls(
            losses, np.append(log_g, [-np.inf] * 2), np.append(log_h, -np.inf), first + second
        )

    def place(self, t: Floats) -> Indices:
        """The k of every t."""
        return np.searchsorted(self.losses, t, side="right")

    def read(self, t: Floats, k: Indices) -> Floats:
        """log delta(t), k being its place."""
        above = np.minimum(k, len(self.losses) - 1)
        part = log1mexp(np.maximum(self.losses[above] - t, 0))
        return np.asarray(np.logaddexp(self.log_g[k], self.log_h[k] + part))


def onward(logs: Floats) -> tuple[Floats, float]:
    """log of the sum from each term to the last, and how far it may be off.

    Terms are added up in blocks, relative to the largest of a block, and blocks among themselves:
    an addition of logarithms is rounded by its size, so sizes are kept small.
    """
    if not len(logs):
        return logs, 0.0
    width = math.isqrt(len(logs)) + 1
    blocks = np.pad(logs, (0, -len(logs) % width), constant_values=-np.inf).reshape(-1, width)
    top = blocks.max(axis=1, keepdims=True)
    top[np.isneginf(top)] = 0
    inside = np.logaddexp.accumulate((blocks - top)[:, ::-1], axis=1)[:, ::-1]
    whole = inside[:, 0] + top[:, 0]
    later = np.where(np.tri(len(whole), dtype=bool), -np.inf, whole)
    beyond = np.asarray(logsumexp(later, 1))
    size = np.where(np.isneginf(inside), 0.0, np.abs(inside)) + 4
    total = np.logaddexp(inside + top, beyond[:, None]).ravel()[: len(logs)]
    return total, EPS * (float(size.sum(axis=1).max()) + len(whole) + 8)
