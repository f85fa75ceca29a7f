"""Few alike sampled Laplace releases against nested quadratures in mpmath, and their bounds."""

from __future__ import annotations

from itertools import pairwise

import mpmath as mp
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tightrope.loss.exact import unit_halves, unit_pieces
from tightrope.loss.exact.few_sampled_laplace import FewSampledLaplace
from tightrope.loss.exact.two_sampled_laplace import TwoSampledLaplace
from tightrope.loss.laplace.laplace import LaplaceLoss
from tightrope.loss.laplace.sampled import SampledLaplaceLoss
from tightrope.loss.laplace.unit_density import UnitDensity
from tightrope.loss.laplace.unit_domain import UnitDomain
from tightrope.loss.total import Total
from tightrope.num import chebyshev
from tightrope.num.chebyshev import Places
from tightrope.num.gauss_legendre import unit_rule

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


MORE = [
    ((5.0, 0.1), 3, True, 0.1653773305460152, -1.4915005364990797),
    ((5.0, 0.1), 3, True, 1.653773305460152, -2.103325272478143),
    ((5.0, 0.1), 3, True, 4.9613199163804556, -5.456733545955404),
    ((5.0, 0.1), 3, True, 7.855423200935721, -9.587971818885295),
    ((5.0, 0.1), 3, False, 0.006276728099210137, -1.4640562254979705),
    ((5.0, 0.1), 3, False, 0.06276728099210137, -1.656367863482453),
    ((5.0, 0.1), 3, False, 0.18830184297630412, -2.356327832022949),
    ((5.0, 0.1), 3, False, 0.2981445847124815, -4.756035784045338),
    ((5.0, 0.1), 10, True, 0.5512577684867174, -0.7697349321429103),
    ((5.0, 0.1), 10, True, 5.512577684867173, -3.2727112500656292),
    ((5.0, 0.1), 10, True, 16.537733054601517, -13.20333902742862),
    ((5.0, 0.1), 10, True, 26.18474400311907, -27.21498326034992),
    ((5.0, 0.1), 10, False, 0.020922426997367124, -0.6562021716571972),
    ((5.0, 0.1), 10, False, 0.20922426997367125, -0.814505758397441),
    ((5.0, 0.1), 10, False, 0.6276728099210137, -1.4635504621792041),
    ((5.0, 0.1), 10, False, 0.9938152823749383, -4.184660947455732),
    ((1.0, 0.01), 10, True, 0.00340737264723531, -4.582611944785972),
    ((1.0, 0.01), 10, True, 0.0340737264723531, -6.140120982492168),
    ((1.0, 0.01), 10, True, 0.1022211794170593, -11.836910369387521),
    ((1.0, 0.01), 10, True, 0.16185020074367723, -20.730287700494447),
    ((1.0, 0.01), 10, False, 0.0012682538005997302, -4.499389542943004),
    ((1.0, 0.01), 10, False, 0.012682538005997302, -5.0848279637205165),
    ((1.0, 0.01), 10, False, 0.0380476140179919, -7.040756494613933),
    ((1.0, 0.01), 10, False, 0.06024205552848718, -11.411104293443122),
    ((1.0, 0.01), 24, True, 0.008177694353364745, -4.234640859628766),
    ((1.0, 0.01), 24, True, 0.08177694353364745, -7.027044042659486),
    ((1.0, 0.01), 24, True, 0.24533083060094232, -19.151651014472048),
    ((1.0, 0.01), 24, True, 0.3884404817848253, -40.435580512348984),
    ((1.0, 0.01), 24, False, 0.0030438091214393522, -4.0981989294104215),
    ((1.0, 0.01), 24, False, 0.030438091214393524, -5.03366816615803),
    ((1.0, 0.01), 24, False, 0.09131427364318057, -8.620767035661594),
    ((1.0, 0.01), 24, False, 0.14458093326836924, -17.038476190786163),
]
"""log delta of several releases, by convolving on graded panels, one release at a time.

With Gauss-Legendre rules of 20 nodes on 22 panels that halve towards either end of a density, in
the 80-bit format; all masses under Q then add up to 1 within 2e-17.
"""


