"""Losses of many releases: a list of the single ones, each with its number of runs."""

from __future__ import annotations

from fractions import Fraction

from flint import arb

from tightrope.verify.exact.edges import Ramp
from tightrope.verify.exact.lattices import Lattice
from tightrope.verify.exact.mixture import Mixture
from tightrope.verify.exact.noise import DiscreteNormal, Normal
from tightrope.verify.numbers import ball

Law = Normal | DiscreteNormal | Lattice | Ramp | Mixture
"""The loss of one release."""

Runs = tuple[tuple[Law, int], ...]
"""Losses with the number of releases of each."""


def fails(runs: Runs) -> bool:
    """Whether a loss can be infinite."""
    return any(isinstance(law, Lattice) and law.lost for law, _ in runs)


def lost(runs: Runs) -> arb:
    """The probability that some loss is infinite; in a ball, as an exact power is too long."""
    whole = arb(1)
    for law, count in runs:
        if isinstance(law, Lattice) and law.lost:
            whole *= ball(1 - law.lost) ** count
    return 1 - whole if fails(runs) else arb(0)


def merged(runs: Runs) -> Runs:
    """The same losses, each once; normal ones are one of the sum of their squares."""
    counts: dict[Law, int] = {}
    square = Fraction(0)
    for law, count in runs:
        if isinstance(law, Normal):
            square += law.square * count
        else:
            counts[law] = counts.get(law, 0) + count
    normal: Runs = ((Normal(square), 1),) if square else ()
    return normal + tuple(counts.items())
