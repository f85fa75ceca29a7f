"""Sparse vectors: the law of what is run, and what it costs, by exact laws."""

import math
from collections import Counter
from dataclasses import dataclass
from fractions import Fraction
from itertools import product

import mpmath as mp
import numpy as np
import pytest
import threshold_inputs
from oracle import threshold_laws as oracle
from oracle.pearson import fit_of

import tightrope as tr
from tightrope.mechanisms.noise_law import LaplaceLaw
from tightrope.mechanisms.noisy_threshold import FAR, QueryGrid, crossings
from tightrope.mechanisms.sparse_vector import scales

RARE = 1e-8
"""So often a test of a law fails wrongly, given fresh seeds; all together below 1e-7."""


# --- every string of noise ----------------------------------------------------------------------


@dataclass(frozen=True)
class Listed:
    """Noise that a test hands out, where a law is drawn from."""

    values: list

    def draw(self, count, source):
        drawn, self.values[:] = self.values[:count], self.values[count:]
        return np.array(drawn + [0] * (count - len(drawn)), dtype=np.int64)


@pytest.mark.parametrize("cutoff", [1, 2, 5])
@pytest.mark.parametrize("lazily", [False, True])
def test_every_noise_of_a_small_law(cutoff, lazily):
    """The code on all noise vectors, weighed, is the law by its definition; nothing is rounded."""
    queries, threshold = [3, 0, 5, 4], 4
    of_threshold = {-2: Fraction(1, 8), 0: Fraction(5, 8), 1: Fraction(1, 4)}
    of_query = {-3: Fraction(1, 16), 0: Fraction(9, 16), 1: Fraction(1, 4), 4: Fraction(1, 8)}
    found = Counter()
    for rho, *noise in product(of_threshold, *[of_query] * len(queries)):
        weight = of_threshold[rho] * math.prod(of_query[y] for y in noise)
        laws = Listed([rho]), Listed(noise)
        points = iter(queries) if lazily else np.array(queries)
        found[tuple(crossings(points, threshold, laws, cutoff, None).tolist())] += weight
    assert found == oracle.sparse_vector(queries, threshold, of_threshold, of_query, cutoff)


@pytest.mark.parametrize("lazily", [False, True])
def test_saturated_noise_is_on_its_side(lazily):
    """Noise at its end is beyond all queries; then d ends at +-2^61, and all noise is compared."""
    most = 2**62
    for rho, nu, expected in [
        (most, 2**61 - 1, False),
        (most, 2**61, True),
        (-most, -(2**61), True),
        (-most, -(2**61) - 1, False),
        (most, -most, False),
        (-most, most, True),
        (0, most, True),
        (0, -most, False),
    ]:
        for query, line in [(FAR, -FAR), (-FAR, FAR), (0, 0)]:
            points = iter([query]) if lazily else np.array([query])
            laws = Listed([rho]), Listed([nu])
            assert crossings(points, line, laws, 1, None).tolist() == [expected]


# --- what it costs, by exact laws ---------------------------------------------------------------

STEPS, EPSILON = threshold_inputs.STEPS, Fraction(1)


def cost(first, second, cutoff, monotone=False, of_query=None):
    of_threshold = oracle.discrete_laplace(first, 60)
    query_law = of_query or oracle.discrete_laplace(second, 90)
    laws = [
        [oracle.sparse_vector(queries, 0, of_threshold, query_law, cutoff) for queries in pair]
        for pair in threshold_inputs.neighbours(monotone)
    ]
    return oracle.worst_log_ratio(laws)


@pytest.mark.parametrize("monotone", [False, True])
@pytest.mark.parametrize("cutoff", [1, 2])
def test_the_noise_that_is_drawn_keeps_the_promise(monotone, cutoff):
    first, second = scales(EPSILON, cutoff, STEPS, monotone)
    found = cost(first, second, cutoff, monotone)
    assert 0.3 < found <= EPSILON


