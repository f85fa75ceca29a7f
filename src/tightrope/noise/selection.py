"""Selection by coins and by noise: permute-and-flip, and the noisiest of many with fair ties."""

from __future__ import annotations

from functools import partial

import numpy as np
from numpy.typing import ArrayLike, NDArray

from tightrope._check import Real
from tightrope._errors import InvalidArgument
from tightrope.noise.entropy import Entropy, SystemEntropy
from tightrope.noise.fixed import exp_minus
from tightrope.noise.refine import Probability, decide
from tightrope.noise.scores import read_scores
from tightrope.noise.uniform import pick_one

__all__ = ["noisy_argmax", "permute_and_flip"]


def permute_and_flip(
    scores: ArrayLike, coefficient: Real, *, entropy: Entropy | None = None
) -> NDArray[np.int64]:
    """Run through the candidates in random order; take i with probability exp(-c (best - score_i)).

    Whether a candidate would be taken does not depend on the order, so all coins are flipped at
    once, and one of those that came up is chosen at random: the first of them in a random order.
    The best candidate's coin always comes up.  The time does not depend on the outcome.

    Args:
        scores: float64, or integers within 2**53; the last axis runs over the candidates.
        coefficient: c, epsilon/(2 sensitivity) for epsilon-DP, taken as precisely the number it is.
        entropy: the source of random bits; the operating system by default.

    Returns:
        The candidate's number for each selection; the shape is that of the scores without the last
        axis.

    Raises:
        InvalidArgument: scores or coefficient are not admissible.

    Source: McKenna and Sheldon (2020), Algorithm 1; the same law as report-noisy-max with
    exponential noise (Ding et al., 2021).

    >>> int(permute_and_flip([0.0, 5000.0, 1.0], 1))
    1
    """
    source = entropy or SystemEntropy()
    gaps = read_scores(scores, coefficient, "permute_and_flip")
    columns = gaps.scores.shape[1]

    def exact(lane: int) -> Probability:
        return partial(exp_minus, gaps.exact(*divmod(lane, columns)))

    chances = np.exp(-gaps.floats()).reshape(-1)
    heads = decide(chances, exact, source).reshape(gaps.scores.shape)
    return pick_one(heads, source).reshape(np.shape(scores)[:-1])


def noisy_argmax(noisy: NDArray[np.int64], *, entropy: Entropy | None = None) -> NDArray[np.int64]:
    """The number of the largest entry along the last axis; among equal ones a fair choice.

    Integer scores with integer noise, added by `saturating_add`, tie with positive probability;
    a fair choice keeps report-noisy-max symmetric in its candidates.

    Raises:
        InvalidArgument: the entries are no 64-bit integers, or there is no candidate.

    Source: Dwork and Roth (2014), section 3.3.

    >>> noisy_argmax(np.array([[3, 1, 2], [0, 0, 7]])).tolist()
    [0, 2]
    """
    if noisy.dtype != np.int64 or noisy.ndim == 0 or noisy.shape[-1] == 0:
        raise InvalidArgument("noisy_argmax: pass 64-bit integers, at least one a selection")
    rows = noisy.reshape(-1, noisy.shape[-1])
    best = rows == rows.max(axis=1, keepdims=True)
    return pick_one(best, entropy or SystemEntropy()).reshape(noisy.shape[:-1])
