"""Which theorems there must be, written by hand from the table of conversions and mechanisms."""

from __future__ import annotations

import tightrope as tr
from tightrope.theorems.registry import Grade

LOSSLESS, SHARP, LOOSE = Grade.LOSSLESS, Grade.SHARP, Grade.LOOSE

NOTIONS = (
    tr.PureDP,
    tr.ApproxDP,
    tr.ZCDP,
    tr.TCDP,
    tr.RDP,
    tr.GDP,
    tr.BoundedRange,
    tr.LogisticDP,
    tr.TradeOff,
    tr.Profile,
)

CONVERSIONS = [
    # f-DP and profiles say the same
    (tr.TradeOff, tr.Profile, LOSSLESS),
    (tr.Profile, tr.TradeOff, LOSSLESS),
    (tr.ApproxDP, tr.Profile, LOSSLESS),
    (tr.ApproxDP, tr.TradeOff, LOSSLESS),
    (tr.TradeOff, tr.GDP, SHARP),
    (tr.TradeOff, tr.PureDP, SHARP),
    # pure DP
    (tr.PureDP, tr.TradeOff, SHARP),
    (tr.PureDP, tr.Profile, SHARP),
    (tr.PureDP, tr.ZCDP, SHARP),
    (tr.PureDP, tr.ZCDP, LOSSLESS),  # as (epsilon, 0)-zCDP
    (tr.PureDP, tr.RDP, SHARP),
    (tr.PureDP, tr.BoundedRange, SHARP),
    (tr.PureDP, tr.LogisticDP, SHARP),
    (tr.PureDP, tr.GDP, SHARP),
    # bounded range and logistic DP
    (tr.BoundedRange, tr.PureDP, SHARP),
    (tr.BoundedRange, tr.ZCDP, SHARP),
    (tr.BoundedRange, tr.GDP, SHARP),
    (tr.BoundedRange, tr.Profile, SHARP),
    (tr.BoundedRange, tr.LogisticDP, SHARP),
    (tr.BoundedRange, tr.TradeOff, SHARP),
    (tr.LogisticDP, tr.PureDP, SHARP),
    (tr.LogisticDP, tr.BoundedRange, SHARP),
    (tr.LogisticDP, tr.ZCDP, SHARP),
    (tr.LogisticDP, tr.GDP, SHARP),
    (tr.LogisticDP, tr.Profile, SHARP),
    (tr.LogisticDP, tr.TradeOff, SHARP),
    # GDP
    (tr.GDP, tr.ZCDP, SHARP),
    (tr.GDP, tr.RDP, SHARP),
    (tr.GDP, tr.Profile, LOSSLESS),
    (tr.GDP, tr.TradeOff, LOSSLESS),
    # zCDP and truncated CDP
    (tr.ZCDP, tr.GDP, SHARP),
    (tr.ZCDP, tr.TradeOff, SHARP),
    (tr.ZCDP, tr.Profile, SHARP),
    (tr.ZCDP, tr.PureDP, LOSSLESS),  # if rho = 0
    (tr.ZCDP, tr.TCDP, LOOSE),
    (tr.ZCDP, tr.RDP, LOOSE),
    (tr.TCDP, tr.Profile, LOOSE),
    (tr.TCDP, tr.TradeOff, SHARP),
    (tr.TCDP, tr.RDP, LOOSE),
    # Renyi DP
    (tr.RDP, tr.Profile, SHARP),
    (tr.RDP, tr.TradeOff, SHARP),
    (tr.RDP, tr.ZCDP, SHARP),
    (tr.RDP, tr.PureDP, SHARP),  # its order infinity
]
"""Every edge of the table of conversions, with the grade that it must have at least."""

ROUTES = {
    # the several ways between the same two notions, each with the grade that it may claim
    "zcdp_profile_classic": LOOSE,
    "zcdp_profile_sharpened": LOOSE,
    "zcdp_profile_optimised": LOOSE,
    "zcdp_profile": SHARP,
    "renyi_profile_tail": LOOSE,
    "renyi_profile_optimised": LOOSE,
    "renyi_profile": SHARP,
    "tcdp_profile_tail": LOOSE,
    "zcdp_to_gdp": SHARP,
    "offset_zcdp_to_gdp": SHARP,
}

IMPOSSIBLE = [
    (tr.RDP, tr.GDP),
    (tr.ApproxDP, tr.GDP),
    (tr.ApproxDP, tr.RDP),
    (tr.ApproxDP, tr.ZCDP),
    (tr.TCDP, tr.GDP),
    (tr.GDP, tr.PureDP),
    (tr.ZCDP, tr.PureDP),
]

