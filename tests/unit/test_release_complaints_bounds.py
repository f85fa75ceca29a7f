"""Complaints about bounds, sensitivities and thresholds in other libraries, as tests of ours."""

import math
import pickle
from fractions import Fraction

import numpy as np
import pytest

import tightrope as tr


def seeded(seed=1):
    return tr.InsecureEntropy(seed)


# --- bounds -----------------------------------------------------------------------------------


@pytest.mark.parametrize("low", [0, -50, -2.5, 10])
@pytest.mark.parametrize("high", [20, 12.75])
def test_the_sensitivity_comes_from_both_bounds(low, high):
    """IBM 104: the lower bound stood where the upper one belongs, among five such mistakes."""
    values = [low, high, (low + high) / 2]
    total = tr.bounded_sum(values, (low, high))
    assert total.sensitivity == max(abs(low), abs(high))
    replaced = tr.bounded_sum(values, (low, high), neighbors=tr.replace_one)
    assert replaced.sensitivity == high - low
    mean = tr.bounded_mean(values, (low, high))
    assert mean.total.sensitivity == Fraction(high - low) / 2
    assert mean.bounds == tr.Bounds(low, high)


@pytest.mark.parametrize("bounds", [(math.nan, 1), (0, math.nan), (math.nan, math.nan)])
def test_bounds_that_are_not_numbers_are_refused(bounds):
    """IBM 87: nanmean and its kin took NaN for bounds and broke."""
    for call in (
        lambda: tr.bounded_mean([1.0], bounds),
        lambda: tr.bounded_sum([1.0], bounds),
        lambda: tr.quantile([1.0], 0.5, bounds, epsilon=1),
        lambda: tr.Laplace(1.0).release([1.0], bounds=bounds),
        lambda: tr.Bounds(*bounds),
    ):
        with pytest.raises(tr.InvalidArgument, match=r"Bounds: (low|high) must be a finite number"):
            call()


def test_clipping_bounds_are_not_circumvented():
    """smartnoise-core 319: simple geometric noise was bounded, and its bounds could be evaded.

    Bounds clip what goes in, never what comes out: then the noise keeps its law.
    """
    values = [-(10**30), 10**30, 2**63, -math.inf, math.inf]
    for value in values[:3]:
        released = tr.DiscreteLaplace(3).release([value] * 400, bounds=(0, 5), entropy=seeded())
        edge = 0 if value < 0 else 5
        again = tr.DiscreteLaplace(3).release([edge] * 400, entropy=seeded())
        assert (released.value == again.value).all()
        assert released.value.min() < 0  # not folded at the bounds
        assert released.value.max() > 5
    noisy = tr.Gaussian(0.01, 0.01).release(values, bounds=(0, 5), entropy=seeded())
    assert np.abs(noisy.value - [0, 5, 5, 0, 5]).max() < 0.1


def test_a_row_is_clipped_by_itself():
    """smartnoise-sdk 622 (in 624, beside 621): clipping for a covariance leaked other rows."""
    rows = np.random.default_rng(1).normal(size=(50, 3)) * 10
    alone = np.vstack([tr.clip(row[np.newaxis], "L2", 1) for row in rows])
    assert (tr.clip(rows, "L2", 1) == alone).all()
    rows[7] = 1e300
    assert (np.delete(tr.clip(rows, "L2", 1), 7, axis=0) == np.delete(alone, 7, axis=0)).all()


@pytest.mark.parametrize("epsilon", [0.05, 0.5])
@pytest.mark.parametrize("delta", [1e-9, 1e-5])
def test_advanced_composition_has_its_logarithm(epsilon, delta):
    """smartnoise-sdk 621: an odometer's formula lost a logarithm, and told more than was spent.

    Never more than Theorem III.3 of Dwork, Rothblum and Vadhan (2010).
    """
    runs = 200
    advanced = math.sqrt(2 * runs * math.log(1 / delta)) * epsilon
    advanced += runs * epsilon * math.expm1(epsilon)
    spent = (tr.Laplace(1 / epsilon) ** runs).epsilon(delta=delta)
    assert spent <= min(advanced, runs * epsilon)


# --- arrays, contributions, thresholds --------------------------------------------------------


