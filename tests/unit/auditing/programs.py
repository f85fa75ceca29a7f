"""Programs that break their claim, and right ones: what an audit sees is the program and the claim.

Each is made from a seed, so that it repeats itself. The sparse vector algorithms are those of
Figure 1 in Lyu, Su and Li (2017), by their numbers there, with sensitivity 1 and thresholds 0; two
more are named in the text of that paper.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from random import Random
from typing import Any

import numpy as np

import tightrope as tr
from tightrope.noise import exponential_choice, permute_and_flip

BELOW, ABOVE, STOPPED = 0.0, 1.0, -1.0


@dataclass(frozen=True)
class Case:
    """What is passed to ``tr.audit``; ``make`` builds the program from a seed."""

    make: Callable[[int], Any]
    claim: Any
    neighbors: tuple[Any, Any]
    given: dict[str, Any] = field(default_factory=dict)

    def audit(self, seed, **given):
        return tr.audit(self.make(seed), self.claim, self.neighbors, **(self.given | given))


def generator(seed):
    return np.random.default_rng(tr.InsecureEntropy(seed).bits(64))


def released(mechanism):
    """Releases of the mechanism, as a program of which nothing is known."""

    def make(seed):
        source = tr.InsecureEntropy(seed)

        def run(x, count):
            many = np.broadcast_to(np.asarray(x), (count, *np.shape(x)))
            return mechanism.release(many, entropy=source, coordinates=max(np.size(x), 1)).value

        return tr.Batched(run)

    return make


def drawn(run):
    """A program that adds what it likes from NumPy's generator."""

    def make(seed):
        source = generator(seed)
        return tr.Batched(lambda x, count: run(source, np.asarray(x, dtype=float), count))

    return make


# --- sparse vectors -------------------------------------------------------------------------


def sparse_vector(threshold_scale, query_scale, cutoff=None, fresh_threshold=0.0, tell=False):
    """Compare noisy queries with a noisy threshold.

    ``tell`` gives out the noisy query instead of "above", and not-a-number for "below".
    """

    def run(source, queries, count):
        noisy = queries + source.laplace(size=(count, len(queries))) * query_scale
        threshold = source.laplace(scale=threshold_scale, size=count)
        answers = np.full(noisy.shape, STOPPED)
        left = np.full(count, np.inf if cutoff is None else cutoff)
        for place in range(len(queries)):
            above = (noisy[:, place] >= threshold) & (left > 0)
            shown = noisy[:, place] if tell else ABOVE
            answers[left > 0, place] = np.nan if tell else BELOW
            answers[:, place] = np.where(above, shown, answers[:, place])
            left -= above
            if fresh_threshold:
                again = source.laplace(scale=fresh_threshold, size=count)
                threshold = np.where(above, again, threshold)
        return answers

    return drawn(run)


def up_and_down(size):
    """Half of the queries one up, half one down: ``cutoff`` answers tell most."""
    return [0.0] * (2 * size), [1.0] * size + [-1.0] * size


def algorithm_1(epsilon, cutoff):
    return sparse_vector(2 / epsilon, 4 * cutoff / epsilon, cutoff)


def algorithm_2(epsilon, cutoff):
    scale = 2 * cutoff / epsilon
    return sparse_vector(scale, 2 * scale, cutoff, fresh_threshold=scale)


def algorithm_3(epsilon, cutoff):
    return sparse_vector(2 / epsilon, 2 * cutoff / epsilon, cutoff, tell=True)


def algorithm_4(epsilon, cutoff):
    return sparse_vector(4 / epsilon, 4 / (3 * epsilon), cutoff)


def algorithm_5(epsilon):
    return sparse_vector(2 / epsilon, 0.0)


def algorithm_6(epsilon):
    return sparse_vector(2 / epsilon, 2 / epsilon)


def generalized_private_threshold_testing(epsilon):
    return sparse_vector(4 / epsilon, 4 / (3 * epsilon))


def with_monotone_noise(epsilon, cutoff):
    return sparse_vector(2 / epsilon, 2 * cutoff / epsilon, cutoff)


# --- others ---------------------------------------------------------------------------------


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
E3 = np.e / (1 + np.e)

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
    "response told twice": Case(responding(1 - (1 - E3) ** 2), tr.PureDP(1), (0, 1), FEW),
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
    "response": Case(responding(E3), tr.PureDP(1), (0, 1)),
}
