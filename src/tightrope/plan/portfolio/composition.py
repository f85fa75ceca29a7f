"""Portfolios of compositions: every notion adds by its own rule, then all are closed again."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import partial

import numpy as np

from tightrope.events import Composed, Event
from tightrope.mechanisms.discrete_gaussian import DiscreteGaussian
from tightrope.mechanisms.finite_pair import FinitePair
from tightrope.mechanisms.gaussian import Gaussian
from tightrope.mechanisms.mechanism import Mechanism
from tightrope.notions import GDP, ZCDP, Guarantee, PureDP
from tightrope.notions.curves import CurveGuarantee
from tightrope.notions.piecewise import PiecewiseCurve
from tightrope.notions.renyi_curve import Least, RenyiCurve, Total
from tightrope.plan.derivation import PROFILE, Conclusion, Step, claim
from tightrope.plan.portfolio.failures import any_failure
from tightrope.plan.portfolio.leaves import leaf_column, mechanism_column, offer_piecewise
from tightrope.plan.portfolio.portfolio import SCALARS, Candidate, Portfolio
from tightrope.plan.portfolio.tree import planned, portfolio_of
from tightrope.plan.remembered import is_remembered, remembered
from tightrope.theorems.optimal_composition import OptimalComposition
from tightrope.theorems.registry import Theorem, named, theorems

Children = Sequence[tuple[Portfolio, list[int]]]
"""Portfolios with the number of runs of each of their rows."""

Runs = list[tuple[Event, int]]
"""Parts with the number of runs of each."""

Sources = tuple[tuple[int, Callable[[], Step]], ...]

ALONE = (CurveGuarantee, FinitePair)
"""Leaves that are curves: each is a column of its own, so that its curve can be multiplied."""

MOST_EXACT = 32
"""Most distinct Gaussians whose total is kept as an exact fraction."""

MOST_VARIANCE = Fraction(10) ** 300
"""Of a Gaussian that stands for several: one with less noise leaks more."""

MOST_SCANNED = 32
"""Most distinct discrete Gaussians whose mu is worked out where their pairs are known."""

MOST_ATOMS = 1 << 17
"""Most values of a summed log-ratio that are enumerated for a composition of pure guarantees."""

MOST_LOG_VERTICES = 700.0
MOST_VERTICES = 4096
"""Largest number of vertices, before merging, up to which trade-off curves are multiplied."""

RULES = {rule.source: rule for rule in theorems("composition") if rule.source in SCALARS}


@planned.register
def _composed(event: Composed) -> Portfolio:
    return compose_portfolios(_children(event, leaf_column))


def beside_pairs(event: Event) -> Portfolio:
    """What is known of an event whose pairs are known as well.

    Of many different discrete Gaussians each mu takes a scan, and says less than their very pairs.
    """
    if not isinstance(event, Composed) or is_remembered(portfolio_of, event):
        return portfolio_of(event)
    if sum(isinstance(part, DiscreteGaussian) for part in event.counts) <= MOST_SCANNED:
        return portfolio_of(event)
    return _without_scans(event)


@remembered
def _without_scans(event: Composed) -> Portfolio:
    return compose_portfolios(_children(event, _unscanned))


def _unscanned(leaves: Sequence[Event]) -> Portfolio:
    if isinstance(leaves[0], DiscreteGaussian):
        return mechanism_column(leaves, [notion for notion in SCALARS if notion is not GDP])
    return leaf_column(leaves)


def _children(event: Composed, column: Callable[[Sequence[Event]], Portfolio]) -> Children:
    """The leaves as columns of one class each, and every other part by itself."""
    alone, columns = _columns(event)
    children = [(portfolio_of(part), [count]) for part, count in alone]
    for kind, runs in columns.items():
        leaves, counts = [leaf for leaf, _ in runs], [count for _, count in runs]
        gaussian = kind is Gaussian
        children.append(_gaussians(leaves, counts) if gaussian else (column(leaves), counts))
    return children


def _columns(event: Composed) -> tuple[Runs, dict[type, Runs]]:
    """The parts that stand by themselves, and the leaves by their class, Gaussians first."""
    alone: Runs = []
    columns: dict[type, Runs] = {Gaussian: []}
    for part, count in event.counts.items():
        plain = isinstance(part, Guarantee | Mechanism) and not isinstance(part, ALONE)
        (columns.setdefault(type(part), []) if plain else alone).append((part, count))
    return alone, {kind: runs for kind, runs in columns.items() if runs}


def in_order(event: Composed) -> Runs:
    """The parts with their counts, in the order in which a composition's steps have them."""
    alone, columns = _columns(event)
    return alone + [run for runs in columns.values() for run in runs]


