"""The exponential mechanism: choose a candidate with probability growing with its score."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from tightrope._check import NONNEGATIVE, Real, declared
from tightrope.loss.dominating import Dominating
from tightrope.loss.logistic import LogisticLoss
from tightrope.mechanisms.mechanism import Mechanism, fact
from tightrope.notions import BoundedRange
from tightrope.num.rounding import float_up
from tightrope.theorems.registry import Grade


@dataclass(frozen=True, repr=False)
class Exponential(Mechanism):
    """Draws a candidate in proportion to exp(epsilon score/(2 sensitivity of the scores)).

    It is epsilon-bounded-range, which composes far better than epsilon-DP alone. Nothing is
    computed from the scores of the data at hand: such a number would itself leak.

    Args:
        epsilon: at least 0.
        neighbors: the relation that the scores' sensitivity refers to.

    Source: McSherry and Talwar (2007), Theorem 6; Durfee and Rogers (2019), Lemma 3.3.

    Examples:
        >>> import tightrope as tr
        >>> (tr.Exponential(epsilon=0.1) ** 10).to(tr.GDP)
        GDP(mu=0.1632)
    """

    title: ClassVar[str] = "exponential mechanism"

    epsilon: Real = declared(  # type: ignore[assignment]  # the parameter, not the verb
        "ε", r"\varepsilon", NONNEGATIVE, (0.01, 5), "length of the range of log-ratios"
    )

    def strength(self) -> tuple[float, ...]:
        """epsilon itself."""
        return (float_up(self.epsilon),)

    def dominating(self) -> Dominating:
        """The logistic pair, which covers every pair of bounded range."""
        return Dominating.symmetric(LogisticLoss.one(*self.strength()), attained=False)

    @fact(BoundedRange, Grade.SHARP, "durfee2019", "Lemma 3.3", "epsilon-bounded range")
    @staticmethod
    def bounded_range(epsilon: Any) -> Any:
        """Both the score and the normaliser move by at most epsilon/2."""
        return epsilon
