"""The sum of p (r^z - 1) over nodes, to full accuracy when it is small.

The loss l = log r is then of size q, say, and M - 1 of size q^2, because the integrals of p and q
are both 1: that of p (exp(-l) - 1) is 0. Adding z times this,

    M - 1 = integral of p [exp(z l) - 1 + z (exp(-l) - 1)],

the bracket being z (z + 1) l^2/2 + ... It is expanded where |l| and |z l| are at most 1: the
moments of l belong to the line, and each z costs a polynomial.
"""

from __future__ import annotations

import math
from functools import cache

import numpy as np

from tightrope.loss.mixture.pair import OnLine
from tightrope.num.arrays import Complexes, Flags, Floats, Indices
from tightrope.num.complexes import expm1_parts
from tightrope.num.precision import ulp


@cache
def degrees(unit: float) -> Floats:
    """The powers of an expansion, up to n: 2/n! is below a tenth of a unit in the last place."""
    last = next(n for n in range(2, 99) if 2 / math.factorial(n) < unit / 10)
    return np.arange(2.0, last)


def sunk(unit: float) -> float:
    """-log of what may as well be 0 beside 1: of 1e-20, with doubles."""
    return -math.log(5e-5 * unit)


class Series:
    """The sum, for every z with one real part.

    Args:
        at: log p and l at the nodes.
        here: which of the nodes to take.
        c: the real part of every z.
        step: the distance between nodes.
    """

    def __init__(self, at: OnLine, here: Flags, c: float, step: float):
        order = np.flatnonzero(here)
        order = order[np.argsort(np.abs(at.loss.value[order]))]
        log_p, self.loss = at.density.value[order], at.loss.value[order]
        self.c, self.size, unit = c, np.abs(self.loss), ulp(self.loss)
        self.degrees, self.sunk = degrees(unit), sunk(unit)
        self.weight, q = step * np.exp(log_p), step * np.exp(log_p - self.loss)
        real, imag, _ = expm1_parts(np.minimum(-self.loss.real, 1.0), -self.loss.imag)
        self.back = np.where(self.size < 1, self.weight * (real + 1j * imag), q - self.weight)
        doubt = unit * (56 + np.log2(1 + len(order))) + at.density.error[order]
        turn = at.loss.error[order] + 3 * unit * self.size
        self.doubt, self.turn = np.abs(self.weight) * doubt, np.abs(self.weight) * turn
        both = np.abs(self.weight) + np.abs(q)
        self.back_doubt = both * (np.minimum(self.size, 1) * doubt + turn)

    def sums(self, z: Complexes) -> tuple[Complexes, Floats]:
        """The sum at every z, and its error."""
        most = float(np.abs(z).max(initial=1.0))
        split = int(np.searchsorted(self.size, 1 / most))
        value, error = self._expanded(z, most, split)
        loss = self.loss[split:]
        gone = self.c * loss.real - float(z.imag.min(initial=np.inf)) * loss.imag < -self.sunk
        parts = [self._direct(z, split + np.flatnonzero(~gone))]
        if gone.any():
            parts.append(self._sunk(z, split + np.flatnonzero(gone)))
        for part, doubt in parts:
            value += part
            error += doubt
        return value, 1.01 * error

    def _expanded(self, z: Complexes, most: float, split: int) -> tuple[Complexes, Floats]:
        """By moments: the bracket is at most 1.36 |z (z + 1) l^2|, its slope twice that over l."""
        loss, size = self.loss[:split], self.size[:split]
        terms = np.empty((len(self.degrees), split), dtype=loss.dtype)
        terms[0] = self.weight[:split] * (loss * most) ** 2 / 2
        np.divide(loss * most, self.degrees[1:, None], out=terms[1:])
        moments = np.multiply.accumulate(terms, axis=0, out=terms).sum(axis=1)
        powers = np.empty((len(self.degrees), len(z)), dtype=loss.dtype)
        powers[0], powers[1:] = (z / most) ** 2, z / most
        value = moments @ np.multiply.accumulate(powers, axis=0, out=powers)
        value += z * (moments * (-1 / most) ** self.degrees).sum()
        doubt = 1.36 * (size * size) @ self.doubt[:split] + 2.72 * size @ self.turn[:split]
        return value, np.abs(z) * np.abs(z + 1) * doubt

    def _direct(self, z: Complexes, here: Indices) -> tuple[Complexes, Floats]:
        """Term by term."""
        loss, weight, tau = self.loss[here], self.weight[here], z.imag[:, None]
        real, imag, growth = expm1_parts(
            self.c * loss.real - tau * loss.imag, self.c * loss.imag + tau * loss.real
        )
        value = z * self.back[here].sum()
        value.real += (real * weight.real - imag * weight.imag).sum(axis=1)
        value.imag += (real * weight.imag + imag * weight.real).sum(axis=1)
        doubt, turn, size = self.doubt[here], self.turn[here], np.abs(z)
        doubts = np.stack([doubt, doubt * self.size[here], turn])
        large, small, slope = (growth @ doubts.T + 2 * doubts.sum(axis=1)).T
        error = np.minimum(large, size * small) + size * (slope + self.back_doubt[here].sum())
        return value, error

    def _sunk(self, z: Complexes, here: Indices) -> tuple[Complexes, Floats]:
        """Where |r^z| is below exp(-sunk) for every z, and might as well be 0."""
        value = z * self.back[here].sum() - self.weight[here].sum()
        lost = float(np.abs(self.weight[here]).sum()) * math.exp(-self.sunk)
        error = lost + self.doubt[here].sum() + np.abs(z) * self.back_doubt[here].sum()
        return value, np.asarray(error)
