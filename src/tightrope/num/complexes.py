"""exp(z) - 1 and log(1 + z) of complex numbers that keep the digits of a small z.

NumPy's own are good to the last place of 1, not of z.
"""

import numpy as np

from tightrope.num.arrays import Complexes, Floats


def expm1(z: Complexes) -> Complexes:
    """Return `exp(z) - 1`.  For a real part of at most 0, an absolute error below `2e-15 |z|`.

    >>> f"{expm1(np.array([1e-20 + 1e-18j]))[0]:.3g}"
    '1e-20+1e-18j'
    """
    sine = np.sin(z.imag / 2)
    real = np.expm1(z.real) * np.cos(z.imag) - 2 * sine * sine
    return np.asarray(real + 1j * np.exp(z.real) * np.sin(z.imag))


def expm1_parts(real: Floats, imag: Floats) -> tuple[Floats, Floats, Floats]:
    """Real and imaginary part of exp(real + i imag) - 1, and exp(real) - 1."""
    growth = np.expm1(real)
    half = 0.5 * imag
    sine, size = np.sin(half), growth + 1
    np.cos(half, out=half)
    half *= sine
    half *= size
    half *= 2
    sine *= sine
    sine *= size
    sine *= -2
    sine += growth
    return sine, half, growth


def log1p(z: Complexes) -> Complexes:
    """Return `log(1 + z)`; an error below `4e-15 |z|/|1 + z|`.

    >>> f"{log1p(np.array([1e-20 + 1e-18j]))[0]:.3g}"
    '1e-20+1e-18j'
    """
    change = z.real * (2 + z.real) + z.imag * z.imag
    size = np.asarray(np.log1p(np.maximum(change, -0.5)) / 2)
    far = change < -0.5
    if far.any():
        with np.errstate(divide="ignore"):
            size[far] = np.log(np.hypot(1 + z.real[far], z.imag[far]))
    return np.asarray(size + 1j * np.arctan2(z.imag, 1 + z.real))
