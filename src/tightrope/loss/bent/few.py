"""A sum of few losses of sampled Gaussian noise, counted from where the losses end.

With the mixture first, every loss is at least log(1 - rate), and with the base law first at most
-log(1 - rate). Let l_i >= 0 be how far the losses lie above or below (``density``), E how far
epsilon lies from the sum of the ends, and M(z) the product of the E[exp(z l_i)]. Then

    delta = 1/(2 pi i) * integral of exp(-z E) M(z)/(z (z + 1)) dz,   on a line Re z = c > 0,
    delta = 1/(2 pi i) * integral of exp(-z E) M(z)/(z (z - 1)) dz,   on a line Re z = -c < 0,

for the mixture and for the base law. In the first, M - 1 may stand for M: a sum of losses that
always lies at its lower end, below epsilon, adds nothing.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from typing import Any, Self

import numpy as np

from tightrope.loss.bent.density import SampledDensity
from tightrope.loss.bent.ray import RayBound
from tightrope.loss.mixture.gaussian_mixture import GaussianMixtureLoss
from tightrope.loss.mixture.pair import MixturePair
from tightrope.loss.total import Total
from tightrope.num.arrays import Complexes, Floats
from tightrope.num.precision import ulp

MOST_RUNS = 100.0
"""Of more, a straight contour is short."""

SMALLEST_MU, LARGEST_MU = 1e-4, 13.0
"""Of a larger shift, results all but tell whether the unit was sampled; of a smaller, nothing."""


@dataclass(frozen=True)
class Sampled:
    """Releases of one kind."""

    density: SampledDensity
    count: float


@dataclass(frozen=True)
class FewSampled:
    """The losses.

    Attributes:
        kinds: the releases.
        mixed: whether the mixture comes first.
    """

    kinds: tuple[Sampled, ...]
    mixed: bool

    @classmethod
    def of(cls, total: Total) -> Self | None:
        """The losses of a total, if all of them are of this sort and there are few."""
        kinds = kinds_of(total)
        few = math.fsum(kind.count for kind in kinds) <= MOST_RUNS
        fitting = all(SMALLEST_MU <= kind.density.mu <= LARGEST_MU for kind in kinds)
        if not (kinds and few and fitting):
            return None
        return cls(kinds, kinds[0].density.mixed)

    def refined(self) -> FewSampled:
        """The same losses, known to more digits than doubles have."""
        finer = (replace(kind, density=kind.density.refined()) for kind in self.kinds)
        return replace(self, kinds=tuple(finer))

    @cached_property
    def end(self) -> Any:
        """The distance from 0 of the end of the losses."""
        return sum(-kind.count * kind.density.log_least for kind in self.kinds)

    def distance(self, epsilon: float) -> tuple[Any, float]:
        """E, and how far it may be off."""
        away = self.end + epsilon if self.mixed else self.end - epsilon
        return away, (5 + len(self.kinds)) * ulp(self.end) * float(self.end + epsilon)

    @property
    def poles(self) -> tuple[float, float]:
        """Of the kernel."""
        return (0.0, -1.0) if self.mixed else (0.0, 1.0)

    def kernel(self, z: Complexes) -> Complexes:
        """1/(z (z + 1)) or 1/(z (z - 1))."""
        return np.asarray(1 / (z * (z - self.poles[1])))

    def bounds(self, angle: float, most: float, depth: float) -> MomentBounds:
        """Bounds on |M| by the ray at an angle."""
        return MomentBounds(
            [RayBound(kind.density, angle, most, depth) for kind in self.kinds],
            [kind.count for kind in self.kinds],
        )


class MomentBounds:
    """Bounds on |M|, and on that of each kind, by omega = Re(z exp(i angle))."""

    def __init__(self, rays: list[RayBound], counts: list[float]):
        self.rays, self.counts = rays, counts

    def log(self, omega: Floats) -> Floats:
        """log of a bound on |M|."""
        logs: Iterable[Floats] = (ray.log(omega) for ray in self.rays)
        terms = [n * log for n, log in zip(self.counts, logs, strict=True)]
        return np.asarray(np.sum(terms, axis=0))


def kinds_of(total: Total) -> tuple[Sampled, ...]:
    """The releases of a total, if all are of this sort and in one order; else none."""
    if len(total.losses) != 1:
        return ()
    (loss,) = total.losses
    if not isinstance(loss, GaussianMixtureLoss):
        return ()
    found = [_density(pair) for pair in loss.pairs]
    kinds = tuple(Sampled(one, n) for one, n in zip(found, loss.count.tolist(), strict=True) if one)
    one_order = len({kind.density.mixed for kind in kinds}) == 1
    return kinds if one_order and len(kinds) == len(found) else ()


@lru_cache(maxsize=64)
def _density(pair: MixturePair) -> SampledDensity | None:
    sides = sorted((pair.right, pair.left), key=lambda side: len(side.offsets))
    if pair.gap or math.isfinite(pair.furthest) or [len(s.offsets) for s in sides] != [0, 1]:
        return None
    return SampledDensity(sides[1].width, sides[1].weights[0], bool(pair.right.offsets))
