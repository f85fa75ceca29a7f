"""Laying a contour: step, length, and what closes its tail.

The step is as wide as the aliases allow. The nodes end where M has decayed, or with one period of
a lattice, or where a fictitious Gaussian ends them; of very many nodes only those in windows where
M may matter are visited. None of these choices can make a bound wrong, only wide.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace

import numpy as np

from tightrope.loss import sieve
from tightrope.loss.contour import cells
from tightrope.loss.contour.contour import Contour
from tightrope.loss.contour.nodes import GOAL, MOST_UNSIEVED, negligible_size
from tightrope.loss.contour.steps import Place, widest
from tightrope.loss.gaussian import GaussianLoss
from tightrope.loss.sieve import Windows
from tightrope.loss.total import Total
from tightrope.num.arrays import Floats
from tightrope.num.rounding import shortened

MOST_NODES = 1 << 18
"""Nodes of a contour, beyond which a fictitious Gaussian closes the tail."""

MOST_WORK = 1 << 22
"""Complex exponentials of a contour, likewise."""

MOST_SIEVED = 1 << 18
"""Nodes in the windows of a sieved contour."""

SPARE_DEPTH = 4.0
"""Windows are made so much deeper than one contour needs, that others may share them."""

MOST_COUNTED = 1 << 36
"""Nodes of a contour that is sieved; their numbers, and half a step, are exact in doubles."""

CROWDED, PATIENT = 0.25, 0.002
"""A step that is this much shorter than aliases from below ask for shows that M explodes to the
right of the contour (losses that are large but hardly ever happen): it then moves to the left.
With patience the many nodes of a shorter step are preferred to the digits that are lost there."""

RETREAT, MOST_RETREATS = 0.93, 8
"""By which factor it moves, and how often: to a little more than half of c."""

LEAST_LOG_SHARE = -600.0
"""log of the least that delta counts for beside the terms of its sum."""

SMOOTH = 5e-9
"""What a fictitious Gaussian may add where many cells would have to be seen to make it smaller."""

REACH = 8.6
"""A Gaussian decays to 1e-16 at this many standard deviations."""


def through(  # noqa: PLR0913  (where, for what, and how well)
    total: Total,
    c: float,
    epsilon: float,
    *,
    log_upper: float = 0.0,
    crowded: float = CROWDED,
    tolerance: float = GOAL,
) -> Contour:
    """A contour through c, or a little to its left, fit for epsilons near the given one.

    Args:
        total: the composition.
        c: where to cross the real axis.
        epsilon: at least 0.
        log_upper: a bound on log delta there, if one is known.
        crowded: the part of the step that aliases from below allow, at which it moves to the left.
        tolerance: relative error of each of aliasing and truncation.
    """
    place = Place.of(total, c)
    log_delta = min(place.at.log_delta(epsilon), log_upper)
    allowed = math.log(tolerance) + log_delta
    step, ceiling = place.step(epsilon, allowed)
    for _ in range(MOST_RETREATS):
        if step >= crowded * widest(place.at.c, allowed):
            break
        place = place.moved(total, RETREAT * place.at.c)
        step, ceiling = place.step(epsilon, allowed)
    c, log_share = place.at.c, log_delta - (place.at.log_m - place.at.c * epsilon)
    share = math.exp(max(min(log_share, 0.0), LEAST_LOG_SHARE))
    start = Contour(total, c, shortened(step), 1, ceiling, False, 0.0, share, total.line(c))
    return closed(start, tolerance)


def closed(start: Contour, tolerance: float = GOAL) -> Contour:
    """As many more nodes as it takes; what is then left out is known to be small."""
    ends = (_over_period(start, tolerance), _until_decay(start, tolerance))
    best = min(filter(None, ends), key=lambda contour: contour.nodes, default=None)
    if best is not None:
        if best.nodes <= MOST_UNSIEVED:
            return best
        sieved = _sieved(best, tolerance)
        if sieved is not None:
            return sieved
        if best.nodes <= (MOST_NODES if best.periodic else _affordable(start)):
            return best
    return _smoothed(start, tolerance)


def _over_period(start: Contour, tolerance: float) -> Contour | None:
    """The nodes of one period of the lattice, or of the part of it where M matters."""
    lattice = start.total.lattice
    if lattice is None:
        return None
    half = math.pi / lattice.step
    count = max(2, math.ceil(2 * half / start.step))
    step = 2 * half / count
    reach = min(half, _reach(start.line.decay_within, start.c, tolerance * start.share))
    nodes = min(count // 2, math.ceil(reach / step)) + 1
    if nodes > MOST_COUNTED:
        return None
    return replace(start, step=step, nodes=nodes, periodic=True)


def _until_decay(start: Contour, tolerance: float) -> Contour | None:
    """The nodes up to where M has decayed."""
    reach = _reach(start.line.decay, start.c, tolerance * start.share)
    if reach / start.step > MOST_COUNTED:
        return None
    return replace(start, nodes=max(2, math.ceil(reach / start.step) + 1))


def _sieved(whole: Contour, tolerance: float) -> Contour | None:
    """The same contour, but only the windows where M may matter are visited; None if too long."""
    lattice = whole.total.lattice
    last = whole.step * (whole.nodes - 1)
    end = (math.pi / lattice.step if whole.periodic and lattice else last) * (1 + 1e-12)
    found = _windows(whole, *_depth(whole, tolerance), end)
    return replace(whole, windows=found) if found is not None and found.whole else None


def _smoothed(start: Contour, tolerance: float) -> Contour:
    """A fictitious Gaussian closes the tail; the more nodes can be had, the smaller it is."""
    c, step = start.c, start.step
    least = math.sqrt(tolerance / (c * (1 + c)))
    level, longest = _depth(start, tolerance)
    end = 8.0 ** math.ceil(math.log(REACH / least, 8))
    found = _windows(start, level + 8, longest, end)
    if found is None:
        found = _by_cells(start, longest)
    last = step * _affordable(start) if found is None else found.edges[-1]
    eta = min(0.1, REACH / last)
    total = Total.of([(loss, 1) for loss in (*start.total.losses, GaussianLoss(eta**2))])
    nodes = int(last / step) + 1
    return replace(start, total=total, nodes=nodes, eta=eta, line=total.line(c), windows=found)


def _by_cells(start: Contour, longest: float) -> Windows | None:
    """Windows by the sieve of cells, if they reach further than single nodes would."""
    if not start.line.tells_cells:
        return None
    c, step = start.c, start.step
    end = REACH * math.sqrt(c * (1 + c) / SMOOTH)
    found = cells.windows(start, 4 * longest, end)
    return found if found is not None and found.edges[-1] > step * _affordable(start) else None


def _depth(contour: Contour, tolerance: float) -> tuple[float, float]:
    """Level and length of the windows that are needed, and may be had."""
    level = -math.log(tolerance * contour.share * min(contour.c, 1.0) / 8)
    return level, contour.step * MOST_SIEVED / max(1.0, contour.total.cost / 8)


def _windows(contour: Contour, level: float, longest: float, end: float) -> Windows | None:
    """Those of another contour of the same total, or new ones that may serve the next as well."""
    total, line = contour.total, contour.line
    if len(line.teeth(level).period):
        return sieve.windows(
            lambda depth: sieve.joined((total.teeth(depth), line.teeth(depth))), level, longest, end
        )
    for windows in total.windows:
        if windows.whole and windows.serve(level, longest, end):
            return windows
    found = sieve.windows(total.teeth, level + SPARE_DEPTH, longest, end)
    if found is not None:
        total.windows.append(found)
    return found


def _affordable(start: Contour) -> int:
    """How many nodes can be had, most of them being skipped if the sieve sees that they may."""
    c, step = start.c, start.step
    probe = np.linspace(c, step * MOST_NODES, 509)
    eta = REACH / (step * MOST_NODES)
    remaining = max(GOAL, eta**2 * c * (c + 1) / 10)
    small = negligible_size(c, remaining * start.share, MOST_NODES)
    matter = np.exp(start.line.screen(probe)) / probe**2 > small
    return int(min(MOST_NODES, MOST_WORK / (start.total.cost * max(float(matter.mean()), 1e-3))))


def _reach(decay: Callable[[Floats], Floats], c: float, tolerance: float) -> float:
    """A tau beyond which the tail is within the tolerance; infinity if the decay stops."""
    tau = c * 2.0 ** np.arange(-6.0, 24.0, 0.25)
    with np.errstate(all="ignore"):
        enough = decay(tau) - np.log(math.pi * tau) <= math.log(tolerance)
    return float(tau[np.argmax(enough)]) if enough.any() else math.inf
