"""Few alike sampled Laplace releases against nested quadratures in mpmath, and their bounds."""

from __future__ import annotations

from itertools import pairwise

import mpmath as mp
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tightrope.loss.exact import unit_pieces
from tightrope.loss.exact.few_sampled_laplace import FewSampledLaplace
from tightrope.loss.exact.two_sampled_laplace import TwoSampledLaplace
from tightrope.loss.laplace.laplace import LaplaceLoss
from tightrope.loss.laplace.sampled import SampledLaplaceLoss
from tightrope.loss.laplace.unit_density import UnitDensity
from tightrope.loss.total import Total

KINDS = [(1.0, 0.1), (0.5, 0.3), (1.5, 0.6), (0.3, 1e-4)]


def total_of(kind: tuple[float, float], with_unit: bool, runs: int) -> Total:
    return Total.of([(SampledLaplaceLoss.sampled(*kind)[with_unit], runs)])


def law_of(kind: tuple[float, float], with_unit: bool, runs: int) -> FewSampledLaplace:
    found = FewSampledLaplace.of(total_of(kind, with_unit, runs))
    assert found is not None
    return found


def alone(kind: tuple[float, float], with_unit: bool, at: mp.mpf) -> mp.mpf:
    """delta of one release: its atoms, and the integral of its density, which is elementary."""
    a, q = mp.mpf(kind[0]), mp.mpf(kind[1])
    threshold = mp.exp(at) if with_unit else mp.exp(-at)
    sign = 1 if with_unit else -1
    cut = (threshold - 1 + q) / q
    cut = mp.log(cut) if cut > mp.exp(-a) else -a
    low, high = (min(cut, a), a) if with_unit else (-a, min(cut, a))

    def excess(v: mp.mpf) -> mp.mpf:
        return max(sign * (1 - q + q * mp.exp(v) - threshold), mp.mpf(0))

    def integrated(v: mp.mpf) -> mp.mpf:
        rest = 1 - q - threshold
        return sign * mp.exp(-a / 2) / 2 * (q * mp.exp(v / 2) - rest * mp.exp(-v / 2))

    total = excess(-a) / 2 + mp.exp(-a) * excess(a) / 2 + integrated(high) - integrated(low)
    return total if with_unit else mp.exp(at) * total


def mixed(kind: tuple[float, float], with_unit: bool, runs: int, at: mp.mpf) -> mp.mpf:
    """delta at any real epsilon: the mean, over one release under Q, of what the others add.

    Integrals are cut where the others' profile has corners.
    """
    epsilon, rate = mp.mpf(kind[0]), mp.mpf(kind[1])
    if runs == 1:
        return alone(kind, with_unit, at)
    sign = 1 if with_unit else -1
    low, high = (mp.log(1 - rate + rate * mp.exp(s * epsilon)) for s in (-1, 1))
    corners = [k * high + (runs - 1 - k) * low for k in range(runs)]
    cuts = [(mp.exp(sign * at - corner) - 1 + rate) / rate for corner in corners]
    edges = {-epsilon, epsilon}
    edges |= {mp.log(x) for x in cuts if mp.exp(-epsilon) < x < mp.exp(epsilon)}

    def added(loss: mp.mpf) -> mp.mpf:
        log_r = mp.log(1 - rate + rate * mp.exp(loss))
        weight = mp.exp(log_r) if with_unit else 1
        return weight * mixed(kind, with_unit, runs - 1, at - sign * log_r)

    def dense(loss: mp.mpf) -> mp.mpf:
        return mp.exp(-(loss + epsilon) / 2) / 4 * added(loss)

    pieces = pairwise(sorted(edges))
    parts = (mp.quad(dense, list(piece), maxdegree=4, method="gauss-legendre") for piece in pieces)
    return added(-epsilon) / 2 + mp.exp(-epsilon) * added(epsilon) / 2 + mp.fsum(parts)


THREE = [
    ((1.0, 0.1), True, 0.19027809448851576, -4.2856228108060897),
    ((1.0, 0.1), False, 0.0783580031986008, -3.4219745615658303),
    ((0.5, 0.3), True, 0.21339013672516374, -3.5840683495762322),
    ((0.5, 0.3), False, 0.15073138189695853, -3.1546401479512547),
    ((1.5, 0.6), True, 1.3534221186752804, -1.7053109016965028),
    ((1.5, 0.6), False, 0.7531053006722788, -1.2903522101241471),
    ((0.3, 1e-4), True, 4.198232251913793e-05, -12.156070946224085),
    ((0.3, 1e-4), False, 3.110221657632676e-05, -11.71697861352234),
]
"""log delta of three releases, by ``mixed`` with 30 digits."""


@pytest.mark.parametrize(("kind", "with_unit", "at", "expected"), THREE)
def test_three_releases(
    kind: tuple[float, float], with_unit: bool, at: float, expected: float
) -> None:
    found = law_of(kind, with_unit, 3).log_delta(np.array([at]))
    assert found.lower[0] - 1e-14 <= expected <= found.upper[0] + 1e-14
    assert found.upper[0] - found.lower[0] < 1e-9


@pytest.mark.slow
@pytest.mark.parametrize(("kind", "with_unit", "at", "expected"), THREE)
def test_the_references(
    kind: tuple[float, float], with_unit: bool, at: float, expected: float
) -> None:
    with mp.workdps(30):
        assert abs(mp.log(mixed(kind, with_unit, 3, mp.mpf(at))) - expected) < 1e-14


