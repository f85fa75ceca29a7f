"""Randomised responses that were collected, and how many people may hold each value."""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from tightrope._check import OPEN_PROBABILITY, Real, require_flag, validated
from tightrope._errors import InvalidArgument
from tightrope.mechanisms.released import Released
from tightrope.mechanisms.truths import Label, read_truths
from tightrope.num.arrays import Floats
from tightrope.num.rounding import float_down
from tightrope.theorems.response_counts import counts_between, rates


@dataclass(frozen=True, eq=False, repr=False)
class Responses(Released):
    """What people answered, each by randomised response on one value of their own.

    Whatever is computed from the answers costs nothing more.

    Attributes:
        value: the answers, in the shape and kind of the values.
        event: what each person ran, for accounting: one report.
        secure: whether all randomness came from the operating system.
        epsilon: log-odds of the truth against any single other answer.
        categories: number of possible answers.
        labels: what the answers are called, in the order of the categories; None if by numbers.
    """

    epsilon: float = field(kw_only=True)  # type: ignore[assignment]  # the parameter, not the verb
    categories: int = field(kw_only=True)
    labels: tuple[Label, ...] | None = field(kw_only=True, default=None)

    def counts(self) -> NDArray[np.int64]:
        """How many answered each category, untruthful answers included."""
        truths = read_truths(self.value, self.categories, self.labels, "counts")
        return np.bincount(truths.codes, minlength=self.categories)

    def estimate(self) -> Floats:
        """Unbiased estimates of how many people hold each value; they add up to all people.

        Not rounded and not clipped: an estimate may be negative, or more than all, and clipping it
        would add a bias.

        Raises:
            InvalidArgument: epsilon is 0, so the answers tell nothing.

        Source: Warner (1965); for k categories, Kairouz, Bonawitz and Ramage (2016).
        """
        _, other, gap = self._rates("estimate")
        counts = self.counts()
        return np.asarray((counts - counts.sum() * other) / gap)

    def interval(self, level: Real = 0.95, *, simultaneous: bool = False) -> tuple[Floats, Floats]:
        """Confidence intervals for the number of people who hold each value, one per category.

        Each holds with probability at least ``level`` over the randomisation, whatever the values
        are. With two categories both hold or fail at once, since their counts add up.

        Args:
            level: strictly between 0 and 1.
            simultaneous: whether all hold at once with that probability. The counts depend on
                each other, so each of k > 2 may then miss with (1 - level)/k (Bonferroni).

        Raises:
            InvalidArgument: the level is not admissible; epsilon is 0.

        Examples:
            >>> import tightrope as tr
            >>> source = tr.InsecureEntropy(4)
            >>> answers = tr.RandomizedResponse(2.0).release([1] * 300 + [0] * 700, entropy=source)
            >>> low, high = answers.interval(0.95)
            >>> bool(low[1] <= 300 <= high[1])
            True
        """
        miss = 1 - Fraction(validated(level, OPEN_PROBABILITY, "interval: level"))
        require_flag(simultaneous, "interval: simultaneous")
        if simultaneous and self.categories > 2:
            miss /= self.categories
        return counts_between(self.counts(), self._rates("interval"), float_down(miss))

    def _rates(self, caller: str) -> tuple[float, float, float]:
        if self.epsilon == 0:
            raise InvalidArgument(f"{caller}: with epsilon=0 the answers tell nothing")
        return rates(self.epsilon, self.categories)

    def __repr__(self) -> str:
        return f"Responses({self.value!r}, by {self.event!r} each{self._warning})"
