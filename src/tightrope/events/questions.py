"""What can be asked of an event: verbs that the planner answers.

It finds the best statement that can be proved, and remembers on the event how it did.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeVar

from tightrope import _upward
from tightrope._calls import Spoken
from tightrope._check import Real
from tightrope.events.asked import verb_or_parameter

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

N = TypeVar("N")


class Questions(metaclass=Spoken):
    """The verbs of an event: how much it leaks, in every notion, and why."""

    @property
    def _subject(self) -> Any:
        """The event that is asked about."""
        return self

    def to(self, notion: type[N], *, delta: Real | None = None, epsilon: Real | None = None) -> N:
        """The best guarantee in ``notion`` that can be proved for this event.

        Args:
            notion: a notion such as ``tr.GDP`` or ``tr.ApproxDP``.
            delta: for ApproxDP, the delta at which the smallest epsilon is wanted.
            epsilon: for ApproxDP, the epsilon at which the smallest delta is wanted.

        Of a curve (``tr.RDP``, ``tr.Profile``, ``tr.TradeOff``) points are asked: ``to(tr.RDP)(8)``
        is the bound at order 8; ``epsilon(delta=...)`` and ``tradeoff(alpha)`` are for the others.

        Raises:
            NotReachable: no theorem leads there; the message says why, and what is reachable.
        """
        answer: N = _upward.planner().to(self._subject, notion, delta=delta, epsilon=epsilon)
        return answer

    @verb_or_parameter
    def epsilon(self, delta: ArrayLike) -> Any:
        """Smallest provable epsilon at ``delta`` (in (0, 1), or 0 for pure DP); broadcasts."""
        return _upward.planner().epsilon(self._subject, delta)

    def epsilon_interval(self, delta: Real) -> tuple[float, float]:
        """Proved bounds (lower, upper) on the smallest epsilon at ``delta``.

        The lower end is that of the composed dominating pairs (an accounting interval): where
        those only cover what was run, as for a bounded-range release, it may leak less. Where
        they are not known, it is what the exactly known parts leak; 0 if nothing is known.
        """
        interval: tuple[float, float] = _upward.planner().epsilon_interval(self._subject, delta)
        return interval

    @verb_or_parameter
    def delta(self, epsilon: ArrayLike) -> Any:
        """Smallest provable delta at ``epsilon`` (any real number); broadcasts."""
        return _upward.planner().delta(self._subject, epsilon)

    def delta_interval(self, epsilon: ArrayLike) -> tuple[Any, Any]:
        """Proved bounds (lower, upper) on the smallest delta at ``epsilon``; broadcasts.

        The lower end is that of the composed dominating pairs, as in ``epsilon_interval``.

        Args:
            epsilon: any real numbers.

        Raises:
            InvalidArgument: an epsilon is not a finite number.

        Examples:
            >>> import tightrope as tr
            >>> run = tr.DiscreteGaussian(noise_scale=10) ** 100
            >>> lower, upper = run.delta_interval(2.0)
            >>> upper / lower - 1 < 1e-10
            True
        """
        interval: tuple[Any, Any] = _upward.planner().delta_interval(self._subject, epsilon)
        return interval

    def log_delta(self, epsilon: ArrayLike) -> Any:
        """Natural logarithm of ``delta(epsilon)``, where delta itself would underflow."""
        return _upward.planner().log_delta(self._subject, epsilon)

    def tradeoff(self, alpha: ArrayLike) -> Any:
        """Smallest type II error that an attacker can have at type I error ``alpha``.

        Args:
            alpha: probabilities in [0, 1] of calling two data sets different when they are not.

        Raises:
            InvalidArgument: an alpha is not in [0, 1].

        Examples:
            >>> import tightrope as tr
            >>> run = tr.Gaussian(noise_scale=1).sampled(rate=0.01) ** 10_000
            >>> round(run.tradeoff(0.01), 9)
            0.846054682
        """
        return _upward.planner().tradeoff(self._subject, alpha)

    def tradeoff_interval(self, alpha: ArrayLike) -> tuple[Any, Any]:
        """Proved bounds (lower, upper) on the smallest type II error; broadcasts.

        The lower end is what ``tradeoff`` gives; the upper one is that of the composed dominating
        pairs, as in ``epsilon_interval``, and 1 - alpha where they are not known.

        Args:
            alpha: type I errors in [0, 1].

        Raises:
            InvalidArgument: an alpha is not in [0, 1].

        Examples:
            >>> import tightrope as tr
            >>> lower, upper = (tr.Laplace(noise_scale=2) ** 5).tradeoff_interval(0.05)
            >>> upper - lower < 1e-10
            True
        """
        interval: tuple[Any, Any] = _upward.planner().tradeoff_interval(self._subject, alpha)
        return interval

    def gdp_interval(self) -> tuple[float, float]:
        """Proved bounds (lower, upper) on the least mu for which mu-GDP holds.

        The upper end is what ``to(tr.GDP)`` gives, infinite if no mu can be proved; the lower one
        is that of the composed dominating pairs, as in ``epsilon_interval``.

        Examples:
            >>> import tightrope as tr
            >>> run = tr.RandomizedResponse(epsilon=0.5) ** 5
            >>> [round(mu, 9) for mu in run.gdp_interval()]
            [1.169215828, 1.169215828]
        """
        interval: tuple[float, float] = _upward.planner().gdp_interval(self._subject)
        return interval

    def bayes_risk(self, prior: ArrayLike) -> Any:
        """Smallest chance of error of an attacker who guesses which of two data sets was used.

        Args:
            prior: the attacker's probability in [0, 1], before seeing anything, of one of them.

        Returns:
            A lower bound; 1/2 at a prior of 1/2 would be blind guessing.

        Raises:
            InvalidArgument: a prior is not in [0, 1].

        Examples:
            >>> import tightrope as tr
            >>> round(tr.GDP(1.0).bayes_risk(0.5), 6)  # (1 - advantage)/2
            0.308538
        """
        return _upward.planner().bayes_risk(self._subject, prior)

    def advantage(self) -> float:
        """Largest advantage (true minus false positive rate) of any attacker; in [0, 1]."""
        largest: float = _upward.planner().advantage(self._subject)
        return largest

    def tpr(self, fpr: ArrayLike) -> Any:
        """Largest true positive rate that an attacker can have at false positive rate ``fpr``."""
        return _upward.planner().tpr(self._subject, fpr)

    def why(
        self,
        notion: type | None = None,
        *,
        delta: Real | None = None,
        epsilon: Real | None = None,
    ) -> Any:
        """The derivation of ``to(notion, ...)``; without a notion, of every reachable one."""
        return _upward.planner().why(self._subject, notion, delta=delta, epsilon=epsilon)

    def meaning(self) -> str:
        """Two plain sentences: what the best attacker can achieve."""
        sentences: str = _upward.planner().meaning(self._subject)
        return sentences
