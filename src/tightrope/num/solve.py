"""One-sided root finding: the end of the bracket that is returned is the name of the function.

A bound that comes from solving an equation is safe only on one side of the root.  `solve_up` and
`solve_down` therefore return a point at which the function was evaluated and found to be on the
promised side; no tolerance is left for the caller to add.

With `s = +1` for an increasing and `s = -1` for a decreasing function f,

* `solve_up` returns the first argument in the bracket at which `s f(x) >= 0`;
* `solve_down` returns the last argument in the bracket at which `s f(x) <= 0`;

first and last up to the width of the final bracket, a relative `2**-50` or two neighbouring
doubles, whose other end was evaluated too and failed.  So for a decreasing f the result of
`solve_up` has `f(x) <= 0` as computed.  Where rounding makes f wiggle around its root, this still
holds at the returned point; what is lost is only that no smaller point could have it.

The steps are those of T. R. Chandrupatla, "A new hybrid quadratic/bisection algorithm for finding
the zero of a nonlinear function" (1997): inverse quadratic interpolation where it is safe, else
bisection; ten to twenty evaluations for a smooth f.  Bisection turns geometric when the ends of the
bracket stay of different magnitude, so that a root near 1e-300 costs little more than one near 1.
"""

import math
from collections.abc import Callable
from typing import Any, overload

import numpy as np

from tightrope.num.elementwise import FloatArray

__all__ = ["solve_down", "solve_up"]

ScalarFunction = Callable[[float], float]
ArrayFunction = Callable[[FloatArray], FloatArray]
Point = tuple[float, float]  # an argument and the value there

_WIDTH = 2.0**-50
_TINY = 2.0**-1074
_PATIENCE = 3  # steps that fail to halve the bracket before bisection is forced
_ARITHMETIC = 4  # steps that suppose the root to be of the size of the bracket
_ENDS = "the ends of a bracket must be finite and in order"
_CROSSING = "0 must lie between the values of f at the ends of the bracket"
_NUMBER = "f must be a number everywhere in the bracket"


@overload
def solve_up(f: ScalarFunction, lo: float, hi: float, *, increasing: bool) -> float: ...
@overload
def solve_up(
    f: ArrayFunction, lo: FloatArray, hi: float | FloatArray, *, increasing: bool
) -> FloatArray: ...
@overload
def solve_up(f: ArrayFunction, lo: float, hi: FloatArray, *, increasing: bool) -> FloatArray: ...
def solve_up(
    f: Callable[[Any], Any], lo: float | FloatArray, hi: float | FloatArray, *, increasing: bool
) -> float | FloatArray:
    """Return the upper end of the final bracket: the crossing of 0 is not above it.

    Args:
        f: a monotone function; it may be infinite.  When an end is an array, f gets arrays of the
            shape of the broadcast ends, and each element is a problem of its own; else floats.
        lo: finite lower end of the bracket.
        hi: finite upper end of the bracket.
        increasing: whether f increases or decreases.

    Raises:
        ValueError: the ends are not finite or not in order, 0 does not lie between the values of
            f at the ends, or f is not a number somewhere.

    >>> solve_up(lambda x: 2 - x * x, 0.0, 2.0, increasing=False)
    1.4142135623730954
    """
    sign = 1.0 if increasing else -1.0
    if np.ndim(lo) == 0 and np.ndim(hi) == 0:
        return _solve_scalar(lambda x: sign * float(f(x)), float(lo), float(hi))
    ends = np.broadcast_arrays(np.asarray(lo, np.float64), np.asarray(hi, np.float64))
    with np.errstate(all="ignore"):
        return _solve_array(lambda x: sign * np.asarray(f(x), np.float64), *ends)


@overload
def solve_down(f: ScalarFunction, lo: float, hi: float, *, increasing: bool) -> float: ...
@overload
def solve_down(
    f: ArrayFunction, lo: FloatArray, hi: float | FloatArray, *, increasing: bool
) -> FloatArray: ...
@overload
def solve_down(f: ArrayFunction, lo: float, hi: FloatArray, *, increasing: bool) -> FloatArray: ...
def solve_down(
    f: Callable[[Any], Any], lo: Any, hi: Any, *, increasing: bool
) -> float | FloatArray:
    """Return the lower end of the final bracket: the crossing of 0 is not below it.

    Arguments and errors are those of `solve_up`.

    >>> solve_down(lambda x: 2 - x * x, 0.0, 2.0, increasing=False)
    1.4142135623730947
    """
    mirrored: float | FloatArray = solve_up(lambda x: f(-x), -hi, -lo, increasing=not increasing)
    return 0.0 - mirrored


def _solve_scalar(f: ScalarFunction, lo: float, hi: float) -> float:
    """Return the first x with f(x) >= 0, for an increasing f with f(lo) <= 0 <= f(hi)."""
    f_lo, f_hi = f(lo), f(hi)
    _require(-math.inf < lo <= hi < math.inf, _ENDS)
    _require(f_lo <= 0 <= f_hi, _CROSSING)
    latest = (lo, 0.0) if f_lo == 0 else (hi, f_hi)
    opposite = left = (lo, f_lo)  # the other end of the bracket; the point that last left it
    steps, poor = 0, _PATIENCE
    while (width := abs(opposite[0] - latest[0])) > (close := _closed(latest[0], opposite[0])):
        step = _interpolate(latest, opposite, left) if poor < _PATIENCE else math.nan
        if math.isnan(step):
            x = _midpoint(latest[0], opposite[0], steps)
        else:
            size = min(max(abs(step), close / 2), width - close / 2)
            x = latest[0] + math.copysign(size, opposite[0] - latest[0])
        value = f(x)
        _require(not math.isnan(value), _NUMBER)
        if (value >= 0) == (latest[1] >= 0):
            left = latest
        else:
            left, opposite = opposite, latest
        latest = (x, value)
        slow = poor < _PATIENCE and abs(opposite[0] - x) > width / 2
        steps, poor = steps + 1, poor + 1 if slow else 0
    return latest[0] if latest[1] >= 0 else opposite[0]


