"""What the engine knows of a privacy loss: its transform on a vertical line, and bounds on it.

The privacy loss of a pair (P, Q) is L = log dP/dQ under P. With M(z) = E[exp(z L); L finite],
composition multiplies M, so a column of many releases is known by the sum of their log M. Of a
release whose loss can be infinite, M counts the finite losses only, and ``escape`` the rest.

Elementary functions of NumPy are taken to err by at most four units in the last place; what an
implementation states as an error includes theirs.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple, Self

import numpy as np

from tightrope.loss.sieve import NO_TEETH, Teeth
from tightrope.num.arrays import Complexes, Floats


class Transform(NamedTuple):
    """Values of log M at points of a line, and how far each may be from the truth."""

    value: Complexes
    error: Floats


@dataclass(frozen=True)
class Lattice:
    """The losses lie in ``origin + step * Z``, up to rounding.

    Attributes:
        origin: the lowest point.
        step: the distance of points.
        doubt: how far points may be off, relative to |origin| + |point|, rounding apart.
    """

    origin: float
    step: float
    doubt: float = 0.0


class Line(ABC):
    """The transform of a loss on the vertical line through ``c > 0``."""

    c: float

    @abstractmethod
    def transform(self, tau: Floats) -> Transform:
        """log M(c + i tau), with proved errors."""

    @abstractmethod
    def decay(self, tau: Floats) -> Floats:
        """Proved bounds on log |M(c + i t)| - log M(c), for every t of at least tau.

        Never rises; 0 says nothing.
        """

    def refined(self) -> Line | None:
        """The same line, with values beyond doubles; None if they cannot be had."""
        return None

    def log_most(self) -> float:
        """A bound on log M(c), which may be a little larger than the truth."""
        at = self.transform(np.zeros(1))
        return float(at.value.real[0] + at.error[0])

    def decay_within(self, tau: Floats) -> Floats:
        """The same of a loss on a lattice, for t up to half a period."""
        return self.decay(tau)

    def screen(self, tau: Floats) -> Floats:
        """Proved bounds on log |M(c + i tau)| - log M(c), cheap to compute; 0 says nothing."""
        return np.zeros_like(tau)

    @property
    def tells_cells(self) -> bool:
        """Whether ``near`` says more than ``decay``."""
        return type(self).near is not Line.near

    def near(self, tau: Floats, half: float) -> Floats:
        """Proved bounds on log |M(c + it)| - log M(c) for all t within ``half`` of tau."""
        return self.decay(np.maximum(tau - half, 0))

    def teeth(self, depth: float) -> Teeth:
        """Combs outside of any of which |M(c + it)| <= exp(-depth) M(c), on this line alone."""
        return NO_TEETH


class Loss(ABC):
    """Releases of one kind, each with its number of runs, in one order of the neighbours."""

    @property
    def cost(self) -> float:
        """Complex exponentials that one node of a contour takes, roughly."""
        return 1.0

    @abstractmethod
    def times(self, count: int) -> Self:
        """The same releases, each ``count`` times as often."""

    @classmethod
    @abstractmethod
    def together(cls, losses: Sequence[Self]) -> Self:
        """All the given releases as one column."""

    @abstractmethod
    def estimate(self, z: Complexes) -> Complexes:
        """log M at any complex numbers with a positive real part, good to a few digits."""

    @abstractmethod
    def line(self, c: float) -> Line:
        """The transform on the line through c."""

    def log_most(self, s: float) -> float:
        """A bound on log M(s), s > 0, which may be a little larger than the truth."""
        return self.line(s).log_most()

    @property
    def escape(self) -> float:
        """-log of the probability that every loss is finite; rounded up."""
        return 0.0

    @property
    def lattice(self) -> Lattice | None:
        """The lattice on which the sum of all losses lies, if there is one."""
        return None

    def teeth(self, depth: float) -> Teeth:
        """Combs outside of any of which |M(c + it)| <= exp(-depth) M(c), whatever c."""
        return NO_TEETH

    @property
    def has_rare(self) -> bool:
        """Whether results that hardly ever occur can be left out, and it may matter."""
        return False

    def without_rare(self, log_probability: float) -> Self:
        """The same without results that all together are no likelier than that."""
        return self

    @property
    def nothing(self) -> bool:
        """Whether no loss is possible but 0."""
        return False

    @property
    def ordinary(self) -> bool:
        """Whether the losses are of a size at which doubles, and contours, tell them well."""
        return True

    def raised(self) -> Loss:
        """A loss that covers this one, and is not too small to be ordinary."""
        return self

    @property
    def highest(self) -> float:
        """The largest finite value of the sum of all losses, rounded up; or infinity."""
        return math.inf


class ClosedForm(Loss):
    """A loss whose transform is a formula: the line only evaluates it."""

    @abstractmethod
    def rounding(self, z: Complexes) -> Floats:
        """How far ``estimate`` may be from the truth at z."""

    def transform(self, z: Complexes) -> Transform:
        """Both of these."""
        return Transform(self.estimate(z), self.rounding(z))

    @abstractmethod
    def decay(self, c: float, tau: Floats) -> Floats:
        """See ``Line.decay``."""

    def decay_within(self, c: float, tau: Floats) -> Floats:
        """See ``Line.decay_within``."""
        return self.decay(c, tau)

    def screen(self, c: float, tau: Floats) -> Floats:
        """See ``Line.screen``."""
        return np.zeros_like(tau)

    def near(self, c: float, tau: Floats, half: float) -> Floats:
        """See ``Line.near``."""
        return self.decay(c, np.maximum(tau - half, 0))

    def line(self, c: float) -> Line:
        """The formula along the line."""
        return _ClosedLine(self, c)


class _ClosedLine(Line):
    def __init__(self, loss: ClosedForm, c: float):
        self.loss, self.c = loss, c

    def transform(self, tau: Floats) -> Transform:
        return self.loss.transform(np.asarray(self.c + 1j * tau))

    def decay(self, tau: Floats) -> Floats:
        return self.loss.decay(self.c, tau)

    def decay_within(self, tau: Floats) -> Floats:
        return self.loss.decay_within(self.c, tau)

    def screen(self, tau: Floats) -> Floats:
        return self.loss.screen(self.c, tau)

    @property
    def tells_cells(self) -> bool:
        return type(self.loss).near is not ClosedForm.near

    def near(self, tau: Floats, half: float) -> Floats:
        return self.loss.near(self.c, tau, half)
