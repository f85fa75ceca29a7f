"""Two guarantees or events side by side: which of them protects better, and against whom."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from tightrope._errors import NeighborsMismatch
from tightrope.events import Event
from tightrope.num.arrays import Floats
from tightrope.plan import log_delta, tradeoff
from tightrope.spec.query import Answer, Query, answer, read_query
from tightrope.spec.reader import REPORT

SAME = 1e-10
"""Gap of type II errors, or relative one of log delta, within which two curves are the same."""

FAINTEST = 1e-9
"""The least type I error that is looked at, and the distance of the largest from 1."""

POINTS = 61
LOSSES = np.concatenate([[0.0], np.geomspace(1e-3, 1e4, 71)])
"""The epsilons at which delta is looked at: what happens so rarely that no error shows it."""

HALVINGS = 20
"""Steps in which a crossing is enclosed."""

FIRST, SECOND = "A", "B"


@dataclass(frozen=True)
class Line:
    """A question with both answers; ``better`` is A, B, or nothing where none is."""

    query: Query
    first: Answer
    second: Answer
    better: str


@dataclass(frozen=True)
class Stretch:
    """Type I errors between which one of the two protects better; both ends in [0, 1]."""

    low: float
    high: float
    better: str


@dataclass(frozen=True)
class Versus:
    """Two events compared.

    Attributes:
        first: event A, as a text that reads back.
        second: event B.
        neighbors: the relation of both, in words.
        verdict: which is stronger, in a sentence.
        lines: the questions with both answers.
        stretches: where the trade-off curve of which of them is higher, as far as looked at.
        curves: type I errors, and the least type II errors of both.
    """

    first: str
    second: str
    neighbors: str
    verdict: str
    lines: tuple[Line, ...]
    stretches: tuple[Stretch, ...]
    curves: tuple[tuple[float, float, float], ...]


def versus(first: Event, second: Event, delta: str, step: Callable[[str], None]) -> Versus:
    """Two events compared, as far as what can be proved about them goes.

    Raises:
        NeighborsMismatch: they are about different neighbours.
    """
    if first.neighbors != second.neighbors:
        raise NeighborsMismatch(
            f"compare: A is about neighbours that {first.neighbors}, B about neighbours that "
            f"{second.neighbors}; numbers about different neighbours cannot be compared"
        )
    lines = []
    for query in _questions(delta):
        step(query.title)
        lines.append(_line(query, answer(first, query), answer(second, query)))
    step("the trade-off curves")
    rates = _rates()
    errors = [np.asarray(tradeoff(event, rates)) for event in (first, second)]
    stretches = tuple(_stretches(first, second, rates, errors[0] - errors[1]))
    return Versus(
        first=repr(first),
        second=repr(second),
        neighbors=str(first.neighbors),
        verdict=_verdict(stretches, _rarely(first, second)),
        lines=tuple(lines),
        stretches=stretches,
        curves=tuple(zip(rates.tolist(), *(e.tolist() for e in errors), strict=True)),
    )


def _questions(delta: str) -> list[Query]:
    asked = (f"approx delta={delta}" if q.startswith("approx") else q for q in REPORT)
    return [read_query(text, {}) for text in (*asked, "tpr 0.001")]


def _line(query: Query, first: Answer, second: Answer) -> Line:
    a, b = (_number(query, found) for found in (first, second))
    better = "" if a == b else FIRST if a < b else SECOND
    return Line(query, first, second, better)


def _number(query: Query, found: Answer) -> float:
    """The number that is the more private the less it is; infinite if there is none."""
    if query.name == "approx":
        return found.values.get("epsilon", math.inf)
    return next(iter(found.values.values()), math.inf)


# --- curves ---------------------------------------------------------------------------------


def _rates() -> Floats:
    near = np.geomspace(FAINTEST, 0.5, POINTS)
    return np.unique(np.concatenate([near, 1 - near]))


def _stretches(first: Event, second: Event, rates: Floats, gaps: Floats) -> Iterator[Stretch]:
    signs = np.where(np.abs(gaps) <= SAME, 0, np.sign(gaps)).astype(int)
    seen = [i for i, sign in enumerate(signs) if sign]
    low = float(rates[0])
    for here, after in pairwise(seen):
        if signs[here] != signs[after]:
            ends = float(rates[here]), float(rates[after])
            crossing = _crossing(first, second, ends, int(signs[here]))
            yield Stretch(low, crossing, _named(int(signs[here])))
            low = crossing
    if seen:
        yield Stretch(low, float(rates[-1]), _named(int(signs[seen[-1]])))


def _named(sign: int) -> str:
    return FIRST if sign > 0 else SECOND


def _crossing(first: Event, second: Event, ends: tuple[float, float], sign: int) -> float:
    """A type I error between two others at which the curves change places, by halving."""
    low, high = ends
    for _ in range(HALVINGS):
        middle = (low + high) / 2
        gap = float(tradeoff(first, middle)) - float(tradeoff(second, middle))
        low, high = (middle, high) if gap * sign > 0 else (low, middle)
    return (low + high) / 2


def _rarely(first: Event, second: Event) -> dict[str, float]:
    """Which of the two has a smaller delta somewhere, with an epsilon at which it has."""
    deltas = [np.asarray(log_delta(event, LOSSES)) for event in (first, second)]
    with np.errstate(invalid="ignore"):
        gaps = np.where(deltas[0] == deltas[1], 0.0, deltas[0] - deltas[1])
        size = np.maximum(1, np.minimum(np.abs(deltas[0]), np.abs(deltas[1])))
    smaller = {FIRST: gaps < -SAME * size, SECOND: gaps > SAME * size}
    return {name: float(LOSSES[there.argmax()]) for name, there in smaller.items() if there.any()}


def _verdict(stretches: Sequence[Stretch], rarely: Mapping[str, float]) -> str:
    """Of the trade-off curves, and of what they are too coarse to show."""
    better = {stretch.better for stretch in stretches}
    hidden = "".join(
        f" {name} has the smaller delta at epsilon = {at:.3g}."
        for name, at in rarely.items()
        if name not in better
    )
    if not stretches and not hidden:
        return "Against no test is one of the two found to protect better than the other."
    if len(better) == 1 and not hidden:
        (name,) = better
        other = SECOND if name == FIRST else FIRST
        return (
            f"{name} is stronger: at every type I error and every epsilon that was looked at, it "
            f"protects at least as well as {other}."
        )
    told = "; ".join(
        f"{one.better} at type I errors from {_rate(one.low)} to {_rate(one.high)}"
        for one in stretches
    )
    shown = f" Better protected: {told}." if told else ""
    return f"Neither is stronger against every test.{shown}{hidden}"


def _rate(value: float) -> str:
    """A type I error that is told apart from 1."""
    return f"1 - {1 - value:.2g}" if 0.999 < value < 1 else f"{value:.3g}"
