"""Laws of sparse vectors, summed from their definitions: noise is a dictionary of probabilities."""

from bisect import bisect_left
from collections import defaultdict
from itertools import accumulate

import mpmath as mp


def discrete_laplace(scale, reach):
    """Probabilities of the integers, beyond +-reach put on its ends."""
    a = mp.exp(-1 / mp.mpf(scale))
    law = {y: (1 - a) / (1 + a) * a ** abs(y) for y in range(-reach + 1, reach)}
    return law | dict.fromkeys((-reach, reach), a**reach / (1 + a))


def discrete_gaussian(variance, reach):
    """Probabilities of the integers within +-reach, beyond which nothing is to be seen."""
    weights = {y: mp.exp(-mp.mpf(y * y) / (2 * mp.mpf(variance))) for y in range(-reach, reach + 1)}
    total = mp.fsum(weights.values())
    return {y: weight / total for y, weight in weights.items()}


def sparse_vector(queries, threshold, of_threshold, of_query, cutoff):
    """The probability of every sequence of answers; ``cutoff`` None for one that never stops.

    A query is above if query + noise >= threshold + its noise.
    """
    values = sorted(of_query)
    tails = [*accumulate((of_query[y] for y in reversed(values)), initial=0)][::-1]
    sides = [(tail, 1 - tail) for tail in tails]
    law = defaultdict(lambda: 0)
    for rho, mass in of_threshold.items():
        answers = {(): mass}
        for query in queries:
            chances = sides[bisect_left(values, threshold + rho - query)]
            answers = _one_more(answers, *chances, cutoff)
        for told, chance in answers.items():
            law[told] += chance
    return dict(law)


def _one_more(answers, above, below, cutoff):
    longer = {}
    for told, chance in answers.items():
        if told.count(True) == cutoff:
            longer[told] = chance
        else:
            longer[*told, True] = chance * above
            longer[*told, False] = chance * below
    return longer


def worst_log_ratio(pairs):
    """The largest |log(p/q)| over all results of all pairs of laws."""
    worst = mp.mpf(0)
    for first, second in pairs:
        for result in set(first) | set(second):
            p, q = first.get(result, 0), second.get(result, 0)
            if p == q == 0:
                continue
            if not (p and q):
                return mp.inf
            worst = max(worst, abs(mp.log(p / q)))
    return worst


def hockey_stick(first, second, epsilon):
    """delta(epsilon) of the first law against the second."""
    factor = mp.exp(mp.mpf(epsilon))
    results = set(first) | set(second)
    return mp.fsum(max(0, first.get(r, 0) - factor * second.get(r, 0)) for r in results)


def renyi(first, second, order):
    """The Renyi divergence of a whole or real order."""
    return mp.log(mp.fsum(p**order * second[r] ** (1 - order) for r, p in first.items() if p)) / (
        order - 1
    )
