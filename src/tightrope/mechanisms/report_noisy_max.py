"""Report noisy max: add noise to every score and report which one is largest."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, ClassVar

from tightrope._check import NONNEGATIVE, Real, declared, require_flag
from tightrope._errors import InvalidArgument
from tightrope.mechanisms.candidates import coefficient, read_scores
from tightrope.mechanisms.laplace_argmax import laplace_argmax
from tightrope.mechanisms.mechanism import Mechanism, fact
from tightrope.mechanisms.released import Released
from tightrope.mechanisms.source import source_of
from tightrope.noise.entropy import Entropy
from tightrope.noise.exponential import exponential_choice
from tightrope.noise.selection import permute_and_flip
from tightrope.notions import BoundedRange, PureDP
from tightrope.num.arrays import Floats, Integers
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

    def release(
        self, scores: Any, sensitivity: Real = 1, *, entropy: Entropy | None = None
    ) -> Released:
        """Report the candidate whose noisy score is largest.

        Exponential and Gumbel noise are those of permute-and-flip and of the exponential
        mechanism, released without rounding. Laplace noise is integer noise on a grid of the
        sensitivity, wider by what rounding may add (a 2^-24th of it), ties broken fairly.

        Args:
            scores: one finite number for each candidate, of any integer or float type; higher is
                better. With Laplace noise, what lies beyond 2^60 sensitivities counts as that.
            sensitivity: the most by which one unit can change any one score, above 0; if the
                mechanism says ``monotone``, all in one direction.
            entropy: where random bits come from, the operating system by default.

        Returns:
            ``value`` is the number of the candidate, ``event`` this mechanism.

        Raises:
            InvalidArgument: a score is not finite (its place is told), there is no candidate,
                there are several selections, or an argument is not admissible; epsilon is below
                2^-20 and the noise Laplace.

        Examples:
            >>> import tightrope as tr
            >>> tr.ReportNoisyMax(1.0, noise="laplace").release([3, 900, 14]).value
            1
        """
        caller = f"{type(self).__name__}.release"
        source = source_of(entropy, caller)
        known = read_scores(scores, caller)
        return Released(int(winners(self, known, sensitivity, source)), self, source.secure)

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


def winners(
    mechanism: ReportNoisyMax, scores: Floats, sensitivity: Real, source: Entropy
) -> Integers:
    """The candidate whose noisy score is largest; the last axis of the scores runs over them."""
    epsilon, monotone = mechanism.epsilon, mechanism.monotone
    factor = coefficient(epsilon, sensitivity, monotone, "ReportNoisyMax.release")
    if mechanism.noise == "laplace":
        return laplace_argmax(scores, epsilon, sensitivity, monotone, source)
    choose = exponential_choice if mechanism.noise == "gumbel" else permute_and_flip
    return choose(scores, factor, entropy=source)
