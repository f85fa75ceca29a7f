"""The losses of mechanisms and of guarantees, from the parameters that they were given with."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

from flint import arb

from tightrope.verify.event import Node
from tightrope.verify.exact.edges import LaplaceRamp, LogisticRamp
from tightrope.verify.exact.lattices import Failure, Response, Steps
from tightrope.verify.exact.laws import Law
from tightrope.verify.exact.noise import DiscreteNormal, Normal
from tightrope.verify.exact.normal import half_odds
from tightrope.verify.numbers import ball, compare
from tightrope.verify.outcome import NotChecked, Refuted
from tightrope.verify.rules.leaf import (
    nonnegative,
    positive,
    ratio,
    shift,
    square_of_mu,
    variance,
)

LARGEST_RHO = 10**6
LARGEST_SHIFT = 100_000


def law_of(node: Node) -> Law | None:
    """The loss of a leaf; None if it leaks nothing."""
    if node.kind not in LEAVES:
        raise NotChecked(f"the losses of {node.kind} are not derived again")
    return LEAVES[node.kind](node)


def _gaussian(node: Node) -> Law | None:
    square = square_of_mu(node)
    return Normal(square) if square else None


def _discrete_gaussian(node: Node) -> Law | None:
    return DiscreteNormal(variance(node), shift(node)) if shift(node) else None


def _gdp(node: Node) -> Law | None:
    mu = nonnegative(node, "mu")
    return Normal(mu**2) if mu else None


def _zcdp(node: Node) -> Law | None:
    """The normal pair of the mu that zCDP implies."""
    total = nonnegative(node, "rho") + nonnegative(node, "xi")
    if total == 0:
        return None
    if total > LARGEST_RHO:
        raise NotChecked("the losses of so large a rho")
    low, high = Fraction(0), Fraction(1)
    while not _reaches(high, total):
        high *= 2
    for _ in range(90):
        middle = (low + high) / 2
        low, high = (low, middle) if _reaches(middle, total) else (middle, high)
    return Normal(high**2)


def _reaches(mu: Fraction, total: Fraction) -> bool:
    def rho() -> arb:
        t = half_odds(ball(mu))
        return t * (t / 2).tanh()

    return compare(rho, lambda: ball(total)) is True


def _laplace(node: Node) -> Law | None:
    return LaplaceRamp(ratio(node)) if ratio(node) else None


def _logistic(epsilon: Fraction) -> Law | None:
    return LogisticRamp(epsilon) if epsilon else None


def _response(node: Node) -> Law | None:
    epsilon, categories = nonnegative(node, "epsilon"), Fraction(2)
    if node.kind == "RandomizedResponse":
        categories = node.number("categories")
    if categories.denominator != 1 or categories < 2:
        raise Refuted("randomised response has at least two answers")
    return Response.of(epsilon, int(categories)) if epsilon else None


def _approximate(node: Node) -> Law | None:
    epsilon, delta = nonnegative(node, "epsilon"), nonnegative(node, "delta")
    if delta >= 1:
        raise Refuted("a release that always fails promises nothing")
    if epsilon:
        return Response.of(epsilon, lost=delta)
    return Failure.of(delta) if delta else None


def _discrete_laplace(node: Node) -> Law | None:
    whole = shift(node)
    if whole > LARGEST_SHIFT:
        raise NotChecked("the losses of so large a shift of discrete Laplace noise")
    return Steps(1 / positive(node, "noise_scale"), whole) if whole else None


def _noisy_max(node: Node) -> Law | None:
    if node.parameters.get("noise") == "gumbel":
        return _logistic(nonnegative(node, "epsilon"))
    return _response(node)


LEAVES: dict[str, Callable[[Node], Law | None]] = {
    "ApproxDP": _approximate,
    "BoundedRange": lambda node: _logistic(nonnegative(node, "epsilon")),
    "DiscreteGaussian": _discrete_gaussian,
    "DiscreteLaplace": _discrete_laplace,
    "Exponential": lambda node: _logistic(nonnegative(node, "epsilon")),
    "GDP": _gdp,
    "Gaussian": _gaussian,
    "Laplace": _laplace,
    "Logistic": lambda node: _logistic(ratio(node)),
    "LogisticDP": lambda node: _logistic(nonnegative(node, "epsilon")),
    "PermuteAndFlip": _response,
    "PureDP": _response,
    "RandomizedResponse": _response,
    "ReportNoisyMax": _noisy_max,
    "SparseVector": _response,
    "ZCDP": _zcdp,
}
"""The loss of a leaf; None if it leaks nothing."""
