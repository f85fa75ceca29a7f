"""Wide laws on the integers, as discrete Laplace samples of which a part is kept."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from tightrope.noise import reference
from tightrope.noise.blocks import LIMIT
from tightrope.noise.entropy import Entropy
from tightrope.noise.laplace import LaplaceSampler
from tightrope.noise.refine import Probability, decide
from tightrope.noise.rejection import Proposals, first_kept

__all__ = ["ThinnedLaplace"]


@dataclass(frozen=True)
class ThinnedLaplace:
    """Samples y of a discrete Laplace law, kept with a probability that |y| determines.

    Args:
        proposals: the sampler of what is thinned.
        rate: the share that is kept, about.
        chance: the probability as a float, at most 2**-40 off, for sizes as floats (which are
            rounded to nearest where they exceed 2**53).
        exact: the probability for one size, a Python integer.
    """

    proposals: LaplaceSampler
    rate: float
    chance: Callable[[NDArray[np.float64]], NDArray[np.float64]]
    exact: Callable[[int], Probability]

    def draw(self, count: int, entropy: Entropy) -> NDArray[np.int64]:
        """`count` samples, saturated at +-2**62."""
        return first_kept(count, self.rate, lambda proposals: self.propose(proposals, entropy))

    def propose(self, count: int, entropy: Entropy) -> Proposals:
        """Discrete Laplace samples, saturated, and which of them are kept."""
        values = self.proposals.draw(count, entropy)
        sizes = np.abs(values)
        beyond = self.saturated(sizes, entropy)
        floats = sizes.astype(np.float64)
        floats[list(beyond)] = [float(size) for size in beyond.values()]

        def exact(lane: int) -> Probability:
            return self.exact(beyond.get(lane, int(sizes[lane])))

        return values, decide(self.chance(floats), exact, entropy)

    def saturated(self, sizes: NDArray[np.int64], entropy: Entropy) -> dict[int, int]:
        """The true sizes of saturated proposals: beyond the limit the law is geometric again."""
        lanes = np.flatnonzero(sizes == LIMIT).tolist()
        scale = self.proposals.scale
        return {lane: LIMIT + reference.geometric(scale, entropy) for lane in lanes}
