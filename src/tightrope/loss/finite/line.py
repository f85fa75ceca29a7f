"""The transform of a column of finite pairs on a vertical line, and bounds on it.

An error here is of log M in this sense: |true M - M| <= |M| (exp(error) - 1). It covers M = 0.
"""

from __future__ import annotations

import math
from functools import cached_property

import numpy as np

from tightrope.loss.cell_bounds import least_square_sine, log_product, spread_out
from tightrope.loss.finite.pairs import Rows
from tightrope.loss.finite.tilted import Tilted, log_size, tilt
from tightrope.loss.loss import Lattice, Line, Transform
from tightrope.loss.sieve import DRIFT, Teeth, joined
from tightrope.num.arrays import Complexes, Floats
from tightrope.num.rounding import EPS

CHUNK = 1 << 16
"""Exponentials that are held in memory at once."""

ESCAPE_ULPS = 32
"""The relative error of the logarithm of the probability that no loss is infinite."""

HEAVY = 4
"""Atoms of a row of which two at a time make combs."""

MOST_NEAR = 96
"""Rows of a block that are looked at for whole cells of a contour."""

MOST_COMBS = 32
"""Combs that the sieve is given, the sharpest ones."""

NEAR = 8
"""Steps of a lattice between atoms that count in a bound."""

SCREEN_DEPTH = 48.0
"""-log |M/M(c)| that the sieve should see at a typical node."""

MOST_SCREENED_ATOMS = 256
"""Atoms of a row that is cheap enough to look at for a sieve."""

MOST_SCREENED = 128
"""Rows that the sieve looks at."""


class FiniteLine(Line):
    """The line through c of a column of finite pairs."""

    def __init__(self, blocks: tuple[Rows, ...], escape: float, lattice: Lattice | None, c: float):
        self.c, self.lattice, self.blocks = c, lattice, blocks
        axes, self.tilted = zip(*(tilt(rows, c) for rows in blocks), strict=True)
        log_m, error, self.anchor, self.drift = (
            math.fsum(
                value * count
                for part, rows in zip(parts, blocks, strict=True)
                for value, count in zip(part.tolist(), rows.count.tolist(), strict=True)
            )
            for parts in zip(*axes, strict=True)
        )
        self.at_c = log_m - escape
        self.at_c_error = error + EPS * (2 * abs(log_m) + ESCAPE_ULPS * escape)

    def transform(self, tau: Floats) -> Transform:
        """log M, row after row."""
        value = np.asarray(self.at_c + 1j * tau * self.anchor, dtype=np.complex128)
        error = self.at_c_error + tau * (self.drift + 2 * EPS * abs(self.anchor))
        for tilted in self.tilted:
            for part in _parts(len(tau), tilted.gap.size):
                _add(tilted, tau[part], value[part], error[part])
        return Transform(value, error)

    def decay(self, tau: Floats) -> Floats:
        """Atoms do not decay: their phases may meet again."""
        return np.zeros_like(tau)

    def decay_within(self, tau: Floats) -> Floats:
        """|1 + Y|^2 = 1 - 4 sum over pairs of w w' sin^2(tau (L - L')/2), on a lattice.

        A pair m steps apart has sin^2(m x), which rises up to x = pi/(2 m), and next neighbours
        have sin^2(x), which rises up to half a period: near pairs count as long as all rise, and
        not more than next neighbours do beyond.
        """
        if self.lattice is None:
            return self.decay(tau)
        # half a period is rounded: what is claimed there holds a little before it
        x = np.minimum(tau * self.lattice.step, math.pi) * (0.5 - 16 * EPS)
        bound = np.zeros_like(tau)
        for rows in self.blocks:
            if rows.atoms > 1:
                lost = 4 * (1 - 1e-9) * _least_loss(_pairs(rows, self.c, self.lattice.step), x)
                bound += np.log1p(-np.minimum(lost, 1)) @ rows.count / 2
        return bound

    def teeth(self, depth: float) -> Teeth:
        """|M| is small only if no two atoms of any row are in phase; the sharpest combs."""
        combs = joined(_teeth(rows, self.c, depth) for rows in self.blocks)
        sharpest = np.argsort(combs.reach / combs.period)[:MOST_COMBS]
        return Teeth(*(part[sharpest] for part in combs))

    @cached_property
    def _screening(self) -> list[Tilted]:
        """The rows that weigh most, until they should do."""
        weight = np.concatenate([tilted.typical for tilted in self.tilted])
        falling = -np.sort(-weight)
        enough = int(np.searchsorted(np.cumsum(falling), SCREEN_DEPTH))
        least = falling[min(enough, MOST_SCREENED, len(falling)) - 1]
        quick = (tilted for tilted in self.tilted if tilted.gap.shape[-1] <= MOST_SCREENED_ATOMS)
        chosen = (tilted.take(np.flatnonzero(tilted.typical >= least)) for tilted in quick)
        return [tilted for tilted in chosen if tilted.gap.size]

    def screen(self, tau: Floats) -> Floats:
        """|M/M(c)| is a product of factors of at most 1: those of a few rows bound it."""
        bound = np.zeros_like(tau)
        for tilted in self._screening:
            for part in _parts(len(tau), tilted.gap.size):
                bound[part] += tilted.log_bound(tau[part])
        return bound

    def near(self, tau: Floats, half: float) -> Floats:
        """The same for whole cells, by pairs of heavy atoms; see ``_pairs_near``."""
        bound = np.zeros_like(tau)
        for rows in self.blocks:
            if rows.atoms > 1:
                some = rows.take(spread_out(len(rows.count), MOST_NEAR))
                for part in _parts(len(tau), len(some.count)):
                    bound[part] += _pairs_near(some, self.c, tau[part], half)
        return bound