def test_mechanisms_take_arrays():
    """IBM 76: one value a call, and the advice was np.vectorize."""
    values = np.arange(24.0).reshape(2, 3, 4)
    for mechanism in (tr.Gaussian(1e-3, 1e-3), tr.Laplace(1e-3, 1e-3)):
        noisy = mechanism.release(values, coordinates=1, entropy=seeded())
        assert noisy.value.shape == values.shape
        assert np.abs(noisy.value - values).max() < 0.1
        assert len(set((noisy.value - values).ravel().tolist())) > 20  # each has its own noise


def test_one_who_gives_too_much_counts_as_often_as_declared():
    """google 84: of users with many rows more was kept than the bound, so it was not private."""
    noise = tr.DiscreteLaplace(0.01)
    outlier = [f"key {i}" for i in range(1000)] + ["tea"] * 1000
    people = [["tea"]] * 100
    for most in (1, 3, 10):
        quiet = tr.stable_histogram(people, noise, 0.4, contributions=most, entropy=seeded())
        loud = tr.stable_histogram(
            [*people, outlier], noise, 0.4, contributions=most, entropy=seeded()
        )
        assert loud.event == quiet.event
        moved = {key: loud.value.get(key, 0) - quiet.value.get(key, 0) for key in loud.value}
        assert all(0 <= change <= 1 for key, change in moved.items() if key == "tea")
        assert sum(count == 1 for key, count in loud.value.items() if key != "tea") <= most


def test_a_sparse_vector_gives_no_value():
    """NVFlare 343: weights above a threshold went out clipped and without noise of their own."""
    for mechanism in (tr.SparseVector(1.0), tr.GaussianSparseVector(0.5, length=10)):
        found = mechanism.release([0.1, 123.456, 7.0], threshold=50)
        assert found.value.dtype == bool
        assert np.float64(123.456).tobytes() not in pickle.dumps(found)
        assert "123" not in repr(found)


def test_sparse_vectors_are_there():
    """opendp 683: asked for in 2023 and still missing."""
    found = tr.SparseVector(epsilon=2.0).release([0, 0, 900], threshold=450)
    assert found.indices.tolist() == [2]
    assert found.event.to(tr.PureDP) == tr.PureDP(2.0)


# --- what selection and responses cost --------------------------------------------------------


@pytest.mark.parametrize("epsilon", [0.1, 1.0])
def test_a_quantile_costs_what_bounded_range_costs(epsilon):
    """tumult 120: quantiles by the exponential mechanism were charged epsilon^2/2 of zCDP."""
    event = tr.quantile([1.0, 2.0], 0.5, (0, 5), epsilon=epsilon).event
    assert event.to(tr.BoundedRange).epsilon == epsilon
    assert event.to(tr.ZCDP).rho <= epsilon**2 / 8
    assert (event**50).epsilon(delta=1e-6) < (tr.PureDP(epsilon) ** 50).epsilon(delta=1e-6)


def test_every_bit_of_a_unary_encoding_has_its_odds():
    """pure-LDP 11: a true bit was not kept with the probability that the guarantee was made of.

    A value is one bit among k, and another value changes two bits: each has half of epsilon.
    """
    epsilon, people, k = 2.0, 40_000, 4
    bits = np.zeros((people, k), dtype=bool)
    bits[:, 1] = True
    each = tr.RandomizedResponse(epsilon / 2)
    answers = each.release(bits, entropy=seeded()).value
    p = math.exp(epsilon / 2) / (1 + math.exp(epsilon / 2))
    spread = 5.5 * math.sqrt(p * (1 - p) / people)
    assert abs(answers[:, 1].mean() - p) < spread
    assert np.abs(answers[:, [0, 2, 3]].mean(axis=0) - (1 - p)).max() < spread
    assert (each**2).to(tr.PureDP).epsilon == pytest.approx(epsilon)


def test_such_a_bit_is_found_by_an_audit():
    """pure-LDP 11: it was an audit that told; ours tells of one that forgets half of the ones."""
    draw = np.random.default_rng(3)
    p = math.e / (1 + math.e)

    def wrong(bit):
        return bool(draw.random() < (0.98 if bit else 1 - p))

    assert tr.audit(wrong, tr.PureDP(1.0), neighbors=(True, False), trials=4000).refuted
    right = tr.audit(tr.RandomizedResponse(1.0), trials=4000, entropy=seeded())
    assert right.verdict == "not refuted"
