"""Beside what a checker composes losses on lattices again.

With normal noise among them a contour is short. On one or two lattices they are atoms. Beside
losses with edges a few atoms do no harm; discrete Gaussian noise does, as a contour never ends.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from fractions import Fraction
from typing import Any

from tightrope.events import Composed, Event, Grouped, Joint, PostProcessed, Restated
from tightrope.mechanisms.discrete_gaussian import DiscreteGaussian
from tightrope.mechanisms.discrete_laplace import DiscreteLaplace
from tightrope.notions import GDP
from tightrope.plan.portfolio.tree import portfolio_of

Leaf = tuple[Any, int, int]
"""A leaf, the number of units that change at once, and that of runs."""

MOST_LATTICES = 2
"""Most lattices whose sums are atoms, of any variance."""

LEAST_VARIANCE = Fraction(1, 2)
"""Of noise that is composed along a contour."""

MOST_EDGES = 80
MOST_TERMS = 30_000
"""Most losses with edges, and most sums of their edges and of the atoms beside them."""

DEPTH, LOSS, FAR_END = 85.0, 0.8, 1.6e9
MOST_TEETH, MOST_MEETINGS = 300_000, 20_000
"""How deep and how far a contour is followed; most teeth of a comb, and of all combs at once."""

MOST_ENDING = 30
"""Most releases of which no loss is infinite whose tight mu is worked out."""

EDGED = frozenset(("BoundedRange", "Exponential", "Laplace", "Logistic", "LogisticDP"))
NORMAL = frozenset(("GDP", "Gaussian", "Sampled", "ZCDP"))


def composes_lattices(event: Event) -> bool:
    """Whether there is normal noise, or one or two lattices, or edges beside few atoms."""
    leaves = list(_leaves(event, 1, 1))
    kinds = {type(leaf).__name__ for leaf, _, _ in leaves}
    discrete = [leaf for leaf, _, _ in leaves if isinstance(leaf, DiscreteGaussian)]
    if discrete and kinds - NORMAL - {"DiscreteGaussian"}:
        return False
    if kinds & NORMAL:
        return all(Fraction(leaf.variance) >= LEAST_VARIANCE for leaf in discrete)
    atoms = [leaf for leaf in leaves if not _edged(leaf[0])]
    if len(atoms) == len(leaves):
        few = len({_unit(leaf, size) for leaf, size, _ in atoms}) <= MOST_LATTICES
        return few or (len(discrete) == len(leaves) and _interfere(leaves))
    counts = [count for leaf, _, count in leaves if _edged(leaf)]
    terms = math.prod(n + 1 for n in counts) * math.prod(map(_atoms, atoms))
    return sum(counts) <= MOST_EDGES and terms <= MOST_TERMS


def _interfere(leaves: list[Leaf]) -> bool:
    """Whether the teeth of so many combs of discrete Gaussian noise meet seldom, far out.

    Teeth are 2 pi v/D apart, and a share of sqrt(2 (85 + 0.8 n)/n)/(pi sqrt(v)) wide.
    """
    combs = [(Fraction(leaf.variance), leaf.sensitivity * size, n) for leaf, size, n in leaves]
    widest = max(2 * math.pi * float(v / shift) for v, shift, _ in combs)
    shares = sorted(
        min(1.0, math.sqrt(2 * (DEPTH + LOSS * n) / n / float(v)) / math.pi) for v, _, n in combs
    )
    teeth = FAR_END / widest
    return teeth <= MOST_TEETH and teeth * math.prod(shares[1:]) <= MOST_MEETINGS


def tells_mu(event: Event) -> bool:
    """Whether a checker finds the tight mu: of normal noise, or of losses that end.

    Discrete Gaussian noise on one lattice or two is not told from finer noise by lines far out.
    """
    leaves = list(_leaves(event, 1, 1))
    kinds = {type(leaf).__name__ for leaf, _, _ in leaves}
    if kinds & {"ApproxDP", "Sampled"}:
        return False
    if kinds & NORMAL:
        return True
    if "DiscreteGaussian" in kinds:
        return len(leaves) > MOST_LATTICES and kinds == {"DiscreteGaussian"}
    return sum(count for _, _, count in leaves) <= MOST_ENDING


def has_discrete_noise(event: Event) -> bool:
    """Whether some noise is discrete Gaussian."""
    return any(isinstance(leaf, DiscreteGaussian) for leaf, _, _ in _leaves(event, 1, 1))


def is_noise(event: Event) -> bool:
    """Whether all that was run is discrete Gaussian or normal noise."""
    kinds = {type(leaf).__name__ for leaf, _, _ in _leaves(event, 1, 1)}
    return kinds <= {"DiscreteGaussian", "GDP", "Gaussian"}


def square_of_mu(event: Event) -> float:
    """The square of the mu that normal noise of the same scales has, beside guarantees of zCDP."""
    total = 0.0
    for leaf, size, count in _leaves(event, 1, 1):
        if isinstance(leaf, DiscreteGaussian):
            square = float(Fraction(leaf.sensitivity) ** 2 / Fraction(leaf.variance))
        else:
            (mu,) = portfolio_of(leaf).numbers(GDP) or (math.inf,)
            square = float(mu) ** 2
        total += square * size**2 * count
    return total


def _edged(leaf: Any) -> bool:
    return type(leaf).__name__ in EDGED or getattr(leaf, "noise", "") == "gumbel"


def _unit(leaf: Any, size: int) -> Fraction:
    """The step of a lattice; of additive noise as the sensitivity is a whole number of steps."""
    if isinstance(leaf, DiscreteGaussian):
        return Fraction(leaf.sensitivity) * size / Fraction(leaf.variance)
    if isinstance(leaf, DiscreteLaplace):
        return 1 / Fraction(leaf.noise_scale)
    return Fraction(leaf.epsilon)


def _atoms(run: Leaf) -> int:
    """The number of points of the sum of so many losses on one lattice."""
    leaf, size, count = run
    whole = int(leaf.sensitivity) * size if isinstance(leaf, DiscreteLaplace) else 1
    return math.comb(count + 2 * whole, 2 * whole)


def _leaves(event: Event, size: int, times: int) -> Iterator[Leaf]:
    """What is composed, with the number of units that change at once, and of runs."""
    if isinstance(event, Composed):
        for part, count in event.counts.items():
            yield from _leaves(part, size, times * count)
    elif isinstance(event, Joint):
        for part in event.parts:
            yield from _leaves(part, size, times)
    elif isinstance(event, Grouped):
        yield from _leaves(event.event, size * event.size, times)
    elif isinstance(event, Restated):
        yield from _leaves(event.event, size * 2, times)
    elif isinstance(event, PostProcessed):
        yield from _leaves(event.event, size, times)
    else:
        yield event, size, times
