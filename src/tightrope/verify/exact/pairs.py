"""From an event to the losses that cover it, a list for each way in which neighbours differ."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from fractions import Fraction

from flint import arb

from tightrope.verify.event import Events, Node
from tightrope.verify.exact.laws import (
    DiscreteNormal,
    LaplaceRamp,
    Law,
    LogisticRamp,
    Normal,
    Response,
    Runs,
    Steps,
)
from tightrope.verify.exact.mixture import Mixture
from tightrope.verify.numbers import ball, compare
from tightrope.verify.outcome import NotChecked, Refuted
from tightrope.verify.rules.composition import hides
from tightrope.verify.rules.leaf import (
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

MOST_WAYS = 1000
MOST_WORK = 200_000
"""Most parts and losses that are gone through for one certificate."""

LARGEST_RHO = 10**6
LARGEST_SHIFT = 100_000


def ways_of(events: Events, node: Node) -> Ways:
    """The losses of all releases of an event."""
    if node.key not in events.derived:
        ways = tuple(dict.fromkeys(_ways(events, node)))
        if len(ways) > MOST_WAYS:
            raise NotChecked("so many ways in which neighbours may differ")
        _require_little(events, len(node.parts) + sum(map(len, ways)))
        events.derived[node.key] = ways
    return events.derived[node.key]  # type: ignore[no-any-return]


def _ways(events: Events, node: Node) -> Iterable[Runs]:
    if node.kind == "Parallel":
        if node.relation.kind != "add_or_remove" and node.parameters.get("fixed_parts") is not True:
            raise NotChecked("exact composition over parts between which a unit may move")
        distinct = {part.key: part for part, _ in node.parts}.values()
        return (way for part in distinct for way in ways_of(events, part))
    if node.kind == "PostProcessed":
        return ways_of(events, node.inside)
    if node.kind == "Joint":
        return _joined(events, node)
    return (_losses(events, node, with_unit) for with_unit in (True, False))


def _require_little(events: Events, more: int) -> None:
    events.work += 1 + more
    if events.work > MOST_WORK:
        raise NotChecked("the losses of an event that grows so much when it is taken apart")


def _joined(events: Events, node: Node) -> Ways:
    """One unit of each kind may change, each in a direction of its own."""
    runs: list[tuple[Law, int]] = []
    for part, _ in node.parts:
        ways = ways_of(events, part)
        if len(ways) > 1:
            raise NotChecked("samples about several kinds of units")
        runs.extend(ways[0])
    return (_together(runs),)


def _together(runs: Iterable[tuple[Law, int]]) -> Runs:
    """The same losses, each of them once."""
    counts: dict[Law, int] = {}
    for law, count in runs:
        counts[law] = counts.get(law, 0) + count
    return tuple(counts.items())


def _losses(events: Events, node: Node, with_unit: bool) -> Runs:
    """The losses of one part of a composition, worked out once for all the places it stands at."""
    place = (node.key, with_unit)
    if place not in events.derived:
        found = _together(_derived(events, node, with_unit))
        _require_little(events, len(node.parts) + len(found))
        events.derived[place] = found
    return events.derived[place]  # type: ignore[no-any-return]


def _derived(events: Events, node: Node, with_unit: bool) -> Iterable[tuple[Law, int]]:
    if node.kind == "Composed":
        return _of_parts(events, node.parts, with_unit)
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


def _of_parts(
    events: Events, parts: Iterable[tuple[Node, int]], with_unit: bool
) -> Iterable[tuple[Law, int]]:
    for part, count in parts:
        for law, times in _losses(events, part, with_unit):
            yield law, times * count


def _losses_of_group(events: Events, node: Node, with_unit: bool) -> Iterable[tuple[Law, int]]:
    size, inside = int(node.number("size")), node.inside
    if inside.kind in ("Composed", "PostProcessed"):
        wider = ((events.grouped(part, size), count) for part, count in inside.parts)
        return _of_parts(events, wider, with_unit)
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
    if epsilon == 0 or delta >= 1:
        raise NotChecked("failures without a loss beside them")
    return Response.of(epsilon, lost=delta)


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
