"""How transforms of many pairs decay along one line: the table of ``envelope``, a row a kind."""

from __future__ import annotations

import numpy as np

from tightrope.loss.mixture.envelope import MOST_DAMPED, ROUNDING
from tightrope.loss.mixture.pair import OnLine
from tightrope.num.arrays import Floats
from tightrope.num.rounding import EPS

BLOCK = 1 << 18
"""Exponentials that are held at once."""


class StackEnvelope:
    """E_y of every kind along several lines, tabulated.

    Args:
        at: log p and the loss at the nodes: lines x kinds x nodes. The first line is the real axis.
        c: the power of r.
        step: the distance between nodes.
        knots: values of tau, from 0 on, where E is computed.
        error: log of bounds on the quadrature error: lines x kinds.

    Attributes:
        lower: bounds on log M(c), one a kind.
        upper: likewise.
        table: log E_y at the knots: lines x kinds x knots.
    """

    def __init__(self, at: OnLine, c: float, step: float, knots: Floats, error: Floats):
        self.knots = knots
        logs = at.density.value.real + c * at.loss.value.real
        scale = logs.max(axis=(0, 2))
        doubt = at.density.error + c * at.loss.error + ROUNDING
        doubt += 8 * EPS * np.abs(scale)[:, None]
        weight = step * np.exp(logs + doubt - scale[:, None])
        sums = self._damped(np.maximum(at.loss.value.imag - at.loss.error, 0), weight)
        errors = np.exp(np.minimum(error - scale, 700.0))
        self.table = scale[:, None] + np.log(sums + (errors[..., None] + 1e-300))
        self.upper = self.table[0, :, 0]
        # what the doubts add to the weights is taken off twice
        least = sums[0, :, 0] - 2 * (weight[0] * np.expm1(doubt[0])).sum(axis=-1) - errors[0]
        with np.errstate(divide="ignore"):
            self.lower = scale + np.log(np.maximum(least, 0))

    def _damped(self, turn: Floats, weight: Floats) -> Floats:
        """The sums of the weights times exp(-tau turn), at the knots: lines x kinds x knots."""
        width = max(1, BLOCK // turn.size)
        parts = (self.knots[i : i + width, None] for i in range(0, len(self.knots), width))
        turn, weight = turn[..., None, :], weight[..., None]
        return np.concatenate(
            [(np.exp(np.maximum(-tau * turn, -MOST_DAMPED)) @ weight)[..., 0] for tau in parts],
            axis=-1,
        )

    def log_bound(self, tau: Floats) -> Floats:
        """log of a bound on the least E_y(tau), by chords; a row for each kind."""
        after = np.clip(np.searchsorted(self.knots, tau), 1, len(self.knots) - 1)
        left, right = self.knots[after - 1], self.knots[after]
        share = np.minimum((tau - left) / (right - left), 1.0)
        chords = self.table[..., after - 1] * (1 - share) + self.table[..., after] * share
        return np.asarray(chords.min(axis=0))
