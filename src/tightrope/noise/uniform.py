"""Uniform integers, and what follows from them: an order, and one of several at random."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from tightrope._check import Domain, validated
from tightrope.noise.blocks import low_bits
from tightrope.noise.entropy import Entropy, SystemEntropy
from tightrope.noise.rejection import Proposals, first_kept
from tightrope.noise.shape import Size, in_blocks, shape_of

__all__ = ["pick_one", "random_permutation", "uniform_below"]

_LIMIT = Domain(
    "a whole number of at least 1 and at most 2^62", lambda x: 1 <= x <= 2**62, integral=True
)
_LENGTH = Domain(
    "a whole number of at least 0 and at most 2^31", lambda x: 0 <= x <= 2**31, integral=True
)


def uniform_below(limit: int, size: Size, *, entropy: Entropy | None = None) -> NDArray[np.int64]:
    """Independent integers, each of 0, ..., limit - 1 equally likely.

    Just enough bits are drawn, and drawn again where they make `limit` or more.

    Args:
        limit: from 1 to 2**62.
        size: how many, or the shape of the array.
        entropy: the source of random bits; the operating system by default.

    Raises:
        InvalidArgument: limit or size is not admissible.

    >>> uniform_below(1, 3).tolist()
    [0, 0, 0]
    """
    most = int(validated(limit, _LIMIT, "uniform_below: limit"))
    bits = (most - 1).bit_length()
    source = entropy or SystemEntropy()

    def propose(count: int) -> Proposals:
        values = low_bits(count, bits, source)
        return values, values < most

    share = most / (1 << bits)
    return in_blocks(
        shape_of(size, "uniform_below"), lambda count: first_kept(count, share, propose)
    )


def random_permutation(length: int, *, entropy: Entropy | None = None) -> NDArray[np.int64]:
    """The numbers 0, ..., length - 1 in an order of which all are equally likely.

    Every number gets 64 random bits and they are sorted by these; if two have the same, all draw
    again, so that what is left is symmetric.

    Raises:
        InvalidArgument: the length is not admissible.

    >>> sorted(random_permutation(5).tolist())
    [0, 1, 2, 3, 4]
    """
    count = int(validated(length, _LENGTH, "random_permutation: length"))
    source = entropy or SystemEntropy()
    while True:
        keys = source.words(count)
        order = np.argsort(keys)
        ranked = keys[order]
        if np.all(ranked[1:] > ranked[:-1]):
            return order


def pick_one(candidates: NDArray[np.bool_], entropy: Entropy) -> NDArray[np.int64]:
    """One of the true entries of each row, each of them equally likely.

    Args:
        candidates: two axes, at least one true entry in each row.
        entropy: the source of the bits.
    """
    counts = candidates.sum(axis=1)
    starts = np.cumsum(counts) - counts
    chosen = np.flatnonzero(candidates)[starts + _below_each(counts, entropy)]
    return np.asarray(chosen % candidates.shape[1])


def _below_each(limits: NDArray[np.int64], entropy: Entropy) -> NDArray[np.int64]:
    """Uniform integers below each limit: 64 bits modulo it, from its multiples only."""
    divisors = limits.astype(np.uint64)
    words = entropy.words(len(limits)).astype(np.uint64)
    most = np.uint64(2**64 - 1)
    last = most - (most % divisors + np.uint64(1)) % divisors
    while len(again := np.flatnonzero(words > last)):
        words[again] = entropy.words(len(again))
    return (words % divisors).astype(np.int64)