FIRST, SECOND = scales(EPSILON, 2, STEPS, False)
WRONG = {
    "no noise on queries (Stoddard et al. 2014)": (FIRST, None, 2, {0: mp.mpf(1)}),
    "no factor of the cut-off (Lee and Clifton 2014)": (FIRST, SECOND / 2, 2, None),
    "no cut-off (Chen et al. 2015)": (FIRST, scales(EPSILON, 1, STEPS, False)[1], None, None),
    "noise of monotone queries": (*scales(EPSILON, 2, STEPS, True), 2, None),
    "a sensitivity of 1 for that of both": (FIRST / 2, SECOND / 2, 2, None),
}


@pytest.mark.parametrize("wrong", WRONG.values(), ids=WRONG.keys())
def test_wrong_variants_are_found_out(wrong):
    """Lyu, Su and Li (2017), section 3: what others published costs more than it says."""
    first, second, cutoff, of_query = wrong
    assert cost(first, second, cutoff, of_query=of_query) > EPSILON * (1 + Fraction(1, 20))


def test_what_is_drawn_is_the_law_and_no_wrong_variant():
    queries, draws = np.array([0, -1, 2, 1]), 2_000
    source = tr.InsecureEntropy(21)
    laws = LaplaceLaw(Fraction(FIRST)), LaplaceLaw(Fraction(SECOND))
    observed = Counter(tuple(crossings(queries, 0, laws, 2, source).tolist()) for _ in range(draws))

    def law(first, second, cutoff, of_query):
        of_threshold = oracle.discrete_laplace(first, 60)
        query_law = of_query or oracle.discrete_laplace(second, 90)
        return oracle.sparse_vector(queries.tolist(), 0, of_threshold, query_law, cutoff)

    assert fit_of(observed, law(FIRST, SECOND, 2, None)) > RARE
    for wrong in WRONG.values():
        assert fit_of(observed, law(*wrong)) < RARE


def test_the_release_is_the_continuous_law_to_a_millionth():
    """On the fine grid; probabilities by integrating over the threshold's noise."""
    mechanism, draws = tr.SparseVector(2.0, cutoff=1), 500
    source = tr.InsecureEntropy(22)
    observed = Counter(
        tuple(mechanism.release([1.5, 4.0], 3.0, 0.75, entropy=source).value.tolist())
        for _ in range(draws)
    )
    split = 2 ** (2 / 3)
    first, second = 0.75 * (1 + split) / 2, 2 * 0.75 * (1 + split) / (2 * split)
    rho = (np.arange(400_000) + 0.5) / 400_000 * 60 - 30
    density = np.exp(-np.abs(rho) / first) / (2 * first) * 60 / 400_000

    def above(query):
        d = 3.0 + rho - query
        return np.where(d > 0, np.exp(-d / second) / 2, 1 - np.exp(d / second) / 2)

    one, two = above(1.5), above(4.0)
    law = {
        (True,): (density * one).sum(),
        (False, True): (density * (1 - one) * two).sum(),
        (False, False): (density * (1 - one) * (1 - two)).sum(),
    }
    assert sum(law.values()) == pytest.approx(1, abs=1e-6)
    assert fit_of(observed, law) > RARE


@pytest.mark.parametrize("epsilon", [Fraction(1, 2**20), 0.1, 1, 7.5, 400, 1e300])
@pytest.mark.parametrize("cutoff", [1, 7, 2**8])
@pytest.mark.parametrize("monotone", [False, True])
def test_the_split_covers_what_rounding_adds(epsilon, cutoff, monotone):
    for sensitivity in (1, 0.3, Fraction(10, 7), 2.0**-900, 1e200):
        grid = QueryGrid.of(sensitivity, "test")
        moved = math.floor(Fraction(sensitivity) / Fraction(2) ** grid.exponent) + 1
        assert grid.moved == moved
        first, second = scales(Fraction(epsilon), cutoff, moved, monotone)
        weight = cutoff if monotone else 2 * cutoff
        spent = Fraction(moved, first) + Fraction(weight * moved, second)
        assert spent <= Fraction(epsilon)
        if epsilon < 10**5:
            assert spent > Fraction(epsilon) * (1 - Fraction(1, 10**4))
            ratio = weight ** (2 / 3)
            assert second * ratio == pytest.approx(weight * first, rel=1e-3)
        assert 1 <= first < 2**56
        assert second < 2**56
