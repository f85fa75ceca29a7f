"""Counts by keys that nobody knows in advance: noise, and a threshold that hides the rare ones.

Each person adds 1 to the counts of at most k keys, and a key is told if its noisy count reaches the
threshold. Let a person join. Keys that others hold as well have counts that move by 1: what the
noise covers. A key that nobody else holds has the count 1; it is told with probability
p = P(1 + Y >= threshold), the mass at the threshold included, and never without the person. With
k p <= delta the new keys of that person are told with probability at most delta, and otherwise
nothing of them is seen: (0, delta)-DP, beside the noise on the others.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

import numpy as np

from tightrope._calls import spoken
from tightrope._check import Domain, Real, validated
from tightrope._errors import InvalidArgument
from tightrope._text import named
from tightrope.grid import entries_of, is_frame
from tightrope.mechanisms.noise_law import NoiseLaw
from tightrope.mechanisms.released import Released
from tightrope.mechanisms.source import source_of
from tightrope.mechanisms.unit_noise import UnitNoise, law_of, read_delta
from tightrope.neighbors import by_kind
from tightrope.noise.entropy import Entropy
from tightrope.noise.saturation import saturating_add
from tightrope.noise.uniform import random_permutation
from tightrope.notions import ApproxDP
from tightrope.num.rounding import float_up

__all__ = ["StableHistogram", "stable_histogram"]

Key = str | bytes | int

_MOST_KEYS = Domain(
    "a whole number of at least 1 and at most 2^31", lambda x: 1 <= x <= 2**31, integral=True
)


@dataclass(frozen=True, eq=False, repr=False)
class StableHistogram(Released):
    """Noisy counts of the keys that enough people hold.

    Attributes:
        value: from keys to their noisy counts, in the order of the keys: bytes, then numbers, then
            texts, each sorted. A key that is missing may be held by few people, or by nobody.
        event: what was run, for accounting: noise on the keys of one person, and the threshold.
        secure: whether all randomness came from the operating system.
        threshold: the least noisy count that is told; public, since it comes from the noise.
    """

    threshold: int = field(kw_only=True)


@spoken
def stable_histogram(
    keys: Any,
    noise: UnitNoise,
    delta: Real,
    *,
    contributions: int = 1,
    entropy: Entropy | None = None,
) -> StableHistogram:
    """How many people hold each key, for keys that come from the data themselves.

    Every person counts once for each of at most ``contributions`` different keys; of a person who
    has more, so many are chosen at random. Whole noise is added to every count, and counts below a
    threshold are dropped, which makes keys that only one person holds appear with probability at
    most ``delta``.

    Args:
        keys: one entry a person: a key, or a list, tuple or set of keys; also a column of pandas,
            polars or Arrow. Keys are texts, bytes or whole numbers.
        noise: ``tr.DiscreteLaplace``, ``tr.DiscreteGaussian`` or ``tr.Skellam`` of sensitivity 1: a
            key's count moves by 1. Its neighbours are those of the release.
        delta: from 1e-30 to 0.5; the most that the threshold may cost, beside the noise.
        contributions: the most keys of a person that count, declared without looking at the data.
        entropy: where random bits come from, the operating system by default.

    Returns:
        ``value`` is a dictionary, in an order that does not depend on that of the people;
        ``threshold`` the least count that it can hold; ``event`` is
        ``(noise ** contributions + ApproxDP(0, d)).for_one_unit()``, d at most delta the chance
        that is left at that threshold, with twice as many runs of the noise if people are replaced.

    Raises:
        InvalidArgument: a key is of another type (its place is told), or an argument is not
            admissible.

    Source: Korolova, Kenthapadi, Mishra and Ntoulas (2009); Bun, Nissim and Stemmer (2016),
    stability-based histogram. The proof is in docs/release.md.

    Examples:
        >>> import tightrope as tr
        >>> words = ["tea"] * 500 + ["coffee"] * 400 + ["a name that one person wrote"]
        >>> found = tr.stable_histogram(words, tr.DiscreteLaplace(noise_scale=1), delta=1e-9)
        >>> list(found.value), found.threshold
        (['coffee', 'tea'], 22)
        >>> found.to(tr.ApproxDP, delta=1e-9)
        ApproxDP(epsilon=1.0, delta=1e-09)
    """
    caller = "stable_histogram"
    source = source_of(entropy, caller)
    allowed = read_delta(delta, caller)
    most = int(validated(contributions, _MOST_KEYS, f"{caller}: contributions"))
    law = law_of(noise, caller)
    people = by_kind(noise.neighbors, f"{caller}: the noise's neighbors", added=1, replaced=2)
    threshold, missed = least_told(law, allowed, most)
    told_anyway = ApproxDP(0, missed, neighbors=noise.neighbors)
    event = (noise ** (people * most) + told_anyway).for_one_unit()
    counts = Counter(_counted(_people(keys, caller), most, source))
    order = sorted(counts, key=lambda key: (type(key).__name__, key))
    found = np.array([counts[key] for key in order], dtype=np.int64)
    noisy = saturating_add(found, law.draw(len(order), source)).tolist()
    told = {key: count for key, count in zip(order, noisy, strict=True) if count >= threshold}
    return StableHistogram(told, event, source.secure, threshold=threshold)


def least_told(law: NoiseLaw, delta: Fraction, contributions: int) -> tuple[int, float]:
    """The least threshold with ``contributions`` P(1 + Y >= threshold) at most delta; and that."""
    least, missed = law.rare(delta / contributions)
    return 1 + least, float_up(contributions * missed)


def _people(keys: Any, caller: str) -> Iterator[tuple[Key, ...]]:
    """The different keys of each person, in the order in which the person has them."""
    iterable = isinstance(keys, Iterable) or is_frame(keys)
    if isinstance(keys, str | bytes | Mapping) or not iterable:
        raise InvalidArgument(
            f"{caller}: keys must be a sequence with one entry for each person; you passed "
            f"{type(keys).__name__}"
        )
    if is_frame(keys) and getattr(keys, "name", None) == "count":
        raise InvalidArgument(
            f"{caller}: keys must be one entry for each person, and a column named 'count' reads "
            "like counts; they are counted here, so pass the records: series, and not "
            "series.value_counts() (rename a column of records that has this name)"
        )
    for place, held in enumerate(_listed(keys, caller)):
        entries = held if isinstance(held, list | tuple | set | frozenset) else (held,)
        yield tuple(dict.fromkeys(_plain(key, f"{caller}: keys[{place}]") for key in entries))


def _listed(keys: Any, caller: str) -> Iterable[Any]:
    if is_frame(keys):
        return entries_of(keys, f"{caller}: keys")
    return keys.tolist() if isinstance(keys, np.ndarray) else keys  # type: ignore[no-any-return]


def _plain(key: Any, what: str) -> Key:
    """A key of one of three plain types, so that equal keys look alike whoever holds them."""
    if isinstance(key, str):
        return str.__str__(key)
    if isinstance(key, bytes):
        return bytes(key)
    if isinstance(key, int | np.integer) and not isinstance(key, bool):
        return int(key)
    if key is None:
        raise InvalidArgument(f"{what} is missing; drop it first, or give it a key of its own")
    raise InvalidArgument(
        f"{what} must be a text, bytes or a whole number (True and 1, or 1.0 and 1, would be one "
        f"key with two looks); you passed {named(type(key).__name__)}"
    )


def _counted(people: Iterable[tuple[Key, ...]], most: int, source: Entropy) -> Iterator[Key]:
    """Every key of every person, of those who have too many a random choice."""
    for held in people:
        if len(held) <= most:
            yield from held
        else:
            chosen = random_permutation(len(held), entropy=source)[:most]
            yield from (held[i] for i in chosen.tolist())
