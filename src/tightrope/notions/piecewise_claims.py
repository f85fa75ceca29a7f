"""The trade-off curve of several (epsilon, delta) claims: the greatest of theirs.

The claim (e, d) is the curve `max(0, 1 - d - exp(e) a, exp(-e) (1 - d - a))`: L. Wasserman and
S. Zhou, "A statistical framework for differential privacy" (2010), Theorem 2.4.  The curves are
symmetric, so only the part with `alpha <= beta` is worked out, in which the power is the least of
the lines `d + exp(e) alpha`.  Their crossings lie close together when the claims do; a hundred
digits keep the differences, and so the losses of the curve are the given epsilons themselves.
"""

from __future__ import annotations

from collections.abc import Iterable
from decimal import MAX_EMAX, MIN_EMIN, Context, Decimal, localcontext
from itertools import pairwise
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from tightrope._errors import InvalidArgument
from tightrope.notions.piecewise_points import columns
from tightrope.num.elementwise import FloatArray

__all__ = ["loss_of_claims"]

_DIGITS = Context(prec=100, Emax=MAX_EMAX, Emin=MIN_EMIN)
_USELESS = 1e15  # no claim with a larger epsilon limits anything that a double can show
_RESOLUTION = Decimal("1e-20")  # claims closer than this are left out, which is safe


class _Claim(NamedTuple):
    epsilon: float
    delta: Decimal
    slope: Decimal

    def crossing(self, flatter: _Claim) -> Decimal:
        """The alpha at which both allow the same power; none if the slopes hardly differ."""
        gap = self.slope - flatter.slope
        if gap <= self.slope * _RESOLUTION:
            return Decimal("Infinity")
        return (flatter.delta - self.delta) / gap

    @property
    def fixed_point(self) -> Decimal:
        """The alpha at which the least type II error is alpha."""
        return (1 - self.delta) / (1 + self.slope)


def loss_of_claims(epsilon: ArrayLike, delta: ArrayLike) -> tuple[FloatArray, FloatArray]:
    """The positive losses of the dominating pair and their masses, failures first.

    The pair is symmetric: the negative losses have the same masses under the other law.

    Raises:
        InvalidArgument: an epsilon is negative or not finite, or a delta is not in [0, 1].
    """
    e, d = columns("epsilon", epsilon, "delta", delta)
    for k in np.flatnonzero(~((e >= 0) & np.isfinite(e) & (d >= 0) & (d <= 1))):
        text = f"({float(e[k])!r}, {float(d[k])!r})"
        raise InvalidArgument(
            f"claim {k}, (epsilon, delta) = {text}, needs a finite epsilon >= 0, delta in [0, 1]"
        )
    useful = e <= _USELESS
    with localcontext(_DIGITS):
        claims = _binding(zip(e[useful].tolist(), d[useful].tolist(), strict=True))
        crossings = [steep.crossing(flat) for steep, flat in pairwise(claims)]
        runs = pairwise([Decimal(0), *crossings, claims[-1].fixed_point])
        masses = [c.slope * (end - start) for c, (start, end) in zip(claims, runs, strict=True)]
    loss = np.array([np.inf, *(claim.epsilon for claim in claims)])
    return loss, np.array([float(claims[0].delta), *map(float, masses)])


def _binding(pairs: Iterable[tuple[float, float]]) -> list[_Claim]:
    """The claims that the others do not imply, by falling epsilon and rising delta."""
    kept: list[_Claim] = []
    for e, d in sorted([*pairs, (0.0, 1.0)], reverse=True):  # the last claim is always true
        claim = _Claim(e, Decimal(d), Decimal(e).exp())
        while kept and kept[-1].delta >= claim.delta:
            kept.pop()
        while len(kept) > 1 and not _bends(kept[-2], kept[-1], claim):
            kept.pop()
        kept.append(claim)
    last = max(range(len(kept)), key=lambda k: kept[k].fixed_point)
    return kept[: last + 1]


def _bends(steep: _Claim, middle: _Claim, flat: _Claim) -> bool:
    return middle.crossing(flat) > steep.crossing(middle) * (1 + _RESOLUTION)
