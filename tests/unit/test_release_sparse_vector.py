"""Sparse vectors: the law of what is run, what it is proved to cost, and what is refused."""

import math
from collections import Counter
from dataclasses import dataclass
from fractions import Fraction
from itertools import count, product

import mpmath as mp
import numpy as np
import pytest
from oracle import threshold_laws as oracle
from scipy.special import chdtrc

import tightrope as tr
from tightrope.mechanisms.gaussian_sparse_vector import variances
from tightrope.mechanisms.noise_law import LaplaceLaw
from tightrope.mechanisms.noisy_threshold import FAR, QueryGrid, crossings
from tightrope.mechanisms.sparse_vector import scales

RARE = 1e-8
"""So often a test of a law fails wrongly, given fresh seeds; all together below 1e-7."""


def p_value(observed, law, draws):
    """Pearson's test of counts against a law; results that are rare are pooled."""
    rare = [result for result, p in law.items() if p * draws < 25]
    cells = [(observed[result], float(law[result]) * draws) for result in law if result not in rare]
    rest = float(sum(law[result] for result in rare)) * draws
    if rest > 25:
        cells.append((sum(observed[result] for result in rare), rest))
    statistic = sum((o - e) ** 2 / e for o, e in cells)
    assert sum(observed.values()) == draws
    return chdtrc(len(cells) - 1, statistic)


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

STEPS, EPSILON = 2, Fraction(1)
"""A query moves by at most two units of the noise's lattice."""


def neighbours(monotone):
    """Pairs of queries: among them those that are worst for each of the wrong variants."""
    change = [(STEPS,) * 4, (-STEPS, -STEPS, STEPS, STEPS), (STEPS, STEPS, -STEPS, -STEPS)]
    for far in (-9, 0, 9):
        for change_of in change[: 1 if monotone else 3]:
            base = (0, 0, far, far)
            yield base, tuple(q + c for q, c in zip(base, change_of, strict=True))


