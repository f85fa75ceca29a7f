"""The Renyi bound of Skellam noise against divergences summed in mpmath."""

import mpmath as mp
import numpy as np
import pytest
from oracle import skellam_law

from tightrope.theorems import skellam
from tightrope.theorems.registry import Grade, theorems

CASES = [(0.3, 1), (1, 1), (1, 3), (4, 1), (10, 2), (10, 9), (100, 1), (100, 30)]
ORDERS = [1.001, 1.5, 2, 2.5, 7.25, 16]


def divergence(order, variance, shift):
    """log of the sum of p^a q^(1 - a), over a - 1."""
    with mp.workdps(40):
        reach = int(12 * variance**0.5 + 40 + shift * (3 + min(order, 20)))
        logs = [mp.log(mass) for mass in skellam_law.masses(variance, reach + shift)]
        total = mp.fsum(
            mp.exp(order * logs[abs(y)] + (1 - order) * logs[abs(y - shift)])
            for y in range(-reach, reach + 1)
        )
        return float(mp.log(total) / (order - 1))


@pytest.mark.parametrize(("variance", "shift"), CASES)
def test_the_bound_holds_at_every_order(variance, shift):
    for order in ORDERS:
        true = divergence(order, variance, shift)
        bound = float(skellam.renyi(order, variance, shift**2, shift))
        assert true <= bound
        rho, xi = skellam.line(variance, shift**2, shift)
        assert bound <= (xi + rho * order) * (1 + 1e-12)


def test_it_is_close_where_noise_is_wide():
    for order in (2, 8):
        bound = float(skellam.renyi(order, 1e4, 1, 1))
        assert bound <= 1.0003 * divergence(order, 1e4, 1)


def test_the_theorem_as_it_is_written():
    """a D^2/(2 v) + min(((2 a - 1) D^2 + 6 D)/(4 v^2), 3 D/(2 v)) for a = 3, D = 2, v = 5."""
    assert skellam.renyi(3.0, 5.0, 4.0, 2.0) == pytest.approx(1.2 + 32 / 100, rel=1e-13)
    assert skellam.renyi(3.0, 0.5, 4.0, 2.0) == pytest.approx(12 + 6, rel=1e-13)


def test_arrays_extremes_and_nothing():
    orders = np.array([1.0 + 1e-12, 2.0, 1e30, np.inf])
    found = skellam.renyi(orders, 4.0, 1.0, 1.0)
    assert found.shape == (4,)
    assert (np.diff(found) >= 0).all()
    assert found[-1] == np.inf
    assert skellam.renyi(2.0, 4.0, 0.0, 0.0) == 0
    assert skellam.line(4.0, 0.0, 0.0) == (0, 0)


def test_it_is_registered_with_its_source():
    import tightrope.mechanisms  # noqa: F401

    known = {t.name: t for t in theorems("mechanism")}
    for name in ("Skellam.rdp", "Skellam.zcdp", "SkellamVector.rdp", "SkellamVector.zcdp"):
        assert known[name].grade is Grade.LOOSE
