"""Logistic noise: the additive noise whose trade-off curve is the logistic one."""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any, ClassVar

from tightrope._errors import InvalidArgument
from tightrope.events import Event
from tightrope.grid import plain
from tightrope.loss.dominating import Dominating
from tightrope.loss.logistic import LogisticLoss
from tightrope.mechanisms.additive import ScaledNoise
from tightrope.mechanisms.mechanism import fact
from tightrope.mechanisms.noise_grid import NoiseGrid
from tightrope.mechanisms.noise_law import LogisticLaw, NoiseLaw
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

    def _on_grid(self, coordinates: int) -> tuple[Event, NoiseLaw, int]:
        """Logistic noise rounded to nearest.

        On a value that is a whole number of steps this is the continuous mechanism followed by
        rounding, so the event is the continuous one at the sensitivity that rounding the value has
        made.

        Raises:
            InvalidArgument: a unit can touch several entries.
        """
        if coordinates > 1:
            raise InvalidArgument(
                "Logistic.release: what is proved is about one entry for each unit; pass "
                "coordinates=1 if that is so, or release the entries one by one"
            )
        square = Fraction(self.noise_scale) ** 2
        grid = NoiseGrid.of(square, self.sensitivity, coordinates, self.title)
        event = replace(self, sensitivity=plain(grid.l1 * grid.step))
        return event, LogisticLaw(Fraction(self.noise_scale) / grid.step), grid.exponent

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
