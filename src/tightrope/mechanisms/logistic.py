"""Logistic noise: the additive noise whose trade-off curve is the logistic one."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from tightrope.loss.dominating import Dominating
from tightrope.loss.logistic import LogisticLoss
from tightrope.mechanisms.additive import ScaledNoise
from tightrope.mechanisms.mechanism import fact
from tightrope.notions import LogisticDP
from tightrope.theorems.registry import Grade


@dataclass(frozen=True, repr=False)
class Logistic(ScaledNoise):
    """Logistic noise of scale ``noise_scale`` on a query of L1 sensitivity ``sensitivity``.

    Args:
        noise_scale: the scale s of the density proportional to sech^2(x/(2 s)), above 0.
        sensitivity: largest change of the (scalar) query between neighbours, at least 0.
        neighbors: the relation that the sensitivity refers to.

    Source: Chen, Pandey and Awan (2026), Appendix F.

    Examples:
        >>> import tightrope as tr
        >>> tr.Logistic(noise_scale=2.0).to(tr.LogisticDP)
        LogisticDP(epsilon=0.5)
    """

    title: ClassVar[str] = "logistic mechanism"

    def dominating(self) -> Dominating:
        """Logistic noise against the same noise, shifted by the sensitivity."""
        return Dominating.symmetric(LogisticLoss.one(*self.strength()))

    @fact(
        LogisticDP,
        Grade.LOSSLESS,
        "chen2026",
        "Appendix F",
        "epsilon = sensitivity/noise_scale, attained",
    )
    @staticmethod
    def logistic(epsilon: Any) -> Any:
        """A shifted logistic law is what logistic DP is named after."""
        return epsilon
