"""The distinguishing test: an event that the claim does not allow to be so much likelier.

A quarter of the samples teaches the scores, a quarter decides which event to look at, and the other
half, which had no part in the choice, is counted. So the bounds hold however the event was found.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import numpy as np

from tightrope.auditing.claim import Claim
from tightrope.auditing.findings import Finding
from tightrope.auditing.outputs import Outputs
from tightrope.auditing.rates import Hits, at_least, at_most, detectable, p_value
from tightrope.auditing.scores import Learner, Score
from tightrope.num.arrays import Floats, Integers

__all__ = ["Choice", "Pair", "chosen", "counted", "distinguish"]

Pair = tuple[Outputs, Outputs]
"""Samples of the two inputs."""

_FEW = 256
"""Thresholds that are tried from either end and between, where there are more."""


@dataclass(frozen=True)
class Choice:
    """An event that was chosen before it was counted.

    Attributes:
        way: the way in which outputs are scored.
        score: larger where the first input is likelier.
        threshold: the event is a score of at least this, or in the other order below it.
        swapped: whether the event is likelier under the second input.
        margin: how far the bounds on the choosing samples exceed the claim, in probits.
    """

    way: str
    score: Score
    threshold: float
    swapped: bool
    margin: float


def distinguish(
    name: str, learners: Mapping[str, Learner], pair: Pair, claim: Claim, level: float
) -> Finding:
    """Look for an event that refutes the claim, and count it.

    Args:
        name: of the test.
        learners: ways to score outputs.
        pair: samples of the two inputs, every fourth of which learns, every fourth chooses.
        claim: what is claimed.
        level: the chance of a false refutation.
    """
    learning, choosing, counting = (_every_fourth(pair, places) for places in ((0,), (1,), (2, 3)))
    scores = {way: learn(*learning) for way, learn in learners.items()}
    known = {way: score for way, score in scores.items() if score is not None}
    choice = chosen(known, choosing, claim, level)
    return counted(name, choice, counting, claim, level)


def chosen(scores: Mapping[str, Score], choosing: Pair, claim: Claim, level: float) -> Choice:
    """The event whose bounds exceed the claim most: a rare one has to be clear to be chosen."""
    best = Choice("nothing", lambda outputs: np.zeros(len(outputs)), np.inf, False, -np.inf)
    sizes = len(choosing[0]), len(choosing[1])
    for way, score in scores.items():
        first, second = (np.sort(score(side)) for side in choosing)
        for swapped, thresholds, hits, misses in _events(first, second):
            n, m = sizes[::-1] if swapped else sizes
            margins = _margins(claim, (hits * n, n), (misses * m, m), level)
            place = int(np.argmax(margins))
            if margins[place] > best.margin:
                best = Choice(way, score, float(thresholds[place]), swapped, float(margins[place]))
    return best


def counted(  # noqa: PLR0913
    name: str, choice: Choice, counting: Pair, claim: Claim, level: float, assumes: str = ""
) -> Finding:
    """What the chosen event shows on samples that had no part in the choice."""
    hits = _hits(choice, counting)
    p = float(at_least(hits.first, hits.first_trials, level / 2))
    q = float(at_most(hits.second, hits.second_trials, level / 2))
    value = p_value(claim, hits)
    return Finding(
        name=name,
        tried=f"an event found by {choice.way}",
        statistic=f"{_told(hits.first, hits.first_trials)} against "
        f"{_told(hits.second, hits.second_trials)}"
        f"{', the second input being the likelier' if choice.swapped else ''}",
        p_value=value,
        refuted=value <= level,
        samples=sum(hits.trials),
        bounds=claim.bounds(p, q, f"{name}, wrong with probability at most {level:.3g}"),
        claimed=claim.told,
        detectable=_seen(detectable(claim, hits.trials, level)),
        assumes=assumes,
    )


def _seen(excess: float) -> str:
    return f"{excess:.3g} times that" if np.isfinite(excess) else "nothing"


def _told(hits: int, trials: int) -> str:
    return f"{hits:,} of {trials:,}"


def _every_fourth(pair: Pair, places: tuple[int, ...]) -> Pair:
    first, second = (side.part(np.isin(np.arange(len(side)) % 4, places)) for side in pair)
    return first, second


def _events(first: Floats, second: Floats) -> Iterator[tuple[bool, Floats, Floats, Floats]]:
    """For either order: thresholds, and the shares of both samples on the side of the event."""
    values = np.unique(np.concatenate([first, second]))
    thresholds = values[_spots(len(values))]
    above, there = (
        1 - np.searchsorted(sample, thresholds, "left") / len(sample) for sample in (first, second)
    )
    yield False, thresholds, above, there
    yield True, thresholds, 1 - there, 1 - above


def _spots(count: int) -> Integers:
    """All places of a sorted column, or some: close together at the ends, else evenly."""
    if count <= 3 * _FEW:
        return np.arange(count)
    ends = np.unique(np.geomspace(1, count // 2, _FEW).astype(np.int64))
    return np.unique(np.concatenate([ends, count - ends, np.linspace(0, count - 1, _FEW)])).astype(
        np.int64
    )


def _margins(
    claim: Claim, first: tuple[Floats, int], second: tuple[Floats, int], level: float
) -> Floats:
    """By how much the bounds on the rates exceed what is claimed, in probits."""
    from scipy import special

    p, q = at_least(*first, level / 2), at_most(*second, level / 2)
    with np.errstate(invalid="ignore"):
        gaps = special.ndtri(p) - special.ndtri(claim.most(q))
    return np.asarray(np.nan_to_num(gaps, nan=-np.inf))


def _hits(choice: Choice, counting: Pair) -> Hits:
    above, there = (int((choice.score(side) >= choice.threshold).sum()) for side in counting)
    n, m = len(counting[0]), len(counting[1])
    return Hits(m - there, m, n - above, n) if choice.swapped else Hits(above, n, there, m)
