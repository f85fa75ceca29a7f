"""Sampling schemes: from the loss of a mechanism to the dominating pairs of its sample.

Every function takes plain numbers or the loss of one release, already rounded to the side of more
leakage, and gives ``Dominating`` pairs (docs/theory.md, fixed-size samples). Two relations matter:
the one under which the inner mechanism is stated, and ``outer``, that of the sampled event.

``groups(k)`` is the loss of the inner mechanism when k units change at once.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction

import numpy as np

from tightrope.loss.dominating import Dominating
from tightrope.loss.finite.union import union
from tightrope.loss.gaussian import GaussianLoss
from tightrope.loss.loss import Loss
from tightrope.loss.mixture.gaussian_mixture import GaussianMixtureLoss
from tightrope.loss.sampling.sampled import cover, poisson, poisson_replaced, sampled_itself
from tightrope.loss.sampling.shuffled import shuffled as shuffled_loss
from tightrope.num.arrays import Floats
from tightrope.num.binomial import log_binomial, log_binomial_error
from tightrope.num.rounding import EPS, float_up, up

MOST_COPIES = 64
"""Most copies of one unit in a sample with replacement that are told apart."""

RARE = 1e-20
"""Probability of more copies, which counts as an infinite loss."""

MOST_SUMMED = 1 << 21
"""Largest population whose binomial law is summed; beyond, SciPy's incomplete beta function is."""

BETA_ERROR = 1e-6
"""Relative error that is allowed to it, far more than was ever seen."""

Groups = Callable[[int], Loss]


# --- samples of a fixed size ------------------------------------------------------------------


def without_replacement(loss: Loss, batch: int, population: int, outer: str) -> Dominating | None:
    """A batch of exactly so many units, uniformly.

    Args:
        loss: the inner mechanism under replace-one, symmetric.
        batch: the number of units in a sample.
        population: the number of units in the data.
        outer: ``replace_one`` or ``add_or_remove``.
    """
    rate = float_up(Fraction(batch, population))
    if rate >= 1:
        return Dominating.symmetric(loss) if outer == "replace_one" else None
    if outer == "replace_one":
        return Dominating.symmetric(cover(loss, rate), attained=False)
    return Dominating.of_orders(poisson(loss, rate), attained=sampled_itself(loss))


def with_replacement(groups: Groups, batch: int, population: int, outer: str) -> Dominating | None:
    """So many independent uniform draws; a unit may be drawn several times.

    Args:
        groups: the inner mechanism when k units are replaced, symmetric.
        batch: the number of draws.
        population: the number of units in the data.
        outer: ``replace_one`` or ``add_or_remove``.
    """
    if population == 1:
        return Dominating.symmetric(groups(batch)) if outer == "replace_one" else None
    law = copies(batch, population)
    if law is None:
        return None
    weights, rare = law
    one = groups(1)
    if outer == "add_or_remove" and isinstance(one, GaussianLoss):
        return _drawn_gaussians(one.mu, weights, rare)
    rate = min(up(-math.expm1(batch * math.log1p(-1 / population)), 16), 1.0)
    shares = weights[1:] / (weights[1:].sum() + rare)
    losses = [groups(k) for k in range(1, len(weights))]
    if outer == "replace_one":
        parts = [cover(loss, rate) for loss in losses]
        return Dominating.symmetric(union(parts, shares, rare), attained=False)
    orders = zip(*(poisson(loss, rate) for loss in losses), strict=True)
    return Dominating.of_orders([union(order, shares, rare) for order in orders], attained=False)


