"""How far a picture of delta against epsilon goes: every face draws the same stretch of it."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence

import numpy as np

from tightrope.events import Event
from tightrope.num.arrays import Floats

RARE = (1e-9, 1e-6, 1e-3, 0.1, 0.5)
"""Deltas of which the first that can be met decides how far the picture goes."""


def reach(event: Event, deltas: Sequence[float] = RARE) -> float:
    """The epsilon at the first of the deltas that some epsilon meets; 0 if none does."""
    found = (float(event.epsilon(delta)) for delta in deltas)
    return next(filter(math.isfinite, found), 0.0)


def shared_grid(reaches: Iterable[float], points: int) -> Floats:
    """Epsilons from 0 on, so that every curve has as many points where it ends, closer there."""
    steps = 1 - np.linspace(1.0, 0.0, points) ** 2
    return np.unique(np.concatenate([reach * steps for reach in reaches]))
