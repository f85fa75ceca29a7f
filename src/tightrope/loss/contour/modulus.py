"""A bound on delta by the size of M along a line alone: no phases, no nodes.

The kernel k(z) = 1/(z (z + 1)) and D(tau), a bound on |M(c + it)|/M(c) for all t >= tau, both fall
along the line, so that with tau_0 = 0 < tau_1 < ... and tau_end the last of them

    delta(e) <= M(c) exp(-c e)/pi * [sum of D(tau_i) |k(c + i tau_i)| (tau_(i + 1) - tau_i)
                                     + D(tau_end)/tau_end].

At the saddle little cancels, so this is often within a tenth of delta, where Chernoff's bound is
many times as large. It settles that one order of the neighbours leaks less than the other.
"""

from __future__ import annotations

import math

import numpy as np

from tightrope.loss.loss import Line
from tightrope.num.arrays import Floats
from tightrope.num.rounding import EPS

_NEAR, _FAR = np.arange(-7.0, 4.0, 1 / 64), np.arange(4.0, 24.0, 0.25)

STEPS = np.concatenate(([0.0], 2.0**_NEAR, 2.0**_FAR))
"""The tau_i, over c."""


def log_delta_most(
    line: Line, c: float, epsilon: float | Floats, runs: float | Floats = 1.0
) -> Floats:
    """The bound on log delta at an epsilon >= 0, by the line through c > 0, for so many of it."""
    tau = c * STEPS
    falling = np.exp(np.multiply.outer(runs, line.decay(tau)))
    kernel = 1 / (np.hypot(c, tau) * np.hypot(c + 1, tau))
    area = falling[..., :-1] @ (kernel[:-1] * np.diff(tau)) + falling[..., -1] / tau[-1]
    log_m, log_area = runs * line.log_most(), np.log(area / math.pi)
    size = np.abs(log_m) + c * epsilon + np.abs(log_area) + len(tau)
    return np.asarray(log_m - c * epsilon + log_area + 8 * EPS * size)
