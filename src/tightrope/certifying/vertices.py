"""Whether discrete Gaussian noise has so few vertices that a checker looks at all of them."""

from __future__ import annotations

import math

from tightrope.mechanisms.discrete_gaussian import DiscreteGaussian

MOST_VERTICES = 110_000
"""Less than a checker looks at (120,000), as the number is known nearly only."""

ROUNDS = 40


def few_vertices(noise: DiscreteGaussian, mu: float) -> bool:
    """Whether the tail bound closes soon, by how far mu lies above that of normal noise.

    A type I error exp(-s^2/2) has the score N(s), with N'(s) = 1 + (log(s sqrt(2 pi)) - 1/2)/s^2
    nearly, which is mu over that of normal noise where the tail bound closes, s deviations out.
    """
    deviation = math.sqrt(float(noise.variance))
    if mu <= 0:
        return True
    room = mu * deviation / float(noise.sensitivity) - 1
    if not room > 0:
        return False
    s = 10.0
    for _ in range(ROUNDS):
        s = math.sqrt((math.log(max(s, 3.0) * math.sqrt(2 * math.pi)) - 0.5) / room)
    return 1.05 * s * deviation <= MOST_VERTICES
