"""Nodes of dp_accounting's trees: compositions, samples, and private selection."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from tightrope._check import MOST, Domain, validated
from tightrope._errors import InvalidArgument
from tightrope._text import named
from tightrope.adapters.foreign import composed, kind_of, poisson_sampled
from tightrope.adapters.reading import CALLER, Node, Part, Reading, told
from tightrope.events import Event, NegativeBinomialRepetitions, PoissonRepetitions

RUNS = Domain(
    "a whole number of at least 0 and at most 10^18", lambda x: 0 <= x <= MOST, integral=True
)


def _composed(event: Any, reading: Reading) -> Node:
    def build(parts: list[Part]) -> Part:
        found = [part for part in parts if part is not None]
        return composed(found) if found else None

    return Node(tuple(told(event, "events")), reading, build)


def _self_composed(event: Any, reading: Reading) -> Node:
    count = int(validated(told(event, "count"), RUNS, f"{CALLER}: count"))

    def build(parts: list[Part]) -> Part:
        return parts[0] ** count if count and parts[0] is not None else None

    return Node((told(event, "event"),), reading, build)


def _poisson_sampled(event: Any, reading: Reading) -> Node:
    rate = told(event, "sampling_probability")

    def build(parts: list[Part]) -> Part:
        if parts[0] is None:
            return None
        sampled = poisson_sampled(CALLER, parts[0], rate)
        return sampled.restated(reading.neighbors)

    return Node((told(event, "event"),), reading.within_sample(), build)


def _without_replacement(event: Any, reading: Reading) -> Node:
    return _fixed_size(event, reading, Event.without_replacement)


def _with_replacement(event: Any, reading: Reading) -> Node:
    return _fixed_size(event, reading, Event.with_replacement)


def _fixed_size(event: Any, reading: Reading, draw: Callable[..., Event]) -> Node:
    """A sample of fixed size, of a population whose size is known: a unit can only be replaced."""
    if reading.stated(event).kind != "replace_one":
        raise InvalidArgument(
            f"{CALLER}: {named(kind_of(event))} takes samples of a fixed size, which is about "
            "replacing a unit; pass neighbors=tr.replace_one"
        )
    sizes = {"batch_size": told(event, "sample_size")}
    sizes["population"] = told(event, "source_dataset_size")

    def build(parts: list[Part]) -> Part:
        return None if parts[0] is None else draw(parts[0], **sizes)

    return Node((told(event, "event"),), reading, build)


def _best_of(event: Any, reading: Reading) -> Node:
    """Repeat and select: the shape is infinite for Poisson repetitions."""
    mean, shape = told(event, "mean"), told(event, "shape")
    law = (
        PoissonRepetitions(mean)
        if math.isinf(shape)
        else NegativeBinomialRepetitions.of_mean(mean, shape)
    )

    def build(parts: list[Part]) -> Part:
        return None if parts[0] is None else parts[0].best_of(law)

    return Node((told(event, "event"),), reading, build)


NODES: dict[str, Callable[[Any, Reading], Node]] = {
    "ComposedDpEvent": _composed,
    "SelfComposedDpEvent": _self_composed,
    "PoissonSampledDpEvent": _poisson_sampled,
    "SampledWithReplacementDpEvent": _with_replacement,
    "SampledWithoutReplacementDpEvent": _without_replacement,
    "RepeatAndSelectDpEvent": _best_of,
}
"""Readers by the name of the class."""
