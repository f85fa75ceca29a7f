"""Polynomials at many points: Horner's rule over arrays of coefficients."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from tightrope.num.arrays import Floats


def horner(coefficients: Iterable[Floats], x: Floats) -> Floats:
    """The polynomial with these coefficients, the highest power first, which broadcast against x.

    Each step adds at most two units in the last place of the sum of the terms' sizes.

    >>> horner(np.array([2.0, 0.0, 1.0]), np.array([0.0, 3.0])).tolist()
    [1.0, 19.0]
    """
    value = np.zeros_like(x)
    for coefficient in coefficients:
        value = value * x + coefficient
    return np.asarray(value)
