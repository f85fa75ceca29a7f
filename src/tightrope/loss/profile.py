"""The privacy profile in one order of the neighbours, with proved ends.

Contours are kept: one serves every epsilon near its saddle, and questions about one composition
tend to lie close together.
"""

from __future__ import annotations

import math
from collections import Counter
from typing import TYPE_CHECKING

import numpy as np

from tightrope.loss.contour import laying, saddle
from tightrope.loss.contour.contour import Contour
from tightrope.loss.interval import LogInterval
from tightrope.loss.kept import MOST_PATIENT, WIDE, Kept
from tightrope.loss.law import Law
from tightrope.loss.total import Total
from tightrope.num.arrays import Flags, Floats
from tightrope.num.logspace import log1mexp
from tightrope.num.rounding import EPS

if TYPE_CHECKING:
    from tightrope.loss.contour.rare import Rest

FINE = 1e-10
"""Relative width of an interval with which a contour may serve an epsilon off its saddle."""

FAIR = 1e-6
"""Relative width with which a total without its rare results may serve."""

FARTHEST = 1e100
"""delta at a larger epsilon is at most what it is here: squares of epsilons stay doubles."""

FAINTEST = -800.0
"""A log delta below which no double tells it from 0: a long contour is not worth its time."""

LOOSE = 1e-2
"""Relative width of an interval beyond which Chernoff's bound may know better."""

MOST_TRIES = 2
"""Contours that are laid anew where a first one was hasty."""

MOST_KEPT = 8
"""Contours that are kept."""


class OrderProfile:
    """delta(epsilon) of one total, for epsilon >= 0.

    Attributes:
        total: the composition.
        kept: contours that were laid.
        rests: what is left without rare results, where that made answers sharp.
        vain: how often it did not.
        stretches: profiles with contours of their own for parts of a trade-off curve.
    """

    def __init__(self, total: Total):
        self.total = total
        self.kept: list[Kept] = []
        self.rests: list[Rest] = []
        self.vain: Counter[Rest] = Counter()
        self.stretches: dict[int, OrderProfile] = {}

    def log_delta(self, epsilon: Floats) -> LogInterval:
        """Bounds on log delta at every epsilon of a flat array."""
        far = epsilon > FARTHEST
        if far.any():
            found = self.log_delta(np.minimum(epsilon, FARTHEST))
            least = with_escape(self.total, _nothing(len(epsilon))).lower
            return found._replace(lower=np.where(far, least, found.lower))
        law = self.total.law
        if law is not None and law.quick:
            return with_escape(self.total, law.log_delta(epsilon))
        answers = _Answers(epsilon, self.total.highest)
        if not self.total.escape:
            for rest in self.rests:
                answers.offer(rest)
        found = self._at_most_chernoff(epsilon, self._completed(answers))
        return self._without_rare(epsilon, with_escape(self.total, found))

    def by_contours(self, epsilon: Floats) -> LogInterval:
        """Bounds on log of what finite losses add to delta, rare results and all."""
        return self._completed(_Answers(epsilon, self.total.highest))

    def _completed(self, answers: _Answers) -> LogInterval:
        law = self.total.law
        for kept in self.kept:
            answers.serve(kept)
        while len(answers.waiting):
            middle = answers.middle
            c, size = saddle.lowest_at(self.total, middle, self._near)
            vain = next((kept for kept in self.kept if kept.is_vain_at(c)), None)
            if vain is not None:
                answers.settle_for(vain, middle)
                continue
            fresh = laying.through(self.total, c, middle)
            long = fresh.eta > 0 or fresh.nodes > MOST_PATIENT
            if long and size < FAINTEST and (most := self._chernoff(c, middle)) < FAINTEST:
                answers.settle_beyond(middle, most)
                continue
            if law is not None and law.preferred_to(fresh):
                answers.take(law, fresh)
            else:
                answers.serve(self.keep(fresh, c, middle), middle)
        return answers.interval

    def _without_rare(self, epsilon: Floats, found: LogInterval) -> LogInterval:
        """Narrower where results that hardly ever occur keep the contour from its saddle."""
        with np.errstate(invalid="ignore"):
            wide = ~(found.upper - found.lower <= WIDE)
        if not wide[epsilon < self.total.highest].any():
            return found
        from tightrope.loss.contour import rare  # which asks for the profile of what is left

        return rare.narrowed(self, epsilon, found)

    @property
    def _near(self) -> float | None:
        """A saddle that may be close to others that are asked for."""
        return self.kept[0].saddle if self.kept else None

    def _chernoff(self, c: float, epsilon: float) -> float:
        """A bound on log delta at one epsilon, by M(c) alone."""
        log_m, log_kappa = self.total.log_most(c), float(saddle.log_kappa(np.array(c)))
        found = log_m + log_kappa - c * epsilon
        return found + 8 * EPS * (abs(log_m) + abs(log_kappa) + c * epsilon)

    def _at_most_chernoff(self, epsilon: Floats, found: LogInterval) -> LogInterval:
        """Likewise at each epsilon where contours prove next to nothing from above."""
        with np.errstate(invalid="ignore"):
            loose = np.flatnonzero(~(found.upper - found.lower <= LOOSE) & (found.upper > FAINTEST))
        upper = found.upper.copy()
        for i in loose:
            at = float(epsilon[i])
            if 0 < at < self.total.highest:
                c = saddle.for_epsilon(self.total, at, self._near)
                upper[i] = min(upper[i], max(self._chernoff(c, at), found.lower[i]))
        return found._replace(upper=upper)

    def keep(self, fresh: Contour, c: float, epsilon: float) -> Kept:
        """Remember a contour that was laid for that epsilon and its saddle c."""
        kept = Kept.at(fresh, c, epsilon)
        for _ in range(MOST_TRIES):
            if not kept.hasty:
                break
            patient = laying.through(
                self.total, c, epsilon, log_upper=kept.log_upper, crowded=laying.PATIENT
            )
            if patient.eta or patient.nodes > MOST_PATIENT:
                break
            kept = Kept.at(patient, c, epsilon)
        if kept.rounded and (finer := kept.contour.refined()) is not None:
            kept = Kept.at(finer, c, epsilon)
        self.kept = [kept, *self.kept[: MOST_KEPT - 1]]
        return kept


