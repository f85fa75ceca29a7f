"""Two sampled Laplace releases against nested quadratures in mpmath."""

from __future__ import annotations

import mpmath as mp
import noise_mixes
import numpy as np
import pytest

from tightrope.loss.exact.beside_atoms import BesideAtoms
from tightrope.loss.exact.two_sampled_laplace import TwoSampledLaplace
from tightrope.loss.finite.finite import FiniteLoss
from tightrope.loss.laplace.laplace import LaplaceLoss
from tightrope.loss.laplace.sampled import SampledLaplaceLoss
from tightrope.loss.total import Total

KINDS = [((1.0, 0.1), (1.0, 0.1)), ((0.5, 0.3), (2.0, 0.01)), ((4.0, 0.9), (0.2, 0.5))]


def total_of(kinds: tuple[tuple[float, float], ...], with_unit: bool) -> Total:
    return Total.of([(SampledLaplaceLoss.sampled(*kind)[with_unit], 1) for kind in kinds])


def truth(kinds: tuple[tuple[float, float], ...], with_unit: bool, at: float) -> mp.mpf:
    """The mean over the second release of what the first one adds, both under Q."""
    (epsilon, rate), (other, share) = kinds
    x, g, e = mp.mpf(other), mp.mpf(share), mp.mpf(at)
    ends = [mp.log(1 - mp.mpf(rate) * (1 - mp.exp(s * mp.mpf(epsilon)))) for s in (-1, 1)]
    edges = {-x, x}
    for end in ends:
        log_r = (e if with_unit else -e) - end
        ratio = (mp.exp(log_r) - 1 + g) / g
        if mp.exp(-x) < ratio < mp.exp(x):
            edges.add(mp.log(ratio))

    def added(loss: mp.mpf) -> mp.mpf:
        r = 1 - g + g * mp.exp(loss)
        if with_unit:
            return r * noise_mixes.sampled(epsilon, rate, True, e - mp.log(r))
        return noise_mixes.sampled(epsilon, rate, False, e + mp.log(r))

    dense = mp.quad(lambda y: mp.exp(-(y + x) / 2) / 4 * added(y), sorted(edges), maxdegree=4)
    return added(-x) / 2 + mp.exp(-x) * added(x) / 2 + dense


@pytest.mark.parametrize("with_unit", [True, False])
@pytest.mark.parametrize("kinds", KINDS)
def test_two_releases(kinds: tuple[tuple[float, float], ...], with_unit: bool) -> None:
    total = total_of(kinds, with_unit)
    law = TwoSampledLaplace.of(total)
    assert law is not None
    at = np.array([0.4 * total.highest])
    found = law.log_delta(at)
    with mp.workdps(18):
        expected = float(mp.log(truth(kinds, with_unit, at[0])))
    middle = (found.lower[0] + found.upper[0]) / 2
    assert found.upper[0] - found.lower[0] < 1e-9
    assert abs(middle - expected) < 1e-12 + (found.upper[0] - found.lower[0]) / 2


def test_either_release_may_be_integrated_in_closed_form() -> None:
    for kinds in KINDS:
        for with_unit in (True, False):
            laws = [
                TwoSampledLaplace.of(total_of(order, with_unit)) for order in (kinds, kinds[::-1])
            ]
            at = np.linspace(0, 0.99, 23) * total_of(kinds, with_unit).highest
            first, second = (law.log_delta(at) for law in laws if law is not None)
            assert (first.lower <= second.upper).all()
            assert (second.lower <= first.upper).all()
            assert (first.upper - first.lower < 1e-8).all()


def test_one_of_them_may_see_all_the_data() -> None:
    total = Total.of([(SampledLaplaceLoss.sampled(1.0, 0.2)[1], 1), (LaplaceLoss.one(0.5), 1)])
    law = TwoSampledLaplace.of(total)
    assert law is not None
    found = law.log_delta(np.array([0.3]))
    with mp.workdps(18):
        expected = float(mp.log(truth(((1.0, 0.2), (0.5, 1.0)), True, 0.3)))
    assert abs(found.upper[0] - expected) < 1e-11
    assert found.upper[0] - found.lower[0] < 1e-11
    beside = Total.of([*((loss, 1) for loss in total.losses), (FiniteLoss.approx(0.1, 0.0), 1)])
    assert isinstance(beside.law, BesideAtoms)


def test_beyond_the_largest_loss_nothing_is_left() -> None:
    total = total_of(KINDS[0], True)
    law = TwoSampledLaplace.of(total)
    assert law is not None
    found = law.log_delta(np.array([1.01 * total.highest, 5.0]))
    assert (found.upper == -np.inf).all()


def test_no_law_for_three_releases_or_for_other_sizes() -> None:
    one = SampledLaplaceLoss.sampled(1.0, 0.1)[1]
    assert TwoSampledLaplace.of(Total.of([(one, 3)])) is None
    assert TwoSampledLaplace.of(total_of(((1.0, 0.1), (11.0, 0.1)), True)) is None
    assert TwoSampledLaplace.of(total_of(((1.0, 0.1), (1.0, 1e-5)), True)) is None
    assert TwoSampledLaplace.of(Total.of([(LaplaceLoss.one(1.0), 2)])) is None
