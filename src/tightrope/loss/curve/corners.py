"""The trade-off curve of a composition of few atoms: a polygon, with all its corners.

A test rejects Q where the loss is above a threshold; its type I error is the probability under Q
of the sums above it, its power that under P. Both, and the type II error, add up positive terms.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from tightrope.loss.curve.chords import TypeTwoBounds
from tightrope.loss.exact.atoms import ExactSum
from tightrope.num.arrays import Floats
from tightrope.num.rounding import EPS

SIZES = 64 * 1.25 ** np.arange(60.0)
"""-log of probabilities for which errors are worked out."""

RAREST = 1e-300
"""Smaller probabilities are added up as logarithms."""


@dataclass(frozen=True)
class Corners:
    """Corners by rising type I error, the first one at 0.

    Attributes:
        alpha: type I errors.
        power: 1 minus the type II errors.
        missed: the type II errors, down to 0.
        log_alpha: log of the type I errors.
        log_power: log of the powers.
        doubt: the relative errors of all of these.
        steep: how many of them have a slope of at least 1 before them, in size.
    """

    alpha: Floats
    power: Floats
    missed: Floats
    log_alpha: Floats
    log_power: Floats
    doubt: Floats
    steep: int

    @classmethod
    def of(cls, law: ExactSum) -> Corners:
        """The corners of an enumerated law."""
        lost = -math.expm1(-law.escape)
        log_p = law.log_mass[::-1] - law.escape
        alpha, log_alpha = _added(log_p - law.sums[::-1])
        power, log_power = _added(log_p)
        missed = np.append(_added(log_p[::-1])[0][::-1], 0.0)
        with np.errstate(divide="ignore"):
            rarest = np.minimum(np.minimum(log_alpha, log_power), np.log(missed[:-1]))
            log_power = np.logaddexp(log_power, np.log(lost))
        size = 60 - np.maximum(rarest, -SIZES[-1]) + np.maximum(-law.sums[::-1], 0)
        doubts = np.maximum.accumulate(law.doubt.at(SIZES)) + 4 * EPS * SIZES
        doubt = doubts[np.minimum(np.searchsorted(SIZES, size), len(SIZES) - 1)]
        doubt = 1.01 * (doubt + law.shift + EPS * (len(log_p) + 8))
        return cls(
            np.append(0.0, np.minimum(alpha, 1)),
            lost + np.append(0.0, power),
            missed,
            np.append(-np.inf, np.minimum(log_alpha, 0)),
            np.append(math.log(lost) if lost else -np.inf, np.minimum(log_power, 0)),
            np.append(doubt[0], doubt),
            1 + int((law.sums >= -law.shift).sum()),
        )

    def errors(self, alpha: Floats) -> TypeTwoBounds:
        """Bounds on the least type II error; corners may lie anywhere within their doubts."""
        index = np.clip(np.searchsorted(self.alpha, alpha), 1, len(self.alpha) - 1)
        doubt = np.maximum(self.doubt[index - 1], self.doubt[index])
        more, less = 1 + doubt, 1 - doubt
        fewer, further = np.minimum(alpha * less, 1), np.minimum(alpha / less, 1)
        power = np.minimum(np.interp(further, self.alpha, self.power) * more, 1)
        least = np.interp(fewer, self.alpha, self.power) * less
        missed = np.interp(further, self.alpha, self.missed) * less
        most = np.interp(fewer, self.alpha, self.missed) * more
        return TypeTwoBounds(
            np.maximum(np.maximum(1 - power - EPS, missed), 0),
            np.minimum(np.minimum(1 - least + EPS, most), 1),
            power,
        )


def _added(log_mass: Floats) -> tuple[Floats, Floats]:
    """Partial sums of probabilities, and their logarithms also where they underflow."""
    total = np.cumsum(np.exp(log_mass))
    rare = int(np.searchsorted(total, RAREST))
    with np.errstate(divide="ignore"):
        logs = np.log(total)
    logs[:rare] = np.logaddexp.accumulate(log_mass[:rare])
    return total, logs