def _gaussians(leaves: list[Event], counts: list[int]) -> tuple[Portfolio, list[int]]:
    """Gaussians composed without any rounding: they are one Gaussian of the exact total."""
    ratios = [leaf.ratio for leaf in leaves if isinstance(leaf, Gaussian)]
    if len(leaves) > MOST_EXACT or not any(ratios):
        return leaf_column(leaves), counts
    total = sum(ratio * count for ratio, count in zip(ratios, counts, strict=True))
    whole = leaf_column([Gaussian(variance=min(1 / total, MOST_VARIANCE))])
    for notion in (GDP, ZCDP):
        sources = tuple(
            (count, partial(leaf_step, leaf, notion))
            for leaf, count in zip(leaves, counts, strict=True)
        )
        known = claim(notion, whole.numbers(notion) or ())
        whole.origins[notion] = partial(_composed_step, known, RULES[notion], sources)
    return whole, [1]


def _composed_step(known: Conclusion, rule: Theorem, sources: Sources, _: int) -> Step:
    return Step(known, rule, sources)


def leaf_step(leaf: Event, notion: type) -> Step:
    """The derivation of one leaf's parameter in a notion."""
    return portfolio_of(leaf).step(notion)


def compose_portfolios(children: Children) -> Portfolio:
    """The portfolio of all rows of all children together, each counted."""
    whole = Portfolio(1, any_failure(children))
    for notion in SCALARS:
        _compose_scalar(whole, RULES[notion], children)
    if all(child.curve is not None for child, _ in children):
        parts = tuple(child.curve(counts) for child, counts in children if child.curve)
        whole.curve = counted(Total(parts, (1,) * len(parts)))
        whole.straight = all(child.straight for child, _ in children)
    _multiply_curves(whole, children)
    whole.close()
    _optimal_pure(whole, children)
    return whole


def _compose_scalar(whole: Portfolio, rule: Theorem, children: Children) -> None:
    notion = rule.source
    if not all(notion in child.values for child, _ in children):
        return
    width = range(len(children[0][0].values[notion]))
    columns = [np.concatenate([child.values[notion][w] for child, _ in children]) for w in width]
    counts = [count for _, part in children for count in part]
    result = rule(*columns, counts)
    values = result if isinstance(result, tuple) else (result,)

    def origin(_: int) -> Step:
        return Step(claim(notion, values), rule, _sources(children, notion))

    whole.offer(notion, values, origin)


def _sources(children: Children, notion: type) -> Sources:
    return tuple(
        (count, partial(child.step, notion, i))
        for child, part in children
        for i, count in enumerate(part)
    )


def _multiply_curves(whole: Portfolio, children: Children) -> None:
    """The tensor product of piecewise-linear curves, where it stays small."""
    curves = [(child.piecewise, counts[0]) for child, counts in children if child.piecewise]
    if len(curves) < len(children) or _size(curves) > MOST_VERTICES:
        return
    product = None
    for curve, count in curves:
        power = curve.power(count)
        product = power if product is None else product.tensor(power)
    assert product is not None
    rule = named("compose_tradeoff")

    def origin(_: int) -> Step:
        inputs = tuple((counts[0], child.tradeoffs[-1].origin(0)) for child, counts in children)
        return Step("the product of the trade-off curves", rule, inputs)

    offer_piecewise(whole, product, origin)
    vertices = named("vertices_to_gdp")
    mu = vertices(product)
    whole.offer(
        vertices.target,
        (mu,),
        lambda i: Step(claim(vertices.target, (mu,)), vertices, ((1, origin(i)),)),
    )


def _size(curves: Sequence[tuple[PiecewiseCurve, int]]) -> float:
    """Vertices of the product before merging; infinite beyond any use."""
    logs = sum(count * math.log(len(curve.alpha)) for curve, count in curves)
    return math.exp(min(logs, MOST_LOG_VERTICES))


def _optimal_pure(whole: Portfolio, children: Children) -> None:
    """The optimal composition of pure guarantees, where its lattice is small."""
    if not all(PureDP in c.values and np.isfinite(c.values[PureDP][0]).all() for c, _ in children):
        return
    counts: dict[float, int] = {}
    for child, part in children:
        for epsilon, count in zip(child.values[PureDP][0].tolist(), part, strict=True):
            counts[epsilon] = counts.get(epsilon, 0) + count
    counts.pop(0.0, None)
    atoms = math.prod(count + 1 for count in counts.values())
    if atoms < 3 or atoms > MOST_ATOMS or not OptimalComposition.feasible(counts):
        return
    optimal = OptimalComposition(counts)
    rule = named("optimal_composition")

    def origin(_: int) -> Step:
        return Step(PROFILE, rule, _sources(children, PureDP))

    whole.profiles.append(Candidate(optimal.log_delta, origin))


def counted(curve: RenyiCurve) -> Callable[[list[int]], RenyiCurve]:
    """The weighted sum of one curve, as portfolios keep it."""
    return lambda counts: curve if counts == [1] else Total((curve,), tuple(counts))


def add_curve(whole: Portfolio, curve: RenyiCurve) -> None:
    """Renyi divergences are below this curve too, which is no line through the orders."""
    known = (whole.curve([1]),) if whole.curve is not None else ()
    whole.curve = counted(Least((*known, curve)) if known else curve)
    whole.straight = False
