"""Leaves of dp_accounting's trees: one small reader a class."""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction
from typing import Any

from tightrope._check import CLOSED_PROBABILITY, COUNT, validated
from tightrope._errors import InvalidArgument
from tightrope.adapters.foreign import noise
from tightrope.adapters.reading import CALLER, Part, Reading, told
from tightrope.mechanisms import (
    DiscreteLaplace,
    Exponential,
    Gaussian,
    GaussianMixture,
    Laplace,
    PermuteAndFlip,
    RandomizedResponse,
)
from tightrope.notions import ZCDP, ApproxDP
from tightrope.num.rounding import float_up, up


def _nothing(_: Any, __: Reading) -> Part:
    return None


def _gaussian(event: Any, reading: Reading) -> Part:
    scale = noise(CALLER, told(event, "noise_multiplier"), "noise_multiplier")
    return Gaussian(scale, reading.sensitivity, neighbors=reading.neighbors)


def _laplace(event: Any, reading: Reading) -> Part:
    scale = noise(CALLER, told(event, "noise_multiplier"), "noise_multiplier")
    return Laplace(scale, reading.sensitivity, neighbors=reading.neighbors)


def _discrete_laplace(event: Any, reading: Reading) -> Part:
    """Probabilities in proportion to exp(-a |x|): the scale is 1/a; a = 0 is endless noise."""
    decay = noise(CALLER, told(event, "noise_parameter"), "noise_parameter")
    sensitivity = told(event, "sensitivity") * reading.sensitivity
    return DiscreteLaplace(1 / Fraction(decay), sensitivity, neighbors=reading.neighbors)


def _mixture(event: Any, reading: Reading) -> Part:
    if reading.replaces:
        raise InvalidArgument(
            f"{CALLER}: a MixtureOfGaussiansDpEvent is about adding or removing a unit; "
            "pass neighbors=tr.add_or_remove"
        )
    shifts, weights = told(event, "sensitivities"), told(event, "sampling_probs")
    if not any(shifts):
        return None
    scale = noise(CALLER, told(event, "standard_deviation"), "standard_deviation")
    return GaussianMixture(shifts, weights, scale, neighbors=reading.neighbors)


def _capped_poisson(event: Any, reading: Reading) -> Part:
    """A Poisson sample cut down to a largest size, with Gaussian noise."""
    rate = told(event, "sampling_probability")
    most, population = told(event, "truncated_batch_size"), told(event, "dataset_size")
    if 0 in (rate, most, population):
        return None
    inside = _gaussian(event, reading)
    assert inside is not None
    return inside.sampled(rate, max_batch=most, population=population)


def _randomized_response(event: Any, reading: Reading) -> Part:
    """With probability p a uniform answer: odds 1 + k (1 - p)/p of the truth, taken exactly."""
    neighbors = reading.stated(event)
    if not reading.replaces:
        raise InvalidArgument(
            f"{CALLER}: a RandomizedResponseDpEvent is about replacing the value of a unit; "
            "pass neighbors=tr.replace_one"
        )
    answers = int(validated(told(event, "num_buckets"), COUNT, f"{CALLER}: num_buckets"))
    if answers == 1:
        return None
    given = noise(CALLER, told(event, "noise_parameter"), "noise_parameter")
    chance = Fraction(validated(given, CLOSED_PROBABILITY, f"{CALLER}: noise_parameter"))
    excess = float_up(answers * (1 - chance) / chance)
    epsilon = up(math.log1p(excess), 2) if excess else 0.0
    return RandomizedResponse(epsilon, answers, neighbors=neighbors)


def _exponential(event: Any, reading: Reading) -> Part:
    return Exponential(told(event, "epsilon"), neighbors=reading.stated(event))


def _permute_and_flip(event: Any, reading: Reading) -> Part:
    return PermuteAndFlip(told(event, "epsilon"), neighbors=reading.stated(event))


def _zcdp(event: Any, reading: Reading) -> Part:
    return ZCDP(told(event, "rho"), told(event, "xi"), neighbors=reading.stated(event))


def _approximate(event: Any, reading: Reading) -> Part:
    stated = told(event, "epsilon"), told(event, "delta")
    return ApproxDP(*stated, neighbors=reading.stated(event))


LEAVES: dict[str, Callable[[Any, Reading], Part]] = {
    "NoOpDpEvent": _nothing,
    "GaussianDpEvent": _gaussian,
    "LaplaceDpEvent": _laplace,
    "DiscreteLaplaceDpEvent": _discrete_laplace,
    "MixtureOfGaussiansDpEvent": _mixture,
    "TruncatedSubsampledGaussianDpEvent": _capped_poisson,
    "RandomizedResponseDpEvent": _randomized_response,
    "ExponentialMechanismDpEvent": _exponential,
    "PermuteAndFlipDpEvent": _permute_and_flip,
    "ZCDpEvent": _zcdp,
    "EpsilonDeltaDpEvent": _approximate,
}
"""Readers by the name of the class."""
