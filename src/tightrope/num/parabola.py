"""The parabola through three values at equal distances: where a smooth search goes next."""

import math
from collections.abc import Iterable


def vertex(values: Iterable[float]) -> float:
    """Return the lowest point of the parabola through values at -1, 0 and 1, between these.

    It is 0 where the parabola is not bent upwards or a value is infinite.

    >>> vertex([1.0, 0.0, 4.0]), vertex([0.0, 1.0, 0.0])
    (-0.3, 0.0)
    """
    below, at, above = (float(value) for value in values)
    bend = below - 2 * at + above
    return max(-1.0, min(0.5 * (below - above) / bend, 1.0)) if 0 < bend < math.inf else 0.0


def lowest(values: Iterable[float]) -> tuple[float, float]:
    """Return the ``vertex``, and the height of the parabola there.

    >>> lowest([3.0, 0.0, 1.0])
    (0.25, -0.125)
    """
    below, at, above = (float(value) for value in values)
    where = vertex((below, at, above))
    if not where:
        return where, at
    return where, at + where * (above - below + where * (below - 2 * at + above)) / 2
