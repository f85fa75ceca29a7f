"""Transforms beyond doubles: the errors that they claim hold, and are far below those before."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from flint import acb, arb, ctx
from quadratures import _integral

import tightrope as tr
from tightrope.loss.contour import laying, saddle
from tightrope.loss.mixture.gaussian_mixture import GaussianMixtureLoss
from tightrope.loss.total import Total
from tightrope.num.precision import EXTENDED

ctx.prec = 260

beyond = pytest.mark.skipif(EXTENDED is np.float64, reason="there is no format beyond doubles here")

TAUS = [0.0, 0.1, 1.0, 5.0]


def sampled(mu: float, rate: float, with_unit: bool, z: complex) -> acb:
    """E_Q[r^(1 + z)] or E_Q[r^(-z)], r = 1 - rate + rate exp(mu x - mu^2/2) at x of N(0, 1)."""
    m, q, at = arb(mu), arb(rate), acb(z.real, z.imag)
    power = 1 + at if with_unit else -at

    def f(x: acb) -> acb:
        r = 1 - q + q * (m * x - m * m / 2).exp()
        return (power * r.log() - x * x / 2).exp()

    return _integral(f, -16.0, 16.0 + (2 + z.real) * mu * with_unit, 64) / (2 * arb.pi()).sqrt()


def exactly(x: np.longdouble) -> arb:
    """The number in ball arithmetic."""
    whole, parts = x.as_integer_ratio()
    return arb(whole) / arb(parts)


@beyond
@pytest.mark.parametrize(
    ("mu", "rate", "with_unit", "c"),
    [(1.25, 0.001, True, 7.0), (1 / 9.4, 0.328, True, 3.0), (1.0, 0.01, False, 11.0)],
)
def test_the_errors_of_refined_transforms_hold(
    mu: float, rate: float, with_unit: bool, c: float
) -> None:
    loss = GaussianMixtureLoss.sampled(mu, rate)[1 if with_unit else 0]
    line = Total.of([(loss, 1)]).line(c)
    refined = line.refined()
    assert refined is not None
    plain, finer = line.transform(np.array(TAUS)), refined.transform(np.array(TAUS))
    for tau, value, error in zip(TAUS, finer.value, finer.error, strict=True):
        found = acb(exactly(value.real), exactly(value.imag))
        true = (sampled(mu, rate, with_unit, complex(c, tau)) * (-found).exp() - 1).abs_upper()
        assert float(true) <= np.expm1(float(error))
    assert (finer.error < plain.error / 100).all()
    assert np.allclose(plain.value, finer.value.astype(complex), rtol=0, atol=plain.error.max())


@beyond
def test_what_is_known_to_doubles_only_stays_as_it_is() -> None:
    pair = GaussianMixtureLoss.one([0.5, 0.3, 0.2], [0.0, 1.0, 2.0], [1.0], [0.0])
    line = Total.of([(pair, 1)]).line(2.0)
    assert line.refined() is None


def test_nodes_are_exact_multiples_of_the_step() -> None:
    total = Total.of([(GaussianMixtureLoss.sampled(1.25, 0.001)[1], 1000)])
    contour = laying.through(total, saddle.for_epsilon(total, 2.0), 2.0)
    assert len(contour.at.tau) > 1
    assert all(Fraction(tau) % Fraction(contour.step) == 0 for tau in contour.at.tau.tolist())


@beyond
def test_an_answer_that_rounding_left_wide_is_narrow() -> None:
    run = tr.Gaussian(0.8).sampled(0.001) ** 1000
    low, high = run.delta_interval(28.0)
    assert 0 < high - low < 1e-9 * high
