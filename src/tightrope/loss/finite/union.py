"""Unions of pairs: finite ones are one finite pair, so that they keep a lattice."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from tightrope.loss.finite.finite import FiniteLoss
from tightrope.loss.finite.laid import on_lattice_if_many
from tightrope.loss.finite.pairs import Scalars
from tightrope.loss.loss import Loss
from tightrope.loss.mixture.union import WEIGHT_DOUBT, UnionLoss
from tightrope.num.rounding import EPS


def union(parts: Sequence[Loss], weights: Sequence[float], infinite: float = 0.0) -> Loss:
    """One release of a kind that is drawn with these weights and told; see ``UnionLoss``."""
    finite = [part for part in parts if isinstance(part, FiniteLoss)]
    if len(finite) < len(parts):
        return UnionLoss.one(parts, weights, infinite)
    rows = [loss.blocks[0] for loss in finite]
    rest = max(1 - infinite - math.fsum(weights), 0.0)
    gone = [-math.expm1(-float(row.escape[0])) for row in rows]
    masses = [
        weight * (1 - lost) * np.exp(row.log_probabilities[0])
        for weight, lost, row in zip(weights, gone, rows, strict=True)
    ]
    losses = np.concatenate([[0.0], *(row.losses[0] for row in rows)])
    mass = np.concatenate([[rest], *masses])
    lost = infinite + math.fsum(w * x for w, x in zip(weights, gone, strict=True))
    known = Scalars(
        escape=-math.log1p(-min(lost, 1 - EPS)),
        absent=infinite
        + math.fsum(w * float(row.absent[0]) for w, row in zip(weights, rows, strict=True)),
        loss_doubt=max(float(row.loss_doubt[0]) for row in rows),
        mass_doubt=WEIGHT_DOUBT + max(float(row.mass_error[0].max()) for row in rows) + 16 * EPS,
    )
    return on_lattice_if_many(losses[mass > 0], mass[mass > 0], known)
