"""Rows of finite pairs: what is stored of a loss that has atoms only, and what is done to it.

A pair (P, Q) of finite distributions is known by its losses log dP/dQ, their probabilities under
P, and two masses that no finite loss sees: of P where Q is 0, and of Q where P is 0. Losses and
probabilities come out of elementary functions, so each row says how far they may be off; what is
proved of a composition holds for every pair within these doubts.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, fields, replace
from functools import cached_property
from typing import NamedTuple, Self

import numpy as np

from tightrope.num.arrays import Floats, Indices
from tightrope.num.logspace import log_mixture, logsumexp
from tightrope.num.rounding import EPS

MASS_DOUBT = 8 * EPS
"""Of a log-probability that is one logarithm of a few exponentials."""

LEAST = 5e-324
"""The least positive double: what may happen is not impossible by rounding."""


class Scalars(NamedTuple):
    """What is known of a pair besides its finite losses; see ``Rows``."""

    escape: float = 0.0
    absent: float = 0.0
    step: float = 0.0
    loss_doubt: float = 0.0
    mass_doubt: float = MASS_DOUBT


PLAIN = Scalars()


@dataclass(frozen=True, eq=False)
class Rows:
    """Pairs that have equally many atoms each.

    Attributes:
        losses: rows x atoms, ascending.
        log_probabilities: rows x atoms, given that the loss is finite.
        escape: -log of the probability that the loss is finite.
        absent: the mass of Q where P is 0.
        step: every difference of losses is a multiple of it; 0 says nothing.
        loss_doubt: the relative error of the losses.
        mass_doubt: an error of log-probabilities, in units of 1 + their size.
        count: how often each is run.
    """

    losses: Floats
    log_probabilities: Floats
    escape: Floats
    absent: Floats
    step: Floats
    loss_doubt: Floats
    mass_doubt: Floats
    count: Floats

    @classmethod
    def one(cls, losses: Floats, log_probabilities: Floats, known: Scalars = PLAIN) -> Self:
        """One run of one pair, from atoms in any order; equal losses are merged."""
        distinct, merged = losses, log_probabilities
        if not (losses[1:] > losses[:-1]).all():
            distinct, index = np.unique(losses, return_inverse=True)
            merged = np.full(len(distinct), -np.inf)
            np.logaddexp.at(merged, index, log_probabilities)
        possible = merged > -np.inf
        if not possible.all():
            distinct, merged = distinct[possible], merged[possible]
        if len(distinct) == 2 and not known.step:
            known = known._replace(step=float(distinct[1] - distinct[0]))
        return cls(distinct[None], merged[None], *np.array([*known, 1.0])[:, None])

    @classmethod
    def join(cls, parts: Sequence[Self]) -> Self:
        """All rows of parts that agree in the number of atoms; rows that are alike become one."""
        joined = cls(
            *(
                np.concatenate([getattr(part, field.name) for part in parts])
                for field in fields(cls)
            )
        )
        if len(joined.count) == 1:
            return joined
        key = np.column_stack([getattr(joined, field.name) for field in fields(cls)[:-1]])
        _, first, index = np.unique(key, axis=0, return_index=True, return_inverse=True)
        count = np.bincount(index.ravel(), weights=joined.count)
        return replace(joined.take(first), count=np.asarray(count, dtype=float))

    @property
    def atoms(self) -> int:
        """How many finite losses each row has."""
        return int(self.losses.shape[1])

    @cached_property
    def size(self) -> Floats:
        """|losses|."""
        return np.abs(self.losses)

    @cached_property
    def mass_error(self) -> Floats:
        """Bounds on the errors of the log-probabilities."""
        return np.asarray(self.mass_doubt[:, None] * (1 + np.abs(self.log_probabilities)))

    @property
    def known(self) -> Scalars:
        """What is known of the only row besides its losses, with the worst error of a mass."""
        worst = self.mass_error[0] + 4 * EPS * np.abs(self.log_probabilities[0])
        scalars = (self.escape, self.absent, self.step, self.loss_doubt)
        return Scalars(*(float(one[0]) for one in scalars))._replace(mass_doubt=float(worst.max()))

    def take(self, index: Indices) -> Self:
        """Some of the rows."""
        return type(self)(*(getattr(self, field.name)[index] for field in fields(self)))

    def times(self, count: int) -> Self:
        """Counts grow."""
        return replace(self, count=self.count * count)

    def reversed(self) -> Self:
        """The loss of Q against P."""
        log_q = self.log_probabilities - self.escape[:, None] - self.losses
        error = self.mass_error + self.loss_doubt[:, None] * np.abs(self.losses)
        error += EPS * (np.abs(self.log_probabilities) + np.abs(self.losses) + np.abs(log_q))
        with np.errstate(divide="ignore"):
            escape = -np.log1p(-self.absent)
        given = log_q + escape[:, None]
        error += 8 * EPS * (np.abs(given) + escape[:, None] + self.escape[:, None])
        return replace(
            self,
            losses=-self.losses[:, ::-1],
            log_probabilities=given[:, ::-1],
            escape=escape,
            absent=-np.expm1(-self.escape),
            mass_doubt=np.max(error / (1 + np.abs(given)), axis=1),
        )

    def mixture(self, rate: float) -> Self:
        """Of one row: (1 - rate) Q + rate P against Q, for a rate below 1."""
        loss, log_p = self.losses[0], self.log_probabilities[0] - self.escape[0]
        log_q = log_p - loss
        mixed = log_mixture(loss, rate)
        error = self.mass_error[0] + self.loss_doubt[0] * np.abs(loss)
        error += 4 * EPS * (np.abs(log_p) + np.abs(loss) + np.abs(log_q) + np.abs(mixed) + 4)
        # the derivative of the new loss by the old one is at most that of the mixture's share
        share = rate * np.exp(loss - mixed)
        moved = np.where(mixed == 0, 0.0, np.abs(loss) * share / np.where(mixed == 0, 1, mixed))
        doubt = 16 * EPS + self.loss_doubt[0] * float(np.max(np.abs(moved)))
        losses, masses = mixed, log_q + mixed
        absent = float(self.absent[0])
        if absent:
            losses = np.append(losses, np.log1p(-rate))
            masses = np.append(masses, np.log(absent) + np.log1p(-rate))
            error = np.append(error, MASS_DOUBT)
        lost = -float(np.expm1(-self.escape[0]))
        infinite = max(rate * lost, LEAST) if lost else 0.0
        finite = logsumexp(masses)
        error = (error + 8 * EPS) / (1 + np.abs(masses - finite))
        known = Scalars(
            escape=-finite if infinite > 0.5 else -math.log1p(-infinite),
            loss_doubt=doubt,
            mass_doubt=float(np.max(error)) + MASS_DOUBT,
        )
        return type(self).one(losses, masses - finite, known)
