"""Remainders of the exponential: the positive terms that Renyi divergences are made of.

A Renyi divergence near zero is a difference of numbers near one. Written with

    psi(z) = e^z - 1 - z,    chi(z) = 1 - (1 + z) e^-z,    m_k(z) = (1 - e^(-k z))/k,

it becomes a sum of positive terms, and every digit survives, however close the two laws and
however large the order. All are smooth in k at 0, which is the Kullback-Leibler case. The scalar
forms serve the searches; `psi_array` is the same on arrays.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

__all__ = ["chi", "m", "psi", "psi_array", "psi_over"]

_NEAR = 0.35
_LARGE = 30.0
_SERIES = tuple(1 / math.factorial(j) for j in range(14, 1, -1))


def psi(z: float) -> float:
    """Return `e^z - 1 - z`, never negative. Relative error below 1e-15 for every real z."""
    if abs(z) >= _NEAR:
        return math.expm1(z) - z
    total = 0.0
    for coefficient in _SERIES:
        total = total * z + coefficient
    return total * z * z


def psi_over(k: float, z: float) -> float:
    """Return `psi(k z)/k`, and its limit 0 at k = 0."""
    return psi(k * z) / k if k else 0.0


def chi(z: float) -> float:
    """Return `1 - (1 + z) e^-z = e^-z psi(z)`. Relative error below 1e-15 for z > -700."""
    return math.exp(-z) * psi(z) if z < _LARGE else 1 - (1 + z) * math.exp(-z)


def m(k: float, z: float) -> float:
    """Return `(1 - e^(-k z))/k`, and its limit z at k = 0."""
    return -math.expm1(-k * z) / k if k else z


def psi_array(z: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return `psi` of each element; overflows to inf without a warning under `np.errstate`."""
    near = np.clip(z, -_NEAR, _NEAR)
    series = np.polyval(_SERIES, near) * near * near
    return np.where(np.abs(z) < _NEAR, series, np.expm1(z) - z)
