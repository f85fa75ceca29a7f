"""Sparse vector algorithms, right and wrong, as programs.

They are those of Figure 1 in Lyu, Su and Li (2017), by their numbers there, with sensitivity 1 and
thresholds 0; two more are named in the text of that paper.
"""

import numpy as np

import tightrope as tr

BELOW, ABOVE, STOPPED = 0.0, 1.0, -1.0


def generator(seed):
    return np.random.default_rng(tr.InsecureEntropy(seed).bits(64))


def drawn(run):
    """A program that adds what it likes from NumPy's generator."""

    def make(seed):
        source = generator(seed)
        return tr.Batched(lambda x, count: run(source, np.asarray(x, dtype=float), count))

    return make


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
