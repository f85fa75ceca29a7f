"""Windows keep every place that no comb rules out, and count what they leave out."""

from __future__ import annotations

import math

import numpy as np
import pytest

from tightrope.loss.contour.kernel import Periodic
from tightrope.loss.loss import Lattice
from tightrope.loss.sieve import NO_TEETH, Teeth, Windows, windows

PERIOD = np.array([0.71, 2.9, 5.8, 61.0])


def teeth(depth: float) -> Teeth:
    """Gaussians exp(-5 d^2/2) about the multiples of each period, the third one's half as wide."""
    return Teeth(PERIOD, math.sqrt(2 * depth / 5) * np.array([1.0, 1.0, 1.0, 4.0]))


def within(tau: np.ndarray, depth: float) -> np.ndarray:
    period, reach = teeth(depth)
    away = np.abs(tau[:, None] - np.rint(tau[:, None] / period) * period)
    return (away <= reach).all(axis=1)


def found(end: float, longest: float = 1e9) -> Windows:
    windows_ = windows(teeth, 12.0, longest, end)
    assert windows_ is not None
    return windows_


@pytest.mark.parametrize("step", [0.1, 7.0])
def test_every_node_that_may_matter_is_visited_once(step: float) -> None:
    kept = found(9e4)
    assert kept.whole
    visited = np.concatenate(list(kept.nodes(step, 100)))
    assert (np.diff(visited) > 0).all()
    number = np.arange(int(9e4 / step) + 1)
    tau = number * step
    tier = np.searchsorted(kept.edges, tau, side="left").clip(1) - 1
    expected = np.zeros(len(tau), dtype=bool)
    for index, depth in enumerate(kept.depth):
        expected |= (tier == index) & within(tau, float(depth))
    assert np.isin(number[expected], visited).all()
    assert len(visited) < 1.5 * expected.sum() + 100


def test_what_is_left_out_is_counted() -> None:
    kept, step, c = found(9e4), 0.1, 2.0
    skipped, size = kept.omitted(step, c)
    left_out = np.setdiff1d(np.arange(int(9e4 / step)), np.concatenate(list(kept.nodes(step, 99))))
    tau = left_out * step
    tier = np.searchsorted(kept.edges, tau, side="right").clip(1, len(kept.depth)) - 1
    bound = np.exp(-kept.depth[tier])
    assert (bound / np.maximum(tau, c) ** 2).sum() <= skipped
    assert bound.sum() <= size


def test_windows_stop_at_their_longest() -> None:
    kept = found(1e9, longest=3000.0)
    assert not kept.whole
    assert 1500 < kept.parts.length <= 3000
    assert not kept.serve(11.0, 3000.0, 1e8)
    assert kept.serve(11.0, 3000.0, 1e9)
    assert not kept.serve(12.1, 3000.0, 1e9)


def test_no_combs_no_windows() -> None:
    assert windows(lambda _: NO_TEETH, 30.0, 1e9, 1e3) is None


@pytest.mark.parametrize(("step", "c"), [(1e-6, 3.0), (0.1, 0.2), (2.0, 1.0)])
def test_the_periodic_kernel_falls_as_claimed(step: float, c: float) -> None:
    tau = np.concatenate([np.zeros(1), np.geomspace(1e-3, math.pi / step, 500)])
    for ahead in (0.01, 0.5, 0.99):
        kernel = Periodic(Lattice(0.0, step), np.array([(7 + ahead) * step]))
        size = np.abs(kernel.at(c + 1j * tau))[:, 0] * np.maximum(tau, c) ** 2
        assert size.max() <= kernel.rise(c)
