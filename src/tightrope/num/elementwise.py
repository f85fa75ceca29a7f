"""Scalar in, scalar out: what lets one array formula serve floats and arrays alike.

A function that is written for float arrays of one shape becomes, under `elementwise`, a function
of anything that broadcasts, and returns a Python float when all its arguments are scalars.
"""

from collections.abc import Callable, Sequence
from functools import wraps
from typing import Protocol, TypeVar, cast, overload

import numpy as np
from numpy.typing import NDArray

__all__ = ["Binary", "FloatArray", "ScalarOrArray", "Unary", "branches", "elementwise"]

FloatArray = NDArray[np.float64]

ScalarOrArray = TypeVar("ScalarOrArray", float, FloatArray)
"""What goes in comes out: a float for a float, an array for an array."""


class Unary(Protocol):
    """A real function of one argument, of a float or of each element of an array."""

    @overload
    def __call__(self, x: float, /) -> float: ...
    @overload
    def __call__(self, x: FloatArray | Sequence[float], /) -> FloatArray: ...


class Binary(Protocol):
    """A real function of two arguments, which broadcast."""

    @overload
    def __call__(self, x: float, y: float, /) -> float: ...
    @overload
    def __call__(self, x: FloatArray | Sequence[float], y: float | FloatArray, /) -> FloatArray: ...
    @overload
    def __call__(self, x: float, y: FloatArray | Sequence[float], /) -> FloatArray: ...


@overload
def elementwise(function: Callable[[FloatArray], FloatArray]) -> Unary: ...
@overload
def elementwise(function: Callable[[FloatArray, FloatArray], FloatArray]) -> Binary: ...
def elementwise(function: Callable[..., FloatArray]) -> Unary | Binary:
    """Let a formula on non-scalar float64 arrays of one shape take floats and arrays.

    Floating-point warnings are off inside: infinities are regular arguments and results here.
    """

    @wraps(function)
    def broadcast(*args: float | FloatArray) -> float | FloatArray:
        arrays = [np.asarray(arg, dtype=np.float64) for arg in args]
        with np.errstate(all="ignore"):
            if all(array.ndim == 0 for array in arrays):
                return float(function(*(array.reshape(1) for array in arrays))[0])
            return function(*np.broadcast_arrays(*arrays))

    return cast("Unary", broadcast)


Case = tuple[NDArray[np.bool_], Callable[..., FloatArray]]


def branches(args: Sequence[FloatArray], *cases: Case) -> FloatArray:
    """Evaluate each formula only where it is wanted: the first case that holds wins, else nan.

    Args:
        args: arrays of one shape, the arguments of the formulas.
        cases: pairs of a boolean array of that shape and a formula.
    """
    result = np.full(args[0].shape, np.nan)
    remaining = np.ones(args[0].shape, dtype=np.bool_)
    for condition, formula in cases:
        chosen = condition & remaining
        if chosen.all():
            return formula(*args)
        if chosen.any():
            result[chosen] = formula(*(arg[chosen] for arg in args))
            remaining &= ~chosen
    return result