def _closed(x1: float, x2: float) -> float:
    """Return the width at which the bracket between two points is closed."""
    return max(_WIDTH * max(abs(x1), abs(x2)), _TINY)


def _interpolate(p1: Point, p2: Point, p3: Point) -> float:
    """Return the step from p1 to the zero of the inverse quadratic; nan where it is not safe."""
    (x1, f1), (x2, f2), (x3, f3) = p1, p2, p3
    xi, phi = (x1 - x2) / (x3 - x2), (f1 - f2) / (f3 - f2)
    if not (phi * phi < xi and (1 - phi) * (1 - phi) < 1 - xi):
        return math.nan
    return f1 / (f2 - f1) * f3 / (f2 - f3) * (x2 - x1) + f1 / (f3 - f1) * f2 / (f3 - f2) * (x3 - x1)


def _midpoint(x1: float, x2: float, steps: int) -> float:
    middle = x1 / 2 + x2 / 2
    size1, size2 = max(abs(x1), _TINY), max(abs(x2), _TINY)
    if steps < _ARITHMETIC or max(size1, size2) <= 4 * min(size1, size2):
        return middle
    if min(x1, x2) < 0 < max(x1, x2):
        return 0.0
    return math.copysign(math.sqrt(size1) * math.sqrt(size2), middle)


def _solve_array(f: ArrayFunction, lo: FloatArray, hi: FloatArray) -> FloatArray:
    """Do what `_solve_scalar` does, in step for all elements; closed brackets stand still.

    A point is an array whose first row is x, its second f(x).
    """
    f_lo, f_hi = f(lo), f(hi)
    _require(np.isfinite(lo).all() and np.isfinite(hi).all() and (lo <= hi).all(), _ENDS)
    _require((f_lo <= 0).all() and (f_hi >= 0).all(), _CROSSING)
    opposite = left = np.stack([lo, f_lo])
    latest = np.where(f_lo == 0, opposite, np.stack([hi, f_hi]))
    steps, poor = 0, np.full(lo.shape, _PATIENCE)
    while True:
        gap = opposite[0] - latest[0]
        width = np.abs(gap)
        close = np.maximum(_WIDTH * np.maximum(np.abs(latest[0]), np.abs(opposite[0])), _TINY)
        moving = width > close
        if not moving.any():
            return np.asarray(np.where(latest[1] >= 0, latest[0], opposite[0]))
        step = _interpolate_array(latest, opposite, left)
        size = np.minimum(np.maximum(np.abs(step), close / 2), width - close / 2)
        bisect = (poor >= _PATIENCE) | np.isnan(step)
        middle = _midpoint_array(latest[0], opposite[0], steps)
        x = np.where(bisect, middle, latest[0] + np.copysign(size, gap))
        x = np.where(moving, x, latest[0])
        value = np.where(moving, f(x), latest[1])
        _require(not np.isnan(value).any(), _NUMBER)
        same = (value >= 0) == (latest[1] >= 0)
        left, opposite = np.where(same, latest, opposite), np.where(same, opposite, latest)
        latest = np.stack([x, value])
        slow = (poor < _PATIENCE) & (np.abs(opposite[0] - x) > width / 2)
        steps, poor = steps + 1, np.where(slow, poor + 1, 0)


def _interpolate_array(p1: FloatArray, p2: FloatArray, p3: FloatArray) -> FloatArray:
    (x1, f1), (x2, f2), (x3, f3) = p1, p2, p3
    xi, phi = (x1 - x2) / (x3 - x2), (f1 - f2) / (f3 - f2)
    safe = (phi * phi < xi) & ((1 - phi) * (1 - phi) < 1 - xi)
    to_x2 = f1 / (f2 - f1) * f3 / (f2 - f3) * (x2 - x1)
    return np.where(safe, to_x2 + f1 / (f3 - f1) * f2 / (f3 - f2) * (x3 - x1), np.nan)


def _midpoint_array(x1: FloatArray, x2: FloatArray, steps: int) -> FloatArray:
    middle = x1 / 2 + x2 / 2
    if steps < _ARITHMETIC:
        return middle
    size1, size2 = np.maximum(np.abs(x1), _TINY), np.maximum(np.abs(x2), _TINY)
    geometric = np.copysign(np.sqrt(size1) * np.sqrt(size2), middle)
    far = np.maximum(size1, size2) > 4 * np.minimum(size1, size2)
    return np.where(far, np.where(np.sign(x1) * np.sign(x2) < 0, 0.0, geometric), middle)


def _require(condition: bool | np.bool_, message: str) -> None:
    if not condition:
        raise ValueError(f"solve_up, solve_down: {message}")
