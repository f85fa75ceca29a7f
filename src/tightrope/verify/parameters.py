"""Which parameters nodes have, and what is admissible: so that a node says nothing strange."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from tightrope.verify.numbers import exact
from tightrope.verify.outcome import Unreadable


@dataclass(frozen=True)
class Range:
    """The numbers that a parameter may be, and the words for them."""

    words: str
    holds: Callable[[Fraction], bool]

    def require(self, value: Any, what: str) -> None:
        """The value is a text that denotes such a number."""
        if not self.holds(exact(value, what)):
            raise Unreadable(f"{what} must be {self.words}, and is {value[:40]}")


@dataclass(frozen=True)
class Several:
    """A list of numbers of one range."""

    each: Range

    def require(self, value: Any, what: str) -> None:
        """The value is such a list, and not empty."""
        if not isinstance(value, list) or not value:
            raise Unreadable(f"{what} must be a list of numbers")
        for item in value:
            self.each.require(item, what)


@dataclass(frozen=True)
class Words:
    """One of a few words, or of the two truths; any text where none are named."""

    kind: type
    among: tuple[str, ...] = ()

    def require(self, value: Any, what: str) -> None:
        """The value is one of them."""
        if type(value) is not self.kind or (self.among and value not in self.among):
            told = " or ".join(self.among) or ("true or false" if self.kind is bool else "a text")
            raise Unreadable(f"{what} must be {told}")


def _whole(low: int, words: str) -> Range:
    return Range(words, lambda x: x.denominator == 1 and low <= x <= MOST)


MOST = 10**18
ABOVE_0 = Range("above 0", lambda x: x > 0)
AT_LEAST_0 = Range("at least 0", lambda x: x >= 0)
COUNT = _whole(1, "a whole number from 1 to 10^18")
FROM_0 = _whole(0, "a whole number from 0 to 10^18")
PROBABILITY = Range("between 0 and 1", lambda x: 0 <= x <= 1)
FLAG, TEXT = Words(bool), Words(str)

Known = dict[str, Range | Several | Words]
"""Parameters by their names."""

EPSILON: Known = {"epsilon": AT_LEAST_0}
SHIFTED: Known = {"noise_scale": ABOVE_0, "sensitivity": AT_LEAST_0}
SHIFTED_WHOLE: Known = {"noise_scale": ABOVE_0, "sensitivity": FROM_0}
BATCH: Known = {"batch_size": COUNT, "population": COUNT}

RANGES: dict[str, Known] = {
    "ApproxDP": EPSILON | {"delta": PROBABILITY},
    "BoundedRange": EPSILON,
    "Composed": {},
    "DiscreteGaussian": SHIFTED_WHOLE | {"variance": ABOVE_0},
    "DiscreteGaussianVector": SHIFTED_WHOLE
    | {"variance": ABOVE_0, "dimension": COUNT, "squared_sensitivity": FROM_0},
    "DiscreteLaplace": SHIFTED_WHOLE,
    "Exponential": EPSILON,
    "FinitePair": {"p": Several(PROBABILITY), "q": Several(PROBABILITY), "symmetric": FLAG},
    "GDP": {"mu": AT_LEAST_0},
    "Gaussian": SHIFTED | {"variance": ABOVE_0},
    "GaussianMixture": {
        "shifts": Several(AT_LEAST_0),
        "weights": Several(PROBABILITY),
        "noise_scale": ABOVE_0,
    },
    "GaussianSparseVector": {"mu": AT_LEAST_0, "length": COUNT, "monotone": FLAG},
    "Grouped": {"size": COUNT},
    "Joint": {},
    "Laplace": SHIFTED,
    "Logistic": SHIFTED,
    "LogisticDP": EPSILON,
    "Parallel": {"fixed_parts": FLAG},
    "PermuteAndFlip": EPSILON,
    "PostProcessed": {"label": TEXT},
    "PureDP": EPSILON,
    "RandomizedResponse": EPSILON | {"categories": _whole(2, "a whole number from 2 to 10^18")},
    "Repeated": {
        "law": Words(str, ("NegativeBinomialRepetitions", "PoissonRepetitions")),
        "mean": ABOVE_0,
        "eta": Range("above -1", lambda x: x > -1),
        "gamma": Range("strictly between 0 and 1", lambda x: 0 < x < 1),
    },
    "ReportNoisyMax": EPSILON | {"noise": TEXT, "monotone": FLAG},
    "Restated": {},
    "Sampled": {"rate": PROBABILITY},
    "Shuffled": {"reports": COUNT},
    "Skellam": SHIFTED_WHOLE | {"variance": ABOVE_0},
    "SkellamVector": SHIFTED_WHOLE
    | {"variance": ABOVE_0, "dimension": COUNT, "l1_sensitivity": FROM_0},
    "SparseVector": EPSILON | {"cutoff": COUNT, "monotone": FLAG},
    "TCDP": {"rho": AT_LEAST_0, "omega": Range("above 1", lambda x: x > 1)},
    "TruncatedSample": {"rate": PROBABILITY, "max_batch": COUNT, "population": COUNT},
    "WithReplacement": BATCH,
    "WithoutReplacement": BATCH,
    "ZCDP": {"rho": AT_LEAST_0, "xi": AT_LEAST_0},
}
"""The parameters of every kind of node that is known, with what each may be."""

SEVERAL = frozenset(("Composed", "Joint", "Parallel"))
ONE = frozenset(
    (
        "Grouped",
        "PostProcessed",
        "Repeated",
        "Restated",
        "Sampled",
        "Shuffled",
        "TruncatedSample",
        "WithReplacement",
        "WithoutReplacement",
    )
)
"""Kinds of nodes around several parts, and around one; all others have none."""

NEAR_1 = Fraction(1, 10**9)
"""How far the weights of a mixture may be from adding up to 1."""


def require_parameters(kind: str, given: Mapping[str, Any], parts: int) -> None:
    """A node has parameters of its kind only, each in its range, and as many parts as its kind."""
    if kind not in RANGES:
        return
    known = RANGES[kind]
    for name, value in given.items():
        if name not in known:
            raise Unreadable(f"a node of kind {kind} has no parameter {name[:20]!r}")
        known[name].require(value, f"{kind}: {name}")
    if "noise_scale" in given and "variance" in given:
        raise Unreadable(f"a node of kind {kind} has two scales")
    if kind not in SEVERAL and parts != (kind in ONE):
        raise Unreadable(f"a node of kind {kind} has {'one part' if kind in ONE else 'no parts'}")
    _require_together(kind, given)


def _require_together(kind: str, given: Mapping[str, Any]) -> None:
    """What several parameters must be beside one another."""
    if kind == "WithoutReplacement":
        size, whole = (exact(given.get(name), f"{kind}: {name}") for name in BATCH)
        if size > whole:
            raise Unreadable(f"{kind}: batch_size must be at most population")
    if kind == "GaussianMixture":
        weights = [exact(text, "weights") for text in given.get("weights", [])]
        missing = abs(sum(weights, Fraction(0)) - 1)
        if len(weights) != len(given.get("shifts", [])) or missing > NEAR_1:
            raise Unreadable(f"{kind}: weights must be as many as shifts, and add up to 1")