@pytest.mark.parametrize(("kind", "runs", "with_unit", "at", "expected"), MORE)
def test_several_releases(
    kind: tuple[float, float], runs: int, with_unit: bool, at: float, expected: float
) -> None:
    found = law_of(kind, with_unit, runs).log_delta(np.array([at]))
    slack = 1e-15 * (1 + abs(expected))
    assert found.lower[0] - slack <= expected <= found.upper[0] + slack
    assert found.upper[0] - found.lower[0] < 2e-10


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
    assert FewSampledLaplace.of(total_of((1.0, 0.1), True, 49)) is None
    assert FewSampledLaplace.of(total_of((9.0, 0.1), True, 3)) is None


@pytest.mark.parametrize("turn", unit_pieces.TURNS)
@pytest.mark.parametrize("kind", [*KINDS, (5.0, 0.1), (7.0, 0.9)])
def test_bounds_of_the_density(kind: tuple[float, float], turn: float) -> None:
    """Sizes on the ellipse, and integrals along its lines, against the density as it is defined."""
    domain = UnitDomain(UnitDensity(*kind), turn)
    epsilon, rate = kind
    around = np.exp(1j * np.linspace(0, 2 * np.pi, 193))
    edge = epsilon * (domain.radius * around + 1 / (domain.radius * around)) / 2
    low = np.log(1 - rate + rate * np.exp(-epsilon))
    width = np.log(1 - rate + rate * np.exp(epsilon)) - low

    def tau(x: np.ndarray) -> np.ndarray:
        return np.asarray((np.log(1 - rate + rate * np.exp(x)) - low) / width)

    def size(at: np.ndarray) -> np.ndarray:
        ratio = np.exp(low + width * at)
        x = np.log((ratio - 1 + rate) / rate)
        density = np.exp(-(x + epsilon) / 2 + epsilon * at) / 4
        return np.abs(density * width * ratio / (rate * np.exp(x)))

    ends = tau(edge)
    assert size(ends).max() <= domain.sup
    slope = np.abs(2 * epsilon * rate * np.exp(edge) / (width * np.exp(low + width * ends)))
    assert slope.max() <= domain.stretch
    part = 0.5 - 0.5 * np.cos(np.pi * (np.arange(4000) + 0.5) / 4000)
    weight = np.sin(np.pi * (np.arange(4000) + 0.5) / 4000) * np.pi / 8000
    for start in (0.0, 1.0):
        line = start + part[:, None] * (ends - start)
        lengths = weight @ size(line) * np.abs(ends - start)
        assert lengths.max() <= domain.along


@pytest.mark.parametrize("kind", [*KINDS, (5.0, 0.1), (7.0, 0.9)])
def test_two_halves_add_up(kind: tuple[float, float]) -> None:
    density = UnitDensity(*kind)
    target = density.tau(chebyshev.nodes(24))[:, None]
    for add, way in ((0, unit_halves.upward), (1, unit_halves.downward)):
        halves = way(density, 24, 16)
        whole = density.tau(halves.lesser) + density.tau(halves.other)
        assert np.abs(whole - add - target).max() < 1e-13
        for places in (halves.lesser, halves.other):
            assert np.abs(places.place + places.mirror - 1).max() < 4e-15
        assert (density.tau(halves.lesser) <= (add + target) / 2 + 1e-14).all()


@pytest.mark.parametrize("kind", [*KINDS, (5.0, 0.1)])
def test_pieces_stay_within_their_bounds(kind: tuple[float, float]) -> None:
    """The masses, tilted, of three are those of one, cubed."""
    density = UnitDensity(*kind)
    sums = unit_pieces.sums_of(density, 3)
    assert sums is not None
    pieces = sums.pieces
    rule = unit_rule(pieces.nodes)
    places = Places(rule.node, rule.mirror)
    mass = rule.weight @ density.at(places)
    whole = (rule.weight @ (chebyshev.interpolation(pieces.nodes, places) @ pieces.values)).sum()
    assert abs(whole + 1 - (1 + mass) ** 3) < 1e-12 * (1 + mass) ** 3
    assert (pieces.most_off < 1e-10 * np.abs(pieces.values).max(axis=0)).all()
