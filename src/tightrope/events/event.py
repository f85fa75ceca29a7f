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

    from tightrope.events.repeated import Repetitions
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
        planned = {"_portfolio", "_derive", "_exact", "_tight_mu"}
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

    def sampled(
        self, rate: Real, max_batch: int | None = None, population: int | None = None
    ) -> Event:
        """Run this on a Poisson sample: every unit is in it independently with ``rate``.

        Args:
            rate: the probability in [0, 1] that one unit enters the sample.
            max_batch: if given, a larger sample is cut down to so many of its units, uniformly.
            population: how many units the data has; given if and only if ``max_batch`` is.
        """
        from tightrope.events.nodes import Sampled
        from tightrope.events.sampling import truncated

        try:
            admitted = validated(rate, RATE, "sampled: rate")
        except InvalidArgument as error:
            hint = "if you passed batch_size/num_rows, are the two swapped?"
            raise InvalidArgument(f"{error}; {hint}") from None
        if max_batch is None and population is None:
            return Sampled(self, admitted)
        if max_batch is None or population is None:
            raise InvalidArgument(
                "sampled: give max_batch and population together, or neither; you passed "
                f"max_batch={max_batch!r}, population={population!r}"
            )
        return truncated(self, admitted, max_batch, population)

    def without_replacement(
        self, batch_size: int, population: int, *, neighbors: Neighbors | None = None
    ) -> Event:
        """Run this on a batch of exactly ``batch_size`` different units, drawn uniformly.

        On the batch one unit takes the place of another, so this event must be stated for
        replacing a unit.

        Args:
            batch_size: how many units are drawn, at most ``population``.
            population: how many units the data has.
            neighbors: the relation of the whole: by default replacing a unit of the data;
                ``tr.add_or_remove`` for adding or removing one.

        Examples:
            >>> import tightrope as tr
            >>> inner = tr.Gaussian(noise_scale=1.0, neighbors=tr.replace_one)
            >>> inner.without_replacement(batch_size=100, population=10_000)
            Gaussian(noise_scale=1.0, neighbors=replace_one).without_replacement(batch_size=100, ...
        """
        from tightrope.events.sampling import WithoutReplacement, fixed_size

        return fixed_size(WithoutReplacement, self, batch_size, population, neighbors)

    def with_replacement(
        self, batch_size: int, population: int, *, neighbors: Neighbors | None = None
    ) -> Event:
        """Run this on ``batch_size`` independent uniform draws; arguments as above."""
        from tightrope.events.sampling import WithReplacement, fixed_size

        return fixed_size(WithReplacement, self, batch_size, population, neighbors)

    def shuffled(self, reports: int) -> Event:
        """The reports of so many users who each run this local randomiser, in a random order.

        Args:
            reports: how many users report.

        Raises:
            NeighborsMismatch: this is not about replacing the value that a user reports.
        """
        from tightrope.events.sampling import shuffled

        return shuffled(self, reports)

    def group(self, size: int) -> Event:
        """The same event, looked at for ``size`` units changing at once (group privacy)."""
        from tightrope.events.nodes import Grouped

        count = int(validated(size, COUNT, "group: size"))
        return self if count == 1 else Grouped(self, count)

    def best_of(self, repetitions: Repetitions) -> Event:
        """Run this a random number of times, and tell only the best result (private selection).

        This is what tuning hyperparameters does: a run includes the random choice of the
        hyperparameters, and results are compared by a score that they carry with them.

        Args:
            repetitions: the law of the number of runs, fixed in advance:
                ``tr.PoissonRepetitions(mean)`` or ``tr.NegativeBinomialRepetitions(eta, gamma)``.

        Raises:
            InvalidArgument: the repetitions are not such a law.
        """
        from tightrope.events.repeated import Repeated, Repetitions

        if not isinstance(repetitions, Repetitions):
            raise InvalidArgument(
                "best_of: repetitions must be a law such as tr.PoissonRepetitions(10) or "
                f"tr.NegativeBinomialRepetitions(eta=1, gamma=0.1); you passed {repetitions!r}"
            )
        return Repeated(self, repetitions)

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

        The lower end is that of the composed dominating pairs (an accounting interval): where
        those only cover what was run, as for a bounded-range release, it may leak less. Where
        they are not known, it is what the exactly known parts leak; 0 if nothing is known.
        """
        interval: tuple[float, float] = _upward.planner().epsilon_interval(self, delta)
        return interval

    def delta(self, epsilon: ArrayLike) -> Any:
        """Smallest provable delta at ``epsilon`` (any real number); broadcasts."""
        return _upward.planner().delta(self, epsilon)

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
        interval: tuple[Any, Any] = _upward.planner().delta_interval(self, epsilon)
        return interval

    def log_delta(self, epsilon: ArrayLike) -> Any:
        """Natural logarithm of ``delta(epsilon)``, where delta itself would underflow."""
        return _upward.planner().log_delta(self, epsilon)

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
        return _upward.planner().tradeoff(self, alpha)

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
        interval: tuple[Any, Any] = _upward.planner().tradeoff_interval(self, alpha)
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
        interval: tuple[float, float] = _upward.planner().gdp_interval(self)
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
        return _upward.planner().bayes_risk(self, prior)

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
