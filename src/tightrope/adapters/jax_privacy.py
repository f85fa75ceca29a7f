"""Plans of JAX-Privacy: what a training run will tell, from its execution plan or parameters."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise
from typing import Any

from tightrope._check import COUNT, validated
from tightrope._errors import InvalidArgument
from tightrope._text import named
from tightrope.adapters.dp_events import from_dp_accounting
from tightrope.adapters.foreign import (
    attribute,
    composed,
    kind_of,
    noise,
    poisson_sampled,
    relation_of,
)
from tightrope.events import Event
from tightrope.mechanisms import Gaussian
from tightrope.neighbors import Neighbors, add_or_remove, replace_one

CALLER = "from_jax_privacy"


def from_jax_privacy(
    plan: Any, *, steps: int | None = None, neighbors: Neighbors | None = None
) -> Event:
    """The event that a plan of JAX-Privacy describes.

    Args:
        plan: an execution plan (whose ``dp_event`` is read, under its ``neighboring_relation``),
            a ``DpEvent``, or the ``DpParams`` of the accounting module up to version 0.4, with
            Poisson samples, capped Poisson samples or batches of a fixed size.
        steps: the number of updates, for ``DpParams``, which do not hold it.
        neighbors: the relation, if the plan does not state one or states that a unit is replaced
            by a special one.

    Raises:
        InvalidArgument: the plan is none of these, or asks for what is not supported (cyclic
            sampling, several examples a user), or ``steps`` is missing.

    Examples:
        >>> from types import SimpleNamespace
        >>> from collections import namedtuple
        >>> GaussianDpEvent = namedtuple("GaussianDpEvent", "noise_multiplier")
        >>> from_jax_privacy(SimpleNamespace(dp_event=GaussianDpEvent(2.0)))
        Gaussian(noise_scale=2.0)
    """
    if hasattr(plan, "dp_event"):
        relation = neighbors or getattr(plan, "neighboring_relation", add_or_remove)
        told = plan.dp_event() if callable(plan.dp_event) else plan.dp_event
        return from_dp_accounting(told, relation_of(CALLER, relation))
    if kind_of(plan).endswith("DpEvent"):
        return from_dp_accounting(plan, neighbors or add_or_remove)
    if not hasattr(plan, "noise_multipliers"):
        raise InvalidArgument(
            f"{CALLER}: {named(kind_of(plan))} is not supported; supported are objects with a "
            "dp_event, events of dp_accounting, and DpParams"
        )
    if steps is None:
        raise InvalidArgument(f"{CALLER}: {kind_of(plan)} do not hold the number of steps; pass it")
    return _of_params(plan, int(validated(steps, COUNT, f"{CALLER}: steps")))


def _of_params(params: Any, steps: int) -> Event:
    for name in ("cycle_length", "examples_per_user"):
        if getattr(params, name, None) not in (None, 1):
            raise InvalidArgument(
                f"{CALLER}: {name} = {getattr(params, name)} is not supported; only 1 or None is"
            )
    noises = _schedule(attribute(CALLER, params, "noise_multipliers"))
    batches = _schedule(attribute(CALLER, params, "batch_sizes"))
    changes = {start for start in (*noises, *batches) if start < steps}
    return composed(
        [
            _step(params, _at(noises, start), _at(batches, start)) ** (end - start)
            for start, end in pairwise(sorted({*changes, steps}))
        ]
    )


def _schedule(value: Any) -> dict[int, Any]:
    """Values by the step at which they begin; a single number holds from step 0 on."""
    if isinstance(value, list | tuple):
        return {int(start): held for start, held in value}
    return {0: value}


def _at(schedule: dict[int, Any], step: int) -> Any:
    begun = [start for start in schedule if start <= step]
    if not begun:
        raise InvalidArgument(f"{CALLER}: a schedule must begin at step 0; this has {schedule}")
    return schedule[max(begun)]


def _step(params: Any, noise_multiplier: Any, batch_size: Any) -> Event:
    """One update: the clipped sum of a batch, whose sampling decides what neighbours are."""
    scale = noise(CALLER, noise_multiplier, "noise_multipliers")
    batch, population = int(batch_size), int(attribute(CALLER, params, "num_samples"))
    method = getattr(attribute(CALLER, params, "sampling_method"), "name", None)
    most: Any = getattr(params, "truncated_batch_size", None)
    if method == "POISSON" and most is None:
        return poisson_sampled(CALLER, Gaussian(scale), Fraction(batch, population))
    if method == "POISSON":
        rate = Fraction(batch, population)
        return Gaussian(scale).sampled(rate, max_batch=int(most), population=population)
    if method == "FIXED_BATCH_SIZE" and most is None:
        twice = Gaussian(scale, 2, neighbors=replace_one)
        return twice.without_replacement(batch_size=batch, population=population)
    raise InvalidArgument(
        f"{CALLER}: sampling_method {method} with truncated_batch_size {most} is not supported"
    )
