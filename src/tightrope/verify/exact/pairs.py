"""From an event to the losses that cover it, a list for each way in which neighbours differ."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from fractions import Fraction

from flint import arb

from tightrope.verify.event import Events, Node, flat_runs
from tightrope.verify.exact.laws import (
    DiscreteNormal,
    Lattice,
    Law,
    Normal,
    Ramp,
    Runs,
)
from tightrope.verify.exact.mixture import Mixture
from tightrope.verify.numbers import ball, compare
from tightrope.verify.outcome import NotChecked, Refuted
from tightrope.verify.rules.composition import hides
from tightrope.verify.rules.mechanisms import (
    nonnegative,
    positive,
    ratio,
    shift,
    square_of_mu,
    variance,
)
from tightrope.verify.rules.normal import half_odds

Ways = tuple[Runs, ...]
"""The losses for every way in which neighbours can differ, fixed for all releases."""


def ways_of(events: Events, node: Node) -> Ways:
    """The losses of all releases of an event."""
    if node.kind == "Parallel":
        if node.relation.kind != "add_or_remove" and node.parameters.get("fixed_parts") is not True:
            raise NotChecked("exact composition over parts between which a unit may move")
        return tuple(way for part, _ in node.parts for way in ways_of(events, part))
    if node.kind == "PostProcessed":
        return ways_of(events, node.inside)
    if node.kind == "Joint":
        return _joined(events, node)
    orders = [_order(events, flat_runs(node), with_unit) for with_unit in (True, False)]
    return (orders[0],) if orders[0] == orders[1] else tuple(orders)


def _joined(events: Events, node: Node) -> Ways:
    """One unit of each kind may change, each in a direction of its own."""
    runs: list[tuple[Law, int]] = []
    for part, _ in node.parts:
        ways = ways_of(events, part)
        if len(ways) > 1:
            raise NotChecked("samples about several kinds of units")
        runs.extend(ways[0])
    return (tuple(runs),)


def _order(events: Events, runs: Iterable[tuple[Node, int]], with_unit: bool) -> Runs:
    found: list[tuple[Law, int]] = []
    for node, count in runs:
        for law, times in _losses(events, node, with_unit):
            found.append((law, times * count))
    return tuple(found)


def _losses(events: Events, node: Node, with_unit: bool) -> Runs:
    """The losses of one part of a composition."""
    if node.kind == "Composed":
        return _order(events, flat_runs(node), with_unit)
    if node.kind == "PostProcessed":
        return _losses(events, node.inside, with_unit)
    if node.kind == "Grouped":
        return _losses_of_group(events, node, with_unit)
    if node.kind == "Restated":
        return _losses(events, events.grouped(node.inside, 2), with_unit)
    if node.kind == "Sampled":
        return _losses_of_sample(events, node, with_unit)
    if node.kind not in LEAVES:
        raise NotChecked(f"the losses of {node.kind} are not derived again")
    law = LEAVES[node.kind](node)
    return () if law is None else ((law, 1),)


def _losses_of_group(events: Events, node: Node, with_unit: bool) -> Runs:
    size, inside = int(node.number("size")), node.inside
    if inside.kind in ("Composed", "PostProcessed"):
        found: list[tuple[Law, int]] = []
        for part, count in flat_runs(inside) if inside.kind == "Composed" else inside.parts:
            wider = events.grouped(part, size)
            found.extend((law, n * count) for law, n in _losses(events, wider, with_unit))
        return tuple(found)
    if inside.kind == "GDP":
        return _normal((nonnegative(inside, "mu") * size) ** 2)
    if inside.kind in ("Gaussian", "DiscreteGaussian", "Laplace", "Logistic", "DiscreteLaplace"):
        told = {**inside.parameters, "sensitivity": str(inside.number("sensitivity") * size)}
        return _losses(events, events.make(inside.kind, told, (), inside.relation), with_unit)
    raise NotChecked(f"the losses of a group that meets {inside.kind} are not derived again")


def _losses_of_sample(events: Events, node: Node, with_unit: bool) -> Runs:
    inner = _losses(events, node.inside, with_unit)
    rate = node.number("rate")
    if not hides(node) or rate == 1:
        return inner
    if not 0 < rate < 1 or not all(isinstance(law, Normal) for law, _ in inner):
        raise NotChecked("samples of other than normal noise")
    square = sum((law.square * n for law, n in inner if isinstance(law, Normal)), Fraction(0))
    shares = ((Fraction(0), 1 - rate), (Fraction(1), rate))
    return ((Mixture(square, shares, with_unit), 1),) if square else ()


def _normal(square: Fraction) -> Runs:
    return ((Normal(square), 1),) if square else ()


# --- leaves ------------------------------------------------------------------------------------


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


def _ramp(epsilon: Fraction, laplace: bool) -> Law | None:
    return Ramp(epsilon, laplace) if epsilon else None


def _response(node: Node) -> Law | None:
    epsilon, categories = nonnegative(node, "epsilon"), Fraction(2)
    if node.kind == "RandomizedResponse":
        categories = node.number("categories")
    if categories.denominator != 1 or categories < 2:
        raise Refuted("randomised response has at least two answers")
    return Lattice(epsilon, "response", 1, categories=int(categories)) if epsilon else None


def _approximate(node: Node) -> Law | None:
    epsilon, delta = nonnegative(node, "epsilon"), nonnegative(node, "delta")
    if epsilon == 0 or delta >= 1:
        raise NotChecked("failures without a loss beside them")
    return Lattice(epsilon, "response", 1, lost=delta)


def _discrete_laplace(node: Node) -> Law | None:
    whole = shift(node)
    return Lattice(1 / positive(node, "noise_scale"), "laplace", whole) if whole else None


def _noisy_max(node: Node) -> Law | None:
    if node.parameters.get("noise") == "gumbel":
        return _ramp(nonnegative(node, "epsilon"), False)
    return _response(node)


LEAVES: dict[str, Callable[[Node], Law | None]] = {
    "ApproxDP": _approximate,
    "BoundedRange": lambda node: _ramp(nonnegative(node, "epsilon"), False),
    "DiscreteGaussian": _discrete_gaussian,
    "DiscreteLaplace": _discrete_laplace,
    "Exponential": lambda node: _ramp(nonnegative(node, "epsilon"), False),
    "GDP": _gdp,
    "Gaussian": _gaussian,
    "Laplace": lambda node: _ramp(ratio(node), True),
    "Logistic": lambda node: _ramp(ratio(node), False),
    "LogisticDP": lambda node: _ramp(nonnegative(node, "epsilon"), False),
    "PermuteAndFlip": _response,
    "PureDP": _response,
    "RandomizedResponse": _response,
    "ReportNoisyMax": _noisy_max,
    "SparseVector": _response,
    "ZCDP": _zcdp,
}
"""The loss of a leaf; None if it leaks nothing."""
