"""The sums of p (r^z - 1) over nodes, of many kinds at once: see ``series``.

The nodes are in one order for all kinds, by the largest of their losses.
"""

from __future__ import annotations

import math

import numpy as np

from tightrope.loss.mixture.pair import OnLine
from tightrope.loss.mixture.series import degrees, sunk
from tightrope.num.arrays import Complexes, Floats, Indices
from tightrope.num.complexes import expm1_parts
from tightrope.num.rounding import EPS

DEGREES, SUNK = degrees(EPS), sunk(EPS)
"""Those of doubles: no stack is refined."""

BLOCK = 1 << 17
"""Values that are held in an array at once, roughly."""


class StackSeries:
    """The sums, for every z with one real part.

    Args:
        at: log p and l at the nodes, a row for each kind.
        c: the real part of every z.
        step: the distance between nodes.
    """

    def __init__(self, at: OnLine, c: float, step: float):
        order = np.argsort(np.abs(at.loss.value).max(axis=0))
        log_p, self.loss = at.density.value[:, order], at.loss.value[:, order]
        self.c, self.size = c, np.abs(self.loss)
        self.weight, q = step * np.exp(log_p), step * np.exp(log_p - self.loss)
        real, imag, _ = expm1_parts(np.minimum(-self.loss.real, 1.0), -self.loss.imag)
        self.back = np.where(self.size < 1, self.weight * (real + 1j * imag), q - self.weight)
        doubt = EPS * (56 + len(order)) + at.density.error[:, order]
        turn = at.loss.error[:, order] + 3 * EPS * self.size
        self.doubt, self.turn = np.abs(self.weight) * doubt, np.abs(self.weight) * turn
        both = np.abs(self.weight) + np.abs(q)
        self.back_doubt = both * (np.minimum(self.size, 1) * doubt + turn)

    def sums(self, z: Complexes) -> tuple[Complexes, Floats]:
        """The sums at every z, and their errors, a row for each kind."""
        width = max(1, BLOCK // self.loss.size)
        if len(z) <= width:
            return self._sums(z)
        parts = [self._sums(part) for part in np.split(z, range(width, len(z), width))]
        values, errors = zip(*parts, strict=True)
        return np.concatenate(values, axis=1), np.concatenate(errors, axis=1)

    def _sums(self, z: Complexes) -> tuple[Complexes, Floats]:
        most = float(np.abs(z).max(initial=1.0))
        split = int(np.searchsorted(self.size.max(axis=0), 1 / most))
        value, error = self._expanded(z, most, split)
        loss = self.loss[:, split:]
        gone = self.c * loss.real - float(z.imag.min(initial=np.inf)) * loss.imag < -SUNK
        deep = gone.all(axis=0)
        parts = [self._direct(z, split + np.flatnonzero(~deep))]
        if deep.any():
            parts.append(self._sunk(z, split + np.flatnonzero(deep)))
        for part, doubt in parts:
            value += part
            error += doubt
        return value, 1.01 * error

    def _expanded(self, z: Complexes, most: float, split: int) -> tuple[Complexes, Floats]:
        """By moments of the losses, where |z l| is at most 1 for every kind."""
        loss, size = self.loss[:, :split], self.size[:, :split]
        terms = np.empty((len(DEGREES), *loss.shape), dtype=complex)
        terms[0] = self.weight[:, :split] * (loss * most) ** 2 / 2
        np.divide(loss * most, DEGREES[1:, None, None], out=terms[1:])
        moments = np.multiply.accumulate(terms, axis=0, out=terms).sum(axis=2).T
        powers = np.empty((len(DEGREES), len(z)), dtype=complex)
        powers[0], powers[1:] = (z / most) ** 2, z / most
        value = moments @ np.multiply.accumulate(powers, axis=0, out=powers)
        value += z * (moments @ (-1 / most) ** DEGREES)[:, None]
        doubt = 1.36 * (size * size * self.doubt[:, :split]).sum(axis=1)
        doubt += 2.72 * (size * self.turn[:, :split]).sum(axis=1)
        return value, np.abs(z) * np.abs(z + 1) * doubt[:, None]

    def _direct(self, z: Complexes, here: Indices) -> tuple[Complexes, Floats]:
        """Term by term: kinds x z x nodes."""
        loss, weight, tau = self.loss[:, None, here], self.weight[:, here], z.imag[:, None]
        real, imag, growth = expm1_parts(
            self.c * loss.real - tau * loss.imag, self.c * loss.imag + tau * loss.real
        )
        columns = np.stack([weight.real, weight.imag], axis=-1)
        by_real, by_imag = real @ columns, imag @ columns
        value = z * self.back[:, here].sum(axis=1)[:, None]
        value.real += by_real[..., 0] - by_imag[..., 1]
        value.imag += by_real[..., 1] + by_imag[..., 0]
        doubt, turn, size = self.doubt[:, here], self.turn[:, here], np.abs(z)
        doubts = np.stack([doubt, doubt * self.size[:, here], turn], axis=-1)
        sums = growth @ doubts + 2 * doubts.sum(axis=1)[:, None]
        large, small, slope = np.moveaxis(sums, -1, 0)
        back = self.back_doubt[:, here].sum(axis=1)[:, None]
        return value, np.minimum(large, size * small) + size * (slope + back)

    def _sunk(self, z: Complexes, here: Indices) -> tuple[Complexes, Floats]:
        """Where |r^z| is below exp(-SUNK) for every z and kind, and might as well be 0."""
        weight, size = self.weight[:, here], np.abs(z)
        value = z * self.back[:, here].sum(axis=1)[:, None] - weight.sum(axis=1)[:, None]
        lost = np.abs(weight).sum(axis=1) * math.exp(-SUNK) + self.doubt[:, here].sum(axis=1)
        return value, lost[:, None] + size * self.back_doubt[:, here].sum(axis=1)[:, None]