@pytest.mark.parametrize("with_unit", [True, False])
@pytest.mark.parametrize("kind", KINDS)
def test_two_releases(kind: tuple[float, float], with_unit: bool) -> None:
    law, total = law_of(kind, with_unit, 2), total_of(kind, with_unit, 2)
    at = np.array([0.0, 0.1, 0.6, 0.95]) * total.highest
    found = law.log_delta(at)
    with mp.workdps(40):
        expected = [float(mp.log(mixed(kind, with_unit, 2, mp.mpf(e)))) for e in at.tolist()]
    assert (found.lower <= np.array(expected) + 1e-14).all()
    assert (np.array(expected) <= found.upper + 1e-14).all()
    assert (found.upper - found.lower < 1e-10).all()


@settings(max_examples=25, deadline=None)
@given(
    epsilon=st.floats(0.05, 1.5),
    rate=st.floats(0.01, 0.95),
    with_unit=st.booleans(),
    part=st.floats(0.0, 0.999),
)
def test_two_releases_are_those_of_an_integral(
    epsilon: float, rate: float, with_unit: bool, part: float
) -> None:
    total = total_of((epsilon, rate), with_unit, 2)
    law, other = FewSampledLaplace.of(total), TwoSampledLaplace.of(total)
    assert law is not None
    assert other is not None
    at = np.array([part * total.highest])
    found, expected = law.log_delta(at), other.log_delta(at)
    assert found.lower[0] <= expected.upper[0]
    assert expected.lower[0] <= found.upper[0]
    assert found.upper[0] - found.lower[0] < 1e-8


@pytest.mark.parametrize("with_unit", [True, False])
def test_at_the_ends(with_unit: bool) -> None:
    law, total = law_of((1.0, 0.1), with_unit, 4), total_of((1.0, 0.1), with_unit, 4)
    found = law.log_delta(total.highest * np.array([0.0, 1 - 1e-6, 1 + 1e-9, 2.0]))
    assert (found.upper[2:] == -np.inf).all()
    # next to the largest loss nothing but its atom is left
    mass = 0.1 / 2 + 0.9 / (2 * np.e) if with_unit else 0.5
    last = 4 * np.log(mass) + np.log(-np.expm1(-1e-6 * total.highest))
    assert abs(found.upper[1] - last) < 1e-4
    assert found.lower[0] < found.upper[0] < 0


@pytest.mark.parametrize("runs", [3, 8])
def test_orders_agree_at_zero(runs: int) -> None:
    """delta at 0 is the total variation, whichever comes first."""
    both = [law_of((1.0, 0.1), way, runs).log_delta(np.zeros(1)) for way in (True, False)]
    assert both[0].lower[0] <= both[1].upper[0]
    assert both[1].lower[0] <= both[0].upper[0]


def test_what_is_none_of_its_business() -> None:
    assert FewSampledLaplace.of(Total.of([(LaplaceLoss.one(1.0), 3)])) is None
    assert FewSampledLaplace.of(total_of((1.0, 0.1), True, 1)) is None
    assert FewSampledLaplace.of(total_of((1.0, 0.1), True, 40)) is None
    assert FewSampledLaplace.of(total_of((8.0, 0.1), True, 3)) is None


@pytest.mark.parametrize("kind", KINDS)
def test_bounds_of_the_density(kind: tuple[float, float]) -> None:
    """Sizes in the ellipse, integrals along its lines, slopes, and the mass."""
    density = UnitDensity(*kind)
    half = 1 + 2 * 0.7 * density.room
    radius = half + np.sqrt(half * half - 1)
    turn = np.exp(1j * np.linspace(0, 2 * np.pi, 97))
    edge = 0.5 + (radius * turn + 1 / (radius * turn)) / 4
    sizes = np.abs(density.at(edge))
    assert sizes.max() <= density.sup(radius) <= 60 * sizes.max()
    part = (np.arange(400) + 0.5) / 400
    for start in (0.0, 1.0):
        line = start + part[:, None] * (edge - start)
        lengths = np.abs(density.at(line)).mean(axis=0) * np.abs(edge - start)
        assert lengths.max() <= density.along(radius)
    tau = np.linspace(0, 1, 2001)
    value = density.at(tau)
    assert np.abs(np.diff(value) * 2000).max() <= density.steepest
    assert value.max() <= density.ends.max()
    with mp.workdps(30):
        e, q = mp.mpf(kind[0]), mp.mpf(kind[1])
        low = mp.log(1 - q + q * mp.exp(-e))
        width = mp.log(1 - q + q * mp.exp(e)) - low

        def tilted(v: mp.mpf) -> mp.mpf:
            tau = (mp.log(1 - q + q * mp.exp(v)) - low) / width
            return mp.exp(-(v + e) / 2) / 4 * mp.exp(e * tau)

        expected = float(mp.quad(tilted, [-e, 0, e]))
    assert abs(value.mean() - expected) < 0.01 * expected
    assert expected <= density.mass < 1.001 * expected


@pytest.mark.parametrize("kind", KINDS)
def test_pieces_stay_within_their_bounds(kind: tuple[float, float]) -> None:
    density = UnitDensity(*kind)
    pieces = unit_pieces.pieces_of(density, 3)
    assert pieces is not None
    assert (np.abs(np.diff(pieces.values, axis=0)) <= pieces.slope).all()
    whole = pieces.mass.sum() + 1
    assert abs(whole / (1 + density.mass) ** 3 - 1) < 1e-3
    assert (pieces.error < 1e-9).all()
