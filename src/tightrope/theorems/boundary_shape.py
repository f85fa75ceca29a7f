"""The shape of the zCDP testing boundary: its corner, and three regimes of the sharp profile.

T_rho has a corner where it meets the diagonal: both Kullback-Leibler constraints are active there,
and the pair is randomised response. Next to the corner one of them is active, farther out a
Renyi order above 1. The profile, its conjugate, has the same three regimes in epsilon.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal

from tightrope._check import NONNEGATIVE, POSITIVE, Real, validated
from tightrope.num.logistic import sigmoid
from tightrope.num.logspace import log_sinhc
from tightrope.num.rounding import float_up
from tightrope.theorems.constants import t_zcdp
from tightrope.theorems.single_order import best_tangent

Regime = Literal["corner", "divergence", "order"]


@dataclass(frozen=True)
class Corner:
    """Where the testing boundary of rho-zCDP meets the diagonal.

    Attributes:
        alpha: both errors there, s(-t).
        left: slope to the left, -sinh(t)/t.
        right: slope to the right, -t/sinh(t).
        epsilon: log(sinh(t)/t); up to here the profile is that of randomised response.
    """

    alpha: float
    left: float
    right: float
    epsilon: float


def corner(rho: Real) -> Corner:
    """The corner of T_rho; values to nearest, to look at rather than to promise.

    Source: Chen, Pandey and Awan (2026), Remark 1 and Appendix B.

    Examples:
        >>> c = corner(1)
        >>> round(c.alpha, 5), round(c.left * c.right, 12), round(c.epsilon, 3)
        (0.17604, 1.0, 0.37)
    """
    t = float(t_zcdp(float_up(validated(rho, POSITIVE, "corner: rho"))))
    steepness = float(log_sinhc(t))
    return Corner(float(sigmoid(-t)), -math.exp(steepness), -math.exp(-steepness), steepness)


def regime(rho: Real, epsilon: Real) -> Regime:
    """Which constraint decides delta(epsilon) of the class of rho-zCDP mechanisms.

    ``corner``: both Kullback-Leibler divergences; ``divergence``: the one of the power against the
    level; ``order``: a Renyi divergence of order above 1.

    Source: Chen, Pandey and Awan (2026), Appendix B: the order leaves 1 once
    q (1 - q) (logit q - logit p)^2/2 exceeds rho.

    Examples:
        >>> [regime(1, e) for e in (0.1, 0.5, 3)]
        ['corner', 'divergence', 'order']
    """
    slope = float_up(validated(rho, POSITIVE, "regime: rho"))
    at = float(validated(epsilon, NONNEGATIVE, "regime: epsilon"))
    if at <= corner(slope).epsilon:
        return "corner"
    tangent = best_tangent(0.0, slope, at)
    p = -math.expm1(-tangent.y) / (math.exp(tangent.gap - tangent.y) - math.exp(-tangent.y))
    q = p * math.exp(tangent.gap - tangent.y)
    return "divergence" if q * (1 - q) * tangent.gap**2 / 2 <= slope else "order"
