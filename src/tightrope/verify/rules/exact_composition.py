"""Exact composition: the privacy profile of the composed losses, computed again."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from functools import partial

from flint import arb

from tightrope.verify.exact import atoms, contour, ramps
from tightrope.verify.exact.lattices import Response
from tightrope.verify.exact.laws import Runs, merged
from tightrope.verify.exact.pairs import ways_of
from tightrope.verify.numbers import TINY, Bounds, ball, decided
from tightrope.verify.outcome import NotChecked, Refuted
from tightrope.verify.rules.composition import require_runs
from tightrope.verify.rules.mechanisms import require_leaf
from tightrope.verify.step import Step, rule

PRECISIONS = (160, 320)
LOOSE = Fraction(1, 10**6)
"""Relative distance from the truth beyond which a composed number is not what composition gives."""

Way = Callable[[Runs, Fraction], Bounds]
"""Composes losses: lower and upper bounds on delta at an epsilon."""

MOST_LAWS = 2000
COVERED = frozenset(
    (
        "BoundedRange",
        "Exponential",
        "PermuteAndFlip",
        "ReportNoisyMax",
        "SparseVector",
        "ZCDP",
    )
)
"""Leaves that leak no more than the losses that are composed for them, and perhaps less."""


@rule("exact_composition_attained", "exact_composition_cover")
def exact_composition(step: Step) -> None:
    """delta of the composed losses is at most the claimed one, and nothing better is near."""
    covered = bool(step.about.kinds & COVERED)
    if covered != step.theorem.endswith("cover"):
        raise Refuted("the losses are said to cover what they are, or to be what they cover")
    require_composed(step)


@rule("DiscreteGaussian.profile", "DiscreteLaplace.profile")
def one_release(step: Step) -> None:
    """The profile of one release is that of a composition of one."""
    require_leaf(step)
    require_composed(step)


def require_composed(step: Step) -> None:
    """The point is on the profile of the composed losses, or next to it on the safe side."""
    if step.inputs:
        raise Refuted("exact composition rests on the event alone")
    require_profile(step, [merged(way) for way in ways_of(step.events, step.about)])


@rule("optimal_composition")
def optimal_composition(step: Step) -> None:
    """The profile of the product of randomised responses."""
    require_runs(step)
    if any(judgement.notion != "PureDP" for judgement, _ in step.inputs):
        raise Refuted("optimal composition starts from pure DP")
    runs = tuple(
        (Response.of(judgement.number), count)
        for judgement, count in step.inputs
        if judgement.number
    )
    if any(judgement.about.kind == "Composed" for judgement, _ in step.inputs):
        raise NotChecked("optimal composition of compositions")
    require_profile(step, [merged(runs)])


def require_profile(step: Step, ways: list[Runs]) -> None:
    """The point is on the profile of the worst way in which neighbours differ, or next to it."""
    step.gives("ApproxDP")
    epsilon, delta = step.value("epsilon"), step.value("delta")
    for way in ways:
        if not _at_most(way, epsilon, delta):
            raise Refuted("delta is below that of the composed losses at this epsilon")
    _require_close(ways, epsilon, delta)
    _require_interval(step, ways, epsilon, delta)


def _require_close(ways: list[Runs], epsilon: Fraction, delta: Fraction) -> None:
    less = epsilon * (1 - LOOSE)
    if epsilon and any(_more_than(way, less, delta) for way in ways):
        return
    if delta > TINY and not any(_more_than(way, epsilon, delta * (1 - LOOSE)) for way in ways):
        raise NotChecked("the point lies above what composition gives, in epsilon and in delta")


def _require_interval(step: Step, ways: list[Runs], epsilon: Fraction, delta: Fraction) -> None:
    """The upper end is the number itself; below the lower end no number can be proved."""
    for name, (low, high) in step.interval.items():
        if name not in step.says.values or high != step.value(name):
            raise Refuted(f"the upper end of the interval of {name} is not the number itself")
        if low < high * (1 - LOOSE):
            raise Refuted(f"the interval of {name} is wider than composition is exact")
        points = (low, delta) if name == "epsilon" else (epsilon, low)
        if low > 0 and not any(_more_than(way, *points) for way in ways):
            raise Refuted(f"the lower end of the interval of {name} is above the truth")


def _at_most(runs: Runs, epsilon: Fraction, delta: Fraction) -> bool:
    if contour.clearly_at_most(runs, epsilon, delta):
        return True
    return _decided(runs, epsilon, lambda low, high: _side(high <= ball(delta), low > ball(delta)))


def _more_than(runs: Runs, epsilon: Fraction, delta: Fraction) -> bool:
    return _decided(runs, epsilon, lambda low, high: _side(low >= ball(delta), high < ball(delta)))


def _side(yes: bool, no: bool) -> bool | None:
    return True if yes else False if no else None


def _decided(runs: Runs, epsilon: Fraction, test: Callable[[arb, arb], bool | None]) -> bool:
    for way in _open_ways(runs):
        answer = decided(partial(_asked, test, way, runs, epsilon), PRECISIONS)
        if answer is not None:
            return answer
    raise NotChecked(f"{PRECISIONS[-1]} bits leave open whether a number is large enough")


def _asked(
    test: Callable[[arb, arb], bool | None], way: Way, runs: Runs, epsilon: Fraction
) -> bool | None:
    return test(*way(runs, epsilon))


def bounds(runs: Runs, epsilon: Fraction) -> Bounds:
    """Bounds on delta by the first way that is open."""
    return next(_open_ways(runs))(runs, epsilon)


def _open_ways(runs: Runs) -> Iterator[Way]:
    """The ways to compose these losses, the quickest first."""
    if not runs:
        yield lambda runs, epsilon: (arb(0), arb(0))
        return
    if len(runs) > MOST_LAWS:
        raise NotChecked("so many different releases are not composed again")
    smooth = contour.feasible(runs)
    if smooth and not atoms.feasible(runs, atoms.FEW_POINTS):
        yield contour.delta_by_contour
    if atoms.feasible(runs):
        yield atoms.delta_of_atoms
    elif ramps.feasible(runs):
        yield ramps.delta_of_ramps
    elif not smooth:
        raise NotChecked("losses of these kinds are not composed again")
