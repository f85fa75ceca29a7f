"""Privacy filters: what a budget can hold when every parameter may depend on what was seen.

A filter accepts a release as long as the running sums stay within capacities that were fixed
beforehand; then all that was released satisfies the budget, however releases, their parameters and
the end were chosen. The same holds when many analysts interleave their releases (Haney, Shoemate,
Tian, Vadhan, Vyrros, Xu and Zhang, 2023: a filter for single releases is one for concurrent
interaction). Every function takes the budget's parameters and gives the capacities, rounded down.
"""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

from tightrope.notions.approx import ApproxDP
from tightrope.notions.gdp import GDP
from tightrope.notions.pure import PureDP
from tightrope.notions.rdp import RDP
from tightrope.notions.zcdp import ZCDP
from tightrope.num.rounding import down, up
from tightrope.theorems.registry import Grade, theorem


@theorem(
    "filter",
    PureDP,
    PureDP,
    Grade.SHARP,
    "rogers2016",
    "privacy filter by basic composition",
    "accept while the sum of epsilons stays within epsilon",
)
def pure_filter(epsilon: Any) -> tuple[Fraction]:
    """The sum of all epsilons, which bounds the loss on every path."""
    return (Fraction(epsilon),)


@theorem(
    "filter",
    ZCDP,
    ZCDP,
    Grade.SHARP,
    "whitehouse2023",
    "privacy filter for zero-concentrated DP",
    "accept while the sum of rhos stays within rho",
)
def zcdp_filter(rho: Any, xi: Any) -> tuple[Fraction, Fraction]:
    """The sums of all rhos and of all offsets: a Renyi filter at every order at once."""
    return Fraction(rho), Fraction(xi)


@theorem(
    "filter",
    RDP,
    RDP,
    Grade.SHARP,
    "feldman2021",
    "Renyi privacy filter, at each of the orders apart",
    "accept while the sum of divergences stays within the budget at every order of the grid",
)
def rdp_filter(epsilons: Any) -> tuple[Fraction, ...]:
    """The sum at every order; a release that leaves one order inside and another not is refused."""
    return tuple(Fraction(epsilon) for epsilon in epsilons)


@theorem(
    "filter",
    GDP,
    GDP,
    Grade.SHARP,
    "smith2022",
    "fully adaptive composition of Gaussian DP",
    "accept while the sum of squared mus stays within mu squared",
)
def gdp_filter(mu: Any) -> tuple[Fraction]:
    """The sum of squared mus.

    Every release must be mu-GDP itself, given all results so far: it is then a function of a
    Gaussian, and Gaussians of adaptively chosen variances add up to one path of Brownian motion.
    Also Koskela, Tobaben and Honkela (2023).
    """
    return (Fraction(mu) ** 2,)


@theorem(
    "filter",
    ApproxDP,
    ApproxDP,
    Grade.LOOSE,
    "whitehouse2023",
    "privacy filter for (epsilon, delta)-DP",
    "accept while sqrt(2 log(1/s) V) + V/2 <= epsilon, V = sum of squared epsilons, and the sum of "
    "deltas stays within delta - s",
)
def advanced_filter(epsilon: Any, delta: Any, slack: Any) -> tuple[Fraction, Fraction]:
    """What V and the sum of deltas may be; ``slack`` s is what the concentration costs.

    V/2 + c sqrt V <= epsilon, c = sqrt(2 log(1/s)), exactly if sqrt V <= 2 epsilon/(c +
    sqrt(c^2 + 2 epsilon)).
    """
    c = up(math.sqrt(-2 * math.log(down(float(slack)))), 4)
    root = down(2 * float(epsilon) / (c + math.sqrt(c * c + 2 * float(epsilon))), 8)
    return Fraction(max(root, 0.0)) ** 2, Fraction(delta) - Fraction(slack)


@theorem(
    "odometer",
    PureDP,
    PureDP,
    Grade.SHARP,
    "rogers2016",
    "privacy odometer by basic composition",
    "at every time, the sum of epsilons so far",
)
def pure_odometer(spent: Any) -> Any:
    """The running sum of epsilons bounds the loss on every path and at every time."""
    return spent


@theorem(
    "odometer",
    ApproxDP,
    ApproxDP,
    Grade.LOOSE,
    "whitehouse2023",
    "odometer by a mixture of martingales",
    "at all times at once: epsilon = sqrt((V + g) log((V + g)/(g s^2))) + V/2, with s in delta",
)
def mixture_odometer(spent: Any, slack: Any, scale: Any) -> float:
    """The loss at every time, from V = ``spent``; ``scale`` g is fixed beforehand.

    The centred losses M have exp(x M - x^2 V/2) as a supermartingale for every x; mixed over
    x ~ N(0, 1/g) it is sqrt(g/(V + g)) exp(M^2/(2 (V + g))), which exceeds 1/s with probability s
    at most (Ville). The mean losses add up to V/2 at most.
    """
    wide = up(float(spent) + float(scale), 2)
    inside = math.log(wide / float(scale)) - 2 * math.log(down(float(slack)))
    return up(math.sqrt(wide * up(inside, 4)) + float(spent) / 2, 8)
