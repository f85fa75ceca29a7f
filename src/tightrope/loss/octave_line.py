"""Sampled noise of one kind on a vertical line, by quadrature: what is the same for every noise.

With s = log r at the nodes, the rule along the real axis reads

    M(c + it) = M(c) - 2 sum A sin^2(t s/2) + i sum B sin(t s);

further up, octave by octave, the path is turned away from it.
"""

from __future__ import annotations

from abc import ABC, abstractmethod

import numpy as np

from tightrope.loss.contour.octaves import Octaves
from tightrope.loss.contour.tails import Tails
from tightrope.loss.loss import Transform
from tightrope.num.arrays import Complexes, Floats
from tightrope.num.rounding import EPS


class OctaveLine(ABC):
    """log M of one release along a line, and bounds on its decay.

    Attributes:
        octaves: the rules.
    """

    octaves: Octaves

    @property
    @abstractmethod
    def tails(self) -> Tails:
        """Bounds on |M(c + it)|/M(c)."""

    def transform(self, tau: Floats) -> Transform:
        """Values and errors for tau >= 0."""
        return self.octaves.transform(tau)

    def decay(self, tau: Floats) -> Floats:
        """See ``Line.decay``."""
        return np.minimum(self.tails.log_bound(tau) + 8 * EPS, 0)

    def _size(self, tau: Floats) -> Floats:
        at, zero = self.transform(tau), self.transform(np.zeros(1))
        rest = zero.value.real[0] - zero.error[0]
        return np.asarray(np.exp(at.value.real + at.error - rest + 8 * EPS))


class StraightRule:
    """The rule along the real axis.

    Attributes:
        s: log r at the nodes.
        even: A.
        odd: B.
        level: M(c) - 1, in units of exp(scale).
        level_error: how far it may be off.
        flat: an error of the value, whatever t is.
        once: what to add, times t.
        twice: instead of both, beside the error of the level, times t^2.
        sine: an error of the sum of sines, times t.
    """

    s: Floats
    even: Floats
    odd: Floats
    level: float
    level_error: float
    flat: float
    once: float
    twice: float
    sine: float

    def _count_errors(self, doubt: Floats, sine_ulps: int) -> None:
        """From how far each term may be off, and each sine beside it, both relatively."""
        size = np.abs(self.s)
        self.flat = 2 * float(self.even @ doubt) + self.level_error
        self.once = 5 * EPS * float(self.even @ size)
        self.twice = float(self.even @ (size**2 * (doubt / 2 + 5 * EPS)))
        self.sine = float(self.odd @ (size * (sine_ulps * EPS + doubt)))

    def variance(self, whole: float) -> float:
        """That of the tilted law, rounded up; ``whole`` is M(c) in units of exp(scale)."""
        mean = float(self.odd @ self.s) / whole
        second = float(self.even @ self.s**2) / whole
        return max(second - mean**2, 0.0) + 1e-6 * second + 1e-300

    def sums(self, tau: Floats) -> tuple[Complexes, Floats]:
        """M - 1 and its error, in units of exp(scale).

        The error of a product t s is 5 ulps; sin^2(t s/2) is at most 1, and t^2 s^2/4.
        """
        half = 0.5 * tau[:, None] * self.s
        sine = np.sin(half)
        cosine = np.cos(half)
        cosine *= sine
        sine *= sine
        value = np.empty(len(tau), dtype=complex)
        value.real = self.level - 2 * (sine @ self.even)
        value.imag = 2 * (cosine @ self.odd)
        large = self.flat + tau * self.once
        small = self.level_error + tau * tau * self.twice
        return value, np.minimum(large, small) + tau * self.sine
