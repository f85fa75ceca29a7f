"""Sizes: how a sampler of blocks becomes a function that fills arrays of any shape."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from tightrope._errors import InvalidArgument
from tightrope.noise.entropy import Entropy, SystemEntropy

__all__ = ["LEAST", "Sampler", "Size", "in_blocks", "sampled", "shape_of"]

Size = int | tuple[int, ...]

BLOCK = 1 << 17
"""Lanes a block: what a block touches stays near the processor, and calls are few."""

LEAST = 256
"""Lanes that even a single value draws, so that its own path is a small part of the time taken."""


class Sampler(Protocol):
    """Draws from one law on the integers."""

    def draw(self, count: int, entropy: Entropy) -> NDArray[np.int64]:
        """`count` samples, saturated at +-2**62."""


def sampled(
    sampler: Sampler, size: Size, entropy: Entropy | None, caller: str
) -> NDArray[np.int64]:
    """An array of samples, by default from the operating system's bits."""
    source = entropy or SystemEntropy()
    return in_blocks(shape_of(size, caller), lambda count: sampler.draw(count, source))


def shape_of(size: object, caller: str) -> tuple[int, ...]:
    """`size` as a tuple; InvalidArgument unless it is a non-negative integer or a tuple of them."""
    shape = size if isinstance(size, tuple) else (size,)
    if not all(_is_length(length) for length in shape):
        raise InvalidArgument(
            f"{caller}: size must be a non-negative integer, or a tuple of them; you passed "
            f"{size!r}"
        )
    return tuple(int(length) for length in shape)


def _is_length(length: Any) -> bool:
    whole = isinstance(length, int | np.integer) and not isinstance(length, bool)
    return whole and length >= 0


def in_blocks(
    shape: tuple[int, ...], block: Callable[[int], NDArray[np.int64]]
) -> NDArray[np.int64]:
    """Fill an array block by block; `block(n)` draws n values."""
    count = math.prod(shape)
    values = np.empty(count, dtype=np.int64)
    for start in range(0, count, BLOCK):
        wanted = min(BLOCK, count - start)
        values[start : start + wanted] = block(max(wanted, LEAST))[:wanted]
    return values.reshape(shape)
