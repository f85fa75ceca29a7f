"""The relation on which a target and whoever calibrates to it agree."""

from __future__ import annotations

from tightrope._errors import NeighborsMismatch
from tightrope.neighbors import Neighbors, require_neighbors
from tightrope.notions import Guarantee

__all__ = ["relation_of"]


def relation_of(target: Guarantee, neighbors: Neighbors | None, caller: str) -> Neighbors:
    """That of the target, or the one that was passed if it is the same.

    Raises:
        NeighborsMismatch: they differ: a target promises something for one relation.
    """
    if neighbors is None:
        return target.neighbors
    require_neighbors(neighbors, f"{caller}: neighbors")
    if target.neighbors.merged_or_none(neighbors) is None:
        raise NeighborsMismatch(
            f"{caller}: the target speaks of ({target.neighbors}) and neighbors= of ({neighbors}). "
            "A target promises something for one relation: state it there, as in "
            f"tr.{type(target).__name__}(..., neighbors=tr.{neighbors!r}), with the sensitivity "
            "under that relation"
        )
    return neighbors
