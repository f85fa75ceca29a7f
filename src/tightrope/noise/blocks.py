"""Integers as blocks: a signed block from a table, the place within it from uniform bits.

Every law on the integers here is split as y = (m 2**k + l) ^ -s with s the sign bit (y < 0), m >= 0
the number of the block and 0 <= l < 2**k; `x ^ -1` is -x - 1, so the blocks of the two signs mirror
each other.  The signed block is h = m ^ -s, the number of y's block counted upward, and
y = h 2**k + l', with l' = l for s = 0 and its mirror image 2**k - 1 - l for s = 1.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from tightrope.noise.entropy import Entropy
from tightrope.noise.table import Codes, Indices

__all__ = ["LIMIT", "assemble", "low_bits", "signed"]

LIMIT = 1 << 62
"""Where samples saturate, see `saturation`."""

_EXPONENT = 62
_SAFE = 46
"""A block's number of 16 bits, shifted by this much, stays within the limit."""

_WORD = 32
_DTYPES = ((8, np.uint8), (16, np.uint16), (_WORD, np.uint32))


def low_bits(count: int, bits: int, entropy: Entropy) -> Indices:
    """`count` integers, uniform below `2**bits`, from the narrowest words that hold them."""
    if bits == 0:
        return np.zeros(count, dtype=np.int64)
    if bits > _WORD:
        return _two_words(count, bits, entropy)
    width, dtype = next(pair for pair in _DTYPES if bits <= pair[0])
    return np.right_shift(entropy.words(count, dtype), width - bits).astype(np.int64)


def _two_words(count: int, bits: int, entropy: Entropy) -> Indices:
    """A whole word of low bits, and the rest from a narrower one: little-endian halves."""
    values = np.empty(count, dtype="<i8")
    halves = values.view("<u4").reshape(count, 2)
    halves[:, 0] = entropy.words(count, np.uint32)
    halves[:, 1] = low_bits(count, bits - _WORD, entropy)
    return values.astype(np.int64, copy=False)


def signed(outcomes: Indices) -> Indices:
    """The signed block m ^ -s of the outcome 2m + s."""
    return outcomes >> 1 ^ -(outcomes & 1)


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