def cost(first, second, cutoff, monotone=False, of_query=None):
    of_threshold = oracle.discrete_laplace(first, 100)
    query_law = of_query or oracle.discrete_laplace(second, 150)
    laws = [
        [oracle.sparse_vector(queries, 0, of_threshold, query_law, cutoff) for queries in pair]
        for pair in neighbours(monotone)
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
    queries, draws = np.array([0, -1, 2, 1]), 4_000
    source = tr.InsecureEntropy(21)
    laws = LaplaceLaw(Fraction(FIRST)), LaplaceLaw(Fraction(SECOND))
    observed = Counter(tuple(crossings(queries, 0, laws, 2, source).tolist()) for _ in range(draws))

    def law(first, second, cutoff, of_query):
        of_threshold = oracle.discrete_laplace(first, 100)
        query_law = of_query or oracle.discrete_laplace(second, 150)
        return oracle.sparse_vector(queries.tolist(), 0, of_threshold, query_law, cutoff)

    assert p_value(observed, law(FIRST, SECOND, 2, None), draws) > RARE
    for wrong in WRONG.values():
        assert p_value(observed, law(*wrong), draws) < RARE


def test_the_release_is_the_continuous_law_to_a_millionth():
    """On the fine grid; probabilities by integrating over the threshold's noise."""
    mechanism, draws = tr.SparseVector(2.0, cutoff=1), 1_500
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
    assert p_value(observed, law, draws) > RARE


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


# --- Gaussian noise ------------------------------------------------------------------------------


@pytest.mark.parametrize("monotone", [False, True])
@pytest.mark.parametrize("length", [1, 3, 4])
def test_gaussian_noise_keeps_its_promise(monotone, length):
    """Exact laws of a coarse lattice, at the variances that a release would take."""
    event = tr.GaussianSparseVector(mu=1.0, length=length, monotone=monotone)
    first, second = variances(Fraction(1), STEPS, monotone)
    of_threshold = oracle.discrete_gaussian(first, 30)
    of_query = oracle.discrete_gaussian(second, 45)
    worst = 0
    for pair in neighbours(monotone):
        p, q = (
            oracle.sparse_vector(queries[:length], 6, of_threshold, of_query, 1) for queries in pair
        )
        for a, b in ((p, q), (q, p)):
            for epsilon in (0.0, 0.5, 1.0, 2.0):
                exact = oracle.hockey_stick(a, b, epsilon)
                assert exact <= event.delta(epsilon)
                worst = max(worst, exact / event.delta(epsilon))
            for order in (1.5, 2, 8):
                assert oracle.renyi(a, b, order) <= event.to(tr.RDP)(order)
    assert worst > 0.05


@pytest.mark.parametrize("mu", [Fraction(1, 2**20), 0.1, 1, 5, 64])
@pytest.mark.parametrize("monotone", [False, True])
def test_variances_of_the_gaussian_variant(mu, monotone):
    moved = 2**24 + 1
    first, second = variances(Fraction(mu), moved, monotone)
    spent = (1 if monotone else 4) * Fraction(moved**2, second) + Fraction(moved**2, first)
    assert Fraction(mu) ** 2 * (1 - Fraction(1, 10**9)) < spent <= Fraction(mu) ** 2
    assert second == (1 if monotone else 2) * first


def test_one_query_is_two_gaussians():
    one = tr.GaussianSparseVector(mu=0.5, length=1)
    assert one.epsilon(delta=1e-6) == pytest.approx(tr.GDP(0.5).epsilon(delta=1e-6), rel=1e-12)
    ten = tr.GaussianSparseVector(mu=0.5, length=10)
    assert ten.epsilon(delta=1e-6) == pytest.approx(tr.GDP(0.5).epsilon(delta=1e-7), rel=1e-9)
    assert (ten**3).epsilon(delta=1e-6) < 3 * ten.epsilon(delta=3e-7)
    assert tr.GaussianSparseVector(mu=0, length=9).epsilon(delta=1e-9) == 0


# --- what comes back, and what is refused ---------------------------------------------------------

MECHANISMS = [tr.SparseVector(4.0), tr.GaussianSparseVector(mu=2.0, length=2**20)]
every = pytest.mark.parametrize("mechanism", MECHANISMS, ids=["laplace", "gaussian"])


@every
def test_what_comes_back(mechanism):
    found = mechanism.release([0, -5, 10_000, 20_000], 5000)
    assert found.value.dtype == bool
    assert (found.value.tolist(), found.indices.tolist()) == ([False, False, True], [2])
    assert found.halted
    assert found.secure
    assert found.event is mechanism
    assert found.to(tr.TradeOff)
    assert "Crossings([2] of 3, by" in repr(found)
    none = mechanism.release([0, 1], 9e9, entropy=tr.InsecureEntropy(1))
    assert (none.value.tolist(), none.halted, none.secure) == ([False, False], False, False)
    assert "INSECURE" in repr(none)
    empty = mechanism.release([], 1)
    assert (len(empty.value), empty.indices.tolist(), empty.halted) == (0, [], False)


def test_it_stops_at_the_cut_off():
    queries = np.zeros(700_000)
    queries[[5, 300_000, 600_000, 699_999]] = 1e6
    found = tr.SparseVector(50.0, cutoff=3).release(queries, 5e5)
    assert found.indices.tolist() == [5, 300_000, 600_000]
    assert len(found.value) == 600_001
    assert found.halted
    assert not tr.SparseVector(50.0, cutoff=5).release(queries, 5e5).halted


@every
def test_an_iterator_is_taken_no_further_than_needed(mechanism):
    queries = iter([0, 1, 10**6, "never looked at"])
    assert mechanism.release(queries, 5e5).indices.tolist() == [2]
    assert next(queries) == "never looked at"
    endless = (1e6 if i == 300 else 0.0 for i in count())
    assert mechanism.release(endless, 5e5).indices.tolist() == [300]


def test_the_gaussian_variant_answers_no_more_than_its_length():
    mechanism = tr.GaussianSparseVector(mu=1.0, length=3)
    endless = iter(lambda: 0, 1)
    assert len(mechanism.release(endless, 1e9).value) == 3
    with pytest.raises(tr.InvalidArgument, match="there are 4 queries, and length=3"):
        mechanism.release([0] * 4, 1e9)


@every
@pytest.mark.parametrize("dtype", [np.int8, np.uint8, np.uint64, np.int64, np.float16, np.float32])
def test_queries_of_any_type_and_layout(mechanism, dtype):
    """An unsigned difference would wrap around."""
    queries = np.array([0, 9, 120, 9, 1, 9], dtype=dtype)[::2]
    queries.flags.writeable = False
    assert mechanism.release(queries, 60, 0.25).indices.tolist() == [1]


@every
def test_queries_of_any_size(mechanism):
    assert mechanism.release([True, False], 0.5, 1e-3).indices.tolist() == [0]
    assert mechanism.release([-(2**63), 2**63 - 1], 0).indices.tolist() == [1]
    assert mechanism.release(np.array([0, 2**64 - 1], np.uint64), 1e9).indices.tolist() == [1]
    assert mechanism.release([-(10**400), 10**400], 0).indices.tolist() == [1]
    assert mechanism.release([-1e308, 1e308], Fraction(1, 10**300), 1e-300).indices.tolist() == [1]


@every
@pytest.mark.parametrize(
    ("queries", "told"),
    [
        ([0.0, math.nan], r"queries\[1\] is not a number"),
        ([0.0, 1.0, -math.inf], r"queries\[2\] is infinite"),
        (3.0, "queries must be a sequence"),
        ([[1, 2], [3, 4]], "queries must be a sequence"),
        (["a"], "queries must be numbers"),
        ([Fraction(1, 2)], "Fraction"),
    ],
)
def test_queries_that_are_refused(mechanism, queries, told):
    with pytest.raises(tr.InvalidArgument, match=told):
        mechanism.release(queries, 1e9)


@every
@pytest.mark.parametrize(
    ("queries", "told"),
    [
        ([0.0, math.nan], r"queries\[1\] is not a number"),
        ([0.0, math.inf], r"queries\[1\] is infinite"),
        ([0.0, [1, 2]], r"queries\[1\] must be one number"),
        ([None], r"queries\[0\] is missing"),
        (["a"], r"queries\[0\] must be numbers"),
    ],
)
def test_items_of_an_iterator_that_are_refused(mechanism, queries, told):
    with pytest.raises(tr.InvalidArgument, match=told):
        mechanism.release(iter(queries), 1e9)


@every
def test_arguments_that_are_refused(mechanism):
    for bad in (0, -1, math.inf, math.nan, "1", None):
        with pytest.raises(tr.InvalidArgument, match="sensitivity must be"):
            mechanism.release([1, 2], 0, bad)
    for bad in (math.inf, math.nan, "1", None, [1]):
        with pytest.raises(tr.InvalidArgument, match="threshold must be"):
            mechanism.release([1, 2], bad)
    with pytest.raises(tr.InvalidArgument, match="entropy must be a source"):
        mechanism.release([1, 2], 0, entropy=7)


def test_noise_that_no_integer_holds_is_refused():
    with pytest.raises(tr.InvalidArgument, match="epsilon/cutoff must be at least"):
        tr.SparseVector(1.0, cutoff=2**29).release([1], 0)
    with pytest.raises(tr.InvalidArgument, match="epsilon/cutoff must be at least"):
        tr.SparseVector(0).release([1], 0)
    for mu in (0, 65):
        with pytest.raises(tr.InvalidArgument, match="mu must be a number from"):
            tr.GaussianSparseVector(mu=mu, length=5).release([1], 0)
    with pytest.raises(tr.InvalidArgument, match="monotone must be True or False"):
        tr.GaussianSparseVector(mu=1, length=5, monotone=1)
