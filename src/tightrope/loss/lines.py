"""Several transforms along one line: their sum, and the same beyond doubles."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

import numpy as np

from tightrope.loss.loss import Line, Transform
from tightrope.num.arrays import Floats


def refined(lines: Sequence[Line]) -> list[Line] | None:
    """Lines with values beyond doubles where they can be had; None if that is nowhere."""
    finer = [line.refined() for line in lines]
    if all(line is None for line in finer):
        return None
    return [line if new is None else new for line, new in zip(lines, finer, strict=True)]


class OneLine(Protocol):
    """One release of some kind along a line."""

    def transform(self, tau: Floats) -> Transform:
        """See ``Line.transform``."""

    def decay(self, tau: Floats) -> Floats:
        """See ``Line.decay``."""


class WeightedLines(Line):
    """Releases of several kinds along one line, each kind so many times."""

    def __init__(self, c: float, kinds: Sequence[OneLine], count: Floats):
        self.c, self.kinds, self.count = c, kinds, count

    def transform(self, tau: Floats) -> Transform:
        """The sum of all."""
        value, error = np.zeros(tau.shape, dtype=complex), np.zeros(tau.shape)
        for kind, count in zip(self.kinds, self.count, strict=True):
            one = kind.transform(tau)
            value += count * one.value
            error += count * one.error
        return Transform(value, error)

    def decay(self, tau: Floats) -> Floats:
        """The sum of all."""
        parts = [n * kind.decay(tau) for kind, n in zip(self.kinds, self.count, strict=True)]
        return np.asarray(np.sum(parts, axis=0))

    def screen(self, tau: Floats) -> Floats:
        """The same."""
        return self.decay(tau)
