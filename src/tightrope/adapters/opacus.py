"""Histories of Opacus: the steps of DP-SGD that an accountant there has counted."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tightrope._check import validated
from tightrope._errors import InvalidArgument
from tightrope.adapters.foreign import attribute, composed, dp_sgd_step, kind_of
from tightrope.adapters.node_events import RUNS
from tightrope.events import Event

CALLER = "from_opacus"

MECHANISMS = ("rdp", "gdp", "prv", "tightrope")
"""Accountants whose history means what is read here."""


def from_opacus(source: Any) -> Event:
    """The event that an accountant of Opacus has counted, about adding or removing one unit.

    Opacus counts steps of a Gaussian mechanism on Poisson samples. That the batches were Poisson
    samples (``poisson_sampling=True``, no batches of fixed size, no shuffling) is assumed, as it
    is there, and cannot be checked from a history. What an accountant with the mechanism "gdp"
    says itself is an estimate from a limit theorem; its history is as good as any other.

    Args:
        source: an accountant with a ``history``, its ``state_dict()``, or the history itself: a
            list of (noise_multiplier, sample_rate, number of steps).

    Raises:
        InvalidArgument: there is no such history, the noise is 0, a rate lies outside of [0, 1],
            or the mechanism is not one of Opacus.

    Examples:
        >>> from_opacus([(1.1, 0.01, 5000), (1.0, 0.01, 100)])
        Gaussian(noise_scale=1.1).sampled(rate=0.01) ** 5000 + Gaussian(noise_scale=1.0)...
    """
    _check_mechanism(source)
    steps = [_steps(position, entry) for position, entry in enumerate(_history(source))]
    return composed([event for event in steps if event is not None])


def _history(source: Any) -> Any:
    if isinstance(source, Mapping):
        if "history" not in source:
            raise InvalidArgument(
                f"{CALLER}: a state must have the key 'history'; this has {sorted(source)}"
            )
        return source["history"]
    return source if isinstance(source, list | tuple) else attribute(CALLER, source, "history")


def _check_mechanism(source: Any) -> None:
    """A state holds the name, or (in some versions) the method that gives it."""
    if isinstance(source, list | tuple):
        return
    known = source.get("mechanism") if isinstance(source, Mapping) else None
    known = known or getattr(source, "mechanism", None)
    name = known() if callable(known) else known
    if name is not None and name not in MECHANISMS:
        raise InvalidArgument(
            f"{CALLER}: mechanism must be one of {', '.join(MECHANISMS)}; this {kind_of(source)} "
            f"has {name!r}"
        )


def _steps(position: int, entry: Any) -> Event | None:
    if not isinstance(entry, list | tuple) or len(entry) != 3:
        raise InvalidArgument(
            f"{CALLER}: an entry of the history must be (noise_multiplier, sample_rate, steps); "
            f"at position {position} stands {entry!r}"
        )
    noise_multiplier, rate, steps = entry
    count = int(validated(steps, RUNS, f"{CALLER}: steps"))
    return dp_sgd_step(CALLER, noise_multiplier, rate) ** count if count else None
