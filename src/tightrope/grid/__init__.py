"""Numbers on a grid of a power of two: read from what people hold, rounded, clipped, read back.

The grid is fixed before the data are looked at. Everything between is 64-bit integers, so a float
is never added to a float. Nothing here knows what privacy is.
"""

from tightrope.grid.bounds import Bounds
from tightrope.grid.exact_numbers import place_of
from tightrope.grid.frames import declared_labels, entries_of, is_frame, labelled
from tightrope.grid.points import (
    LOWEST_EXPONENT,
    floor_log2,
    from_points,
    plain,
    step_of,
    to_points,
)
from tightrope.grid.reading import BLOCK, Column, as_doubles, read, read_records
from tightrope.grid.row_norms import clip, clip_column
from tightrope.grid.steps import declared_exponent

__all__ = [
    "BLOCK",
    "LOWEST_EXPONENT",
    "Bounds",
    "Column",
    "as_doubles",
    "clip",
    "clip_column",
    "declared_exponent",
    "declared_labels",
    "entries_of",
    "floor_log2",
    "from_points",
    "is_frame",
    "labelled",
    "place_of",
    "plain",
    "read",
    "read_records",
    "step_of",
    "to_points",
]
