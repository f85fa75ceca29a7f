"""An event: something that was run on data, described well enough to be accounted for.

The operators build larger events and compute nothing; the verbs (``to``, ``epsilon``, ...) ask
the planner, which finds the best statement that can be proved.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeVar

from tightrope import _upward
from tightrope._check import COUNT, RATE, Real, validated
from tightrope._errors import InvalidArgument

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from tightrope.neighbors import Neighbors

N = TypeVar("N")


class Event:
    """Base of everything that was, or might be, run on data.

    Events are immutable and equal by value. ``a + b`` is both, ``a ** n`` is n independent runs
    of a; parameters may depend on earlier results only where the planner's theorems allow it,
    which is stated in every derivation.
    """

    neighbors: Neighbors
    """The relation that every statement about this event refers to."""

    def __getstate__(self) -> dict[str, Any]:
        """What is pickled: the value, without what was planned about it."""
        planned = {"_portfolio", "_derive"}
        return {name: value for name, value in self.__dict__.items() if name not in planned}

    # --- the algebra -----------------------------------------------------------------------

    def __add__(self, other: Event) -> Event:
        """Run both."""
        from tightrope.events.nodes import compose

        if not isinstance(other, Event):
            return NotImplemented
        return compose(self, other)

    def __radd__(self, other: object) -> Event:
        """Let ``sum(events)`` start from 0."""
        if other == 0 and not isinstance(other, bool):
            return self
        return NotImplemented

    def __pow__(self, times: int) -> Event:
        """Run this ``times`` times, with fresh noise each time."""
        from tightrope.events.nodes import Composed

        count = int(validated(times, COUNT, "event ** n: n"))
        return self if count == 1 else Composed((self,), count)

    def sampled(self, rate: Real) -> Event:
        """Run this on a Poisson sample: every unit is in it independently with ``rate``.

        Args:
            rate: the probability in [0, 1] that one unit enters the sample.
        """
        from tightrope.events.nodes import Sampled

        try:
            admitted = validated(rate, RATE, "sampled: rate")
        except InvalidArgument as error:
            hint = "if you passed batch_size/num_rows, are the two swapped?"
            raise InvalidArgument(f"{error}; {hint}") from None
        return Sampled(self, admitted)

    def group(self, size: int) -> Event:
        """The same event, looked at for ``size`` units changing at once (group privacy)."""
        from tightrope.events.nodes import Grouped

        count = int(validated(size, COUNT, "group: size"))
        return self if count == 1 else Grouped(self, count)

    def then(self, label: str) -> Event:
        """The event followed by any computation that does not touch the data again.

        Post-processing costs nothing; the label says in the derivation what was published.
        """
        from tightrope.events.nodes import PostProcessed

        if not isinstance(label, str) or not label.strip():
            raise InvalidArgument(f"then: label must be a text that says what; got {label!r}")
        return PostProcessed(self, label)

    def restated(self, neighbors: Neighbors) -> Event:
        """This event under another neighbour relation, where a theorem leads there.

        From add-or-remove to replace-one of the same unit (a removal and an addition: a group
        of two). There is no general way back.
        """
        from tightrope.events.nodes import restate

        return restate(self, neighbors)

    # --- the verbs -------------------------------------------------------------------------

    def to(self, notion: type[N], *, delta: Real | None = None, epsilon: Real | None = None) -> N:
        """The best guarantee in ``notion`` that can be proved for this event.

        Args:
            notion: a notion such as ``tr.GDP`` or ``tr.ApproxDP``.
            delta: for ApproxDP, the delta at which the smallest epsilon is wanted.
            epsilon: for ApproxDP, the epsilon at which the smallest delta is wanted.

        Raises:
            NotReachable: no theorem leads there; the message says why, and what is reachable.
        """
        answer: N = _upward.planner().to(self, notion, delta=delta, epsilon=epsilon)
        return answer

    def epsilon(self, delta: ArrayLike) -> Any:
        """Smallest provable epsilon at ``delta`` (in (0, 1), or 0 for pure DP); broadcasts."""
        return _upward.planner().epsilon(self, delta)

    def epsilon_interval(self, delta: Real) -> tuple[float, float]:
        """Proved bounds (lower, upper) on the smallest epsilon at ``delta``.

        The lower end is what a composition of the exactly known parts is proved to leak; it is
        0 where nothing better is known.
        """
        interval: tuple[float, float] = _upward.planner().epsilon_interval(self, delta)
        return interval

    def delta(self, epsilon: ArrayLike) -> Any:
        """Smallest provable delta at ``epsilon`` (any real number); broadcasts."""
        return _upward.planner().delta(self, epsilon)

    def log_delta(self, epsilon: ArrayLike) -> Any:
        """Natural logarithm of ``delta(epsilon)``, where delta itself would underflow."""
        return _upward.planner().log_delta(self, epsilon)

    def tradeoff(self, alpha: ArrayLike) -> Any:
        """Smallest type II error that an attacker can have at type I error ``alpha``."""
        return _upward.planner().tradeoff(self, alpha)

    def advantage(self) -> float:
        """Largest advantage (true minus false positive rate) of any attacker; in [0, 1]."""
        largest: float = _upward.planner().advantage(self)
        return largest

    def tpr(self, fpr: ArrayLike) -> Any:
        """Largest true positive rate that an attacker can have at false positive rate ``fpr``."""
        return _upward.planner().tpr(self, fpr)

    def why(
        self,
        notion: type | None = None,
        *,
        delta: Real | None = None,
        epsilon: Real | None = None,
    ) -> Any:
        """The derivation of ``to(notion, ...)``; without a notion, of every reachable one."""
        return _upward.planner().why(self, notion, delta=delta, epsilon=epsilon)

    def meaning(self) -> str:
        """Two plain sentences: what the best attacker can achieve."""
        sentences: str = _upward.planner().meaning(self)
        return sentences
