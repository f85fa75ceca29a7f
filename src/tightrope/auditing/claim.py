"""What a claim says about one event: how likely it may be under the neighbour.

A claim is taken by what it implies: (epsilon, delta)-DP at a list of points, and mu-GDP. If the
outputs contradict any of these, they contradict the claim.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from tightrope._errors import InvalidArgument, NotReachable
from tightrope._wire import shown
from tightrope.events import Event
from tightrope.notions import GDP, ApproxDP, Guarantee, LowerBound, PureDP
from tightrope.num.arrays import Floats

__all__ = ["Claim", "claim_of"]

_POINTS = 16
"""Epsilons at which the privacy profile of an event is looked at."""

_FAR_DELTA = 1e-6
"""Where pure DP cannot be reached, the points go up to the epsilon of this delta."""

_HOPELESS = 1000.0
"""No larger lower bound is told."""

_USUAL_DELTA = 1e-5
"""The delta at which an epsilon is told where the claim names none and is not pure."""

_MORE = 1.01
"""Where part of delta is left at any epsilon, it is told at a delta that is larger by this."""


@dataclass(frozen=True)
class Claim:
    """A claim by what it implies.

    Attributes:
        event: the claim as it was made.
        lines: pairs (epsilon, delta) that hold if the claim does.
        mu: a parameter of GDP that holds if the claim does; infinite if none is known.
        epsilon: what is claimed at ``delta``.
        delta: where lower bounds on epsilon are told.
    """

    event: Event
    lines: tuple[tuple[float, float], ...]
    mu: float
    epsilon: float
    delta: float

    @property
    def in_mu(self) -> bool:
        """Whether losses are told as mu, not as epsilon at delta."""
        return self.delta > 0 and math.isfinite(self.mu)

    @property
    def unit(self) -> str:
        """What ``loss`` is told in."""
        if self.in_mu:
            return "mu"
        return f"epsilon at delta {self.delta:g}" if self.delta else "epsilon"

    @property
    def told(self) -> str:
        """The claimed loss, in words."""
        return f"{self.unit} {shown(self.mu if self.in_mu else self.epsilon)}"

    def most(self, q: Floats) -> Floats:
        """The largest probability of an event whose probability under a neighbour is q.

        Both P(S) <= e^epsilon Q(S) + delta and the same of the complements, for every point;
        P(S) <= Phi(Phi^-1(Q(S)) + mu). Rounded up.
        """
        from scipy import special

        allowed = np.ones_like(q)
        for epsilon, delta in self.lines:
            grown = math.exp(min(epsilon, 700.0))
            allowed = np.minimum(allowed, grown * q + delta)
            allowed = np.minimum(allowed, 1 - (1 - delta - q) / grown)
        if math.isfinite(self.mu):
            allowed = np.minimum(allowed, special.ndtr(special.ndtri(q) + self.mu))
        return np.clip(allowed * (1 + 1e-12) + 1e-15, 0.0, 1.0)

    def loss(self, p: Floats, q: Floats) -> Floats:
        """The least mu, or epsilon at ``delta``, that allows probabilities p and q of an event."""
        return mu_of(p, q) if self.in_mu else epsilon_of(p, q, self.delta)

    def bounds(self, p: float, q: float, reason: str) -> tuple[LowerBound, ...]:
        """What an event shows that has at least probability p here, and at most q there."""
        pair = np.array([p]), np.array([q])
        epsilon = float(epsilon_of(*pair, self.delta)[0])
        mu = float(mu_of(*pair)[0])
        kept = [min(loss * (1 - 1e-12), _HOPELESS) for loss in (epsilon, mu)]
        relation = {"neighbors": self.event.neighbors}
        near: Guarantee = PureDP(kept[0], **relation)
        if self.delta > 0:
            near = ApproxDP(kept[0], self.delta, **relation)
        return LowerBound(near, reason), LowerBound(GDP(kept[1], **relation), reason)


def epsilon_of(p: Floats, q: Floats, delta: float) -> Floats:
    """The least epsilon with p <= e^epsilon q + delta, and 1 - q <= e^epsilon (1 - p) + delta."""
    with np.errstate(divide="ignore", invalid="ignore"):
        direct = np.log((p - delta) / q)
        complement = np.log((1 - q - delta) / (1 - p))
    return np.asarray(np.fmax(np.fmax(direct, complement), 0.0))


def mu_of(p: Floats, q: Floats) -> Floats:
    """The least mu with p <= Phi(Phi^-1(q) + mu)."""
    from scipy import special

    with np.errstate(invalid="ignore"):
        gap = special.ndtri(p) - special.ndtri(q)
    return np.asarray(np.fmax(gap, 0.0))


def claim_of(claim: object, caller: str) -> Claim:
    """A claim that somebody makes.

    Raises:
        InvalidArgument: it is neither a guarantee nor an event, or nothing finite follows from it.
    """
    if not isinstance(claim, Event):
        raise InvalidArgument(
            f"{caller}: claim must be a guarantee such as tr.PureDP(1.0), or an event; you passed "
            f"{claim!r}"
        )
    return _implied(claim)


@lru_cache(maxsize=64)
def _implied(event: Event) -> Claim:
    if isinstance(event, ApproxDP):
        epsilon, delta = float(event.epsilon), float(event.delta)
        return Claim(event, ((epsilon, delta),), math.inf, epsilon, delta)
    pure = _reached(event, PureDP)
    if isinstance(event, PureDP):
        return Claim(event, ((pure, 0.0),), math.inf, pure, 0.0)
    mu = _reached(event, GDP)
    if math.isfinite(pure):
        return Claim(event, (*_profile(event, pure), (pure, 0.0)), mu, pure, 0.0)
    least = float(event.delta(_HOPELESS))  # what no epsilon takes away
    usual, far = (max(delta, _MORE * least) for delta in (_USUAL_DELTA, _FAR_DELTA))
    near = float(event.to(ApproxDP, delta=usual).epsilon)
    top = float(event.to(ApproxDP, delta=far).epsilon)
    lines = () if isinstance(event, GDP) else _profile(event, top)
    return Claim(event, lines, mu, near, usual)


def _reached(event: Event, notion: type[PureDP | GDP]) -> float:
    try:
        return float(event.to(notion).values[0])
    except NotReachable:
        return math.inf


def _profile(event: Event, top: float) -> tuple[tuple[float, float], ...]:
    """Points of the privacy profile, from epsilon 0 to ``top``."""
    points = np.linspace(0.0, top, _POINTS)
    deltas = np.asarray(event.delta(points), dtype=float)
    return tuple(zip(points.tolist(), deltas.tolist(), strict=True))
