"""Approximate differential privacy: one point (epsilon, delta) of a privacy profile."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from tightrope._check import NONNEGATIVE, PROBABILITY, Real, declared
from tightrope.notions.guarantee import Guarantee


@dataclass(frozen=True, repr=False)
class ApproxDP(Guarantee):
    """(epsilon, delta)-DP: P(S) <= e^epsilon Q(S) + delta for every event S and all neighbours.

    Source: Dwork, Kenthapadi, McSherry, Mironov and Naor (2006), Definition 1.

    Examples:
        >>> import tightrope as tr
        >>> tr.ZCDP(0.5).to(tr.ApproxDP, delta=1e-6)
        ApproxDP(epsilon=5.222, delta=1e-06)
    """

    short: ClassVar[str] = "approx"
    title: ClassVar[str] = "(ε, δ)-DP"

    epsilon: Real = declared(  # type: ignore[assignment]  # the parameter, not the verb
        "ε", r"\varepsilon", NONNEGATIVE, (0.01, 10), "multiplicative part of the loss"
    )
    delta: Real = declared(  # type: ignore[assignment]  # the parameter, not the verb
        "δ", r"\delta", PROBABILITY, (1e-12, 1e-3), "additive part of the loss"
    )
