"""Where random bits come from: the operating system, or, in tests, a seed that says so.

Randomness is an argument of every sampler.  `SystemEntropy` asks the operating system anew for
every block of bits and keeps none: there is no pool that a forked child could read again, that two
threads would have to share, or that would have to be erased after use.  A block of 131,072 samples
costs a few system calls, so a pool would gain nothing.
"""

from __future__ import annotations

import hashlib
import os
from abc import abstractmethod
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tightrope._calls import AbstractSpoken
from tightrope._errors import InvalidArgument

__all__ = ["Entropy", "InsecureEntropy", "SystemEntropy", "Words"]

Words = NDArray[np.unsignedinteger[Any]]


class Entropy(metaclass=AbstractSpoken):
    """A source of independent fair bits, none of which is handed out twice.

    Attributes:
        secure: whether nobody can predict the bits; False marks whatever was made from them.
    """

    secure: bool = False

    @abstractmethod
    def take(self, count: int) -> bytes:
        """`count` fresh bytes."""

    def words(self, count: int, dtype: type[np.unsignedinteger[Any]] = np.uint64) -> Words:
        """`count` fresh unsigned integers, uniform over all values of `dtype`."""
        return np.frombuffer(self.take(count * np.dtype(dtype).itemsize), dtype=dtype)

    def bits(self, count: int) -> int:
        """An integer made of `count` fresh bits, uniform below `2**count`."""
        whole = int.from_bytes(self.take(-(-count // 8)), "big")
        return whole >> (-count % 8)


class SystemEntropy(Entropy):
    """The operating system's cryptographic generator (`os.urandom`); the default everywhere.

    Raises:
        NotImplementedError: the system has no such generator.

    >>> SystemEntropy().words(3).dtype
    dtype('uint64')
    """

    secure = True

    def take(self, count: int) -> bytes:
        """`count` bytes that the system hands out once; nothing is kept."""
        return os.urandom(count)

    def __repr__(self) -> str:
        return "SystemEntropy()"


class InsecureEntropy(Entropy):
    """A repeatable stream for tests and demonstrations: SHAKE-128 of a seed and a counter.

    Whoever knows the seed knows the noise, so nothing made from it is private.  One instance is
    for one thread.

    Args:
        seed: a non-negative integer.

    Raises:
        InvalidArgument: the seed is no integer, or is negative.

    >>> InsecureEntropy(7).bits(32) == InsecureEntropy(7).bits(32)
    True
    """

    secure = False
    _chunk = 1 << 16

    def __init__(self, seed: int):
        if isinstance(seed, bool) or not isinstance(seed, int) or seed < 0:
            raise InvalidArgument(
                f"InsecureEntropy: seed must be a non-negative integer; you passed {seed!r}"
            )
        self.seed = seed
        self._counter = 0
        self._rest = b""

    def take(self, count: int) -> bytes:
        """The next `count` bytes of the stream, however they are asked for."""
        parts = [self._rest]
        held = len(self._rest)
        while held < count:
            parts.append(self._next_chunk())
            held += self._chunk
        stream = b"".join(parts)
        self._rest = stream[count:]
        return stream[:count]

    def _next_chunk(self) -> bytes:
        label = f"tightrope insecure entropy {self.seed} {self._counter}"
        self._counter += 1
        return hashlib.shake_128(label.encode()).digest(self._chunk)

    def __repr__(self) -> str:
        return f"InsecureEntropy({self.seed})"
