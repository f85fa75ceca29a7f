"""Unions of pairs, tails of characteristic functions, and lattices that atoms are laid on."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest
from engine import gaussian_groups
from quadratures import decay_holds

from tightrope.loss.contour.tails import by_variation, followed
from tightrope.loss.discrete.discrete_gaussian import DiscreteGaussianLoss
from tightrope.loss.dominating import Dominating
from tightrope.loss.finite.discrete_gaussian import covered
from tightrope.loss.finite.finite import FiniteLoss
from tightrope.loss.finite.laid import laid
from tightrope.loss.finite.union import union
from tightrope.loss.gaussian import GaussianLoss
from tightrope.loss.mixture.union import UnionLoss
from tightrope.loss.pair_profile import PairProfile
from tightrope.loss.sampling import schemes
from tightrope.loss.sampling.sampled import as_finite, cover, poisson
from tightrope.loss.spliced.spliced import SplicedLoss


def of(pair: Dominating, count: int, epsilon: np.ndarray) -> np.ndarray:
    many = Dominating(tuple(total.times(count) for total in pair.orders))
    return np.exp(PairProfile([many]).log_delta(epsilon).upper)


EPSILON = np.array([0.1, 0.7])


def test_a_union_of_one_kind_is_that_kind():
    one = SplicedLoss.one(1.0, 0.1)
    union = UnionLoss.one([one, one], [0.25, 0.75])
    tau = np.array([0.0, 0.5, 20.0])
    plain, mixed = (loss.line(1.5).transform(tau) for loss in (one, union))
    assert mixed.value == pytest.approx(plain.value, rel=1e-14)
    assert (mixed.error >= plain.error * 0.99).all()
    assert decay_holds(union.times(20).line(1.5), np.geomspace(0.01, 300, 100))


def test_the_transform_is_the_sum():
    parts = [GaussianLoss(0.5), FiniteLoss.randomized_response(0.3)]
    union = UnionLoss.one(parts, [0.3, 0.5], 1e-3)
    tau = np.array([0.0, 1.0, 7.0])
    first, second = (np.exp(part.line(0.8).transform(tau).value) for part in parts)
    truth = 0.3 * first + 0.5 * second + (1 - 0.3 - 0.5 - 1e-3)
    at = union.line(0.8).transform(tau)
    assert np.exp(at.value) == pytest.approx(truth, rel=1e-13)
    assert np.exp(union.estimate(0.8 + 1j * tau)) == pytest.approx(truth, rel=1e-12)
    assert union.escape == pytest.approx(1e-3, rel=1e-3)
    assert union.highest == math.inf


def test_a_small_union_keeps_its_digits():
    """log M is about 1e-12."""
    union = UnionLoss.one([GaussianLoss(1e-6)], [1e-6])
    value = union.line(1.0).transform(np.zeros(1)).value.real[0]
    assert value == pytest.approx(1e-6 * math.expm1(1e-6), rel=1e-13)


def test_unions_side_by_side():
    one = UnionLoss.one([GaussianLoss(0.5)], [0.5])
    other = UnionLoss.one([GaussianLoss(0.1)], [1.0])
    both = UnionLoss.together([one.times(2), other])
    z = np.array([1.0 + 1j])
    assert both.estimate(z) == pytest.approx(2 * one.estimate(z) + other.estimate(z), rel=1e-13)
    assert both.cost == one.cost + other.cost


# --- against a peer ------------------------------------------------------------------------------


def test_truncated_poisson_samples_against_a_peer():
    """The peer's data set includes the unit. Its full batches keep the unit with the mean chance
    instead of the largest, but are covered for replacing it in both laws.
    """
    peer = pytest.importorskip("dp_accounting.pld.privacy_loss_distribution")
    law = peer.from_truncated_subsampled_gaussian_mechanism(1001, 0.02, 35, 1.0, 4e-3)
    theirs = np.array(law.self_compose(50).get_delta_for_epsilon(EPSILON))
    pair = schemes.truncated_poisson(gaussian_groups(1.0), 0.02, 35, 1000)
    ours = of(pair, 50, EPSILON)
    assert ours == pytest.approx(theirs, rel=2e-2)
    plain = of(Dominating.of_orders(poisson(GaussianLoss(1.0), 0.02)), 50, EPSILON)
    assert (ours > plain).all()


def test_rarely_full_batches_cost_nothing():
    groups = gaussian_groups(1.0)
    pair = schemes.truncated_poisson(groups, 0.02, 200, 1000)
    plain = Dominating.of_orders(poisson(GaussianLoss(1.0), 0.02))
    assert of(pair, 200, EPSILON) == pytest.approx(of(plain, 200, EPSILON), rel=1e-9)


# --- covers of what has no transform of its own ---------------------------------------------------


def test_a_polygon_of_a_gaussian_is_almost_it():
    finite = as_finite(Dominating.symmetric(GaussianLoss(1.0)))
    exact = of(Dominating.symmetric(GaussianLoss(1.0)), 1, EPSILON)
    rough = of(Dominating.symmetric(finite), 1, EPSILON)
    assert (rough >= exact * (1 - 1e-12)).all()
    assert rough == pytest.approx(exact, rel=1e-4)


def test_covers_by_polygons_and_by_transforms_agree():
    gaussian = GaussianLoss(1.0)
    finite = as_finite(Dominating.symmetric(gaussian))
    for exact, rough in (
        (Dominating.symmetric(cover(gaussian, 0.1)), Dominating.symmetric(cover(finite, 0.1))),
        (schemes.poisson_replace(gaussian, 0.1), schemes.poisson_replace(finite, 0.1)),
    ):
        truth, above = of(exact, 20, EPSILON), of(rough, 20, EPSILON)
        assert (above >= truth * (1 - 1e-9)).all()
        assert above == pytest.approx(truth, rel=2e-3)


def test_atoms_on_a_lattice_keep_both_masses():
    rng = np.random.default_rng(5)
    losses, masses = rng.normal(size=500), rng.dirichlet(np.ones(500))
    points, mass = laid(losses, masses, 0.1)
    assert mass.sum() == pytest.approx(1, rel=1e-14)
    assert mass @ np.exp(-points) == pytest.approx(masses @ np.exp(-losses), rel=1e-13)
    at = np.linspace(-2, 2, 31)[:, None]
    before = (masses * -np.expm1(np.minimum(at - losses, 0))).sum(axis=1)
    after = (mass * -np.expm1(np.minimum(at - points, 0))).sum(axis=1)
    assert (after >= before - 1e-14).all()


# --- tails ---------------------------------------------------------------------------------------


def test_bounds_on_characteristic_functions():
    """An atom of 0.3 and a uniform variable: 0.3 + 0.7 sin(t)/t."""
    t = np.geomspace(1e-3, 1e3, 4000)
    size = np.abs(0.3 + 0.7 * np.sin(t) / t)
    later = np.maximum.accumulate(size[::-1])[::-1]
    far = by_variation(0.3, 0.7)
    near = followed(lambda tau: np.abs(0.3 + 0.7 * np.sin(tau) / tau), 0.7 / 3, far)
    for tails in (far, near):
        assert (later <= np.exp(tails.log_bound(t)) + 1e-12).all()
    small = np.array([0.01, 0.1, 1.0])
    truth = np.log(np.abs(0.3 + 0.7 * np.sin(small) / small))
    assert near.log_bound(small) == pytest.approx(truth, rel=0.25)
    assert (near.log_bound(small) <= far.log_bound(small) + 1e-15).all()


# --- discrete noise ------------------------------------------------------------------------------


def test_discrete_gaussian_noise_as_a_finite_pair():
    exact = DiscreteGaussianLoss.one(Fraction(9), 2)
    cut = covered(exact)
    assert cut is not None
    assert cut.escape == pytest.approx(math.exp(-80), rel=1e-6)
    pairs = (Dominating.symmetric(exact), Dominating.symmetric(cut))
    truth, found = (of(pair, 3, EPSILON) for pair in pairs)
    assert found == pytest.approx(truth, rel=1e-10)
    assert covered(exact.times(2)) is None
    assert covered(DiscreteGaussianLoss.one(Fraction(10**9))) is None


def test_sampled_discrete_gaussian_noise_is_about_that_of_the_gaussian():
    discrete, gaussian = DiscreteGaussianLoss.one(Fraction(400)), GaussianLoss(1 / 400)
    for sample in (lambda x: poisson(x, 0.2)[1], lambda x: cover(x, 0.2)):
        found = [of(Dominating.symmetric(sample(x)), 50, EPSILON) for x in (discrete, gaussian)]
        assert found[0] == pytest.approx(found[1], rel=5e-3)


def test_a_union_of_finite_pairs_is_one_finite_pair():
    parts = [FiniteLoss.randomized_response(0.5), FiniteLoss.approx(0.2, 1e-3)]
    together = union(parts, [0.3, 0.6], 1e-4)
    assert isinstance(together, FiniteLoss)
    z = np.array([0.4 + 0j, 2.0 + 1j])
    apart = UnionLoss.one(parts, [0.3, 0.6], 1e-4)
    assert together.estimate(z) == pytest.approx(apart.estimate(z), rel=1e-12)
    assert together.escape == pytest.approx(apart.escape, rel=1e-12)
