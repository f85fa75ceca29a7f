"""From what m sampled Gaussian releases leak to what m + 1 do, by one integral each.

With ``cut_profile``'s names the first G is rate delta_mu(log(X/rate)), and with one more release

    G(X) = rate delta_mu(v*) + (1 - R_m) (Y/R_m) Pr[v > v*]
           + integral of phi(v) r G_m(Y/r - R_m) over v < v*,

Y = R_(m+1) + X, exp(v*) = X/(rate R_m): all terms are positive. With X' = X s/(1 - rate) for the
last argument, s = 1/(1 + exp(-xi)), the integral runs over all real xi, where the trapezoid rule
converges fast (docs/engine.md).
"""

from __future__ import annotations

import math
from functools import lru_cache

import numpy as np

from tightrope.loss.exact.cut_profile import (
    FAR,
    HALF,
    HEIGHT,
    RADIUS,
    SPARE,
    CutProfile,
    Kind,
    Table,
    fitted,
)
from tightrope.num import chebyshev
from tightrope.num.arrays import Floats
from tightrope.num.hockey_stick import gaussian_log_delta, gaussian_log_delta_error
from tightrope.num.normal import log_cdf
from tightrope.num.rounding import EPS

DEEP = 13.0
"""The same for the largest X."""

LEFT = -40.0
"""The least xi, beside what a large X adds."""

TURN = 1.5
"""The height of the strip in which the integrand is bounded; below pi/2."""

SHIFT = 0.7
"""At such a height Re v is off by log(2)/2 to one side, and log(2) to the other, at most."""

LOST = 1e-15
"""Relative size of the terms that are left out."""

BLOCK = 48
"""Places at which the same nodes are used."""


@lru_cache(maxsize=8)
def cut_profile(kind: Kind, runs: int) -> CutProfile:
    """G of so many releases, one more at a time; each reaches a little further than the next."""
    first = math.log(kind.rate) - kind.mu**2 / 2 - FAR * kind.mu
    top = math.log(kind.rate * runs) + runs * kind.mu**2 / 2 + DEEP * kind.mu
    panels = math.ceil((top - first) / (2 * HALF)) + SPARE + (SPARE + 1) * (runs - 1)
    growth = kind.log_growth(runs, HEIGHT)
    nodes = math.ceil((42 + growth) / math.log(RADIUS))
    before: CutProfile | None = None
    for m in range(1, runs + 1):
        start = first + (m - 1) * kind.log_rest
        log_x = start + 2 * HALF * (np.arange(panels)[:, None] + chebyshev.nodes(nodes).place)
        flat = log_x.ravel()
        found = _alone(kind, flat) if before is None else _averaged(before, flat)
        value, error = (part.reshape(log_x.shape) for part in found)
        before = fitted(kind, m, start, Table(log_x, value, error))
        panels -= SPARE + 1
    assert before is not None  # runs is at least 1
    return before


def _alone(kind: Kind, log_x: Floats) -> tuple[Floats, Floats]:
    """One release: the slope of log delta_mu is at most (epsilon)_+/mu^2 + 1.6/mu in size."""
    log_rate = math.log(kind.rate)
    inner = log_x - log_rate
    value = np.asarray(gaussian_log_delta(kind.mu, inner))
    off = 4 * EPS * (np.abs(log_x) + abs(log_rate))
    moved = off * (np.maximum(inner, 0) / kind.mu**2 + 2 / kind.mu)
    error = np.asarray(gaussian_log_delta_error(value)) + moved + EPS * (8 + 2 * np.abs(value))
    return kind.rate * np.exp(value), error


def _averaged(before: CutProfile, log_x: Floats) -> tuple[Floats, Floats]:
    """One more release, a few rising places at a time, for which one step serves."""
    parts = [_block(before, log_x[i : i + BLOCK]) for i in range(0, len(log_x), BLOCK)]
    value, error = (np.concatenate(column) for column in zip(*parts, strict=True))
    return value, error


