"""Each bounded error is needed: without it, the truth leaves the interval.

The contours here are laid badly on purpose, so that one error at a time is large; the truth comes
from closed forms at 40 digits.
"""

from __future__ import annotations

import math
from dataclasses import fields, replace

import mpmath as mp
import numpy as np
import pytest
from engine import log_delta

import tightrope as tr
from tightrope.loss.contour import laying
from tightrope.loss.contour.contour import Contour
from tightrope.loss.contour.sums import Errors
from tightrope.loss.finite.finite import FiniteLoss
from tightrope.loss.gaussian import GaussianLoss
from tightrope.loss.laplace.laplace import LaplaceLoss
from tightrope.loss.total import Total

mp.mp.dps = 40

GAUSSIAN = Total.of([(GaussianLoss(1.0), 1)])
COINS = Total.of(
    [(FiniteLoss.randomized_response(1.0), 1), (FiniteLoss.randomized_response(0.3), 1)]
)


def gaussian_delta(e: float) -> mp.mpf:
    """Phi(1/2 - e) - exp(e) Phi(-1/2 - e), for mu = 1 (Balle and Wang, 2018, Theorem 8)."""
    half, e = mp.mpf(1) / 2, mp.mpf(e)
    return mp.ncdf(half - e) - mp.exp(e) * mp.ncdf(-half - e)


def coins_delta(e: float) -> mp.mpf:
    """Two coins, summed over their four outcomes."""
    total = mp.mpf(0)
    for x in (mp.mpf(1), mp.mpf(-1)):
        for y in (mp.mpf(0.3), -mp.mpf(0.3)):
            p = 1 / (1 + mp.exp(-x)) / (1 + mp.exp(-y))
            total += p * max(mp.mpf(0), 1 - mp.exp(mp.mpf(e) - x - y))
    return total


def relative(sums, truth) -> float:
    """The truth in the units of the sums."""
    return float(truth / mp.exp(mp.mpf(float(sums.log_scale[0]))))


def at(line: Contour, e: float):
    return line.sums(np.array([e]))


def without(errors: Errors, name: str) -> Errors:
    """The same interval with one error taken for 0."""
    return replace(errors, **{name: np.zeros_like(errors.sum)})


def leaves(errors: Errors, truth: float) -> bool:
    return not bool(errors.lower[0] <= truth <= errors.upper[0])


def laid(total: Total, c: float, step: float, nodes: int, eta: float = 0.0, ceiling: float = 0.0):
    if eta:
        total = Total.of([(loss, 1) for loss in (*total.losses, GaussianLoss(eta**2))])
    return Contour(total, c, step, nodes, ceiling or 2 * c, False, eta, 0.1, total.line(c))


CASES = {
    # a wide step: what lies below epsilon is added in
    "below": (laid(GAUSSIAN, 1.0, 3.0, 40, ceiling=3.0), 2.0, gaussian_delta),
    # a line far to the right and a wide step: what lies above epsilon is added in
    "above": (laid(GAUSSIAN, 12.0, 6.0, 40, ceiling=16.0), 2.0, gaussian_delta),
    # few nodes
    "truncation": (laid(GAUSSIAN, 2.0, 0.1, 9), 2.0, gaussian_delta),
    # atoms, and a fictitious Gaussian that is not small
    "smoothing": (laid(COINS, 2.0, 0.1, 3000, eta=0.05), 0.5, coins_delta),
}


@pytest.mark.parametrize("name", CASES)
def test_the_truth_leaves_the_interval_without(name):
    line, e, exact = CASES[name]
    sums = at(line, e)
    truth = relative(sums, exact(e))
    assert not leaves(sums.errors, truth)
    assert leaves(without(sums.errors, name), truth)


def test_rounding_is_needed_where_the_sum_cancels():
    """Far below its saddle a contour sums large terms to little: then rounding is all there is.

    Elsewhere its bound is slack by design: it adds up the worst case of every operation, while
    real rounding errors have both signs.
    """
    line = laid(GAUSSIAN, 30.0, 0.12, 200)
    outside = 0
    for e in np.linspace(20.0, 21.5, 60):
        sums = at(line, float(e))
        truth = relative(sums, gaussian_delta(float(e)))
        assert not leaves(sums.errors, truth)
        outside += leaves(without(sums.errors, "rounding"), truth)
    assert outside > 0


def test_skipped_nodes_are_needed():
    """A sieve that may skip nearly everything: what it skips is bounded."""
    losses = [(LaplaceLoss.one(1 / s), 1) for s in np.linspace(4, 10, 40)]
    total = Total.of(losses)
    plain = laying.through(total, 6.0, 4.0)
    fine = at(plain, 4.0)
    coarse = Contour(
        plain.total, plain.c, plain.step, plain.nodes, plain.ceiling, False, plain.eta,
        plain.share * 1e12, plain.line,
    )  # fmt: skip
    assert len(coarse.at.tau) < len(plain.at.tau)
    skipping = at(coarse, 4.0)
    bare = coarse.at.skipped * coarse.step / math.pi
    assert bare > 0
    difference = abs(float(skipping.errors.sum[0] - fine.errors.sum[0]))
    assert difference <= bare + float(fine.errors.rounding[0] + skipping.errors.rounding[0])


def test_every_error_has_its_case():
    assert {field.name for field in fields(Errors)} - {"sum", "rounding"} == set(CASES)


@pytest.mark.parametrize("e", [0.0, 0.5, 3.0, 12.0, 37.0, 600.0])
@pytest.mark.parametrize("mu", [1e-3, 0.1, 1.0, 30.0])
def test_gaussian_interval_holds_at_forty_digits(mu, e):
    total = Total.of([(GaussianLoss(mu * mu), 1)])
    low, high, _ = log_delta(total, np.array([e]))
    square = mp.mpf(mu * mu)
    m = mp.sqrt(square)
    with mp.workdps(60):
        x = mp.mpf(e)
        truth = mp.ncdf(m / 2 - x / m) - mp.exp(x) * mp.ncdf(-m / 2 - x / m)
    truth = float(mp.log(truth))
    assert low[0] <= truth + 1e-15 * abs(truth)
    assert truth - 1e-15 * abs(truth) <= high[0]
    if truth > -1e6:  # beyond, a double of the exponent leaves too few digits for two ends
        assert high[0] - low[0] < 1e-9 * max(1.0, abs(truth) / 100)


def test_an_epsilon_far_beyond_every_likely_loss_has_a_bound():
    run = tr.Gaussian(1.0, 1e-8).sampled(0.5) ** 3
    assert 0 <= run.delta(1.0) <= 1
