"""An event: something that was run on data, described well enough to be accounted for.

The operators build larger events and compute nothing; what can be asked of an event is in
``questions``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NoReturn

from tightrope._check import COUNT, RATE, Real, validated
from tightrope._errors import InvalidArgument, WrongCall
from tightrope._notebook import Form, Shown
from tightrope.events.depth import nested
from tightrope.events.questions import Questions

if TYPE_CHECKING:
    from tightrope.events.repeated import Repetitions
    from tightrope.neighbors import Neighbors


class Event(Shown, Questions):
    """Base of everything that was, or might be, run on data.

    Events are immutable and equal by value. ``a + b`` is both, ``a ** n`` is n independent runs
    of a; parameters may depend on earlier results only where the planner's theorems allow it,
    which is stated in every derivation.
    """

    neighbors: Neighbors
    """The relation that every statement about this event refers to."""

    def __post_init__(self) -> None:
        inside = getattr(self, "parts", None) or (self.event,)  # type: ignore[attr-defined]
        object.__setattr__(self, "_level", nested(inside))

    def _text(self) -> str:
        """What reads back as this event, and nothing beside it."""
        return repr(self)

    if not TYPE_CHECKING:  # a type checker is told of the attributes that there are

        def __getattr__(self, name: str) -> Any:
            """Say of what is no single mechanism why it cannot be run here."""
            if name == "release":
                raise AttributeError(
                    f"{type(self).__name__} has no release: an event accounts for what was run. "
                    "Release with each mechanism by itself, and add up the events of what came "
                    "back: a.event + b.event"
                )
            raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")

    def _page(self, form: Form) -> str:
        return form.statement(repr(self), f"for neighbours that {self.neighbors}")

    def __getstate__(self) -> dict[str, Any]:
        """What is pickled: the value, without what was planned about it."""
        return {k: v for k, v in self.__dict__.items() if k not in ("_planned", "_derive")}

    def __add__(self, other: Event) -> Event:
        """Run both."""
        from tightrope.events.combine import compose

        if not isinstance(other, Event):
            return NotImplemented
        return compose(self, other)

    def __mul__(self, times: object) -> NoReturn:
        """Refused: what is meant might be that many runs, or a value scaled by a number."""
        raise WrongCall(
            f"event * n: an event is no number; n runs of it, each with fresh noise, are "
            f"event ** n. You multiplied {self!r} by {times!r}"
        )

    __rmul__ = __mul__

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

    def for_one_unit(self) -> Event:
        """What this event leaks about one unit, and nothing that it says of its own about groups.

        For a release that this event bounds for every pair of neighbours, but that was not run as
        such: a group of k is then covered by k steps from neighbour to neighbour.

        Examples:
            >>> import tightrope as tr
            >>> run = tr.DiscreteLaplace(noise_scale=1) + tr.ApproxDP(0, 1e-9)
            >>> f"{run.group(2).delta(2.0):.4g}, {run.for_one_unit().group(2).delta(2.0):.4g}"
            '2e-09, 3.718e-09'
        """
        from tightrope.events.nodes import OneUnit

        return OneUnit(self)

    def restated(self, neighbors: Neighbors) -> Event:
        """This event under another neighbour relation, where a theorem leads there.

        From add-or-remove to replace-one of the same unit (a removal and an addition: a group
        of two). There is no general way back.
        """
        from tightrope.events.combine import restate

        return restate(self, neighbors)


def require_event(value: object, what: str) -> Event:
    """Return ``value`` if it is an event, else raise InvalidArgument."""
    if isinstance(value, Event):
        return value
    hint = ""
    if isinstance(value, list | tuple) and any(isinstance(item, Event) for item in value):
        hint = "; a list of events is passed with a star: f(*events)"
    elif isinstance(value, type) and issubclass(value, Event):
        hint = f"; a class needs its parameters first, as in tr.{value.__name__}(...)"
    elif isinstance(getattr(value, "event", None), Event):
        hint = "; pass its .event, which is what was run"
    raise InvalidArgument(f"{what} must be an event or a guarantee; you passed {value!r}{hint}")
