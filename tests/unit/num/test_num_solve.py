import math
from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tightrope.num.solve import solve_down, solve_up

WIDTH = 2.0**-50

PROBLEMS = {
    "quadratic": (lambda x: x * x - 2, 0.0, 2.0, True),
    "decreasing": (lambda x: math.exp(-x) - 1e-5, 0.0, 100.0, False),
    "tiny root": (lambda x: x - 1.234e-300, 0.0, 1e3, True),
    "tiny root, signed bracket": (lambda x: x - 1.234e-300, -1e3, 1e3, True),
    "subnormal root": (lambda x: x - 1e-320, 0.0, 1.0, True),
    "root at zero": (lambda x: x, -1.0, 2.0, True),
    "negative root": (lambda x: -x - 1e-7, -1e9, 5.0, False),
    "step": (lambda x: 1.0 if x > 0.3 else -1.0, 0.0, 1.0, True),
    "flat": (lambda x: (x - 0.3) ** 9, 0.0, 1.0, True),
    "plateau": (lambda x: min(x - 1, 0.0) + max(x - 2, 0.0), 0.0, 5.0, True),
    "infinite at the end": (lambda x: math.log(x) + 3 if x > 0 else -math.inf, 0.0, 50.0, True),
    "saturating": (lambda x: math.atan(x - 7), -1e8, 1e8, True),
    "wide": (lambda x: 1 / x - 1e-8, 1e-300, 1e300, False),
    "largest bracket": (lambda x: x - 1e308, -1.7e308, 1.7e308, True),
    "rounding noise": (lambda x: x - 0.3 + 1e-12 * math.sin(1e15 * x), 0.0, 1.0, True),
}


class Counted:
    def __init__(self, f: Callable[[float], float]) -> None:
        self.f, self.calls, self.seen = f, 0, {}

    def __call__(self, x: float) -> float:
        self.calls += 1
        self.seen[x] = self.f(x)
        return self.seen[x]


@pytest.mark.parametrize("name", PROBLEMS)
def test_the_returned_end_was_evaluated_and_its_neighbour_failed(name: str) -> None:
    f, lo, hi, increasing = PROBLEMS[name]
    sign = 1 if increasing else -1

    up = Counted(f)
    x = solve_up(up, lo, hi, increasing=increasing)
    assert sign * up.seen[x] >= 0
    assert any(
        sign * value < 0 and 0 < x - y <= max(WIDTH * max(abs(x), abs(y)), 5e-324)
        for y, value in up.seen.items()
    )

    down = Counted(f)
    x = solve_down(down, lo, hi, increasing=increasing)
    assert sign * down.seen[x] <= 0
    assert any(
        sign * value > 0 and 0 < y - x <= max(WIDTH * max(abs(x), abs(y)), 5e-324)
        for y, value in down.seen.items()
    )
    assert max(up.calls, down.calls) < 100


@pytest.mark.parametrize("solve", [solve_up, solve_down])
@pytest.mark.parametrize("name", PROBLEMS)
def test_arrays_take_the_same_steps(name: str, solve: Callable) -> None:
    f, lo, hi, increasing = PROBLEMS[name]
    vector = solve(
        lambda x: np.array([f(v) for v in x.tolist()]),
        np.array([lo, lo]),
        hi,
        increasing=increasing,
    )
    assert vector.tolist() == [solve(f, lo, hi, increasing=increasing)] * 2


@given(st.floats(-1e6, 1e6), st.floats(1, 10), st.booleans())
def test_the_two_sides_enclose_the_root(root: float, slope: float, increasing: bool) -> None:
    def f(x: float) -> float:
        return (slope if increasing else -slope) * (x - root)

    lo, hi = root - 1e3, root + 2e3
    below, above = (s(f, lo, hi, increasing=increasing) for s in (solve_down, solve_up))
    assert below <= root <= above
    assert above - below <= 2 * max(WIDTH * abs(root), 5e-324) * (1 + 1e-9)


def test_a_smooth_function_needs_few_evaluations() -> None:
    for f, hi in [
        (lambda x: x * x - 2, 2.0),
        (lambda x: x * math.tanh(x / 2) - 0.5, 10.0),
        (lambda x: math.expm1(x) - 1, 4.0),
    ]:
        counted = Counted(f)
        solve_up(counted, 0.0, hi, increasing=True)
        assert counted.calls <= 15


def test_many_problems_at_once_broadcast() -> None:
    squares = np.array([[1e-200], [2.0], [1e200]])
    root = solve_up(
        lambda x: x * x - squares, np.zeros((3, 1)), np.array([1e101, 1e102]), increasing=True
    )
    assert root.shape == (3, 2)
    np.testing.assert_allclose(root, np.sqrt(squares) * np.ones((1, 2)), rtol=1e-15)


def test_a_root_at_an_end() -> None:
    assert solve_up(lambda x: x, 0.0, 1.0, increasing=True) == 0.0
    assert solve_down(lambda x: x - 1, 0.0, 1.0, increasing=True) == 1.0
    assert solve_up(lambda x: 1 - x, 1.0, 1.0, increasing=False) == 1.0
    roots = solve_up(lambda x: x - [0.0, 0.5], np.zeros(2), 1.0, increasing=True)
    assert roots[0] == 0.0
    assert roots[1] == pytest.approx(0.5)


def test_scalars_give_floats() -> None:
    assert type(solve_up(lambda x: x - 0.5, 0, 1, increasing=True)) is float
    assert (
        type(solve_down(lambda x: np.float64(x - 0.5), np.float64(0), 1, increasing=True)) is float
    )


@pytest.mark.parametrize("solve", [solve_up, solve_down])
@pytest.mark.parametrize(
    ("f", "lo", "hi", "message"),
    [
        (lambda x: x + 1, 0.0, 1.0, "0 must lie between"),
        (lambda x: x - 2, 0.0, 1.0, "0 must lie between"),
        (lambda x: 0.5 - x, 0.0, 1.0, "0 must lie between"),
        (lambda x: x * math.nan, 0.0, 1.0, "0 must lie between"),
        (lambda x: (x - 0.5) * np.where((x > 0) & (x < 1), np.nan, 1.0), 0.0, 1.0, "a number"),
        (lambda x: x - 0.5, 1.0, 0.0, "in order"),
        (lambda x: x - 0.5, 0.0, math.inf, "finite"),
        (lambda x: x - 0.5, math.nan, 1.0, "finite"),
    ],
)
def test_refuses(f: Callable, lo: float, hi: float, message: str, solve: Callable) -> None:
    with pytest.raises(ValueError, match=message):
        solve(f, lo, hi, increasing=True)
    with pytest.raises(ValueError, match=message):
        solve(f, np.array([lo, lo]), hi, increasing=True)
