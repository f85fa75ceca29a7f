"""The exact engine's view of Poisson samples: of one release, for one unit or for a group."""

from __future__ import annotations

import math
from fractions import Fraction

from tightrope.events import Sampled
from tightrope.loss.dominating import Dominating
from tightrope.loss.finite.finite import FiniteLoss
from tightrope.loss.finite.laid import on_coarse_lattice
from tightrope.loss.gaussian import GaussianLoss
from tightrope.loss.loss import Loss
from tightrope.loss.mixture.gaussian_mixture import GaussianMixtureLoss
from tightrope.loss.sampling import schemes
from tightrope.loss.sampling.sampled import as_finite, poisson, sampled_itself
from tightrope.mechanisms.mechanism import Mechanism
from tightrope.num.rounding import float_up, sqrt_up
from tightrope.plan.exact.leaves import dominating
from tightrope.plan.portfolio.poisson_samples import amplifies

MOST_GROUPED = 64
"""Largest group for which every split into removals and additions is composed."""

RAREST = 1e-150
"""Rates below it are raised to it: their squares would be no doubles."""


@dominating.register
def _sampled(event: Sampled) -> Dominating | None:
    """A Poisson sample among other releases: covers lie on a lattice, where they compose well."""
    pair = alone(event)
    if pair is None or pair.attained:
        return pair
    losses = [loss for total in pair.orders for loss in total.losses]
    if len(losses) != len(pair.orders) or any(map(_several, losses)):
        return pair
    laid = [on_coarse_lattice(loss) if isinstance(loss, FiniteLoss) else loss for loss in losses]
    return Dominating.of_orders(laid, attained=False)


def alone(event: Sampled) -> Dominating | None:
    """A Poisson sample of one release, in both orders."""
    inside, rate = dominating(event.event), float_up(event.rate)
    if inside is None:
        return None
    if not amplifies(event):
        return inside
    if rate == 0:
        return Dominating((inside.orders[0].times(0),))
    if rate == 1:
        return inside
    if isinstance(event.event, Mechanism) and (one := event.event.thinned(event.rate)) is not None:
        return dominating(one)
    if len(inside.orders) > 1:
        return None
    return _thinned(inside, rate)


def _thinned(inside: Dominating, rate: float) -> Dominating:
    """One draw for all that is inside: by its own transform, or by a cover of the whole."""
    losses = inside.orders[0].losses
    if not losses:
        return inside
    if len(losses) == 1 and not _several(losses[0]):
        attained = inside.attained and rate >= RAREST and sampled_itself(losses[0])
        return Dominating.of_orders(poisson(losses[0], max(rate, RAREST)), attained=attained)
    return Dominating.of_orders(as_finite(inside).sampled(rate), attained=False)


def _several(loss: Loss) -> bool:
    """Whether a finite loss is that of more than one release."""
    if not isinstance(loss, FiniteLoss):
        return False
    return not loss.alone or loss.escape == math.inf


def sampled_group(inside: Sampled, size: int) -> Dominating | None:
    """A sampled Gaussian for a group, in every split into removals and additions."""
    pair = dominating(inside.event)
    if pair is None or len(pair.orders) > 1 or not amplifies(inside) or size > MOST_GROUPED:
        return None
    losses = pair.orders[0].losses
    if len(losses) != 1 or not isinstance(losses[0], GaussianLoss):
        return None
    mu = float(sqrt_up(Fraction(losses[0].square)))
    orders = GaussianMixtureLoss.sampled_group(mu, float_up(inside.rate), size)
    return Dominating.of_orders(orders)


def sampled_and_replaced(inside: Sampled) -> Dominating | None:
    """A Poisson sample, one unit replaced by another."""
    pair, rate = dominating(inside.event), float_up(inside.rate)
    if pair is None or len(pair.orders) > 1 or not amplifies(inside) or not 0 < rate < 1:
        return None
    losses = pair.orders[0].losses
    gaussian = len(losses) == 1 and isinstance(losses[0], GaussianLoss)
    return schemes.poisson_replace(losses[0] if gaussian else as_finite(pair), rate)