def _pairs_near(rows: Rows, c: float, tau: Floats, half: float) -> Floats:
    """By some pairs of atoms, |1 + Y|^2 <= 1 - 4 sum of w w' sin^2(gap t/2)."""
    weight, gap, doubt = _heavy_pairs(rows, c)
    squares = np.ones((len(tau), len(weight)), dtype=np.float32)
    for w, g, off in zip(weight.T, gap.T, doubt.T, strict=True):
        turns = g / (2 * math.pi)
        reach = turns * (half + off * (float(tau.max(initial=0.0)) + half))
        squares -= w.astype(np.float32) * least_square_sine(tau, turns, reach)
    return log_product(squares, rows.count)


def _add(tilted: Tilted, tau: Floats, value: Complexes, error: Floats) -> None:
    """Add log(1 + Y) of all rows, and its errors, in place."""
    if not tilted.gap.size:
        return
    real, imaginary = tilted.spread(tau)
    size = log_size(real, imaginary)
    doubt = np.log1p(tilted.error(tau) * np.exp(-size))
    value.real += (size * tilted.count).sum(axis=1)
    value.imag += (np.arctan2(imaginary, 1 + real) * tilted.count).sum(axis=1)
    angle = np.minimum(math.pi * tilted.count.sum(), 2 * tau * (tilted.reach @ tilted.count))
    rounding = EPS * (4 + min(len(tilted.count), 16))
    error += (doubt * tilted.count).sum(axis=1) + rounding * (np.abs(value.real) + angle)


def _weights(rows: Rows, c: float) -> Floats:
    exponent = rows.log_probabilities + c * rows.losses
    weight = np.exp(exponent - exponent.max(axis=1, keepdims=True))
    return np.asarray(weight / weight.sum(axis=1, keepdims=True))


def _heavy_pairs(rows: Rows, c: float) -> tuple[Floats, Floats, Floats]:
    """4 w w' of pairs of heavy atoms, how far apart they are, and the relative error of that."""
    weight = _weights(rows, c)
    heavy = np.argsort(weight, axis=1)[:, -HEAVY:]
    first, second = np.triu_indices(heavy.shape[1], 1)
    weight = np.take_along_axis(weight, heavy, axis=1)
    losses = np.take_along_axis(rows.losses, heavy, axis=1)
    gap = np.abs(losses[:, first] - losses[:, second])
    size = np.abs(losses[:, first]) + np.abs(losses[:, second])
    doubt = (rows.loss_doubt[:, None] + EPS) * size / gap
    return 4 * (1 - 1e-9) * weight[:, first] * weight[:, second], gap, doubt


def _teeth(rows: Rows, c: float, depth: float) -> Teeth:
    """By two heavy atoms, |1 + Y|^2 <= 1 - 4 w w' sin^2(gap t/2)."""
    both, gap, doubt = _heavy_pairs(rows, c)
    needed = -np.expm1(-2 * depth / rows.count)[:, None] / np.maximum(both, 1e-300)
    sure = doubt < DRIFT / 2
    gap, needed = gap[sure & (needed < 1)], needed[sure & (needed < 1)]
    reach = 2 * np.arcsin(np.sqrt(needed)) / gap
    return Teeth(2 * math.pi / gap, reach * (1 + 1e-9))


def _pairs(rows: Rows, c: float, step: float) -> Floats:
    """Sums of w w' over the pairs 1, 2, ... steps apart; rows x steps."""
    weight = _weights(rows, c)
    place = np.rint((rows.losses - rows.losses[:, :1]) / step)
    pairs = np.zeros((len(weight), min(rows.atoms - 1, NEAR)))
    for m in range(1, pairs.shape[1] + 1):
        apart = place[:, m:] - place[:, :-m] == m
        pairs[:, m - 1] = (weight[:, m:] * weight[:, :-m] * apart).sum(axis=1)
    return pairs


def _least_loss(pairs: Floats, x: Floats) -> Floats:
    """A bound from below on the sum of w w' sin^2(m x) at any larger x up to pi/2; x x rows."""
    m = np.arange(1, pairs.shape[1] + 1)
    end = math.pi / (2 * len(m))
    near = np.sin(np.minimum(x, end)[:, None] * m) ** 2 @ pairs.T
    beyond = pairs[:, 0] * math.sin(end) ** 2
    next_ones = np.multiply.outer(np.sin(x) ** 2, pairs[:, 0])
    return np.asarray(np.maximum(np.minimum(near, beyond), next_ones))


def _parts(nodes: int, width: int) -> list[slice]:
    size = max(1, CHUNK // max(width, 1))
    return [slice(start, start + size) for start in range(0, nodes, size)]
