"""Discrete Gaussian noise under Gaussian DP, vertex by vertex, out to where a tail bound closes.

The trade-off curve has the vertices (P(Z >= k), P(Z < k - D)), and mu-GDP holds if it does at each:
if a(k) - a(k - D) <= mu, a(k) being the score -Phi^-1(P(Z >= k)). Increments are symmetric about
(D + 1)/2. Under rho-zCDP a type I error exp(-s^2/2) allows no more than N(s) - N(s - D/sigma), with
N(s) = -Phi^-1(exp(-s^2/2)), which falls from where N(s - D/sigma) >= 1.4 on, and P(Z >= k) is at
most exp(-k^2/(2 sigma^2)): so vertices from k = sigma s on need no look. Those further out than
nine sigma are looked at in ordinary numbers first.
"""

from __future__ import annotations

import functools
import math
from fractions import Fraction

from flint import arb, ctx

from tightrope.verify.exact.normal import end_of_rates, score
from tightrope.verify.numbers import CLOSE, ball
from tightrope.verify.outcome import NotChecked, Refuted
from tightrope.verify.rules.far_vertices import NEAREST, doubtful
from tightrope.verify.rules.leaf import shift, variance
from tightrope.verify.rules.mechanisms import require_leaf
from tightrope.verify.step import Step, rule

MOST_VERTICES = 120_000
PRECISION = 128
FARTHEST_SCORE = 1e6
"""Of a type I error beyond which the tail bound does not close."""


@rule("DiscreteGaussian.gdp")
def discrete_gaussian_gdp(step: Step) -> None:
    """mu is the largest increment of the scores."""
    step.gives("GDP")
    node, mu = require_leaf(step), step.value("mu")
    v, whole = variance(node), shift(node)
    if whole == 0:
        if mu:
            raise Refuted("mu is not 0")
        return
    with ctx.workprec(PRECISION):
        largest = _largest(v, whole, mu)
    if largest > ball(mu):
        raise Refuted("mu is below what the theorem gives")
    if not largest <= ball(mu):
        raise NotChecked(f"{PRECISION} bits leave open whether mu is below what the theorem gives")
    if not ball(mu * (1 - CLOSE)) < largest:
        raise NotChecked("mu is not what the theorem gives, but more")


def _largest(v: Fraction, whole: int, mu: Fraction) -> arb:
    """The largest increment, if all beyond the last that is looked at are below mu."""
    first, last = (whole + 2) // 2, _last(v, whole, mu)
    if last - first > MOST_VERTICES or whole > MOST_VERTICES:
        raise NotChecked("discrete Gaussian noise with so many vertices")
    near = min(last, max(first, math.ceil((NEAREST + 1) * math.sqrt(float(v))) + whole))
    largest = _largest_between(v, whole, first, near)
    for k in doubtful(float(v), whole, float(mu), near + 1, last) if near < last else ():
        largest = largest.max(_largest_between(v, whole, k, k))
    return largest


def _largest_between(v: Fraction, whole: int, first: int, last: int) -> arb:
    """The largest increment from first to last."""
    scores = _scores(v, first - whole, last)[::-1]
    steps = (high - low for low, high in zip(scores, scores[whole:], strict=False))
    return functools.reduce(lambda a, b: a.max(b), steps, arb(0))


def _last(v: Fraction, whole: int, mu: Fraction) -> int:
    """A k from which on the tail bound is below mu."""
    unit = ball(Fraction(whole)) / ball(v).sqrt()
    s = end_of_rates(unit, ball(mu), FARTHEST_SCORE)
    if s is None:
        raise Refuted("mu is below what the theorem gives, far out")
    return math.ceil(s * math.sqrt(float(v)) * (1 + 1e-9)) + 1


def _scores(v: Fraction, first: int, last: int) -> list[arb]:
    """The scores of k from ``last`` down to ``first``."""
    twice = 2 * ball(v)
    top = last + math.ceil(12 * math.sqrt(float(v)) + 12)
    ratio = (-arb(top) / ball(v)).exp()
    weight = (-(arb(top) ** 2) / twice).exp()
    tail = weight / (1 - ratio)
    tail = tail.union(weight)
    factor, growth = ((2 * arb(top) - 1) / twice).exp(), (-1 / ball(v)).exp()
    tails = {}
    lowest = min(first, 1)
    for k in range(top - 1, lowest - 1, -1):
        weight *= factor
        factor *= growth
        tail += weight
        if k <= last:
            tails[k] = tail
    whole = 2 * tails[1] + 1
    return [_score(tails, whole, k) for k in range(last, first - 1, -1)]


def _score(tails: dict[int, arb], whole: arb, k: int) -> arb:
    """By symmetry the score of 1 - k is that of k, negative."""
    return score(tails[k] / whole) if k >= 1 else -score(tails[1 - k] / whole)
