"""Every bit string of a small source: the law of a program's outputs, without sampling.

A program that takes its random bits from an ``Entropy`` is run on all strings of so many bits. What
ends within them has a known probability, a whole number of 2^-bits; what does not is left open.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from tightrope._calls import Spoken, spoken
from tightrope._check import Domain, validated
from tightrope.mechanisms import Mechanism, Released
from tightrope.noise.entropy import Entropy, Words

__all__ = ["ExactLaw", "exact_law", "one_release"]

_BITS = Domain("a whole number from 1 to 24", lambda x: 1 <= x <= 24, integral=True)


@dataclass(frozen=True)
class ExactLaw(metaclass=Spoken):
    """What is known of a law from all strings of so many bits.

    Attributes:
        counts: how many strings end in each output.
        bits: the length of the strings.
        undecided: how many strings end before there is an output.
    """

    counts: Mapping[Hashable, int]
    bits: int
    undecided: int

    def probability(self, outputs: Iterable[Hashable]) -> tuple[Fraction, Fraction]:
        """Bounds on the probability of a set of outputs; exact if nothing is undecided."""
        hits = sum(self.counts.get(output, 0) for output in set(outputs))
        strings = 1 << self.bits
        return Fraction(hits, strings), Fraction(hits + self.undecided, strings)

    def distance(self, law: Callable[[Any], Any]) -> tuple[float, float]:
        """Bounds on the total variation between this law and one that is claimed.

        Args:
            law: the claimed probability of an output.

        Examples:
            >>> coin = exact_law(lambda entropy: entropy.bits(1), bits=4)
            >>> coin.distance(lambda output: 0.5), coin.distance(lambda output: output)
            ((0.0, 0.0), (0.5, 0.5))
        """
        strings = 1 << self.bits
        pairs = [(Fraction(n, strings), Fraction(law(y))) for y, n in self.counts.items()]
        excess = sum((max(known - said, Fraction(0)) for known, said in pairs), Fraction(0))
        shared = sum((min(known, said) for known, said in pairs), Fraction(0))
        return float(excess), float(1 - shared)


@spoken
def exact_law(run: Callable[[Entropy], Any], bits: int = 16) -> ExactLaw:
    """The law of a program's outputs on all strings of so many bits.

    Args:
        run: the program: it takes all its randomness from the source that it is given; its outputs
            are hashable, or arrays.
        bits: from 1 to 24. The program runs once for every string that it tells apart.

    Examples:
        >>> import tightrope as tr
        >>> exact_law(lambda entropy: entropy.bits(2) == 0, bits=8).probability([True])
        (Fraction(1, 4), Fraction(1, 4))
    """
    depth = int(validated(bits, _BITS, "exact_law: bits"))
    counts: Counter[Hashable] = Counter()
    undecided = 0
    strings = [(0, 0)]
    while strings:
        value, length = strings.pop()
        try:
            output = _hashable(run(_Branch(value, length)))
        except _Exhausted as end:
            wanted = length + end.missing
            if wanted > depth:
                undecided += 1 << (depth - length)
            else:
                grown = value << end.missing
                strings += [(grown | rest, wanted) for rest in range(1 << end.missing)]
            continue
        counts[output] += 1 << (depth - length)
    return ExactLaw(counts, depth, undecided)


def one_release(mechanism: Mechanism) -> Callable[[Any, Entropy], Any]:
    """A program that releases one value, for ``exact_law``.

    A release of one value draws for a whole batch and uses the first; here all of the batch get
    the same bits, which leaves the law of the first as it is, and its strings few.
    """
    release: Callable[..., Released] = mechanism.release  # type: ignore[attr-defined]
    return lambda x, entropy: release(x, entropy=_Alike(entropy)).value


class _Exhausted(Exception):
    """The string is used up."""

    def __init__(self, missing: int):
        super().__init__(missing)
        self.missing = missing


class _Branch(Entropy):
    """One string of bits."""

    def __init__(self, value: int, length: int):
        self.value, self.left = value, length

    def take(self, count: int) -> bytes:
        return self.bits(8 * count).to_bytes(count, "big")

    def bits(self, count: int) -> int:
        if count > self.left:
            raise _Exhausted(count - self.left)
        self.left -= count
        return self.value >> self.left & ((1 << count) - 1)


class _Alike(Entropy):
    """Gives every lane of a batch the same word."""

    def __init__(self, inner: Entropy):
        self.inner = inner

    def take(self, count: int) -> bytes:
        return self.inner.take(count)

    def words(self, count: int, dtype: type[np.unsignedinteger[Any]] = np.uint64) -> Words:
        return np.repeat(self.inner.words(min(count, 1), dtype), count if count else 0)


def _hashable(output: Any) -> Hashable:
    if isinstance(output, Released):
        return _hashable(output.value)
    if isinstance(output, np.ndarray):
        return _hashable(output.tolist())
    if isinstance(output, list | tuple):
        return tuple(_hashable(entry) for entry in output)
    return output  # type: ignore[no-any-return]
