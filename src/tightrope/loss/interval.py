"""What the engine answers: proved bounds, and how they were found."""

from __future__ import annotations

from typing import NamedTuple

from tightrope.num.arrays import Floats


class LogInterval(NamedTuple):
    """Proved bounds on log delta.

    Attributes:
        lower: no log delta is below it.
        upper: none is above it.
        method: the way to them, for a derivation.
    """

    lower: Floats
    upper: Floats
    method: str = ""
