import math

import pytest

from tightrope.theorems.order_search import argmin, ceiling


@pytest.mark.parametrize("best", [-12.0, -3.3, 0.0, 0.4, 7.1, 40.0])
def test_inside(best: float) -> None:
    assert argmin(lambda x: math.cosh((x - best) / 20), 0.3, 60.0) == pytest.approx(best, abs=1e-6)


def test_at_either_end() -> None:
    assert argmin(lambda x: math.exp(x), 0.0, 60.0) == -18.0
    assert argmin(lambda x: -x, 0.0, 5.0) == 5.0
    assert argmin(lambda x: -x, 9.0, 5.0) == 5.0


def test_just_inside_the_end() -> None:
    assert argmin(lambda x: (x - 4.97) ** 2, 0.0, 5.0) == pytest.approx(4.97, abs=1e-7)


def test_infinite_from_somewhere_on() -> None:
    """The walk starts in the dark and comes down; the edge is found to the tolerance."""

    def f(x: float) -> float:
        return (x - 5) ** 2 if x <= 4 else math.inf

    for start in (0.0, 20.0):
        assert argmin(f, start, 60.0) == pytest.approx(4, abs=1e-6)


def test_few_evaluations() -> None:
    calls = []

    def f(x: float) -> float:
        calls.append(x)
        return (x - 1.7) ** 2 + 0.1 * (x - 1.7) ** 3 * math.tanh(x)

    argmin(f, 0.0, 60.0)
    assert len(calls) < 30


def test_ceiling() -> None:
    assert ceiling(3.0) == math.log(2.0)
    assert ceiling(math.inf) == 60.0
