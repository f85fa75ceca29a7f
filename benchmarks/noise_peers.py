"""Integer noise by other libraries; what fails to import is told, and left out."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any

PEERS_DRAW = 10_000
"""Draws a call: a peer takes as long for each of a million."""


def opendp() -> Callable[[str, float], Callable[[], Any]] | None:
    """From a law and a scale to a call that draws by OpenDP; None if it cannot be imported."""
    try:
        import opendp.prelude as dp
    except Exception as error:
        print(f"OpenDP fails to import: {error}", file=sys.stderr)
        return None
    dp.enable_features("contrib")
    zeros = [0] * PEERS_DRAW

    def drawing(law: str, scale: float) -> Callable[[], Any]:
        domain = dp.vector_domain(dp.atom_domain(T=int))
        if law == "Laplace":
            measurement = dp.m.make_laplace(domain, dp.l1_distance(T=int), scale)
        else:
            measurement = dp.m.make_gaussian(domain, dp.l2_distance(T=float), scale)
        return lambda: measurement(zeros)

    return drawing


def diffprivlib() -> Callable[[str, float], Callable[[], Any]] | None:
    """The same by diffprivlib, one draw a call; its Gaussians know no scale."""
    try:
        from diffprivlib import mechanisms
    except Exception as error:
        print(f"diffprivlib fails to import: {error}", file=sys.stderr)
        return None

    def drawing(law: str, scale: float) -> Callable[[], Any]:
        if law != "Laplace":
            raise ValueError("its noise has no scale that could be asked for")
        mechanism = mechanisms.Geometric(epsilon=1 / scale)
        return lambda: [mechanism.randomise(0) for _ in range(PEERS_DRAW)]

    return drawing
