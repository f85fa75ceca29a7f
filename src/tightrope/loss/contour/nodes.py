"""The nodes of a contour that are visited, and bounds on what the others could add."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from tightrope.loss.loss import Transform
from tightrope.num.arrays import Flags, Floats, Integers

if TYPE_CHECKING:
    from tightrope.loss.contour.contour import Contour

GOAL = 1e-12
"""Relative error that each of aliasing and truncation is kept below, where that is cheap."""

MOST_ENTRIES = 1 << 18
"""Complex numbers that one step of a computation holds at once."""

MOST_UNSIEVED = 1 << 12
"""Nodes of a contour all of which are evaluated; of more, those that may matter."""


class Nodes(NamedTuple):
    """The nodes at which M may matter, and what is known of the others.

    Attributes:
        tau: their imaginary parts.
        weight: 1, or 1/2 where a node stands for itself alone (the others for two).
        transform: log M there.
        skipped: a bound on the sum of |M(z)/M(c)|/|z|^2 over the nodes that were skipped.
        skipped_size: a bound on the sum of |M(z)/M(c)| over them.
    """

    tau: Floats
    weight: Floats
    transform: Transform
    skipped: float
    skipped_size: float


def visited(contour: Contour) -> Nodes:
    """The nodes, and the transform there, a block at a time."""
    width = max(64, int(MOST_ENTRIES / contour.total.cost))
    blocks = [_block(contour, index) for index in _indices(contour, width)]
    windows = contour.windows
    if len(blocks) == 1 and windows is None:
        return blocks[0]
    outside, outside_size = windows.omitted(contour.step, contour.c) if windows else (0.0, 0.0)
    return Nodes(
        np.concatenate([block.tau for block in blocks]),
        np.concatenate([block.weight for block in blocks]),
        Transform(
            np.concatenate([block.transform.value for block in blocks]),
            np.concatenate([block.transform.error for block in blocks]),
        ),
        outside + math.fsum(block.skipped for block in blocks),
        outside_size + math.fsum(block.skipped_size for block in blocks),
    )


def negligible_size(c: float, share: float, nodes: float) -> float:
    """|M(z)/M(c)|/|z|^2 below which as many nodes do not matter."""
    return share / (nodes * (1 + c) ** 2)


def _indices(contour: Contour, width: int) -> Iterable[Integers]:
    """The nodes by number; of a sieved contour, those in its windows."""
    if contour.windows is not None:
        return contour.windows.nodes(contour.step, width)
    starts = range(0, contour.nodes, width)
    return (np.arange(start, min(start + width, contour.nodes)) for start in starts)


def _block(contour: Contour, index: Integers) -> Nodes:
    tau: Floats = np.asarray(index * contour.step)
    alone = (index == 0) | _last_of_period(contour, index)
    weight: Floats = np.where(alone, 0.5, 1.0)
    if contour.windows is None and (contour.nodes <= MOST_UNSIEVED or contour.periodic):
        return Nodes(tau, weight, contour.line.transform(tau), 0.0, 0.0)
    log_size = contour.line.screen(tau)
    bound = np.exp(log_size) / np.maximum(tau, contour.c) ** 2
    kept = (bound > _negligible(contour)) | (tau == 0)
    return Nodes(
        tau[kept],
        weight[kept],
        contour.line.transform(tau[kept]),
        float(bound[~kept].sum()),
        float(np.exp(log_size[~kept]).sum()),
    )


def _negligible(contour: Contour) -> float:
    """|M(z)/M(c)|/|z|^2 below which a node does not matter, given the errors that remain."""
    c, windows = contour.c, contour.windows
    remaining = max(GOAL, contour.eta**2 * c * (c + 1) / 10)
    looked_at = windows.parts.length / contour.step + 1 if windows else contour.nodes
    return negligible_size(c, remaining * contour.share, looked_at)


def _last_of_period(contour: Contour, index: Integers) -> Flags:
    """Half a period away from the axis there is one node, not two."""
    lattice = contour.total.lattice
    if not (contour.periodic and lattice):
        return np.zeros(index.shape, dtype=bool)
    away = np.abs(index * contour.step * lattice.step - math.pi)
    return np.asarray(away < contour.step * lattice.step / 4)