class _Answers:
    """What is known of log delta at every epsilon of an array."""

    def __init__(self, epsilon: Floats, highest: float):
        self.epsilon = epsilon
        self.lower, self.upper = np.full((2, len(epsilon)), -np.inf)
        self.methods: list[str] = []
        inside = np.flatnonzero(epsilon < highest)
        self.waiting = inside[np.argsort(epsilon[inside])]

    @property
    def middle(self) -> float:
        """An epsilon that has to be answered."""
        return float(self.epsilon[self.waiting[len(self.waiting) // 2]])

    @property
    def interval(self) -> LogInterval:
        """All answers."""
        return LogInterval(self.lower, np.minimum(self.upper, 0), "; ".join(self.methods))

    def serve(self, kept: Kept, certain: float | None = None) -> None:
        """What the contour answers about as well as at its saddle, and one epsilon anyway."""
        if not len(self.waiting):
            return
        sums = kept.contour.sums(self.epsilon[self.waiting])
        limit = max(FINE, 2 * kept.width) if kept.width < math.inf else FINE
        with np.errstate(invalid="ignore"):
            good = sums.log_upper - sums.log_lower <= limit
        good |= self.epsilon[self.waiting] == certain
        if good.any():
            self._fill(sums.log_lower, sums.log_upper, good, kept.contour.method)

    def settle_beyond(self, middle: float, most: float) -> None:
        """From an epsilon on, at which log delta is at most so much that no double tells it."""
        beyond = self.epsilon[self.waiting] >= middle
        upper = np.full(len(self.waiting), most)
        self._fill(np.full_like(upper, -np.inf), upper, beyond, "Chernoff's bound")

    def settle_for(self, kept: Kept, middle: float) -> None:
        """What a contour answers that proves little, where its terms are about those at middle."""
        epsilon = self.epsilon[self.waiting]
        near = np.abs(epsilon - middle) * kept.contour.c < 1
        sums = kept.contour.sums(epsilon)
        self._fill(sums.log_lower, sums.log_upper, near, kept.contour.method)

    def offer(self, rest: Rest) -> None:
        """What is answered sharply if rare results are left out."""
        if not len(self.waiting):
            return
        lower, upper, method = rest.log_delta(self.epsilon[self.waiting])
        with np.errstate(invalid="ignore"):
            good = upper - lower <= FAIR
        if good.any():
            self._fill(lower, upper, good, method)

    def take(self, law: Law, contour: Contour) -> None:
        """All that is left: from the law, and from the contour where the law gives up."""
        epsilon = self.epsilon[self.waiting]
        lower, upper, method = law.log_delta(epsilon)
        lost = np.isneginf(lower) & (upper > FAINTEST)
        if lost.any():
            sums = contour.sums(epsilon[lost])
            lower[lost], upper[lost] = sums.log_lower, np.minimum(upper[lost], sums.log_upper)
        self._fill(lower, upper, np.ones(len(lower), dtype=bool), method)

    def _fill(self, lower: Floats, upper: Floats, good: Flags, method: str) -> None:
        at = self.waiting[good]
        self.lower[at], self.upper[at] = lower[good], upper[good]
        self.methods.append(method)
        self.waiting = self.waiting[~good]


def _nothing(size: int) -> LogInterval:
    """delta = 0."""
    none = np.full(size, -np.inf)
    return LogInterval(none, none, "")


def with_escape(total: Total, finite: LogInterval) -> LogInterval:
    """Add the probability that a loss is infinite."""
    if not total.escape:
        return finite
    lost = float(log1mexp(total.escape))
    slack = 1e-14 + 1e-15 * abs(lost)
    return LogInterval(
        np.logaddexp(lost - slack, finite.lower) - 1e-15,
        np.minimum(np.logaddexp(lost + slack, finite.upper) + 1e-15, 0),
        finite.method,
    )
