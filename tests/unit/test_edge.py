"""The search for the edge finds it whatever the shape of the miss, in few evaluations."""

import math

import pytest

from tightrope.plan.calibration.edge import Axis, Search


@pytest.mark.parametrize("root", [1e-9, 0.3, 1.0, 7.5, 1e8])
@pytest.mark.parametrize(
    "shape",
    [
        lambda t: -t,
        lambda t: t,
        lambda t: -math.expm1(min(t, 700)),
        lambda t: -math.atan(50 * t),
        lambda t: -math.copysign(abs(t) ** 0.3, t),
        lambda t: -t * (1 + 9 * abs(t)),
        lambda t: -1.0 if t >= 0 else math.inf,
        lambda t: -1e300 if t >= 0 else 5.0,
        lambda t: min(-t, 3.0) if t < 2 else -2.0,
    ],
)
def test_the_search_closes_in_on_any_edge(root, shape):
    search = Search(
        lambda x: shape(math.log(x / root)), Axis(1e-12, 1e12, False), 1e-11, None, 1e-13
    )
    found = search.run(1.0)
    assert found is not None
    assert shape(math.log(found.x / root)) <= 0
    assert found.x == pytest.approx(root, rel=2e-11)
    assert len(search.trail) <= 90


@pytest.mark.parametrize("edge", [1, 2, 41, 1023, 1024, 10**6 + 3, 2**40 - 1])
@pytest.mark.parametrize("bend", [1.0, 0.2, 3.0])
def test_the_search_among_whole_numbers(edge, bend):
    search = Search(
        lambda n: (n / (edge + 0.5)) ** bend - 1, Axis(1, 2.0**40, True), 1e-11, None, 1e-13
    )
    found = search.run(1024.0)
    assert found is not None
    assert found.x == edge
    assert len(search.trail) <= 60
