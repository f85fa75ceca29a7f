"""Shuffled reports: no randomiser, no values of others leak more; and the sizes of large pairs."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from itertools import combinations_with_replacement, pairwise, product
from math import comb, exp

import numpy as np
import pytest

from tightrope.loss.sampling.shuffled import shuffled

EPSILON = np.linspace(0, 1.5, 16)


def claimed(epsilon0: float, reports: int, response: bool) -> np.ndarray:
    (row,) = shuffled(epsilon0, reports, response=response).blocks
    mass = np.exp(row.log_probabilities[0])
    return (mass * -np.expm1(np.minimum(EPSILON[:, None] - row.losses[0], 0))).sum(axis=1)


def histogram(laws: tuple[np.ndarray, ...]) -> dict[tuple[int, ...], float]:
    """The law of the number of users with each answer."""
    counts = {(0,) * len(laws[0]): 1.0}
    for law in laws:
        after: dict[tuple[int, ...], float] = defaultdict(float)
        for count, p in counts.items():
            for answer, q in enumerate(law):
                after[(*count[:answer], count[answer] + 1, *count[answer + 1 :])] += p * q
        counts = after
    return counts


def leaks(randomizer: np.ndarray, reports: int) -> np.ndarray:
    """The largest delta over all values of the user and of the others."""
    worst = np.zeros(len(EPSILON))
    values = range(len(randomizer))
    for others in combinations_with_replacement(values, reports - 1):
        rest = tuple(randomizer[value] for value in others)
        laws = [histogram((*rest, randomizer[value])) for value in values]
        for p, q in product(laws, repeat=2):
            pairs = np.array([(p[count], q[count]) for count in p])
            gap = pairs[:, 0] - np.exp(EPSILON)[:, None] * pairs[:, 1]
            worst = np.maximum(worst, np.maximum(gap, 0).sum(axis=1))
    return worst


def response(epsilon: float, answers: int) -> np.ndarray:
    odds = np.ones((answers, answers)) + np.diag(np.full(answers, exp(epsilon) - 1))
    return odds / odds.sum(axis=1, keepdims=True)


def extremal(epsilon: float, seed: int) -> Iterator[np.ndarray]:
    """Randomisers of three values with odds of 1 and exp(epsilon) only, and random ones."""
    rng = np.random.default_rng(seed)
    for _ in range(6):
        high = rng.random((3, 5)) < 0.5
        base = rng.dirichlet(np.ones(5))
        laws = base * np.where(high, exp(epsilon / 2), exp(-epsilon / 2))
        laws /= laws.sum(axis=1, keepdims=True)
        ratios = (laws[:, None] / laws[None]).max()
        yield laws if ratios <= exp(epsilon) else base + (laws - base) * 0.3


@pytest.mark.parametrize("answers", [2, 3, 4])
@pytest.mark.parametrize("epsilon", [0.5, 2.0])
def test_no_randomized_response_leaks_more(epsilon, answers):
    truth = leaks(response(epsilon, answers), 4)
    claim = claimed(epsilon, 4, True)
    assert (truth <= claim + 1e-12).all()
    if answers == 2:
        assert truth[0] > 0.7 * claim[0]


@pytest.mark.parametrize("epsilon", [0.5, 2.0])
def test_no_randomizer_leaks_more(epsilon):
    claim = claimed(epsilon, 3, False)
    for laws in extremal(epsilon, 3):
        assert (laws[:, None] / laws[None]).max() <= exp(epsilon) * (1 + 1e-9)
        assert (leaks(laws, 3) <= claim + 1e-12).all()


def direct(epsilon0: float, reports: int, clone: float) -> np.ndarray:
    """The pair by its definition."""
    s = 1 / (1 + exp(-epsilon0))
    p: dict[tuple[int, int], float] = defaultdict(float)
    q: dict[tuple[int, int], float] = defaultdict(float)
    for c in range(reports):
        weight = comb(reports - 1, c) * clone**c * (1 - clone) ** (reports - 1 - c)
        for a in range(c + 1):
            part = weight * comb(c, a) / 2**c
            for d in (0, 1):
                p[a + d, c - a + 1 - d] += part * (s if d else 1 - s)
                q[a + d, c - a + 1 - d] += part * (1 - s if d else s)
    pairs = np.array([(p[k], q[k]) for k in p])
    gap = pairs[:, 0] - np.exp(EPSILON)[:, None] * pairs[:, 1]
    return np.maximum(gap, 0).sum(axis=1)


@pytest.mark.parametrize("reports", [1, 2, 7, 60])
@pytest.mark.parametrize("kind", [True, False])
def test_the_pair_is_the_one_of_the_definition(reports, kind):
    clone = 2 / (1 + exp(1.0)) if kind else exp(-1.0)
    truth, claim = direct(1.0, reports, clone), claimed(1.0, reports, kind)
    assert (claim >= truth - 1e-13).all()
    assert claim == pytest.approx(truth, rel=1e-2, abs=1e-13)


def test_a_million_reports():
    loss = shuffled(1.0, 1_000_000)
    assert loss.blocks[0].atoms < 100_000
    assert 1 <= loss.highest < 1.001
    assert loss.escape == 0


def test_more_reports_hide_more():
    claims = [claimed(1.0, reports, False) for reports in (10, 100, 1000)]
    for fewer, more in pairwise(claims):
        assert (more <= fewer + 1e-12).all()


def test_nothing_to_hide():
    assert shuffled(0.0, 10).highest < 1e-200