def copies(batch: int, population: int) -> tuple[Floats, float] | None:
    """The law of the number of copies of one unit, up to some, and what lies beyond.

    Beyond k, the probabilities fall faster than a geometric series from k + 1. None if too many
    copies are likely, or if the population has one unit only.
    """
    if population == 1:
        return None
    k = np.arange(min(batch, MOST_COPIES) + 1.0)
    ratio = (batch - k) / ((k + 1) * (population - 1.0))
    logs = batch * math.log1p(-1 / population) + np.append(0.0, np.cumsum(np.log(ratio[:-1])))
    p = np.exp(logs)
    with np.errstate(divide="ignore"):
        beyond = np.where(ratio < 1, p * ratio / np.maximum(1 - ratio, EPS), 1.0)
    few = np.flatnonzero(beyond[1:] < RARE)
    if not len(few):
        return None
    last = int(few[0]) + 1
    return p[: last + 1], up(float(beyond[last]), 256)


def _drawn_gaussians(mu: float, weights: Floats, rare: float) -> Dominating:
    """N(0, 1) against the mixture of N(k mu, 1); for rare k the loss counts as infinite."""
    shares = (weights / weights.sum()).tolist()
    shifts = [k * mu for k in range(len(shares))]
    with_unit = GaussianMixtureLoss.one(shares, shifts, [1.0], [0.0])
    without = GaussianMixtureLoss.one([1.0], [0.0], shares, shifts)
    orders = [union([loss], [1 - 2 * rare], 2 * rare) for loss in (without, with_unit)]
    return Dominating.of_orders(orders, attained=False)


# --- Poisson samples --------------------------------------------------------------------------


def poisson_replace_gaussian(mu: float, rate: float) -> Dominating:
    """A Poisson sample of Gaussian noise, one unit replaced by another.

    Args:
        mu: what *adding* a unit may shift, over the noise scale.
        rate: the probability that a unit is sampled.
    """
    return Dominating.symmetric(GaussianMixtureLoss.sampled_group(mu, rate, 2)[1])


def poisson_replace(loss: Loss, rate: float) -> Dominating:
    """A Poisson sample of any mechanism, one unit replaced by another.

    Args:
        loss: the inner mechanism for *adding or removing* a unit, symmetric.
        rate: the probability that a unit is sampled.
    """
    if isinstance(loss, GaussianLoss):
        return poisson_replace_gaussian(loss.mu, rate)
    return Dominating.symmetric(poisson_replaced(loss, rate), attained=False)


def truncated_poisson(groups: Groups, rate: float, max_batch: int, population: int) -> Dominating:
    """A Poisson sample that is cut down uniformly to so many units, for adding or removing one.

    Args:
        groups: the inner mechanism when k units are added or removed, symmetric.
        rate: the probability that a unit is sampled, in (0, 1).
        max_batch: the most units that a batch may have.
        population: the number of units in the data.
    """
    cut = full_batch(rate, max_batch, population)
    plain = poisson(groups(1), rate)
    if cut == 0:
        return Dominating.of_orders(plain, attained=sampled_itself(groups(1)))
    replaced = poisson(groups(2), rate)
    return Dominating.of_orders(
        [union(kinds, [max(1 - cut, 0.0), cut]) for kinds in zip(plain, replaced, strict=True)],
        attained=False,
    )


def full_batch(rate: float, max_batch: int, population: int) -> float:
    """The probability that so many of the population are sampled, rounded up."""
    if max_batch > population:
        return 0.0
    if rate >= 1:
        return 1.0
    if population <= MOST_SUMMED:
        log_p = log_binomial(population, rate, 1 - rate)[max_batch:]
        tail = float(np.exp(log_p + log_binomial_error(population, log_p)).sum())
        return min(up(tail, 256), 1 - EPS)
    from scipy import special

    tail = float(special.betainc(max_batch, population - max_batch + 1.0, rate))
    return min(tail * (1 + BETA_ERROR) + 1e-300, 1 - EPS)


# --- reports ----------------------------------------------------------------------------------


def shuffled(epsilon: float, reports: int, *, response: bool = False) -> Dominating:
    """Shuffled reports of a local randomiser, one user's value replaced; see ``shuffled``."""
    loss = shuffled_loss(epsilon, reports, response=response)
    return Dominating.symmetric(loss, attained=False)
