"""Sparse vectors with Gaussian noise: what they cost, by exact laws and by formulas."""

from fractions import Fraction

import pytest
import threshold_inputs
from oracle import threshold_laws as oracle

import tightrope as tr
from tightrope.mechanisms.gaussian_sparse_vector import variances


@pytest.mark.parametrize("monotone", [False, True])
@pytest.mark.parametrize("length", [1, 3, 4])
def test_gaussian_noise_keeps_its_promise(monotone, length):
    """Exact laws of a coarse lattice, at the variances that a release would take."""
    event = tr.GaussianSparseVector(mu=1.0, length=length, monotone=monotone)
    first, second = variances(Fraction(1), threshold_inputs.STEPS, monotone)
    of_threshold = oracle.discrete_gaussian(first, 24)
    of_query = oracle.discrete_gaussian(second, 36)
    worst = 0
    for pair in threshold_inputs.neighbours(monotone):
        p, q = (
            oracle.sparse_vector(queries[:length], 6, of_threshold, of_query, 1) for queries in pair
        )
        for a, b in ((p, q), (q, p)):
            for epsilon in (0.0, 1.0, 2.0):
                exact = oracle.hockey_stick(a, b, epsilon)
                assert exact <= event.delta(epsilon)
                worst = max(worst, exact / event.delta(epsilon))
            for order in (1.5, 8):
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
