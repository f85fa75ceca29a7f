"""Losses and answers of the engine in the shape in which tests ask for them."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from fractions import Fraction

import numpy as np

from tightrope.loss.finite.finite import FiniteLoss
from tightrope.loss.finite.pairs import Rows, Scalars
from tightrope.loss.finite.ratios import of_whole
from tightrope.loss.gaussian import GaussianLoss
from tightrope.loss.interval import LogInterval
from tightrope.loss.profile import OrderProfile
from tightrope.loss.total import Total
from tightrope.num.rounding import float_up


def log_delta(total: Total, epsilon: np.ndarray) -> LogInterval:
    """Bounds on log delta at every epsilon >= 0 of a flat array."""
    return OrderProfile(total).log_delta(epsilon)


def from_pair(p: Sequence[float], q: Sequence[float]) -> FiniteLoss:
    """P against Q, given as the very doubles that are the probabilities of the same outcomes."""
    both = [(a, b) for a, b in zip(p, q, strict=True) if a and b]
    absent = math.fsum(b for a, b in zip(p, q, strict=True) if not a)
    infinite = math.fsum(a for a, b in zip(p, q, strict=True) if not b)
    if not both:
        return FiniteLoss((Rows.one(np.zeros(1), np.zeros(1), Scalars(math.inf, absent)),))
    losses, doubt = of_whole([whole(a, b) for a, b in both])
    masses = np.array([a for a, _ in both])
    finite = math.fsum(masses)
    escape = -math.log1p(-infinite) if infinite < 0.5 else -math.log(finite)
    known = Scalars(escape, absent, loss_doubt=doubt)
    return FiniteLoss((Rows.one(losses, np.log(masses / finite), known),))


def whole(a: float, b: float) -> tuple[int, int]:
    """Two whole numbers in the proportion of two doubles."""
    (n, d), (m, e) = float(a).as_integer_ratio(), float(b).as_integer_ratio()
    return n * e, m * d


def gaussian_groups(mu: float) -> Callable[[int], GaussianLoss]:
    """Gaussian noise whose centre each unit moves by at most mu."""
    square = Fraction(mu) ** 2
    return lambda k: GaussianLoss(float_up(square * k * k))
