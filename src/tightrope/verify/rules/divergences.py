"""Renyi divergences of one order: those of the losses of all releases, added up.

With M(z) = E[exp(zL)] the divergence of order a is log M(a - 1)/(a - 1), and M of independent
losses is the product. Both orders of neighbours count, and every way in which they differ.
"""

from __future__ import annotations

from fractions import Fraction

from flint import acb, arb

from tightrope.verify.exact.laws import Runs, fails, merged
from tightrope.verify.exact.pairs import ways_of
from tightrope.verify.numbers import ball, require_at_least
from tightrope.verify.outcome import NotChecked, Refuted
from tightrope.verify.step import Step, rule


@rule("compose_rdp")
def composed_divergences(step: Step) -> None:
    """The divergence of the composed losses, from the event alone."""
    step.gives("RDP")
    if step.inputs:
        raise Refuted("the divergence rests on the event alone")
    order = step.value("order")
    if order <= 1:
        raise NotChecked("divergences of order 1")
    ways = [merged(way) for way in ways_of(step.events, step.about)]
    if any(map(fails, ways)):
        raise Refuted("the divergence is infinite, as a release may fail")

    def greatest() -> arb:
        found = [_divergence(way, order) for way in ways]
        most = arb(0)
        for one in found:
            most = most.max(one)
        return most

    require_at_least(step.value("epsilon"), greatest, "epsilon")


def _divergence(runs: Runs, order: Fraction) -> arb:
    point = acb(ball(order - 1))
    logs = (law.transform(point).real.log() * count for law, count in runs)
    return sum(logs, arb(0)) / ball(order - 1)
