"""Several releases, groups of units and samples, as pairs of laws."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray
from oracle.finite_pairs import FinitePairs, normalised, random_pairs

Array = NDArray[np.float64]
Parameter = Callable[[FinitePairs], Array]

ATOMS = 4


def adaptive(first: FinitePairs, second: list[FinitePairs]) -> FinitePairs:
    """The joint law of both results if outcome j of the first leads to second[j]."""
    log_p = np.hstack([first.log_p[:, [j]] + part.log_p for j, part in enumerate(second)])
    log_q = np.hstack([first.log_q[:, [j]] + part.log_q for j, part in enumerate(second)])
    return FinitePairs(log_p, log_q)


def alike(parameter: Parameter, seed: int, count: int) -> list[FinitePairs]:
    """ATOMS pairs for each of ``count`` first releases, with parameters close to each other."""
    pool = random_pairs(seed, count * ATOMS, ATOMS)
    rows = np.argsort(parameter(pool), kind="stable").reshape(count, ATOMS)
    rows = np.random.default_rng(seed).permuted(rows, axis=1)
    rows = np.random.default_rng(seed + 1).permutation(rows)
    return [pool[rows[:, j]] for j in range(ATOMS)]


def chains(seed: int, count: int, size: int) -> list[list[Array]]:
    """Log-masses of laws P_0, ..., P_size, each a neighbour of the next: random and straight."""
    rng = np.random.default_rng(seed)
    start = random_pairs(seed, count).log_p
    scale = 10 ** rng.uniform(-2, 0.7, (count, 1))
    wandering, straight = [start], [start]
    tilt = rng.normal(0, 1, start.shape)
    for _ in range(size):
        step = rng.normal(0, 1, start.shape)
        wandering.append(normalised(wandering[-1] + scale * step))
        straight.append(normalised(straight[-1] + scale * tilt))
    return [wandering, straight]


def pairs_of(chain: list[Array]) -> list[FinitePairs]:
    return [FinitePairs(p, q) for p, q in pairwise(chain)]


def mixtures(pairs: FinitePairs, rate: Array, weights: Array) -> FinitePairs:
    """A sampled release against one without the unit, over what else is in the sample.

    Rows are taken two by two: two states of the other units, with the given weights, in each of
    which the unit is in the sample at the given rate. The law without the unit comes first.
    """
    states = [pairs[0::2], pairs[1::2]]
    logs = [np.log(weights)[:, None], np.log1p(-weights)[:, None]]
    without = np.logaddexp(*(w + s.log_p for w, s in zip(logs, states, strict=True)))
    inside = np.logaddexp(*(w + s.log_q for w, s in zip(logs, states, strict=True)))
    rate = rate[:, None]
    return FinitePairs(without, np.logaddexp(np.log1p(-rate) + without, np.log(rate) + inside))