def _nodes(before: CutProfile, last: float) -> tuple[Floats, float]:
    """xi, whose multiples are exact, and log of a bound on what aliases are multiplied by."""
    kind, m = before.kind, before.runs
    width = max(last - math.log(kind.rate) - m * kind.log_rest, 0.0)
    log_sup = TURN**2 / (2 * kind.mu**2) + kind.log_growth(m, TURN) + math.log(8)
    need = 40 + log_sup + max(SHIFT / 2 * width / kind.mu**2, SHIFT * FAR / kind.mu)
    step = math.ldexp(math.floor(math.ldexp(2 * math.pi * TURN / need, 20)), -20)
    right = width + kind.mu**2 / 2 + FAR * kind.mu
    left = LEFT - math.log1p(math.exp(last - (m + 1) * kind.log_rest))
    return step * np.arange(math.floor(left / step), math.ceil(right / step) + 1.0), log_sup


def _block(before: CutProfile, log_x: Floats) -> tuple[Floats, Floats]:
    kind, m = before.kind, before.runs
    xi, log_sup = _nodes(before, float(log_x[-1]))
    step = float(xi[1] - xi[0])
    mu, log_rate, least = kind.mu, math.log(kind.rate), kind.least(m)
    log_up, log_down = -np.logaddexp(0, -xi), -np.logaddexp(0, xi)
    log_inner = log_x[:, None] - kind.log_rest + log_up
    inner = np.exp(log_inner)
    v = log_x[:, None] - log_rate + log_down - np.log(least + inner)
    kept = v >= -(mu**2) / 2 - FAR * mu
    whole = np.exp(log_x) + kind.least(m + 1)
    speed = np.exp(log_up) + np.exp(log_down) * (inner / (least + inner))
    off = 4 * EPS * (np.abs(log_x[:, None]) + np.abs(xi) + abs(log_rate) + 2 * np.abs(log_inner))
    value, error = np.zeros((2, *v.shape))
    value[kept], error[kept] = before.at(log_inner[kept], off[kept])
    rest = (
        value * speed * (whole[:, None] / (least + inner)) * (step / (mu * math.sqrt(2 * math.pi)))
    )
    away = v + mu**2 / 2
    size = np.abs(away)
    terms = rest * np.exp(-((away / mu) ** 2) / 2)
    error += off * (3 + size / mu**2) + 4 * EPS * (8 + (away / mu) ** 2)
    nearer = np.maximum(size - np.where(away > 0, SHIFT / 2, SHIFT) - step, 0)
    wide = rest * np.exp(-((nearer / mu) ** 2) / 2)
    bound = wide.sum(axis=1) + wide[:, 0] / -math.expm1(-step)
    tail, tail_error = _tail(kind, m, log_x)
    total = tail + terms.sum(axis=1)
    alias = log_sup + step - 2 * math.pi * TURN / step
    doubt = (
        (terms * error).sum(axis=1) + tail * tail_error + 1.01 * math.exp(alias) * (bound + total)
    )
    return total, doubt / total + EPS * (len(xi) + 8) + LOST


def _tail(kind: Kind, m: int, log_x: Floats) -> tuple[Floats, Floats]:
    """Where v > v*, and the relative error."""
    mu, log_rate = kind.mu, math.log(kind.rate)
    cut = log_x - log_rate - m * kind.log_rest
    off = 4 * EPS * (np.abs(log_x) + abs(log_rate) + m * abs(kind.log_rest))
    value = np.asarray(gaussian_log_delta(mu, cut))
    beyond = np.asarray(log_cdf(-(cut + mu**2 / 2) / mu))
    ratio = 1 - kind.rate + np.exp(log_x - m * kind.log_rest)
    total = kind.rate * np.exp(value) + kind.room(m) * ratio * np.exp(beyond)
    steep = np.maximum(cut, 0) / mu**2 + 2 / mu + 2
    rounding = np.asarray(gaussian_log_delta_error(value)) + 4 * EPS * (8 + np.abs(beyond) + m)
    return total, rounding + 2 * off * steep + 2 * EPS * np.abs(value)
