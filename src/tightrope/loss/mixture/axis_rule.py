"""M not far from the real axis, by a sum on it: quick where one weight is moved (``one_moved``).

What is summed is phi (S^(e +- it) - 1), whose integral is M - 1, to keep the digits of M - 1.
"""

from __future__ import annotations

import math

import numpy as np

from tightrope.loss.loss import Transform
from tightrope.loss.mixture.one_moved import OneMoved, beyond
from tightrope.loss.mixture.rule import logarithm
from tightrope.num.arrays import Complexes, Floats
from tightrope.num.complexes import expm1_parts
from tightrope.num.rounding import EPS

STEPS = (0.25, 0.125)
"""Distances between nodes, the first of which that will do is taken."""

MOST_ENTRIES = 1 << 14
"""Terms, beyond which other rules are quicker."""

OUTERMOST = 37.0
"""A node, beyond which phi is no double to full accuracy."""

TERM = 24.0
"""Units in the last place of log S times e +- it that a term and its share in the sum may be off:
at most 2.5 by phi, 6.5 by the exponential, 2 by its argument, 11 by adding up to 512 in pairs."""

MOST_LOSS = 300.0
"""Of c log S: its exponential stays a double."""

ENOUGH, EXACT = math.log(1e-15), 2.5e-11
"""What all runs may lose by the rule (as a logarithm), and by rounding."""


def transform(moved: OneMoved, tau: Floats, runs: float) -> Transform | None:
    """log M at every tau >= 0, for so many runs; None where another rule is better."""
    farthest = float(tau.max())
    step = next((h for h in STEPS if _fits(moved, h, farthest, runs)), None)
    if step is None:
        return None
    u = moved.nodes(step)
    if len(u) * len(tau) > MOST_ENTRIES or float(np.abs(u).max()) > OUTERMOST:
        return None
    log_s, doubt = moved.log_s(u)
    if abs(moved.power) * float(np.abs(log_s).max()) > MOST_LOSS:
        return None
    density = np.exp(-u * u / 2) * (step / math.sqrt(2 * math.pi))
    turn = (moved.turn * tau)[:, None] * log_s
    real, imag, growth = expm1_parts((moved.power * log_s)[None], turn)
    total: Complexes = (density * real).sum(axis=1) + 1j * (density * imag).sum(axis=1)
    mass = density * (2 + growth[0])  # of both terms, in size
    off = 1.01 * float(mass @ (doubt + TERM * EPS * np.abs(log_s)))
    rounding = np.hypot(moved.power, tau) * off
    if runs * float(rounding.max()) > EXACT:
        return None
    ends = float(mass[0] + mass[-1]) * beyond(step)
    lost = 1.01 * math.exp(moved.log_error(step, farthest)) * float(mass.sum())
    return logarithm(total, rounding + (ends + lost))


def _fits(moved: OneMoved, step: float, farthest: float, runs: float) -> bool:
    return moved.log_error(step, farthest) + math.log(runs) < ENOUGH
