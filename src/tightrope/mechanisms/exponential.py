"""The exponential mechanism: choose a candidate with probability growing with its score."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from tightrope._check import NONNEGATIVE, Real, declared
from tightrope.loss.dominating import Dominating
from tightrope.loss.logistic import LogisticLoss
from tightrope.mechanisms.candidates import coefficient, read_count, read_scores
from tightrope.mechanisms.mechanism import Mechanism, fact
from tightrope.mechanisms.released import Released
from tightrope.mechanisms.selecting import choose
from tightrope.mechanisms.source import source_of
from tightrope.noise.entropy import Entropy
from tightrope.noise.exponential import exponential_choice, exponential_top
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

    def release(
        self,
        scores: Any,
        sensitivity: Real = 1,
        *,
        monotone: bool = False,
        entropy: Entropy | None = None,
    ) -> Released:
        """Choose one candidate, exactly in proportion to exp(epsilon score/(2 sensitivity)).

        Args:
            scores: one finite number for each candidate, of any integer or float type; higher is
                better. The larger a difference of scores, the rarer the lower one; no weight
                underflows.
            sensitivity: the most by which one unit can change any one score, above 0.
            monotone: whether between neighbours all scores move in one direction, as counts do
                when a unit is added. Then log-ratios range over half as much, so the draw is in
                proportion to exp(epsilon score/sensitivity) for the same guarantee.
            entropy: where random bits come from, the operating system by default.

        Returns:
            ``value`` is the number of the candidate, ``event`` this mechanism.

        Raises:
            InvalidArgument: a score is not finite (its place is told), there is no candidate, or
                an argument is not admissible; scores of several selections, which are to be
                released one by one, since each has its own cost.

        Examples:
            >>> import tightrope as tr
            >>> tr.Exponential(epsilon=1.0).release([3, 900, 14]).value
            1
        """
        return choose(
            self, self.epsilon, exponential_choice, scores, sensitivity, monotone, entropy
        )

    def top(
        self,
        scores: Any,
        count: int,
        sensitivity: Real = 1,
        *,
        monotone: bool = False,
        entropy: Entropy | None = None,
    ) -> Released:
        """Choose ``count`` candidates one after the other without putting back.

        Each is chosen as by ``release`` among those left, in one pass over the candidates: one
        vector of Gumbel noise, sorted. It costs ``count`` exponential mechanisms.

        Args:
            scores: as for ``release``.
            count: from 1 to the number of candidates.
            sensitivity: as for ``release``.
            monotone: as for ``release``.
            entropy: as for ``release``.

        Returns:
            ``value`` holds the candidates' numbers in the order of choice, ``event`` is
            ``Exponential(epsilon) ** count``.

        Raises:
            InvalidArgument: as for ``release``; or ``count`` is not admissible.

        Source: Durfee and Rogers (2019), Lemma 4.2.

        Examples:
            >>> import tightrope as tr
            >>> top = tr.Exponential(epsilon=1.0).top([3, 900, 14, 500], count=2)
            >>> top.value.tolist(), top.event
            ([1, 3], Exponential(epsilon=1.0) ** 2)
        """
        caller = f"{type(self).__name__}.top"
        source = source_of(entropy, caller)
        known = read_scores(scores, caller)
        chosen = read_count(count, known, caller)
        factor = coefficient(self.epsilon, sensitivity, monotone, caller)
        winners = exponential_top(known, factor, chosen, entropy=source)
        return Released(winners, self**chosen, source.secure)

    def dominating(self) -> Dominating:
        """The logistic pair, which covers every pair of bounded range."""
        return Dominating.symmetric(LogisticLoss.one(*self.strength()), attained=False)

    @fact(BoundedRange, Grade.SHARP, "durfee2019", "Lemma 3.3", "epsilon-bounded range")
    @staticmethod
    def bounded_range(epsilon: Any) -> Any:
        """Both the score and the normaliser move by at most epsilon/2."""
        return epsilon
