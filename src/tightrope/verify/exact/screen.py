"""How small M of a mixture is far from the real axis: from boxes of x, in ordinary numbers.

With f = phi g^(c + 1) or phi g^(-c), D = (log f)' and l = log g, the midpoint rule in a box of
width h is off by at most h^3/24 times the largest f [(|D| + t l')^2 + |D'| + t l'']. l' grows, l''
is at most m l', and f moves by at most exp(|D| h/2). Between two t |M|/M(c) moves by at most their
distance times the mean deviation of the tilted loss. Near 0 three moments bound it:
|M|/M(c) <= 1 - v t^2/2 + r t^3/6. Far out an integration by parts does: right of any x by K/t, K
the variation of f/l' and its ends, and the share left of it. All is enlarged by more than what is
lost in floating-point arithmetic.
"""

from __future__ import annotations

import math
from cmath import rect
from collections.abc import Iterator
from dataclasses import dataclass

from tightrope.verify.exact.mixture import Mixture

DEEP = 25.0
"""What lies outside of the boxes is about exp(-DEEP)."""

WIDTH = 0.02
SLACK = 1 + 1e-6


@dataclass(frozen=True)
class Box:
    """A share of the law, the loss in its middle, l' at both ends, and bounds on |D| and on f."""

    share: float
    loss: float
    least: float
    most: float
    steep: float
    off: float


@dataclass(frozen=True)
class Screen:
    """Bounds on |M(c + it)|/M(c).

    Attributes:
        shares: shares of boxes, each with the loss in its middle, less the mean.
        errors: the coefficients of 1, t and t^2 in a bound on what the sum over boxes is off.
        variance: of the loss under the law tilted by exp(cL), nearly.
        third: its third absolute central moment.
        spread: its first.
        cuts: pairs of a share and K, for several x.
    """

    shares: tuple[tuple[float, float], ...]
    errors: tuple[float, float, float]
    variance: float
    third: float
    spread: float
    cuts: tuple[tuple[float, float], ...]

    def beyond(self, t: float) -> float:
        """-log of a bound for all larger t."""
        return _exponent(min(share + variation / t for share, variation in self.cuts))

    def exponent(self, low: float, high: float) -> float:
        """An E with |M| <= exp(-E) M(c) from low to high."""
        known = max(self.beyond(low), min(self._near(low), self._near(high)))
        t, half = (low + high) / 2, (high - low) / 2
        a, b, c = self.errors
        bound = a + b * t + c * t * t + half * self.spread * 1.01
        if bound >= math.exp(-known):
            return known
        whole = sum(share * rect(1.0, t * loss) for share, loss in self.shares)
        return max(known, _exponent(bound + abs(whole)))

    def _near(self, t: float) -> float:
        """Of two t both must be left of where the cubic is least, or the bound is none."""
        if self.third * t > 2 * self.variance:
            return 0.0
        return _exponent(1 - 0.99 * self.variance * t * t / 2 + 1.01 * self.third * t**3 / 6)


def _exponent(bound: float) -> float:
    return -math.log(min(1.0, SLACK * bound)) if bound > 0 else 0.0


def screen_of(law: Mixture, c: float) -> Screen:
    """The screen of a mixture on the line through c."""
    log_whole, variance = law.rough(c)
    boxes = list(_boxes(law, c, log_whole))
    total = math.fsum(box.share for box in boxes)
    mean = math.fsum(box.share * box.loss for box in boxes) / total
    shares = tuple((box.share, box.loss - mean) for box in boxes)
    third = math.fsum(share * abs(loss) ** 3 for share, loss in shares)
    spread = math.fsum(share * abs(loss) for share, loss in shares)
    errors = _errors(law, c, boxes)
    outside = max(0.0, 1 - total) + errors[0] + 1e-9
    errors = (errors[0] + outside, *errors[1:])
    return Screen(shares, errors, variance, third, spread, _cuts(law, boxes, outside))


def _boxes(law: Mixture, c: float, log_whole: float) -> Iterator[Box]:
    low, high = law.ends(c, DEEP, log_whole)
    lead = c + 1 if law.with_unit else -c
    first, last = math.floor(low / WIDTH), math.ceil(high / WIDTH)
    least = law.slope((first - 0.5) * WIDTH)
    for k in range(first, last + 1):
        height, loss = law.height(k * WIDTH, c)
        most = law.slope((k + 0.5) * WIDTH)
        ends = [(k - 0.5) * WIDTH, (k + 0.5) * WIDTH]
        steep = max(abs(lead * slope - x) for slope in (least, most) for x in ends)
        share = WIDTH * math.exp(height - log_whole)
        yield Box(share, loss, least, most, steep, math.exp(steep * WIDTH / 2))
        least = most


def _errors(law: Mixture, c: float, boxes: list[Box]) -> tuple[float, float, float]:
    a = b = d = 0.0
    for box in boxes:
        part = SLACK * box.share * box.off * WIDTH**2 / 24
        bend = law.largest * box.most
        a += part * (box.steep**2 + 1 + (c + 1) * bend)
        b += part * (2 * box.steep * box.most + bend)
        d += part * box.most**2
    return a, b, d


def _cuts(law: Mixture, boxes: list[Box], outside: float) -> tuple[tuple[float, float], ...]:
    """For every box: the share of all boxes before it, and K of it and all after it."""
    left = outside + math.fsum(box.share * box.off for box in boxes)
    cuts = [(1.0, 0.0)]
    variation = last = 0.0
    for box in reversed(boxes):
        if box.least <= 0:
            break
        left -= box.share * box.off
        peak = SLACK * box.share * box.off / WIDTH / box.least
        last = last or peak
        variation += peak * WIDTH * (box.steep + law.largest)
        cuts.append((max(left, 0.0) + 1e-9, variation + peak + last))
    return (*cuts[::8], cuts[-1])
