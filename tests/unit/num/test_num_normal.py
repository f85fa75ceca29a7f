import math

import mpmath as mp
import numpy as np
from num_reference import brackets, exact, log_cdf, log_spaced, log_survival, worst

from tightrope.num import normal

TAIL = np.concatenate([np.linspace(-37.5, 0, 300), -log_spaced(-300, 1.5, 60, seed=7)])


def Phi(x: mp.mpf) -> mp.mpf:
    return mp.erfc(-x / mp.sqrt(2)) / 2


def test_cdf_and_survival() -> None:
    points = np.concatenate([TAIL, -TAIL[-120:]])
    assert worst(normal.cdf, Phi, points) < 1.5e-15
    assert worst(normal.survival, lambda x: Phi(-x), -points) < 1.5e-15
    assert (normal.cdf(-math.inf), normal.cdf(0.0), normal.cdf(math.inf)) == (0.0, 0.5, 1.0)


def test_log_cdf_in_both_tails() -> None:
    points = np.concatenate([TAIL, -TAIL, -log_spaced(0, 150, 60, seed=8)])
    assert worst(normal.log_cdf, log_cdf, points) < 1.5e-15


def test_mills() -> None:
    def mills(x: mp.mpf) -> mp.mpf:
        return mp.exp(log_survival(x) + x * x / 2) * mp.sqrt(2 * mp.pi)

    assert worst(normal.mills, mills, log_spaced(-300, 8, 150, seed=9)) < 1.5e-15
    assert worst(normal.mills, mills, np.linspace(-1, 10, 150)) < 1.5e-15
    assert worst(normal.mills, mills, np.linspace(-30, -1, 100)) < 1.5e-15 * 900


def test_quantile() -> None:
    rng = np.random.default_rng(10)
    near_half = 0.5 + rng.choice([-1, 1], 100) * 10.0 ** rng.uniform(-16, -0.4, 100)
    for p in np.concatenate([log_spaced(-307, -0.31, 100, seed=11), near_half]):
        assert brackets(Phi, exact(p), normal.quantile(p), 6e-16)
    assert (normal.quantile(0.0), normal.quantile(1.0)) == (-math.inf, math.inf)
    assert math.isnan(normal.quantile(-0.1))


def test_quantile_of_log_over_the_whole_range() -> None:
    sizes = [
        log_spaced(-300, -2, 60, seed=12),  # p near 1
        log_spaced(-2, 7, 400, seed=13),  # where ndtri_exp drifts
        log_spaced(2.7, 3.1, 100, seed=14),  # where the formula changes
        log_spaced(7, 300, 60, seed=15),
    ]
    for log_p in -np.concatenate(sizes):
        x = normal.quantile_of_log(log_p)
        # Where p is near 1 the complement carries the digits: -log(1 - p) increases in x.
        if x < 0:
            assert brackets(log_cdf, exact(log_p), x, 8e-16), log_p
        else:
            complement = -mp.log(-mp.expm1(exact(log_p)))
            assert brackets(lambda z: -log_survival(z), complement, x, 8e-16), log_p


def test_quantile_of_log_near_the_median() -> None:
    rng = np.random.default_rng(16)
    shifts = rng.choice([-1, 1], 300) * 10.0 ** rng.uniform(-16, -0.5, 300)
    for log_p in -math.log(2) * (1 + shifts):
        twice_p_minus_one = 2 * mp.exp(exact(log_p)) - 1
        x = normal.quantile_of_log(log_p)
        assert brackets(lambda z: mp.erf(z / mp.sqrt(2)), twice_p_minus_one, x, 8e-16), log_p


def test_quantile_of_log_at_the_ends() -> None:
    assert normal.quantile_of_log(0.0) == math.inf
    assert normal.quantile_of_log(-math.inf) == -math.inf
    assert math.isnan(normal.quantile_of_log(0.1))
