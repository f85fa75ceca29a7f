"""From an event to the losses that cover it, a list for each way in which neighbours differ."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction

from tightrope.verify.event import Events, Node
from tightrope.verify.exact.laws import Law, Runs
from tightrope.verify.exact.leaves import law_of
from tightrope.verify.exact.mixture import Mixture
from tightrope.verify.exact.noise import Normal
from tightrope.verify.outcome import NotChecked
from tightrope.verify.rules.leaf import nonnegative
from tightrope.verify.rules.samples import hides

Ways = tuple[Runs, ...]
"""The losses for every way in which neighbours can differ, fixed for all releases."""

MOST_WAYS = 1000
MOST_WORK = 200_000
"""Most parts and losses that are gone through for one certificate."""


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
    law = law_of(node)
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
