"""Few different Laplace and logistic releases against brute force in mpmath."""

from __future__ import annotations

import mpmath as mp
import noise_mixes
import numpy as np
import pytest

from tightrope.loss.contour import laying, saddle
from tightrope.loss.exact.corner_sums import CornerSum
from tightrope.loss.laplace.laplace import LaplaceLoss
from tightrope.loss.logistic import LogisticLoss
from tightrope.loss.total import Total

PARTS = (0.0, 0.3, 0.62, 0.97, 0.999999)


def total_of(laplace: tuple[float, ...], logistic: tuple[float, ...] = ()) -> Total:
    return Total.of(
        [(LaplaceLoss.one(x), 1) for x in laplace] + [(LogisticLoss.one(x), 1) for x in logistic]
    )


def check(total: Total, laplace: tuple[float, ...], logistic: tuple[float, ...] = ()) -> None:
    law = CornerSum.of(total)
    assert law is not None
    assert law.quick
    at = np.array(PARTS) * (sum(laplace) + sum(logistic))
    found = law.log_delta(at)
    with mp.workdps(100):
        for e, lower, upper in zip(at, found.lower, found.upper, strict=True):
            truth = noise_mixes.log_profile(laplace, logistic, e)
            assert lower <= truth <= upper
            assert upper - lower < 2e-12


@pytest.mark.parametrize(
    "laplace",
    [
        (0.25, 1 / 3),
        (1e-3, 2.0),
        (1e-7, 1e-5, 3e-6),
        (20.0, 0.1, 7.0),
        (0.1, 0.7, 0.30000000000000004, 2.5),
        (1.0, 1.1, 1.2, 1.3, 1.4),
    ],
)
def test_different_laplace_releases(laplace: tuple[float, ...]) -> None:
    check(total_of(laplace), laplace)


@pytest.mark.parametrize(
    ("laplace", "logistic"),
    [
        ((), (0.5, 0.7)),
        ((0.5,), (0.7,)),
        ((0.1,), (4.0,)),
        ((3.0, 0.2), (0.5, 0.01)),
        ((), (2.0, 1.0, 0.3, 0.7)),
    ],
)
def test_with_logistic_releases(laplace: tuple[float, ...], logistic: tuple[float, ...]) -> None:
    check(total_of(laplace, logistic), laplace, logistic)


def test_repeated_releases() -> None:
    total = Total.of([(LaplaceLoss.one(0.5), 3), (LaplaceLoss.one(0.2), 2)])
    check(total, (0.5, 0.5, 0.5, 0.2, 0.2))


@pytest.mark.parametrize("at", [0.0, 0.02, 0.3, 0.55])
def test_two_laplace_releases_by_quadrature(at: float) -> None:
    law = CornerSum.of(total_of((0.25, 1 / 3)))
    assert law is not None
    found = law.log_delta(np.array([at]))
    with mp.workdps(40):
        truth = noise_mixes.integrated(0.25, 1 / 3, at)
        assert found.lower[0] <= truth <= found.upper[0]
        assert abs(found.upper[0] - truth) < 1e-13


@pytest.mark.parametrize("kind", [LaplaceLoss, LogisticLoss])
def test_a_contour_meets_many_corners(kind: type) -> None:
    total = Total.of([(kind.one(0.3 + 0.05 * i), 1 + i % 2) for i in range(8)])
    law = CornerSum.of(total)
    assert law is not None
    e = np.array([0.4 * total.highest])
    found = law.log_delta(e)
    contour = laying.through(total, saddle.for_epsilon(total, float(e[0])), float(e[0]))
    other = contour.sums(e)
    assert other.log_lower[0] <= found.upper[0]
    assert found.lower[0] <= other.log_upper[0]
    assert found.upper[0] - found.lower[0] < 1e-12


def test_beyond_the_largest_loss_nothing_is_left() -> None:
    law = CornerSum.of(total_of((0.5, 0.25)))
    assert law is not None
    found = law.log_delta(np.array([0.75, 0.8, 1e300]))
    assert (found.upper == -np.inf).all()
    assert (found.lower == -np.inf).all()


def test_no_law_where_digits_run_out() -> None:
    narrow = total_of((), (*(1e-8 * (i + 1) for i in range(6)), 5.0))
    assert CornerSum.of(narrow) is None
    assert CornerSum.of(Total.of([(LaplaceLoss.one(0.1), 60), (LaplaceLoss.one(0.2), 60)])) is None
