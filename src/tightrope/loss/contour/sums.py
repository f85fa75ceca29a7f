"""Sums over a contour, with what bounds each of their errors."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import astuple, dataclass

import numpy as np

from tightrope.num.arrays import Flags, Floats


@dataclass(frozen=True)
class Errors:
    """What bounds the difference between the sum over the nodes and delta, relative to scale.

    Attributes:
        sum: the sum over the nodes.
        rounding: rounding of the sum and of M, both sides.
        truncation: the nodes left out, both sides.
        below: aliases from below epsilon; the sum only overstates by them.
        above: aliases from above epsilon, likewise.
        smoothing: the fictitious Gaussian, likewise.
    """

    sum: Floats
    rounding: Floats
    truncation: Floats
    below: Floats
    above: Floats
    smoothing: Floats

    @property
    def upper(self) -> Floats:
        """No delta is above this one."""
        return self.sum + self.rounding + self.truncation

    @property
    def lower(self) -> Floats:
        """No delta is below this one."""
        both = self.rounding + self.truncation
        return self.sum - both - self.below - self.above - self.smoothing


@dataclass(frozen=True)
class Sums:
    """Errors at several epsilons, in units of exp(log_scale), and the slope of log delta.

    Chernoff's bound at c (``log_chernoff``) holds as well, whatever became of the sum.
    """

    log_scale: Floats
    errors: Errors
    slope: Floats
    log_chernoff: Floats

    @classmethod
    def joined(cls, parts: Sequence[Sums]) -> Sums:
        """The sums at several stretches of epsilon as one."""
        columns = zip(*(astuple(part.errors) for part in parts), strict=True)
        return cls(
            np.concatenate([part.log_scale for part in parts]),
            Errors(*(np.concatenate(column) for column in columns)),
            np.concatenate([part.slope for part in parts]),
            np.concatenate([part.log_chernoff for part in parts]),
        )

    @property
    def log_upper(self) -> Floats:
        """log of the upper ends."""
        upper = self._log(self.errors.upper)
        return np.fmin(np.where(np.isneginf(upper), np.inf, upper), self.log_chernoff)

    @property
    def log_lower(self) -> Floats:
        """log of the lower ends; -inf where they are not positive."""
        return self._log(self.errors.lower)

    @property
    def rounded(self) -> Flags:
        """Where it is rounding that makes an interval wide, and not what is left out."""
        errors = self.errors
        return np.asarray(4 * errors.rounding > errors.upper - errors.lower)

    @property
    def aliased(self) -> Flags:
        """Where it is the width of the step."""
        errors = self.errors
        return np.asarray(2 * (errors.below + errors.above) > errors.upper - errors.lower)

    def _log(self, value: Floats) -> Floats:
        with np.errstate(divide="ignore", invalid="ignore"):
            return np.where(value > 0, self.log_scale + np.log(np.maximum(value, 0)), -np.inf)
