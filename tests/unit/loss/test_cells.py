"""The sieve by cells: no node that may matter is missed; and lattices that are misplaced."""

from __future__ import annotations

import math

import numpy as np
import pytest
from engine import log_delta

from tightrope.loss.contour import cells, laying, saddle
from tightrope.loss.discrete.discrete_gaussian import DiscreteGaussianLoss
from tightrope.loss.finite.finite import FiniteLoss
from tightrope.loss.laplace.laplace import LaplaceLoss
from tightrope.loss.total import Total


def laplaces():
    return Total.of([(LaplaceLoss.one(1 / s), 1) for s in np.linspace(40, 100, 150).tolist()])


def alike():
    return Total.of([(LaplaceLoss.one(0.01), 3000)])


def responses():
    kinds = [FiniteLoss.categorical_response(0.5 + 0.003 * u, 5) for u in range(150)]
    return Total.of([(kind, 1) for kind in kinds])


@pytest.mark.parametrize("total", [laplaces(), alike(), responses()])
def test_nodes_outside_are_as_small_as_is_said(total):
    c, at = saddle.for_delta(total, -13.0)
    start = laying.through(total, c, at)
    found = cells.windows(start, math.inf, 50_000 * start.step)
    inside = np.concatenate(list(found.nodes(start.step, 1 << 16)))
    outside = np.setdiff1d(np.arange(1, int(found.edges[-1] / start.step) + 1), inside)
    assert len(inside) < len(outside)
    # every node of the first tiers, where most of M is, and some of the others
    tau = np.append(outside[:2000], outside[2000::29]) * start.step
    value = start.total.line(c).transform(np.append(0.0, tau)).value.real
    depth = found.depth[np.searchsorted(found.edges, tau, side="right") - 1]
    assert np.all(value[1:] - value[0] <= -depth + 1e-6)


def test_two_contours_of_many_different_releases_agree():
    total = laplaces()
    c, at = saddle.for_delta(total, -13.0)
    ends = [laying.through(total, c * by, at).sums(np.array([at])) for by in (0.9, 1.0, 1.1)]
    lower, upper = (np.array([getattr(s, n)[0] for s in ends]) for n in ("log_lower", "log_upper"))
    assert lower.max() <= upper.min()
    assert np.all(upper - lower < 1e-7)


def test_a_misplaced_lattice_costs_little():
    total = Total.of([(DiscreteGaussianLoss.one(0.25), 100_000)])
    found = log_delta(total, np.array([2.02e5, 2.1e5]))
    assert np.all(found.upper - found.lower < 1e-9)


def test_steps_far_apart_do_not_overflow():
    total = Total.of([(DiscreteGaussianLoss.one(0.0009, 3), 500)])
    found = log_delta(total, np.array([0.0, 2.5e6, 2.6e6]))
    assert np.all(found.lower <= found.upper)
