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
from typing import NamedTuple, Self

import numpy as np

from tightrope.loss.exact.cut_profile import (
    FAR,
    RADIUS,
    SPARE,
    CutProfile,
    Kind,
    Table,
    fitted,
    grid,
    height,
)
from tightrope.num import chebyshev
from tightrope.num.arrays import Floats
from tightrope.num.hockey_stick import gaussian_log_delta, gaussian_log_delta_error
from tightrope.num.normal import log_cdf
from tightrope.num.rounding import EPS

HALF, STEEP, STEEPER = 0.6, 0.6, 0.3
"""Half the width of a panel in log X at most, and over mu in the two kinds of tables."""

DEEP, DEEPEST = 13.0, 38.5
"""Standard deviations that a table has to reach for ordinary losses, and for any delta above
1e-320."""

MOST_PANELS = 72
"""Of the table for ordinary losses."""

LEFT = -40.0
"""The least xi, beside what a large X adds."""

TURN = 1.5
"""The most height of the strip in which the integrand is bounded; below pi/2."""

LOST = 1e-15
"""Relative size of the terms that are left out."""

BLOCK = 48
"""Places at which the same nodes are used."""


class Panels(NamedTuple):
    """Of the table of one release.

    Attributes:
        half: half the width of each in log X.
        last: log X where they end, roughly.
    """

    half: float
    last: float


def near(kind: Kind, runs: int) -> Panels:
    """As many as ordinary losses need."""
    half = grid(min(HALF, STEEP * kind.mu))
    return Panels(half, _useful(kind, runs) + 2 * half * _spare(runs))


def far(kind: Kind, runs: int) -> Panels:
    """As many as are ever needed. Narrow ones: far out G falls like a Gaussian in log X."""
    half = grid(min(HALF, STEEPER * kind.mu))
    return Panels(half, _farthest(kind, runs) + 2 * half * _spare(runs))


def _farthest(kind: Kind, runs: int) -> float:
    """log X that R - R_m exceeds hardly ever, few or all ratios being equally large."""
    k = np.arange(1.0, runs + 1)
    v = kind.mu**2 / 2 + DEEPEST * kind.mu / np.sqrt(k)
    log_r = k * np.log1p(kind.rate * np.expm1(v)) + (runs - k) * kind.log_rest
    return float((log_r + np.log(-np.expm1(runs * kind.log_rest - log_r))).max())


def is_short(kind: Kind, runs: int, most: float = MOST_PANELS) -> bool:
    """Whether a table for ordinary losses has few panels; of small shifts it has many."""
    half, last = near(kind, runs)
    return last - _first(kind) <= 2 * half * most


def _first(kind: Kind) -> float:
    """log X below which one release leaks as if X were 0."""
    return math.log(kind.rate) - kind.mu**2 / 2 - FAR * kind.mu


def _useful(kind: Kind, runs: int) -> float:
    return math.log(kind.rate * runs) + runs * kind.mu**2 / 2 + DEEP * kind.mu


def _spare(runs: int) -> int:
    """Panels of the first table that the last one lacks."""
    return SPARE * runs


@lru_cache(maxsize=8)
def cut_profile(kind: Kind, runs: int, panels: Panels) -> CutProfile:
    """G of so many releases, one more at a time; each reaches a little further than the next."""
    first, half = _first(kind), panels.half
    many = math.ceil((panels.last - first) / (2 * half))
    nodes = math.ceil((42 + kind.log_growth(runs, height(half))) / math.log(RADIUS))
    before: CutProfile | None = None
    for m in range(1, runs + 1):
        start = grid(first + (m - 1) * kind.log_rest)
        left = start + 2 * half * np.arange(many)[:, None]
        log_x = left + 2 * half * chebyshev.nodes(nodes).place
        flat = log_x.ravel()
        found = _alone(kind, flat) if before is None else _averaged(before, flat)
        value, error = (part.reshape(log_x.shape) for part in found)
        before = fitted(kind, m, half, start, Table(log_x, value, error))
        many -= SPARE
    assert before is not None  # runs is at least 1
    return before


def _alone(kind: Kind, log_x: Floats) -> tuple[Floats, Floats]:
    """One release: the slope of log delta_mu is at most (epsilon)_+/mu^2 + 1.6/mu."""
    log_rate = math.log(kind.rate)
    inner = log_x - log_rate
    log = np.asarray(gaussian_log_delta(kind.mu, inner))
    off = EPS * (np.abs(inner) + abs(log_rate))
    moved = off * (np.maximum(inner, 0) / kind.mu**2 + 2 / kind.mu)
    error = np.asarray(gaussian_log_delta_error(log)) + moved
    return log + log_rate, error + EPS * (8 + 2 * np.abs(log) + 2 * abs(log_rate))


