"""Programs that break their claim, and right ones: what an audit sees is the program and the claim.

Each is made from a seed, so that it repeats itself.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from random import Random
from typing import Any

import numpy as np
from programs_sparse import (
    algorithm_1,
    algorithm_2,
    algorithm_3,
    algorithm_4,
    algorithm_5,
    algorithm_6,
    drawn,
    generalized_private_threshold_testing,
    up_and_down,
    with_monotone_noise,
)

import tightrope as tr
from tightrope.noise import exponential_choice, permute_and_flip


@dataclass(frozen=True)
class Case:
    """What is passed to ``tr.audit``; ``make`` builds the program from a seed."""

    make: Callable[[int], Any]
    claim: Any
    neighbors: tuple[Any, Any]
    given: dict[str, Any] = field(default_factory=dict)

    def audit(self, seed, **given):
        return tr.audit(self.make(seed), self.claim, self.neighbors, **(self.given | given))


def released(mechanism):
    """Releases of the mechanism, as a program of which nothing is known."""

    def make(seed):
        source = tr.InsecureEntropy(seed)

        def run(x, count):
            many = np.broadcast_to(np.asarray(x), (count, *np.shape(x)))
            return mechanism.release(many, entropy=source, coordinates=max(np.size(x), 1)).value

        return tr.Batched(run)

    return make


def reseeded(seed):
    return lambda x: x + Random(seed).gauss(0.0, 1.0)


def one_noise_for_all(mechanism):
    def make(seed):
        source = tr.InsecureEntropy(seed)

        def run(x, count):
            noise = mechanism.release(np.zeros(count), entropy=source, coordinates=1).value
            return np.asarray(x) + noise[:, np.newaxis]

        return tr.Batched(run)

    return make


def clipped_sum(mechanism, clip):
    """The sum of records from 0 to 1, with noise for one record."""

    def make(seed):
        program = released(mechanism)(seed)
        return tr.Batched(lambda records, count: program(clip(np.asarray(records)), count))

    return make


def clip_records(records):
    return float(np.clip(records, 0, 1).sum())


def clip_total(records):
    return float(np.clip(records.sum(), 0, len(records)))


def chosen(sampler, factor):
    """Selections in proportion to, or flipped with, exp(factor score)."""

    def make(seed):
        source = tr.InsecureEntropy(seed)

        def run(scores, count):
            many = np.broadcast_to(np.asarray(scores, dtype=float), (count, len(scores)))
            return sampler(many, factor, entropy=source)

        return tr.Batched(run)

    return make


def responding(truth):
    """Answers with the truth with this probability."""
    return drawn(lambda source, x, count: np.where(source.random(count) < truth, x, 1 - x))


ZERO_ONE = (0.0, 1.0)
FEW, SOME = {"trials": 5000}, {"trials": 40_000}
TRUTHFUL = np.e / (1 + np.e)
"""How often a response of epsilon 1 is the truth."""

WRONG = {
    "Laplace, scale 10 % small": Case(released(tr.Laplace(0.9)), tr.PureDP(1), ZERO_ONE),
    "Gaussian, scale 10 % small": Case(released(tr.Gaussian(0.9)), tr.GDP(1), ZERO_ONE),
    "Laplace, scale 10 % small, law stated": Case(
        released(tr.Laplace(0.9)), tr.PureDP(1), ZERO_ONE, {"law": tr.Laplace(1.0), "trials": 4000}
    ),
    "Gaussian, scale 10 % small, law stated": Case(
        released(tr.Gaussian(0.9)), tr.GDP(1), ZERO_ONE, {"law": tr.Gaussian(1.0), "trials": 4000}
    ),
    "half the sensitivity": Case(
        released(tr.DiscreteLaplace(2, 1)), tr.PureDP(0.5), (0, 2), {"trials": 20_000}
    ),
    "permute-and-flip as eps^2/8 zCDP": Case(
        chosen(permute_and_flip, 1), tr.ZCDP(0.5), ([1, 0], [0, 1]), FEW
    ),
    "permute-and-flip as bounded range": Case(
        chosen(permute_and_flip, 1), tr.BoundedRange(2.0), ([2, 0], [1, 1]), FEW
    ),
    "sparse vector, algorithm 3": Case(algorithm_3(2, 1), tr.PureDP(2), up_and_down(6), SOME),
    "sparse vector, algorithm 4": Case(algorithm_4(1, 4), tr.PureDP(1), up_and_down(4), SOME),
    "sparse vector, algorithm 5": Case(algorithm_5(1), tr.PureDP(1), up_and_down(1), FEW),
    "sparse vector, algorithm 6": Case(algorithm_6(1), tr.PureDP(1), up_and_down(6), SOME),
    "sparse vector, GPTT": Case(
        generalized_private_threshold_testing(1), tr.PureDP(1), up_and_down(6), SOME
    ),
    "sparse vector, monotone noise": Case(
        with_monotone_noise(2, 1), tr.PureDP(2), ([0.0] * 4, [1.0, 1.0, 1.0, -1.0])
    ),
    "float Laplace": Case(
        drawn(lambda source, x, count: x + source.laplace(size=count)), tr.PureDP(1), ZERO_ONE, FEW
    ),
    "float Gaussian": Case(
        drawn(lambda source, x, count: x + source.normal(size=count)), tr.GDP(1), ZERO_ONE, FEW
    ),
    "same seed at every call": Case(reseeded, tr.GDP(1), ZERO_ONE, {"trials": 2000}),
    "same noise for all coordinates": Case(
        one_noise_for_all(tr.Gaussian(1.0)),
        tr.GDP(1),
        ([0.0, 0.0, 0.0], [1.0, 0.0, 0.0]),
        {"trials": 2000},
    ),
    "clipping after summing": Case(
        clipped_sum(tr.Laplace(1.0), clip_total),
        tr.PureDP(1),
        ([0.5, 0.2, 0.1, 0.9], [9.5, 0.2, 0.1, 0.9]),
        FEW,
    ),
    "response told twice": Case(responding(1 - (1 - TRUTHFUL) ** 2), tr.PureDP(1), (0, 1), FEW),
}

RIGHT = {
    "Laplace": Case(released(tr.Laplace.for_(tr.PureDP(1))), tr.PureDP(1), ZERO_ONE),
    "Gaussian": Case(released(tr.Gaussian(1.0)), tr.Gaussian(1.0).as_released(), ZERO_ONE),
    "discrete Laplace": Case(released(tr.DiscreteLaplace(2)), tr.PureDP(0.5), (0, 1)),
    "Laplace, law stated": Case(
        released(tr.Laplace(2.0)),
        tr.Laplace(2.0).as_released(),
        ZERO_ONE,
        {"law": tr.Laplace(2.0)},
    ),
    "permute-and-flip": Case(chosen(permute_and_flip, 1), tr.PureDP(2), ([2, 0], [1, 1])),
    "exponential": Case(chosen(exponential_choice, 1), tr.ZCDP(0.5), ([1, 0], [0, 1])),
    "sparse vector, algorithm 1": Case(algorithm_1(1, 2), tr.PureDP(1), up_and_down(3)),
    "sparse vector, algorithm 2": Case(algorithm_2(1, 2), tr.PureDP(1), up_and_down(3)),
    "own noise for each coordinate": Case(
        released(tr.Gaussian(1.0)),
        tr.Gaussian(1.0).as_released(3),
        ([0.0, 0.0, 0.0], [1.0, 0.0, 0.0]),
    ),
    "clipping before summing": Case(
        clipped_sum(tr.Laplace.for_(tr.PureDP(1)), clip_records),
        tr.PureDP(1),
        ([0.0, 0.2, 0.1, 0.9], [9.5, 0.2, 0.1, 0.9]),
    ),
    "response": Case(responding(TRUTHFUL), tr.PureDP(1), (0, 1)),
}
