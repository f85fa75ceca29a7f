"""A composition: the sum of losses of several kinds, in one order of the neighbours."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from tightrope.loss.lines import refined
from tightrope.loss.loss import Lattice, Line, Loss, Transform
from tightrope.loss.sieve import Teeth, Windows, joined
from tightrope.num.arrays import Complexes, Floats
from tightrope.num.precision import ulp
from tightrope.num.rounding import EPS, up

if TYPE_CHECKING:
    from tightrope.loss.law import Law


@dataclass(frozen=True)
class Total:
    """The sum of independent losses, one column a kind.

    Attributes:
        losses: the columns.
        windows: the parts of long contours where it may matter, as far as they were looked for.
    """

    losses: tuple[Loss, ...]
    windows: list[Windows] = field(default_factory=list, compare=False, repr=False)

    @classmethod
    def of(cls, runs: Iterable[tuple[Loss, int]]) -> Total:
        """Every loss with the number of its runs, columns of one kind joined."""
        kinds: dict[type[Loss], list[Loss]] = {}
        for loss, count in runs:
            if count and not loss.nothing:
                kinds.setdefault(type(loss), []).append(loss.times(count) if count > 1 else loss)
        return cls(
            tuple(
                column[0] if len(column) == 1 else kind.together(column)
                for kind, column in kinds.items()
            )
        )

    @classmethod
    def single(cls, loss: Loss) -> Total:
        """One loss, run once."""
        return cls(() if loss.nothing else (loss,))

    def times(self, count: int) -> Total:
        """The whole composition ``count`` times."""
        return Total(tuple(loss.times(count) for loss in self.losses) if count else ())

    def estimate(self, z: Complexes) -> Complexes:
        """log M of the sum at any points, good to a few digits."""
        value = np.zeros(z.shape, dtype=complex)
        for loss in self.losses:
            value += loss.estimate(z)
        return value

    def line(self, c: float) -> Line:
        """The transform of the sum on the line through c."""
        return _TotalLine(c, [loss.line(c) for loss in self.losses])

    def log_most(self, s: float) -> float:
        """A bound on log M(s)."""
        return _added(loss.log_most(s) for loss in self.losses)

    def teeth(self, depth: float) -> Teeth:
        """The combs of all losses: outside of any of them |M(c + it)| <= exp(-depth) M(c)."""
        return joined(loss.teeth(depth) for loss in self.losses)

    @cached_property
    def cost(self) -> float:
        """Complex exponentials a node."""
        return 1 + sum(loss.cost for loss in self.losses)

    @cached_property
    def escape(self) -> float:
        """-log of the probability that no loss is infinite; rounded up."""
        total = math.fsum(loss.escape for loss in self.losses)
        return up(total, 2) if total else 0.0

    @cached_property
    def highest(self) -> float:
        """The largest finite sum, rounded up; the lowest number if no sum is finite."""
        if self.escape == math.inf:
            return -math.inf
        largest = math.fsum(loss.highest for loss in self.losses)
        return up(largest, 2) if largest else 0.0

    @cached_property
    def lattice(self) -> Lattice | None:
        """The lattice, if there is one kind of loss and it has one."""
        return self.losses[0].lattice if len(self.losses) == 1 else None

    @cached_property
    def law(self) -> Law | None:
        """The law of the sum, if it can be written down."""
        from tightrope.loss.exact import routes  # which know all kinds of losses

        return routes.law(self)


def _added(bounds: Iterable[float]) -> float:
    """The sum of upper bounds, rounded up."""
    parts = list(bounds)
    return math.fsum(parts) + EPS * math.fsum(abs(part) for part in parts)


class _TotalLine(Line):
    def __init__(self, c: float, lines: Sequence[Line]):
        self.c, self.lines = c, lines

    def refined(self) -> Line | None:
        finer = refined(self.lines)
        return None if finer is None else _TotalLine(self.c, finer)

    def transform(self, tau: Floats) -> Transform:
        value: Complexes = np.zeros(tau.shape, dtype=complex)
        error = np.zeros(tau.shape)
        for line in self.lines:
            part = line.transform(tau)
            value = value + part.value
            error += part.error + ulp(value) * np.abs(value)
        return Transform(value, error)

    def log_most(self) -> float:
        return _added(line.log_most() for line in self.lines)

    def decay(self, tau: Floats) -> Floats:
        return np.asarray(sum((line.decay(tau) for line in self.lines), np.zeros_like(tau)))

    def decay_within(self, tau: Floats) -> Floats:
        parts = (line.decay_within(tau) for line in self.lines)
        return np.asarray(sum(parts, np.zeros_like(tau)))

    def screen(self, tau: Floats) -> Floats:
        return np.asarray(sum((line.screen(tau) for line in self.lines), np.zeros_like(tau)))

    @property
    def tells_cells(self) -> bool:
        return any(line.tells_cells for line in self.lines)

    def near(self, tau: Floats, half: float) -> Floats:
        return np.asarray(sum((line.near(tau, half) for line in self.lines), np.zeros_like(tau)))

    def teeth(self, depth: float) -> Teeth:
        return joined(line.teeth(depth) for line in self.lines)