def _averaged(before: CutProfile, log_x: Floats) -> tuple[Floats, Floats]:
    """One more release, a few rising places at a time, for which one step serves."""
    parts = [_block(before, log_x[i : i + BLOCK]) for i in range(0, len(log_x), BLOCK)]
    log, error = (np.concatenate(column) for column in zip(*parts, strict=True))
    return log, error


class _Strip(NamedTuple):
    """Where the integrand is bounded beside the real axis.

    Attributes:
        turn: its height, about as it allows the widest step.
        shift: how far Re v may be above its value on the axis; half as far below.
    """

    turn: float
    shift: float

    @classmethod
    def of(cls, kind: Kind, m: int) -> Self:
        """For one more than m releases, |phi| growing by exp(m turn^2/(2 mu^2)), say."""
        turn = min(TURN, kind.mu * math.sqrt(80 / (m + 1)))
        return cls(turn, -2 * math.log(math.cos(turn / 2)))


def _nodes(before: CutProfile, strip: _Strip, last: float) -> tuple[Floats, float]:
    """xi, whose multiples are exact, and log of a bound on what aliases are multiplied by."""
    kind, m, turn, shift = before.kind, before.runs, strip.turn, strip.shift
    width = max(last - math.log(kind.rate) - m * kind.log_rest, 0.0)
    log_sup = turn**2 / (2 * kind.mu**2) + kind.log_growth(m, turn) + math.log(8)
    need = 40 + log_sup + max(shift / 2 * width / kind.mu**2, shift * FAR / kind.mu)
    step = math.ldexp(math.floor(math.ldexp(2 * math.pi * turn / need, 20)), -20)
    right = width + kind.mu**2 / 2 + FAR * kind.mu
    left = LEFT - math.log1p(math.exp(last - (m + 1) * kind.log_rest))
    return step * np.arange(math.floor(left / step), math.ceil(right / step) + 1.0), log_sup


def _block(before: CutProfile, log_x: Floats) -> tuple[Floats, Floats]:
    kind, m = before.kind, before.runs
    strip = _Strip.of(kind, m)
    xi, log_sup = _nodes(before, strip, float(log_x[-1]))
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
    log, error = np.full(v.shape, -np.inf), np.zeros(v.shape)
    log[kept], error[kept] = before.at(log_inner[kept], off[kept])
    factor = speed * (whole[:, None] / (least + inner)) * (step / (mu * math.sqrt(2 * math.pi)))
    away = v + mu**2 / 2
    size = np.abs(away)
    log_tail, tail_error = _tail(kind, m, log_x)
    fall = log - (away / mu) ** 2 / 2
    unit = np.rint(np.maximum(fall.max(axis=1), log_tail))  # far out they are no doubles
    terms = factor * np.exp(fall - unit[:, None])
    tail = np.exp(log_tail - unit)
    error += off * (3 + size / mu**2) + 4 * EPS * (8 + (away / mu) ** 2 + np.abs(unit)[:, None])
    lower = np.where(away > 0, strip.shift / 2, strip.shift)
    nearer = np.maximum(size - lower - step, 0)
    wide = factor * np.exp(log - (nearer / mu) ** 2 / 2 - unit[:, None])
    bound = wide.sum(axis=1) + wide[:, 0] / -math.expm1(-step)
    total = tail + terms.sum(axis=1)
    alias = log_sup + step - 2 * math.pi * strip.turn / step
    doubt = (
        (terms * error).sum(axis=1) + tail * tail_error + 1.01 * math.exp(alias) * (bound + total)
    )
    return np.log(total) + unit, doubt / total + EPS * (len(xi) + 8 + 2 * np.abs(unit)) + LOST


def _tail(kind: Kind, m: int, log_x: Floats) -> tuple[Floats, Floats]:
    """log of what lies where v > v*, and the relative error."""
    mu, log_rate = kind.mu, math.log(kind.rate)
    cut = log_x - log_rate - m * kind.log_rest
    off = 4 * EPS * (np.abs(log_x) + abs(log_rate) + m * abs(kind.log_rest))
    value = np.asarray(gaussian_log_delta(mu, cut))
    beyond = np.asarray(log_cdf(-(cut + mu**2 / 2) / mu))
    ratio = 1 - kind.rate + np.exp(log_x - m * kind.log_rest)
    total = np.logaddexp(log_rate + value, np.log(kind.room(m) * ratio) + beyond)
    steep = np.maximum(cut, 0) / mu**2 + 2 / mu + 2
    rounding = np.asarray(gaussian_log_delta_error(value)) + 4 * EPS * (
        8 + np.abs(beyond) + m + abs(log_rate)
    )
    return total, rounding + 2 * off * steep + 2 * EPS * np.abs(value)
