"""Pairs with many unrelated losses, moved outward onto a lattice, where composing them is quick.

The transform of a few hundred losses that have no common step dies down slowly along its line, and
every node costs as many exponentials; on a lattice the line ends after half a period.
"""

from __future__ import annotations

from functools import partial

import numpy as np

from tightrope.loss.dominating import Dominating
from tightrope.loss.finite.cover import covering
from tightrope.loss.finite.finite import FiniteLoss
from tightrope.loss.pair_profile import both_signs
from tightrope.loss.profile import OrderProfile
from tightrope.num.arrays import Floats

MOST_UNRELATED = 64
"""Most losses without a common step that are composed as they are."""

POINTS = 512
"""Steps of the lattice on each side of 0."""

LARGEST = 100.0
"""Beyond this loss a pair stays as it is."""


def on_lattice(pair: Dominating) -> Dominating:
    """A pair that covers the given one, if that has many losses; else the given one."""
    losses = [loss for total in pair.orders for loss in total.losses]
    if not all(isinstance(loss, FiniteLoss) and loss.escape < np.inf for loss in losses):
        return pair
    unrelated = [x for x in losses if isinstance(x, FiniteLoss) and x.lattice is None]
    sizes = [rows.size for loss in unrelated for rows in loss.blocks]
    reach = max((float(size.max()) for size in sizes), default=0.0) * (1 + 1e-12)
    if not 0 < reach <= LARGEST or max(size.shape[1] for size in sizes) <= MOST_UNRELATED:
        return pair
    profiles = [OrderProfile(total) for total in pair.orders]
    covers = (
        covering(reach, POINTS, partial(_log_delta, order, reverse))
        for order, reverse in zip(profiles, reversed(profiles), strict=True)
    )
    return Dominating.of_orders(covers, attained=False)


def _log_delta(order: OrderProfile, reverse: OrderProfile, epsilon: Floats) -> Floats:
    return both_signs(order, reverse, epsilon).upper
