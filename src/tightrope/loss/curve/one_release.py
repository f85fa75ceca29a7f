"""The trade-off curve of one Laplace or logistic release: a formula at every size of the loss.

Type II errors and powers are taken as logarithms, so that neither loses its digits where it is
small; of the two, the larger one follows from the smaller.
"""

from __future__ import annotations

import numpy as np

from tightrope.loss.curve.chords import LEAST, Level, TypeTwoBounds
from tightrope.loss.laplace.laplace import LaplaceLoss
from tightrope.loss.logistic import LogisticLoss
from tightrope.loss.total import Total
from tightrope.num.arrays import Floats
from tightrope.num.rounding import EPS


def one_release(total: Total) -> LaplaceLoss | LogisticLoss | None:
    """The loss, if there is one release of such a kind."""
    if len(total.losses) != 1:
        return None
    (loss,) = total.losses
    if not isinstance(loss, LaplaceLoss | LogisticLoss) or loss.count.tolist() != [1.0]:
        return None
    return loss


def errors(loss: LaplaceLoss | LogisticLoss, level: Level) -> TypeTwoBounds:
    """Bounds on the least type II error, and on the greatest power.

    Source: Dong, Roth and Su (2022), Proposition A.6; Chen, Pandey and Awan (2026), Definition 12.
    """
    epsilon = float(loss.epsilon[0])
    curve = _laplace if isinstance(loss, LaplaceLoss) else _logistic
    log_missed, log_power = curve(epsilon, level)
    missed, power = np.exp(log_missed), np.exp(log_power)
    off = 8 * (epsilon + np.abs(level.log_alpha) + np.abs(level.log_rest) + 2)
    shared = EPS * off * 2 * missed * power  # what moves the logarithm of the smaller one
    missed_error = shared + 8 * EPS * missed + 2 * LEAST
    return TypeTwoBounds(
        np.maximum(missed - missed_error, 0.0),
        np.minimum(missed + missed_error, 1.0),
        np.minimum(power + shared + 8 * EPS * power + 2 * LEAST, 1.0),
    )


def _laplace(epsilon: float, level: Level) -> tuple[Floats, Floats]:
    """log of 1 - exp(epsilon) alpha, of exp(-epsilon)/(4 alpha) and of exp(-epsilon)(1 - alpha)."""
    log_half = -np.log(2)
    steep = level.log_alpha < log_half - epsilon
    flat = level.log_alpha > log_half
    small = np.where(flat, level.log_rest, 2 * log_half - level.log_alpha) - epsilon
    small = np.where(steep, epsilon + level.log_alpha, small)
    small = np.minimum(small, log_half)
    large = np.log1p(-np.exp(small))
    return np.where(steep, large, small), np.where(steep, small, large)


def _logistic(epsilon: float, level: Level) -> tuple[Floats, Floats]:
    """log of 1/(1 + odds) and of odds/(1 + odds), odds = exp(epsilon) alpha/(1 - alpha)."""
    odds = epsilon + level.log_alpha - level.log_rest
    return -np.logaddexp(0.0, odds), -np.logaddexp(0.0, -odds)
