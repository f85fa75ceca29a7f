"""Far out, and where contours give up: Chernoff's bound is always there."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest

import tightrope as tr
from tightrope.loss.mixture.gaussian_mixture import GaussianMixtureLoss
from tightrope.loss.profile import OrderProfile
from tightrope.loss.total import Total


def test_delta_is_no_larger_than_at_a_smaller_epsilon() -> None:
    """It was 1 at .0357 and .0359, and 1e-91 once epsilon had been asked for."""
    event = tr.Gaussian(25.451123940620015).sampled(0.00036262060161712593) ** 16065
    found = [event.delta(epsilon) for epsilon in (0.0332, 0.0357, 0.0359, 0.04)]
    assert all(after < before < 1e-78 for before, after in pairwise(found))


@pytest.mark.parametrize("epsilon", [1e25, 1e30, 1e300])
def test_no_contour_is_laid_where_no_double_tells_delta_from_nothing(epsilon: float) -> None:
    loss = GaussianMixtureLoss.sampled(1.0, 0.01)[1]
    profile = OrderProfile(Total.of([(loss, 1000)]))
    found = profile.log_delta(np.array([epsilon, 2 * epsilon]))
    assert (found.upper < -800).all()
    assert not profile.kept


def test_an_epsilon_far_out_beside_ordinary_ones() -> None:
    event = tr.Gaussian(1.0).sampled(0.01) ** 1000
    lower, upper = event.delta_interval([0.5, 1e30])
    assert lower[1] == 0
    assert upper[1] == 5e-324
    assert upper[0] == pytest.approx(event.delta(0.5), rel=1e-9)
    assert lower[0] == pytest.approx(upper[0], rel=1e-9)
