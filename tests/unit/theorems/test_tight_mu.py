"""The Gaussian parameter of a zCDP bound with an offset, between a witness and a cap.

The witness is randomised response: the largest t at which all Renyi divergences of RR_t are at
most xi + rho order is a mechanism of the class, and exactly 2 g(t)-GDP. The values below are
that 2 g(t), computed with mpmath at 40 digits with the order searched continuously; they are
lower bounds on the truth, whatever the theorem.
"""

import math

import numpy as np
import pytest

from tightrope._errors import InvalidArgument
from tightrope.num.normal import quantile, quantile_of_log
from tightrope.theorems.constants import mu_pure, mu_zcdp
from tightrope.theorems.testing_boundary import tradeoff
from tightrope.theorems.tight_mu import mu_of_xi_rho

WITNESSES = [
    (0.5, 0.5, 1.8409702657671851),
    (1.0, 0.01, 1.3700016619810956),
    (0.1, 1.0, 1.9617206806557995),
    (5.0, 0.1, 5.048953386198091),
    (1e-3, 1e-3, 0.05972220230630805),
    (3.0, 1e-3, 3.3542315384952187),
    (1.0, 1e-6, 1.2333697424356147),
    (20.0, 5.0, 13.315809287210466),
    (1e-6, 1e-9, 5.9838129169943141e-5),
    (50.0, 50.0, 27.776952066007773),
]


@pytest.mark.parametrize(("xi", "rho", "witness"), WITNESSES)
def test_sharp(xi: float, rho: float, witness: float) -> None:
    mu = mu_of_xi_rho(xi, rho)
    assert witness * (1 - 1e-15) <= mu <= witness * (1 + 1e-6)
    assert mu <= mu_zcdp(xi + rho) * (1 + 1e-14)


@pytest.mark.parametrize(("xi", "rho"), [(0.5, 0.5), (1.0, 0.01), (0.02, 0.3), (2.0, 2.0)])
def test_no_test_exceeds_it(xi: float, rho: float) -> None:
    alpha = np.geomspace(1e-9, 0.9, 60)
    beta = tradeoff(lambda order: xi + rho * order, alpha)
    assert np.all(-quantile(beta) - quantile(alpha) <= mu_of_xi_rho(xi, rho))


@pytest.mark.parametrize(("xi", "rho"), [(0.5, 0.5), (1.0, 0.01), (30.0, 9.0)])
def test_far_tail(xi: float, rho: float) -> None:
    """There q is below exp(-(sqrt(log(1/alpha) - xi) - sqrt(rho))^2), and m near sqrt(2 rho)."""
    log_alpha = -np.geomspace(4 * (xi + rho), 1e8, 60)
    log_q = -((np.sqrt(-log_alpha - xi) - math.sqrt(rho)) ** 2)
    assert np.all(quantile_of_log(log_q) - quantile_of_log(log_alpha) <= mu_of_xi_rho(xi, rho))


def test_between_its_parts() -> None:
    """At least the Gaussian, zCDP and pure mechanisms that the class contains."""
    for xi, rho in [(0.3, 0.2), (1.0, 1e-12), (1e-9, 1.0)]:
        mu = mu_of_xi_rho(xi, rho)
        assert mu >= max(mu_pure(xi), mu_zcdp(rho), math.sqrt(2 * rho)) * (1 - 1e-14)
    assert mu_of_xi_rho(1.0, 1e-12) == pytest.approx(mu_pure(1.0), rel=1e-5)
    assert mu_of_xi_rho(1e-9, 1.0) == pytest.approx(mu_zcdp(1.0), rel=1e-8)


def test_without_one_of_the_parts() -> None:
    assert 0 <= mu_of_xi_rho(0.0, 0.5) - mu_zcdp(0.5) < 1e-14
    assert 0 <= mu_of_xi_rho(0.5, 0.0) - mu_pure(0.5) < 1e-14
    assert mu_of_xi_rho(0.0, 0.0) < 1e-300


def test_beyond_the_doubles_the_cap_holds() -> None:
    """alpha would be below 1e-295: the bound of rho-zCDP is used."""
    assert mu_of_xi_rho(500.0, 500.0) == pytest.approx(mu_zcdp(1000.0), rel=1e-14)


@pytest.mark.parametrize(("xi", "rho"), [(-1.0, 1.0), (1.0, math.inf), (math.nan, 1.0)])
def test_refused(xi: float, rho: float) -> None:
    with pytest.raises(InvalidArgument):
        mu_of_xi_rho(xi, rho)
