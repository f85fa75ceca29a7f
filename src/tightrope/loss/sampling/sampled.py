"""What becomes of one release on a sample: the transform where it is known, else a fine cover.

A finite pair is sampled as it is. Another loss whose sample has no transform of its own is first
covered by a finite pair: the polygon through its profile at some thousand points, which is sound
and loses about 1e-6; its sample is laid on a lattice. ``sampled_itself`` tells the two apart.
"""

from __future__ import annotations

from functools import singledispatch

import numpy as np

from tightrope.loss.discrete.discrete_gaussian import DiscreteGaussianLoss
from tightrope.loss.dominating import Dominating
from tightrope.loss.finite import samples as finite_samples
from tightrope.loss.finite.cover import LAST_LOG_DELTA, covering
from tightrope.loss.finite.discrete_gaussian import covered, itself
from tightrope.loss.finite.finite import FiniteLoss
from tightrope.loss.finite.laid import on_fine_lattice
from tightrope.loss.gaussian import GaussianLoss
from tightrope.loss.laplace.laplace import LaplaceLoss
from tightrope.loss.laplace.sampled import LARGEST, SampledLaplaceLoss
from tightrope.loss.loss import Loss
from tightrope.loss.mixture.gaussian_mixture import GaussianMixtureLoss
from tightrope.loss.pair_profile import PairProfile
from tightrope.loss.spliced.spliced import SplicedLoss
from tightrope.num.logspace import log1mexp

POINTS = 1500
"""Points of a polygon on each side of epsilon = 0."""

BESIDE = 1e-9
"""How far above the probability of infinite losses, in logarithms, a polygon may end."""


@singledispatch
def cover(loss: Loss, rate: float) -> Loss:
    """A sample of fixed size, one unit being replaced; the loss is symmetric, 0 < rate < 1."""
    return finite_samples.fixed_size(finite(loss), rate)


@cover.register
def _cover_gaussian(loss: GaussianLoss, rate: float) -> Loss:
    return SplicedLoss.one(loss.mu, rate) if loss.square else loss


@singledispatch
def poisson(loss: Loss, rate: float) -> tuple[Loss, Loss]:
    """A Poisson sample, 0 < rate < 1: losses without the unit against with it, and the reverse."""
    without, with_unit = finite(loss).sampled(rate)
    return on_fine_lattice(without), on_fine_lattice(with_unit)


@poisson.register
def _poisson_finite(loss: FiniteLoss, rate: float) -> tuple[Loss, Loss]:
    return loss.sampled(rate) if loss.alone else poisson.dispatch(Loss)(loss, rate)


@poisson.register
def _poisson_noise(loss: DiscreteGaussianLoss, rate: float) -> tuple[Loss, Loss]:
    whole = itself(loss)
    return whole.sampled(rate) if whole is not None else poisson.dispatch(Loss)(loss, rate)


@poisson.register
def _poisson_gaussian(loss: GaussianLoss, rate: float) -> tuple[Loss, Loss]:
    return GaussianMixtureLoss.sampled(loss.mu, rate) if loss.square else (loss, loss)


@poisson.register
def _poisson_laplace(loss: LaplaceLoss, rate: float) -> tuple[Loss, Loss]:
    if sampled_itself(loss):
        return SampledLaplaceLoss.sampled(float(loss.epsilon[0]), rate)
    return poisson.dispatch(Loss)(loss, rate)


@singledispatch
def sampled_itself(loss: Loss) -> bool:
    """Whether ``poisson`` takes the very pair of the loss, and no cover of it."""
    return isinstance(loss, GaussianLoss)


@sampled_itself.register
def _finite_itself(loss: FiniteLoss) -> bool:
    return loss.alone


@sampled_itself.register
def _laplace_itself(loss: LaplaceLoss) -> bool:
    return loss.count.tolist() == [1.0] and 0 < float(loss.epsilon[0]) <= LARGEST


@sampled_itself.register
def _noise_itself(loss: DiscreteGaussianLoss) -> bool:
    return itself(loss) is not None


def poisson_replaced(loss: Loss, rate: float) -> Loss:
    """A Poisson sample, one unit being replaced; the loss is that of adding or removing one."""
    return finite_samples.poisson_replaced(finite(loss), rate)


@singledispatch
def finite(loss: Loss) -> FiniteLoss:
    """A finite pair that covers a symmetric loss."""
    return as_finite(Dominating.symmetric(loss))


@finite.register
def _finite_already(loss: FiniteLoss) -> FiniteLoss:
    """One release as it is; one draw for several has a polygon through the profile of them all."""
    return loss if loss.alone else as_finite(Dominating.symmetric(loss))


@finite.register
def _finite_noise(loss: DiscreteGaussianLoss) -> FiniteLoss:
    return covered(loss) or as_finite(Dominating.symmetric(loss))


def as_finite(pair: Dominating) -> FiniteLoss:
    """A symmetric finite pair that covers all orders of the given one."""
    profile = PairProfile((pair,))
    lost = max(float(log1mexp(total.escape)) for total in pair.orders)
    end = profile.epsilon(max(LAST_LOG_DELTA, min(lost + BESIDE, 0.0)))[1]
    end = min(end, max(total.highest for total in pair.orders))
    if end == 0:
        return FiniteLoss.one(np.zeros(1), np.ones(1))
    return covering(end, POINTS, lambda epsilon: profile.log_delta(epsilon).upper)
