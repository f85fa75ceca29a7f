"""A finite pair moved downward onto a lattice: what no number proved of it may fall short of.

Outcomes are taken by falling loss, in runs of which each has one point g of the lattice: a run goes
on as long as the mass of P in it is at least exp(g) times the mass of Q, and may end inside of an
outcome, which is then divided. To tell only the run of an outcome is a post-processing, and every
run leaks a loss of at least its g, so with the losses g delta is at most what it is. A run starts
above its point and ends below, so what is lost is of second order in the step.
"""

from __future__ import annotations

import math

import numpy as np

from tightrope.loss.finite.finite import FiniteLoss
from tightrope.loss.finite.laid import DOUBT, octaves, on_steps
from tightrope.loss.finite.pairs import Rows
from tightrope.num.rounding import EPS

MARGIN = 1e-12
"""The part of what a run has in hand that is not spent, since it is rounded."""

MOST_TAKEN = 1 - 2.0**-10
"""The largest part of an outcome that a run takes, so that the rest keeps its digits."""

SPLIT_DOUBT = 2.0**11 * EPS
"""What that leaves in doubt of a mass."""


def below(row: Rows, step: float) -> FiniteLoss:
    """One release of one row on the lattice of multiples of a step."""
    losses, masses = row.losses[0] * (1 - row.loss_doubt[0]), np.exp(row.log_probabilities[0])
    losses = np.minimum(losses, row.losses[0] * (1 + row.loss_doubt[0]))
    size = step * 2.0 ** octaves(losses, masses, step)
    floors = np.floor(losses / size * (1 + 4 * EPS * np.sign(-losses))) * size
    found = _runs(losses[::-1].tolist(), masses[::-1].tolist(), floors[::-1].tolist())
    points = np.array(sorted(found))
    log_mass = np.log([found[point] for point in points.tolist()])
    known = on_steps(row.known, step, DOUBT + SPLIT_DOUBT)
    return FiniteLoss((Rows.one(points, log_mass - math.log(math.fsum(masses)), known),))


def _runs(losses: list[float], masses: list[float], floors: list[float]) -> dict[float, float]:
    """The mass of P in the runs of each point; outcomes by falling loss."""
    found: dict[float, float] = {}
    at, rest, last = 0, 1.0, len(losses)
    while at < last:
        point, mass = floors[at], rest * masses[at]
        earned = spare = -mass * math.expm1(point - losses[at])
        at, rest = at + 1, 1.0
        while at < last:
            price = masses[at] * math.expm1(point - losses[at])
            left = max(spare - MARGIN * earned, 0.0)
            if price > left:
                taken = min(left / price, MOST_TAKEN)
                mass, rest = mass + taken * masses[at], 1 - taken
                break
            earned, spare = earned + max(-price, 0.0), spare - price
            mass, at = mass + masses[at], at + 1
        found[point] = found.get(point, 0.0) + mass
    return {point: mass for point, mass in found.items() if mass}
