"""Laplace and logistic releases side by side: the ends of their losses, and which are cut there.

A Laplace loss has an atom at either end of its range. A logistic one ends there; what its law
would have beyond is taken away, so that its lower end counts with a minus.
"""

from __future__ import annotations

import math
from collections.abc import Iterator

from tightrope.loss.laplace.laplace import LaplaceLoss
from tightrope.loss.logistic import LogisticLoss
from tightrope.loss.total import Total

Cut = LaplaceLoss | LogisticLoss


def cut_losses(total: Total) -> list[Cut]:
    """The losses of a sum; none if there is another kind among them."""
    kinds = [loss for loss in total.losses if isinstance(loss, Cut)]
    return kinds if len(kinds) == len(total.losses) else []


def how_many(kinds: list[Cut], kind: type[Cut]) -> int:
    """Releases of one kind."""
    return sum(round(math.fsum(loss.count)) for loss in kinds if isinstance(loss, kind))


def corner_count(kinds: list[Cut]) -> float:
    """How many corners there are: of equal releases it only counts how many are cut."""
    return math.prod(float(n) + 1 for loss in kinds for n in loss.count)


def ways(kinds: list[Cut]) -> Iterator[tuple[float, bool, list[int]]]:
    """Of every epsilon: whether it is a Laplace one, and in how many ways 0, 1, ... are cut."""
    for loss in kinds:
        flat = isinstance(loss, LaplaceLoss)
        for epsilon, runs in zip(loss.epsilon, loss.count.astype(int).tolist(), strict=True):
            sign = 1 if flat else -1
            yield epsilon, flat, [sign**k * math.comb(runs, k) for k in range(runs + 1)]
