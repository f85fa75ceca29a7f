"""Two precisions of one formula: doubles, and what the machine has beyond them.

NumPy's formulas keep the format of the arrays that go in. So a formula that counts its errors in
units of ``ulp`` is proved in both; where the machine has nothing beyond doubles, the second answer
is as wide as the first.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

WITH_ONE_ROUNDING = (63, 112)
"""Bits of the fraction, in formats beyond doubles in which an operation rounds once."""

EXTENDED: type[Any] = (
    np.longdouble if np.finfo(np.longdouble).nmant in WITH_ONE_ROUNDING else np.float64
)
"""The format beyond doubles; doubles where there is none."""


def ulp(x: Any) -> float:
    """The distance from 1 to the next number in the format of an array or a NumPy number.

    >>> ulp(np.ones(3)), ulp(np.ones(3, dtype=complex))
    (2.220446049250313e-16, 2.220446049250313e-16)
    """
    return _ulp(x.dtype)


@cache
def _ulp(kind: np.dtype[Any]) -> float:
    return float(np.finfo(kind).eps)


def real_format(x: Any) -> np.dtype[Any]:
    """The format of the real parts of an array or a NumPy number.

    >>> real_format(np.ones(3, dtype=complex))
    dtype('float64')
    """
    return _real(x.dtype)


@cache
def _real(kind: np.dtype[Any]) -> np.dtype[Any]:
    return np.finfo(kind).dtype


def turn_by(angle: float, x: Any) -> Any:
    """exp(i angle) in the format of an array or a NumPy number.

    >>> turn_by(0.0, np.ones(3))
    np.complex128(1+0j)
    """
    exact = real_format(x).type(angle)
    return np.cos(exact) + 1j * np.sin(exact)
