"""Report noisy max: add noise to every score and report which one is largest."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, ClassVar

from tightrope._check import NONNEGATIVE, Real, declared, require_flag
from tightrope._errors import InvalidArgument
from tightrope.mechanisms.mechanism import Mechanism, fact
from tightrope.notions import BoundedRange, PureDP
from tightrope.num.rounding import float_up
from tightrope.theorems.registry import Grade

NOISES = ("exponential", "laplace", "gumbel")


@dataclass(frozen=True, repr=False)
class ReportNoisyMax(Mechanism):
    """The index of the largest noisy score, with noise of scale 2 sensitivity/epsilon.

    For monotone scores (adding a unit moves all of them one way) the scale is half of that for
    the same epsilon. Exponential noise makes it permute-and-flip, Gumbel noise the exponential
    mechanism: only the latter is bounded-range.

    Args:
        epsilon: at least 0; what is guaranteed, whatever the noise.
        noise: "exponential", "laplace" or "gumbel".
        monotone: whether the scores are monotone, so that half the noise was added.
        neighbors: the relation that the scores' sensitivity refers to.

    Source: Dwork and Roth (2014), Claim 3.9; Ding et al. (2021), Theorem 1; Durfee and Rogers
    (2019), Lemma 4.2.

    Examples:
        >>> import tightrope as tr
        >>> tr.ReportNoisyMax(0.5, noise="gumbel").to(tr.BoundedRange)
        BoundedRange(epsilon=0.5)
        >>> tr.ReportNoisyMax(0.5).to(tr.BoundedRange)
        BoundedRange(epsilon=1.0)
    """

    title: ClassVar[str] = "report noisy max"

    epsilon: Real = declared(  # type: ignore[assignment]  # the parameter, not the verb
        "ε", r"\varepsilon", NONNEGATIVE, (0.01, 5), "pure DP parameter"
    )
    noise: str = "exponential"
    monotone: bool = False

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.noise not in NOISES:
            raise InvalidArgument(
                f"ReportNoisyMax: noise must be one of {', '.join(map(repr, NOISES))}; you passed "
                f"{self.noise!r}"
            )
        require_flag(self.monotone, "ReportNoisyMax: monotone")

    def strength(self) -> tuple[float, ...]:
        """(pure epsilon, bounded-range epsilon); the latter is infinite but for Gumbel noise."""
        epsilon = float_up(self.epsilon)
        return epsilon, epsilon if self.noise == "gumbel" else math.inf

    @fact(PureDP, Grade.LOOSE, "dwork2014", "Claim 3.9", "epsilon-DP")
    @staticmethod
    def pure(epsilon: Any, _: Any) -> Any:
        """Pure DP for all three noises."""
        return epsilon

    @fact(
        BoundedRange, Grade.LOOSE, "durfee2019", "Lemma 4.2", "epsilon-bounded range (Gumbel noise)"
    )
    @staticmethod
    def bounded_range(_: Any, epsilon: Any) -> Any:
        """With Gumbel noise it is the exponential mechanism."""
        return epsilon
