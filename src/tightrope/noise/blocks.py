"""Integers as blocks: a signed block from a table, the place within it from uniform bits.

Every law on the integers here is split as y = (m 2**k + l) ^ -s with s the sign bit (y < 0), m >= 0
the number of the block and 0 <= l < 2**k; `x ^ -1` is -x - 1, so the blocks of the two signs mirror
each other.  The signed block is h = m ^ -s, the number of y's block counted upward from minus
infinity, and y = h 2**k + l', with l' = l for s = 0 and its mirror image 2**k - 1 - l for s = 1.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from tightrope.noise.entropy import Entropy
from tightrope.noise.table import Codes, Indices

__all__ = ["LIMIT", "assemble", "low_bits", "mirrored", "signed"]

LIMIT = 1 << 62
"""Where samples saturate, see `saturation`."""

_EXPONENT = 62
_SAFE = 46
"""A block's number of 16 bits, shifted by this much, stays within the limit."""

_DTYPES = ((8, np.uint8), (16, np.uint16), (32, np.uint32), (64, np.uint64))


def low_bits(count: int, bits: int, entropy: Entropy) -> Indices:
    """`count` integers, uniform below `2**bits`, from the narrowest words that hold them."""
    width, dtype = next(pair for pair in _DTYPES if bits <= pair[0])
    if bits == 0:
        return np.zeros(count, dtype=np.int64)
    return np.right_shift(entropy.words(count, dtype), width - bits).astype(np.int64)


def signed(outcomes: Indices) -> Indices:
    """The signed block m ^ -s of the outcome 2m + s."""
    return outcomes >> 1 ^ -(outcomes & 1)


def mirrored(places: Indices, signs: Indices, bits: int) -> Indices:
    """The places within their blocks, mirrored in those of negative sign."""
    return places ^ (-signs & ((1 << bits) - 1))


def assemble(blocks: Codes | Indices, places: Indices, bits: int) -> NDArray[np.int64]:
    """h 2**k + l, saturating at +-2**62."""
    if blocks.dtype == np.int16 and bits <= _SAFE:
        values = np.left_shift(blocks, bits, dtype=np.int64)
        values |= places
        return values
    most = 1 << (_EXPONENT - bits)
    wide = blocks.astype(np.int64)
    values = (np.clip(wide, -most, most - 1) << bits) | places
    values[wide >= most] = LIMIT
    values[wide < -most] = -LIMIT
    return values
