"""Finite losses laid on a lattice: many atoms become few, and a period closes every contour.

An atom between two points of the lattice is divided between them so that both its masses stay
what they are, under P and under Q. The original pair is a post-processing of the new one, which
forgets how the atom was divided; so the new pair dominates. What is lost is a variance of at most
a quarter of a step squared for each release.
"""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np

from tightrope.loss.finite.finite import FiniteLoss
from tightrope.loss.finite.pairs import Rows, Scalars
from tightrope.num.arrays import Floats, Indices
from tightrope.num.rounding import EPS

Lay = Callable[[Floats, Floats, float], tuple[Floats, Floats]]

DOUBT = 256 * EPS
"""Relative error of log-probabilities, per unit of their size: sums of many masses."""


MOST_LOOSE = 128
"""Distinct losses that are kept as they are."""

FINENESS = 64
"""Steps of a lattice in a standard deviation of one release."""

NEAR = 6.0
"""Standard deviations around the mean within which all points of a lattice are used, at least."""

MOST_POINTS = 1 << 20
"""Points of a lattice, with or without mass."""


def laid(losses: Floats, masses: Floats, step: float) -> tuple[Floats, Floats]:
    """Points of the lattice of multiples of a step, and the masses that they get under P."""
    place = losses / step
    floor = np.floor(place)
    part = place - floor
    share = np.expm1(-part * step) / math.expm1(-step)
    first = int(floor.min())
    index = (floor - first).astype(np.int64)
    size = int(index.max()) + 2
    mass = np.asarray(np.bincount(index, masses * (1 - share), size), dtype=float)
    mass += np.bincount(index + 1, masses * share, size)
    points = np.flatnonzero(mass > 0)
    return np.asarray((points + first) * step), mass[points]


def octaves(losses: Floats, masses: Floats, step: float) -> Indices:
    """By how many octaves the steps of ``coarser_far_out`` are wider at each loss."""
    mean = float(losses @ masses / masses.sum())
    return np.maximum(np.frexp((losses - mean) / (NEAR * FINENESS * step))[1], 0).astype(np.int64)


def coarser_far_out(losses: Floats, masses: Floats, step: float) -> tuple[Floats, Floats]:
    """The same with points that lie twice as far apart from each octave of losses to the next.

    An atom may be divided between any two points around it; far out, mass is rare.
    """
    octave = octaves(losses, masses, step)
    parts = [
        laid(losses[octave == k], masses[octave == k], step * 2.0**k)
        for k in np.unique(octave).tolist()
    ]
    points, mass = (np.concatenate(side) for side in zip(*parts, strict=True))
    distinct, place = np.unique(points, return_inverse=True)
    return distinct, np.asarray(np.bincount(place, mass))


def on_lattice_if_many(
    losses: Floats, masses: Floats, known: Scalars, lay: Lay = laid
) -> FiniteLoss:
    """The pair with these atoms: as they are if they are few, else laid on a fine lattice.

    Args:
        losses: finite values.
        masses: their probabilities under P, positive.
        known: what else is known; the errors are those of the atoms as given.
        lay: from atoms and a step to points and their masses.
    """
    total = math.fsum(masses)
    if len(losses) <= MOST_LOOSE**2 and len(np.unique(losses)) <= MOST_LOOSE:
        return FiniteLoss((Rows.one(losses, np.log(masses / total), known),))
    mean = float(losses @ masses) / total
    deviation = math.sqrt(float((losses - mean) ** 2 @ masses) / total)
    reach = float(losses.max() - losses.min())
    top = float(np.abs(losses).max())
    step = top / math.ceil(top / max(deviation / FINENESS, reach / MOST_POINTS))
    points, mass = lay(losses, masses, step)
    moved = on_steps(known, step, DOUBT + known.loss_doubt * (1 + top))
    return FiniteLoss((Rows.one(points, np.log(mass / total), moved),))


def on_steps(known: Scalars, step: float, doubt: float) -> Scalars:
    """What is known once the losses are multiples of a step, at the cost of doubt of masses."""
    return known._replace(step=step, loss_doubt=8 * EPS, mass_doubt=known.mass_doubt + doubt)


def laid_on(row: Rows, step: float, lay: Lay = laid) -> FiniteLoss:
    """One release of one row, on the lattice of multiples of a step."""
    masses, known = np.exp(row.log_probabilities[0]), row.known
    moved = on_steps(known, step, DOUBT + known.loss_doubt * (1 + float(row.size[0].max())))
    points, mass = lay(row.losses[0], masses, step)
    return FiniteLoss((Rows.one(points, np.log(mass / math.fsum(masses)), moved),))


def on_fine_lattice(loss: FiniteLoss) -> FiniteLoss:
    """One release of a finite pair: as it is if it has a lattice or few atoms, else laid on one."""
    return _on_one(loss, laid)


def on_coarse_lattice(loss: FiniteLoss) -> FiniteLoss:
    """The same on fewer points, where the pair is a cover with a long tail."""
    return _on_one(loss, coarser_far_out)


def _on_one(loss: FiniteLoss, lay: Lay) -> FiniteLoss:
    (row,) = loss.blocks
    if row.step[0] or row.atoms <= MOST_LOOSE:
        return loss
    return on_lattice_if_many(row.losses[0], np.exp(row.log_probabilities[0]), row.known, lay)
