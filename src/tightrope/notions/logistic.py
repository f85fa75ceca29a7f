"""Logistic DP: no easier to tell apart than two logistic laws epsilon apart."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from tightrope._check import NONNEGATIVE, Real, declared
from tightrope.notions.guarantee import Guarantee


@dataclass(frozen=True, repr=False)
class LogisticDP(Guarantee):
    """epsilon-logistic DP: type II error >= (1 - a)/(1 + (e^epsilon - 1) a) at type I error a.

    Source: Chen, Pandey and Awan (2026), Definition 12.

    Examples:
        >>> import tightrope as tr
        >>> tr.LogisticDP(1.0).to(tr.GDP)
        GDP(mu=0.6239)
    """

    short: ClassVar[str] = "logistic"
    title: ClassVar[str] = "logistic DP"

    epsilon: Real = declared(  # type: ignore[assignment]  # the parameter, not the verb
        "ε", r"\varepsilon", NONNEGATIVE, (0.01, 10), "shift of the log-odds of any test"
    )
