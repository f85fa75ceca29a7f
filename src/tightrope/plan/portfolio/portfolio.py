"""Portfolios: the best known parameters in every notion at once, for a column of events.

The order of converting, composing and grouping matters, and no single notion is best for every
question; so each node of an event tree carries all notions, closed under all conversions. Events
of one kind are planned together as columns of numbers: 10,000 distinct leaves cost a few array
operations. An infinite parameter means that nothing finite is known.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Any, NamedTuple

import numpy as np

from tightrope.notions import (
    GDP,
    TCDP,
    ZCDP,
    BoundedRange,
    Guarantee,
    LogisticDP,
    Profile,
    PureDP,
)
from tightrope.notions.guarantee import Columns
from tightrope.notions.piecewise import PiecewiseCurve
from tightrope.notions.renyi_curve import RenyiCurve
from tightrope.num.arrays import Flags, Floats
from tightrope.plan.derivation import PROFILE, TRADEOFF, Origin, Step, after, claim
from tightrope.theorems.registry import Theorem, theorems


class Candidate(NamedTuple):
    """A curve (errors on the safe side), where it comes from, and perhaps its inverse.

    Attributes:
        curve: from epsilon to log delta, or from alpha to the type II error.
        origin: the derivation step that gives it.
        solve: from log delta to the least epsilon, for profiles that know a fast way.
        rough: log delta with an error below 0.1, for profiles that take long.
    """

    curve: Callable[[Any], Any]
    origin: Origin
    solve: Callable[[float], float] | None = None
    rough: Callable[[float], float] | None = None


def route(theorem: Theorem, numbers: Sequence[float], origin: Origin) -> Candidate:
    """The curve that a theorem gives from plain parameters."""
    words = PROFILE if theorem.target is Profile else TRADEOFF
    return Candidate(lambda x: theorem(x, *numbers), after(origin, theorem, words))


SCALARS = (PureDP, BoundedRange, LogisticDP, GDP, ZCDP, TCDP)
"""The notions whose parameters are plain numbers."""

MOST_ROUNDS = 4
"""Rounds of conversions until nothing improves; no chain of useful ones is longer."""


@dataclass
class Portfolio:
    """What is known about each of ``size`` events.

    Attributes:
        size: the number of events in the column.
        failure: probability, for each, with which nothing at all is promised; the notions
            below hold on the rest (an (epsilon, delta) statement is delta and pure epsilon).
        values: parameters by notion, one array a parameter.
        origins: the last derivation step of each notion.
        curve: the sum of the Renyi curves, weighted by counts, if Renyi divergences are known.
        straight: whether that curve says no more than the zCDP line.
        profiles: for a single event, functions from epsilon to log delta with their steps.
        tradeoffs: for a single event, functions from alpha to the type II error.
        piecewise: for a single event, its exact curve if that is piecewise linear.
    """

    size: int
    failure: Floats
    values: dict[type, Columns] = field(default_factory=dict)
    origins: dict[type, Origin] = field(default_factory=dict)
    curve: Callable[[list[int]], RenyiCurve] | None = None
    straight: bool = True
    profiles: list[Candidate] = field(default_factory=list)
    tradeoffs: list[Candidate] = field(default_factory=list)
    piecewise: PiecewiseCurve | None = None

    def offer(self, notion: type[Guarantee], values: Any, origin: Origin) -> bool:
        """Take the given parameters wherever they are better than what is known."""
        columns = tuple(
            np.broadcast_to(np.asarray(value, dtype=float), (self.size,))
            for value in (values if isinstance(values, tuple) else (values,))
        )
        known = self.values.get(notion)
        if known is None:
            if not np.isfinite(columns[0]).any():
                return False
            self.values[notion] = columns
            self.origins[notion] = origin
            return True
        mask = notion.improves(columns, known) & np.isfinite(columns[0])
        if not mask.any():
            return False
        self.values[notion] = tuple(
            np.where(mask, new, old) for new, old in zip(columns, known, strict=True)
        )
        self.origins[notion] = _chosen(mask, origin, self.origins[notion])
        return True

    def close(self) -> Portfolio:
        """Apply every conversion between scalar notions until nothing improves."""
        fresh = set(self.values)
        for _ in range(MOST_ROUNDS):
            changed: set[type] = set()
            for theorem in scalar_conversions():
                if theorem.source in fresh and self._convert(theorem):
                    changed.add(theorem.target)
            if not changed:
                break
            fresh = changed
        return self

    def _convert(self, theorem: Theorem) -> bool:
        source = self.values[theorem.source]
        with np.errstate(all="ignore"):
            result = theorem(*source)
        return self.offer(theorem.target, result, self._converted(theorem))

    def _converted(self, theorem: Theorem) -> Origin:
        def origin(i: int) -> Step:
            source = self.step(theorem.source, i)
            with np.errstate(all="ignore"):
                result = theorem(*(c[i : i + 1] for c in self.values[theorem.source]))
            values = result if isinstance(result, tuple) else (result,)
            numbers = tuple(float(np.ravel(v)[0]) for v in values)
            return Step(claim(theorem.target, numbers), theorem, ((1, source),))

        return origin

    def step(self, notion: type, i: int = 0) -> Step:
        """The derivation of what is known in ``notion`` about event i."""
        return self.origins[notion](i)

    def numbers(self, notion: type, i: int = 0) -> tuple[float, ...] | None:
        """The parameters in ``notion`` of event i, or None if nothing finite is known."""
        columns = self.values.get(notion)
        if columns is None or not np.isfinite(columns[0][i]):
            return None
        return tuple(float(column[i]) for column in columns)


def _chosen(mask: Flags, new: Origin, old: Origin) -> Origin:
    return lambda i: new(i) if mask[i] else old(i)


@cache
def scalar_conversions() -> tuple[Theorem, ...]:
    """Conversions between notions whose parameters are numbers."""
    return tuple(t for t in theorems("conversion") if t.source in SCALARS and t.target in SCALARS)
