"""The least mu of composed losses, from the event alone."""

from __future__ import annotations

from fractions import Fraction

from flint import arb, ctx

from tightrope.verify.exact import normal
from tightrope.verify.exact.gaussian_cover import unproved
from tightrope.verify.exact.laws import Runs, fails, merged
from tightrope.verify.exact.mixture import Mixture
from tightrope.verify.exact.noise import DiscreteNormal, Normal
from tightrope.verify.exact.pairs import ways_of
from tightrope.verify.numbers import ball
from tightrope.verify.outcome import NotChecked, Refuted
from tightrope.verify.rules.exact_composition import bounds
from tightrope.verify.step import Step, rule

PRECISION = 128
LOOSE = Fraction(1, 1000)
"""Relative distance from the truth beyond which mu is not the tight one."""


@rule("tight_mu_of_composition")
def tight_mu(step: Step) -> None:
    """delta(e) <= delta_mu(e) at every e, and for a mu next to it this is false."""
    step.gives("GDP")
    if step.inputs:
        raise Refuted("the tight mu rests on the event alone")
    ways, mu = [merged(way) for way in ways_of(step.events, step.about)], step.value("mu")
    if any(map(fails, ways)):
        raise Refuted("there is no mu, as a release may fail")
    if any(isinstance(law, Mixture) for way in ways for law, _ in way):
        raise NotChecked("the tight mu of samples")
    with ctx.workprec(PRECISION):
        for way in ways:
            place = unproved(way, mu, bounds)
            if place is not None:
                _require_possible(way, mu, place)
        if not any(_is_too_small(way, mu * (1 - LOOSE)) for way in ways):
            raise NotChecked("mu is not the tight one, but more")


def _require_possible(way: Runs, mu: Fraction, place: Fraction) -> None:
    if _square(way) > mu**2 or _exceeds(way, mu, place):
        raise Refuted("mu is below that of the composed losses")
    raise NotChecked("no proof is found that delta lies below that of mu everywhere")


def _is_too_small(way: Runs, mu: Fraction) -> bool:
    """Whether this mu is too small for certain, by the divergence of order 2 or by some delta."""
    if _square(way) > mu**2 or not mu:
        return True
    place = unproved(way, mu, bounds)
    return place is not None and _exceeds(way, mu, place)


def _square(way: Runs) -> Fraction:
    """That of the mu of the normal noise alone: D(2) is no less."""
    noise = ((law, n) for law, n in way if isinstance(law, Normal | DiscreteNormal))
    return sum((law.square * n for law, n in noise), Fraction(0))


def _exceeds(way: Runs, mu: Fraction, epsilon: Fraction) -> bool:
    lower: arb = bounds(way, epsilon)[0]
    return bool(lower > normal.profile(ball(epsilon), ball(mu)))
