"""What events guarantee together that were all declared before the first release."""

from __future__ import annotations

import numpy as np

from tightrope._check import Real
from tightrope._parse import parse
from tightrope.events import Event, compose
from tightrope.ledger.config import Config
from tightrope.notions import ApproxDP, Guarantee


def better(
    config: Config,
    of_budget: Guarantee,
    notion: type,
    delta: Real | None,
    epsilon: Real | None,
) -> Guarantee:
    """The better of a converted budget and the converted composition of the declared events."""
    found: Guarantee = whole(config).to(notion, delta=delta, epsilon=epsilon)
    if isinstance(found, ApproxDP):
        return found if found.values < of_budget.values else of_budget
    if not found.values:  # a curve
        return found
    columns = [tuple(np.array([float(v)]) for v in g.values) for g in (found, of_budget)]
    return found if type(found).improves(*columns).all() else of_budget


def whole(config: Config) -> Event:
    """All declared events together."""
    return compose(*(parse(text) for text in config.plan or ()))
