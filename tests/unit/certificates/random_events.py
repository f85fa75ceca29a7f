"""Random event trees over many kinds of leaves, small enough that their certificates are quick."""

from __future__ import annotations

import random
from collections.abc import Callable

import tightrope as tr

Draw = Callable[[random.Random], tr.Event]


def _between(rng: random.Random, low: float, high: float) -> float:
    return round(rng.uniform(low, high), 3)


LEAVES: tuple[Draw, ...] = (
    lambda r: tr.Gaussian(_between(r, 1, 9)),
    lambda r: tr.Laplace(_between(r, 0.6, 9)),
    lambda r: tr.DiscreteGaussian(_between(r, 0.8, 9)),
    lambda r: tr.DiscreteLaplace(_between(r, 0.8, 9)),
    lambda r: tr.PureDP(_between(r, 0.05, 2)),
    lambda r: tr.ZCDP(_between(r, 0.01, 0.5)),
    lambda r: tr.GDP(_between(r, 0.1, 1)),
    lambda r: tr.Exponential(_between(r, 0.05, 1)),
    lambda r: tr.ReportNoisyMax(_between(r, 0.05, 1)),
    lambda r: tr.RandomizedResponse(_between(r, 0.1, 2), categories=r.randint(2, 9)),
    lambda r: tr.Skellam(noise_scale=_between(r, 2, 9)),
    lambda r: tr.BoundedRange(_between(r, 0.05, 1)),
    lambda r: tr.TCDP(_between(r, 0.01, 0.3), omega=_between(r, 2, 50)),
    lambda r: tr.ApproxDP(_between(r, 0.1, 1), 1e-7),
    lambda r: tr.PermuteAndFlip(_between(r, 0.1, 1)),
    lambda r: tr.Logistic(_between(r, 1, 9)),
    lambda r: tr.SparseVector(_between(r, 0.1, 1)),
)


def random_event(rng: random.Random, depth: int = 2) -> tr.Event:
    """A leaf, or a composition, a sample, a group or disjoint parts of smaller trees."""
    shape = rng.random()
    if depth == 0 or shape < 0.35:
        return rng.choice(LEAVES)(rng)
    if shape < 0.55:
        return random_event(rng, depth - 1) ** rng.randint(2, 20)
    if shape < 0.8:
        return random_event(rng, depth - 1) + random_event(rng, depth - 1)
    if shape < 0.87:
        return tr.parallel(random_event(rng, depth - 1), random_event(rng, depth - 1))
    if shape < 0.94:
        return random_event(rng, depth - 1).sampled(_between(rng, 0.01, 0.9))
    return random_event(rng, depth - 1).group(rng.randint(2, 4))
