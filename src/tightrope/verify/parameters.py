"""Which parameters nodes have, so that a node says nothing that nobody reads."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tightrope.verify.outcome import Unreadable

_BATCH = "batch_size population"
NAMES: dict[str, str] = {
    "ApproxDP": "epsilon delta",
    "BoundedRange": "epsilon",
    "Composed": "",
    "DiscreteGaussian": "noise_scale sensitivity variance",
    "DiscreteGaussianVector": "noise_scale sensitivity variance dimension squared_sensitivity",
    "DiscreteLaplace": "noise_scale sensitivity",
    "Exponential": "epsilon",
    "FinitePair": "p q symmetric",
    "GDP": "mu",
    "Gaussian": "noise_scale sensitivity variance",
    "GaussianMixture": "shifts weights noise_scale",
    "GaussianSparseVector": "mu length monotone",
    "Grouped": "size",
    "Joint": "",
    "Laplace": "noise_scale sensitivity",
    "Logistic": "noise_scale sensitivity",
    "LogisticDP": "epsilon",
    "Parallel": "fixed_parts",
    "PermuteAndFlip": "epsilon",
    "PostProcessed": "label",
    "PureDP": "epsilon",
    "RandomizedResponse": "epsilon categories",
    "Repeated": "law mean eta gamma",
    "ReportNoisyMax": "epsilon noise monotone",
    "Restated": "",
    "Sampled": "rate",
    "Shuffled": "reports",
    "Skellam": "noise_scale sensitivity variance",
    "SkellamVector": "noise_scale sensitivity variance dimension l1_sensitivity",
    "SparseVector": "epsilon cutoff monotone",
    "TCDP": "rho omega",
    "TruncatedSample": "rate max_batch population",
    "WithReplacement": _BATCH,
    "WithoutReplacement": _BATCH,
    "ZCDP": "rho xi",
}
"""The parameters of every kind of node that is known."""


def require_parameters(kind: str, given: Mapping[str, Any]) -> None:
    """A node has parameters of its kind only, and its noise one scale."""
    if kind not in NAMES:
        return
    strange = set(given) - set(NAMES[kind].split())
    if strange:
        raise Unreadable(f"a node of kind {kind} has no parameter {min(strange)[:20]!r}")
    if "noise_scale" in given and "variance" in given:
        raise Unreadable(f"a node of kind {kind} has two scales")