CONDITIONAL = {
    "offset_zcdp_to_pure": "only if rho = 0",
    "rdp_to_pure": "only if the order infinity is known",
    "rdp_to_zcdp": "only if the order infinity is known",
}
"""Theorems between a pair that is impossible in general: they give infinity where it is."""

COMPOSITIONS = {
    tr.PureDP: SHARP,
    tr.BoundedRange: LOOSE,
    tr.LogisticDP: LOOSE,
    tr.ZCDP: SHARP,
    tr.TCDP: LOOSE,
    tr.RDP: LOOSE,
    tr.GDP: LOSSLESS,
    tr.TradeOff: LOSSLESS,
    tr.ApproxDP: LOOSE,
}
APPROX_COMPOSITIONS = {
    "compose_basic": LOOSE,
    "compose_advanced": LOOSE,
    "optimal_composition": SHARP,
}
GROUPS = {
    tr.PureDP: SHARP,
    tr.BoundedRange: SHARP,
    tr.LogisticDP: SHARP,
    tr.GDP: SHARP,
    tr.ZCDP: LOOSE,
    tr.TCDP: LOOSE,
    tr.RDP: LOOSE,
    tr.ApproxDP: LOOSE,
    tr.TradeOff: SHARP,
}
SAMPLED = (tr.PureDP, tr.Profile, tr.GDP, tr.ZCDP, tr.LogisticDP, tr.RDP, tr.TCDP)
SELECTIONS = {
    "select_pure": SHARP,
    "select_pure_poisson": SHARP,
    "select_approx": LOOSE,
    "select_profile": LOOSE,
    "select_rdp": LOOSE,
    "select_rdp_poisson": LOOSE,
}
STRUCTURE = {
    "post_processing",
    "parallel_one_part",
    "parallel_two_parts",
    "joint_units",
    "removal_and_addition",
    "greatest_sensitivity",
}
FACTS = [
    (tr.Gaussian, tr.GDP, LOSSLESS),
    (tr.Gaussian, tr.ZCDP, SHARP),
    (tr.DiscreteGaussian, tr.ZCDP, SHARP),
    (tr.DiscreteGaussian, tr.GDP, SHARP),
    (tr.DiscreteGaussian, tr.Profile, LOSSLESS),
    (tr.Laplace, tr.PureDP, SHARP),
    (tr.Laplace, tr.ZCDP, SHARP),
    (tr.Laplace, tr.GDP, SHARP),
    (tr.Laplace, tr.RDP, LOSSLESS),
    (tr.Laplace, tr.TradeOff, LOSSLESS),
    (tr.DiscreteLaplace, tr.PureDP, SHARP),
    (tr.DiscreteLaplace, tr.ZCDP, SHARP),
    (tr.DiscreteLaplace, tr.GDP, SHARP),
    (tr.RandomizedResponse, tr.PureDP, SHARP),
    (tr.RandomizedResponse, tr.ZCDP, SHARP),
    (tr.RandomizedResponse, tr.GDP, SHARP),
    (tr.RandomizedResponse, tr.RDP, LOSSLESS),
    (tr.Exponential, tr.BoundedRange, SHARP),
    (tr.Logistic, tr.LogisticDP, LOSSLESS),
    (tr.PermuteAndFlip, tr.PureDP, LOOSE),
    (tr.ReportNoisyMax, tr.PureDP, LOOSE),
    (tr.ReportNoisyMax, tr.BoundedRange, LOOSE),
    (tr.SparseVector, tr.PureDP, LOOSE),
    (tr.GaussianSparseVector, tr.Profile, LOOSE),
    (tr.GaussianSparseVector, tr.RDP, LOOSE),
]
"""The table of exact mechanism parameters, and what the others guarantee."""

EXAMPLES: dict[type, tr.Guarantee] = {
    tr.PureDP: tr.PureDP(1.0),
    tr.ApproxDP: tr.ApproxDP(1.0, 1e-6),
    tr.ZCDP: tr.ZCDP(0.5),
    tr.TCDP: tr.TCDP(0.1, 30.0),
    tr.RDP: tr.RDP([2, 8], [0.1, 0.5]),
    tr.GDP: tr.GDP(1.0),
    tr.BoundedRange: tr.BoundedRange(1.0),
    tr.LogisticDP: tr.LogisticDP(1.0),
    tr.TradeOff: tr.TradeOff([0, 0.25, 1], [1, 0.25, 0]),
    tr.Profile: tr.Profile([0.5, 1.0], [1e-2, 1e-4]),
}
