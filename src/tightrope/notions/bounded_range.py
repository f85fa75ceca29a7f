"""Bounded range: for each pair of neighbours the log-ratio stays in an interval of length eps."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from tightrope._check import NONNEGATIVE, Real, declared
from tightrope.notions.guarantee import Guarantee


@dataclass(frozen=True, repr=False)
class BoundedRange(Guarantee):
    """epsilon-BR: l <= log dQ/dP <= l + epsilon for some l of each pair of neighbours.

    The exponential mechanism is the typical case. Source: Durfee and Rogers (2019),
    Definition 3.1; Dong, Durfee and Rogers (2020), Definition 2.2.

    Examples:
        >>> import tightrope as tr
        >>> (tr.BoundedRange(0.1) ** 10).to(tr.GDP)
        GDP(mu=0.1632)
    """

    short: ClassVar[str] = "br"
    title: ClassVar[str] = "bounded range"

    epsilon: Real = declared(  # type: ignore[assignment]  # the parameter, not the verb
        "ε", r"\varepsilon", NONNEGATIVE, (0.01, 10), "length of the interval of log-ratios"
    )
