"""Witnesses: pairs of laws that attain a sharp bound, so that nobody can improve it.

Coins are given by their log-odds, so that close pairs lose no digits.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Coins:
    """Two coins: the log-odds of heads under P and under Q."""

    p: float
    q: float


@dataclass(frozen=True)
class LeakyCoins:
    """Reveals everything with probability ``delta``, else answers truly with log-odds ``t``."""

    delta: float
    t: float


@dataclass(frozen=True)
class GaussianPair:
    """N(0, 1) and N(mu, 1)."""

    mu: float


@dataclass(frozen=True)
class LogisticPair:
    """The standard logistic law and the same shifted by ``shift``."""

    shift: float


def randomized_response(t: float) -> Coins:
    """Binary randomised response that tells the truth with log-odds t."""
    return Coins(t, -t)
