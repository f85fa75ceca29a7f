"""Scales: what the samplers accept, in one place and in the words of the call."""

from __future__ import annotations

from fractions import Fraction

from tightrope._check import Domain, Real, validated

__all__ = ["LARGEST_SKELLAM", "noise_scale", "noise_variance", "skellam_scale", "skellam_variance"]

SCALE = Domain("a number above 0 and at most 2^60", lambda x: 0 < x <= 2**60)
VARIANCE = Domain("a number above 0 and below 2^120", lambda x: 0 < x < 2**120)

LARGEST_SKELLAM = 1 << 26
"""The largest variance of Skellam noise that is drawn."""

SKELLAM = Domain(
    "a number above 0 and at most 2^26, a noise_scale of 8192; for more noise use "
    "tr.DiscreteGaussian",
    lambda x: 0 < x <= LARGEST_SKELLAM,
)

SKELLAM_SCALE = Domain(
    "a number above 0 and at most 8192, a variance of 2^26; for more noise use tr.DiscreteGaussian",
    lambda x: 0 < Fraction(x) ** 2 <= LARGEST_SKELLAM,
)


def noise_scale(value: Real, caller: str) -> Fraction:
    """The scale as the exact number that it is; InvalidArgument unless in (0, 2**60]."""
    return Fraction(validated(value, SCALE, f"{caller}: scale"))


def noise_variance(value: Real, caller: str) -> Fraction:
    """sigma**2 as the exact number that it is; InvalidArgument unless in (0, 2**120)."""
    return Fraction(validated(value, VARIANCE, f"{caller}: variance"))


def skellam_scale(value: Real, caller: str) -> Fraction:
    """The root of the variance as it was given; InvalidArgument unless in (0, 8192]."""
    return Fraction(validated(value, SKELLAM_SCALE, f"{caller}: noise_scale"))


def skellam_variance(value: Real, caller: str) -> Fraction:
    """The variance as the exact number that it is; InvalidArgument unless in (0, 2**26]."""
    return Fraction(validated(value, SKELLAM, f"{caller}: variance"))
