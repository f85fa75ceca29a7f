"""The floor of mu that the parts show, and the slope of their Renyi divergences behind it."""

from __future__ import annotations

import math

from tightrope.events import Event
from tightrope.mechanisms.mechanism import Mechanism
from tightrope.notions import GDP, ZCDP
from tightrope.plan.attained import exact_leaves, gaussians
from tightrope.plan.portfolio.tree import portfolio_of

FORMULA_ERROR = 2e-12
"""What the sharp formulas may lie above the truth, relatively: their stated accuracy, doubled."""


def gaussian_floor(event: Event) -> float:
    """No mu below this one holds, as the parts and their order-by-order sums show."""
    known = [portfolio_of(leaf).numbers(GDP) for leaf, _ in exact_leaves(event) if _tight_mu(leaf)]
    largest = max((numbers[0] for numbers in known if numbers), default=0.0)
    return max(largest * (1 - FORMULA_ERROR), math.sqrt(2 * slope_floor(event)))


def _tight_mu(leaf: Event) -> bool:
    return not isinstance(leaf, Mechanism) or leaf.has_tight_mu


def slope_floor(event: Event) -> float:
    """D(order)/order of the whole: at order 1, where most suprema sit, or of one kind of part.

    Towards infinite order only Gaussians count, and sampling does not change their slope.
    """
    at_one, largest = 0.0, 0.0
    for leaf, count in exact_leaves(event):
        numbers = portfolio_of(leaf).numbers(ZCDP)
        if numbers is None or numbers[1] > 0:
            continue
        largest = max(largest, count * numbers[0])
        at_one += count * numbers[0] if _at_order_one(leaf) else 0.0
    squares = sum(count * mu * mu for mu, count in gaussians(event))
    return max(at_one, largest, squares / 2) * (1 - FORMULA_ERROR)


def _at_order_one(leaf: Event) -> bool:
    return not isinstance(leaf, Mechanism) or leaf.slope_at_order_one
