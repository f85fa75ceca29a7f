"""exp(z) - 1 and log(1 + z) against fifty digits."""

import cmath

import mpmath as mp
import numpy as np
import pytest

from tightrope.num.complexes import expm1, log1p

SIZES = [1e-300, 1e-20, 1e-8, 1e-3, 0.3, 0.999, 3.0, 40.0]
ANGLES = [0.0, 0.1, 1.5707, 2.5, 3.14159]


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("angle", ANGLES)
def test_small_numbers_keep_their_digits(size: float, angle: float) -> None:
    z = cmath.rect(size, angle)
    with mp.workdps(340):
        low = complex(-abs(z.real), z.imag)
        off = abs(mp.expm1(mp.mpc(low)) - mp.mpc(expm1(np.array([low]))[0]))
        assert off <= mp.mpf(2e-15) * size
        off = abs(mp.log(1 + mp.mpc(z)) - mp.mpc(log1p(np.array([z]))[0]))
        assert off <= mp.mpf(4e-15) * size / abs(1 + mp.mpc(z)) + mp.mpf(1e-15) * (size > 1)
