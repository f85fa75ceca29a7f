"""Whether a composition is one of finite pairs whose losses have no common step."""

from __future__ import annotations

import math

from tightrope.loss.finite.finite import FiniteLoss
from tightrope.loss.total import Total


def unrelated_atoms(total: Total) -> FiniteLoss | None:
    """Its only column; None if there are others, a lattice, or no finite sum."""
    if len(total.losses) != 1 or not isinstance(total.losses[0], FiniteLoss):
        return None
    loss = total.losses[0]
    return loss if loss.lattice is None and loss.escape < math.inf else None
