"""Permute-and-flip: never less useful than the exponential mechanism, and not bounded-range."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from tightrope._check import NONNEGATIVE, Real, declared
from tightrope.mechanisms.mechanism import Mechanism, fact
from tightrope.mechanisms.released import Released
from tightrope.mechanisms.selecting import choose
from tightrope.noise.entropy import Entropy
from tightrope.noise.selection import permute_and_flip
from tightrope.notions import PureDP
from tightrope.num.rounding import float_up
from tightrope.theorems.registry import Grade


@dataclass(frozen=True, repr=False)
class PermuteAndFlip(Mechanism):
    """Visits candidates in random order, taking one with probability exp(epsilon (q - max)/2 D).

    It is epsilon-DP and no more: unlike the exponential mechanism it is *not* bounded-range, so
    many of them compose worse.

    Args:
        epsilon: at least 0.
        neighbors: the relation that the scores' sensitivity refers to.

    Source: McKenna and Sheldon (2020), Theorem 1.

    Examples:
        >>> import tightrope as tr
        >>> tr.PermuteAndFlip(epsilon=0.5).to(tr.BoundedRange)
        BoundedRange(epsilon=1.0)
    """

    title: ClassVar[str] = "permute-and-flip"

    epsilon: Real = declared(  # type: ignore[assignment]  # the parameter, not the verb
        "ε", r"\varepsilon", NONNEGATIVE, (0.01, 5), "pure DP parameter"
    )

    def strength(self) -> tuple[float, ...]:
        """epsilon itself."""
        return (float_up(self.epsilon),)

    def release(
        self, scores: Any, sensitivity: Real = 1, *, entropy: Entropy | None = None
    ) -> Released:
        """Choose one candidate by permute-and-flip, exactly.

        For monotone scores see ``ReportNoisyMax(epsilon, monotone=True)``, which has the same law
        with half the noise.

        Args:
            scores: one finite number for each candidate, of any integer or float type; higher is
                better.
            sensitivity: the most by which one unit can change any one score, above 0.
            entropy: where random bits come from, the operating system by default.

        Returns:
            ``value`` is the number of the candidate, ``event`` this mechanism.

        Raises:
            InvalidArgument: a score is not finite (its place is told), there is no candidate,
                there are several selections, or an argument is not admissible.

        Examples:
            >>> import tightrope as tr
            >>> tr.PermuteAndFlip(epsilon=1.0).release([3, 900, 14]).value
            1
        """
        return choose(self, self.epsilon, permute_and_flip, scores, sensitivity, False, entropy)

    @fact(PureDP, Grade.LOOSE, "mckenna2020", "Theorem 1", "epsilon-DP")
    @staticmethod
    def pure(epsilon: Any) -> Any:
        """Pure DP; what more can be said depends on the scores."""
        return epsilon
