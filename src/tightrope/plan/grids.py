"""Many configurations at once: epsilon over a grid of parameters."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from tightrope._calls import spoken
from tightrope._errors import InvalidArgument
from tightrope.events import Composed, Event, compose
from tightrope.loss.many_runs.many_runs import ManyRuns
from tightrope.num.arrays import Floats
from tightrope.num.rounding import EPS
from tightrope.plan import answers
from tightrope.plan.arguments import checked_delta
from tightrope.plan.exact.leaves import dominating


@spoken
def epsilon_grid(f: Callable[..., Event], *parameters: ArrayLike, delta: ArrayLike) -> Floats:
    """The smallest provable epsilon of ``f(*parameters)`` at ``delta``, for arrays of parameters.

    It is what ``f(*parameters).epsilon(delta)`` gives, up to a relative 1e-8 above it, but quick:
    configurations that differ only in how often everything is run share most of the work.

    Args:
        f: from as many numbers as there are arrays to an event.
        parameters: numbers or arrays of them, which broadcast against each other; whole numbers
            arrive as such.
        delta: one in [0, 1), or an array of them, which broadcasts with the parameters.

    Returns:
        Upper bounds in an array of the broadcast shape; infinite where nothing is proved.

    Raises:
        InvalidArgument: shapes do not match, or f gives no event.

    Examples:
        >>> import numpy as np, tightrope as tr
        >>> def training(noise, rate, steps):
        ...     return tr.Gaussian(noise).sampled(rate) ** steps
        >>> noise, steps = np.array([[1.0], [2.0]]), np.array([500, 1000, 2000])
        >>> tr.epsilon_grid(training, noise, 0.01, steps, delta=1e-5).round(3)
        array([[1.326, 1.828, 2.584],
               [0.432, 0.622, 0.9  ]])
    """
    if not callable(f):
        raise InvalidArgument(f"epsilon_grid: f must be a function to an event; you passed {f!r}")
    try:
        arrays = np.broadcast_arrays(*(np.asarray(p) for p in (*parameters, delta)))
    except (ValueError, RuntimeError) as error:
        raise InvalidArgument(f"epsilon_grid: arrays must broadcast: {error}") from None
    rows = list(zip(*(array.ravel().tolist() for array in arrays), strict=True))
    events = [_event(f, row[:-1]) for row in rows]
    deltas = np.array([checked_delta(row[-1]) for row in rows])
    found = np.full(len(rows), np.nan)
    for release, (places, runs) in _alike(events).items():
        found[places] = _together(release, np.array(runs, dtype=float), deltas[places])
    for place in np.flatnonzero(np.isnan(found)):
        found[place] = answers.best_epsilon(events[place], float(deltas[place]))[0]
    return found.reshape(arrays[-1].shape)


def _event(f: Callable[..., Event], row: tuple[Any, ...]) -> Event:
    event = f(*row)
    if not isinstance(event, Event):
        raise InvalidArgument(f"epsilon_grid: f must give an event; f{row!r} gave {event!r}")
    return event


def _alike(events: list[Event]) -> dict[Event, tuple[list[int], list[int]]]:
    """By what is run: where, and how often there."""
    groups: dict[Event, tuple[list[int], list[int]]] = {}
    for place, event in enumerate(events):
        release, runs = _release(event)
        places, times = groups.setdefault(release, ([], []))
        places.append(place)
        times.append(runs)
    return groups


def _release(event: Event) -> tuple[Event, int]:
    """What is run, and how often."""
    if not isinstance(event, Composed):
        return event, 1
    runs = math.gcd(*event.counts.values())
    return compose(*(part ** (count // runs) for part, count in event.counts.items())), runs


def _together(release: Event, runs: Floats, delta: Floats) -> Floats:
    """All numbers of runs of one release; not a number where that gives no sharp answer."""
    pair, found = dominating(release), np.full(runs.shape, np.nan)
    if pair is None or not pair.attained or any(total.escape for total in pair.orders):
        return found
    asked = delta > 0
    if asked.any():
        log_delta = np.log(delta[asked]) * (1 + 2 * EPS)
        orders = [ManyRuns(total, runs[asked], log_delta) for total in pair.orders]
        found[asked] = _worst(orders)
    return found


def _worst(orders: list[ManyRuns]) -> Floats:
    """The largest epsilon of all orders: in full only where others are not proved to have less."""
    first, *others = sorted(orders, key=lambda order: -float(order.saddles[1].sum()))
    found = first.epsilon()
    for other in others:
        left = np.flatnonzero(~(np.isnan(found) | other.at_most(found)))
        if len(left):
            found[left] = np.maximum(found[left], other.part(left).epsilon())
    return found
