"""Composition and groups of notions whose parameters are numbers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from fractions import Fraction

from flint import arb

from tightrope.verify.event import Key
from tightrope.verify.numbers import (
    CLOSE,
    TINY,
    ball,
    compare,
    require_at_least,
    require_at_most,
    require_true,
)
from tightrope.verify.outcome import NotChecked, Refuted
from tightrope.verify.rules.leaf import square_of_mu
from tightrope.verify.step import Judgement, Step, rule

COMPOSED = {
    "compose_pure": "PureDP",
    "compose_logistic": "LogisticDP",
    "compose_bounded_range": "BoundedRange",
    "compose_zcdp": "ZCDP",
    "compose_tcdp": "TCDP",
    "compose_gdp": "GDP",
}
GROUPED = {
    "group_pure": "PureDP",
    "group_bounded_range": "BoundedRange",
    "group_logistic": "LogisticDP",
    "group_zcdp": "ZCDP",
    "group_tcdp": "TCDP",
    "group_gdp": "GDP",
}
CONCENTRATED = frozenset(("Gaussian", "DiscreteGaussian"))
"""Noise whose rho is (sensitivity/scale)^2/2."""

MOST_HARMONIC = 100_000

Inputs = Sequence[tuple[Judgement, int]]


def require_runs(step: Step) -> None:
    """The inputs are about the runs of the node, all of them and no others."""
    found: Counter[Key] = Counter()
    for judgement, count in step.inputs:
        for key, runs in step.events.runs(judgement.about).items():
            found[key] += runs * count
    if found != step.events.runs(step.about):
        raise Refuted("the inputs are not about the parts of the event, each as often as it is run")


def total(inputs: Iterable[tuple[Judgement, int]], name: str) -> Fraction:
    """The counted sum of one number of all inputs, added pairwise so that it stays quick."""
    terms = [judgement.values[name] * count for judgement, count in inputs]
    while len(terms) > 1:
        pairs = zip(terms[::2], terms[1::2], strict=False)
        rest = terms[-1:] if len(terms) % 2 else []
        terms = [a + b for a, b in pairs] + rest
    return terms[0] if terms else Fraction(0)


@rule(*COMPOSED)
def composed(step: Step) -> None:
    """Sums; of GDP in squares, of bounded range twice but for the least."""
    notion = COMPOSED[step.theorem]
    step.gives(notion)
    if not step.inputs or any(judgement.notion != notion for judgement, _ in step.inputs):
        raise Refuted(f"{step.theorem} composes {notion} only")
    require_runs(step)
    inputs = [(_sharpest(judgement), count) for judgement, count in step.inputs]
    if notion == "GDP":
        squares = total(inputs, "square")
        require_root(step.value("mu"), squares, "mu")
    elif notion == "BoundedRange":
        require_single_runs(step)
        least = min(judgement.number for judgement, _ in step.inputs)
        require_at_least(
            step.value("epsilon"), 2 * total(step.inputs, "epsilon") - least, "epsilon"
        )
    else:
        require_sums(step, inputs)


def require_single_runs(step: Step) -> None:
    """No input is itself about a composition, of which the least part is not known."""
    if len(step.inputs) > 1 or step.inputs[0][1] > 1:
        for judgement, _ in step.inputs:
            if judgement.about.kind == "Composed":
                raise NotChecked("a composition of compositions of bounded range")


def require_sums(step: Step, inputs: Inputs) -> None:
    """Every parameter is the sum of the parts', but for omega, which is the least."""
    for name, value in step.says.values.items():
        if name == "omega":
            require_at_most(value, min(j.values[name] for j, _ in inputs), name)
        else:
            require_at_least(value, total(inputs, name), name)


def _sharpest(judgement: Judgement) -> Judgement:
    """Of mu its square; of normal noise the numbers that its parameters say, which are not rounded.

    What a leaf states is rounded up: the exact sum of many lies below that of what they state.
    """
    about, values = judgement.about, judgement.values
    if judgement.notion == "GDP":
        square = judgement.number**2
        if about.kind == "Gaussian":
            square = min(square, square_of_mu(about))
        return Judgement(about, "GDP", {"square": square})
    if judgement.notion == "ZCDP" and about.kind in CONCENTRATED and values["xi"] == 0:
        rho = min(values["rho"], square_of_mu(about) / 2)
        return Judgement(about, "ZCDP", {"rho": rho, "xi": values["xi"]})
    return judgement


def require_root(value: Fraction, square: Fraction, what: str) -> None:
    """The value is an upper bound of a root, and next to it; exactly, without a root."""
    if value**2 < square:
        raise Refuted(f"{what} is below what the theorem gives")
    if (value * (1 - CLOSE) - TINY) ** 2 > square and value > TINY:
        raise NotChecked(f"{what} is not what the theorem gives, but more")


@rule(*GROUPED)
def grouped(step: Step) -> None:
    """k times as much; of zCDP k squared, and the offset by a harmonic number."""
    notion = GROUPED[step.theorem]
    step.gives(notion)
    source = step.inside("Grouped", notion)
    k = int(step.about.number("size"))
    if notion == "ZCDP":
        require_at_least(step.value("rho"), k * k * source.values["rho"], "rho")
        require_offset(step, source.values["xi"], k)
    elif notion == "TCDP":
        require_at_least(step.value("rho"), k * k * source.values["rho"], "rho")
        require_at_most(step.value("omega"), source.values["omega"] / k, "omega")
    else:
        (name,) = source.values
        require_at_least(step.value(name), k * source.number, name)


def require_offset(step: Step, xi: Fraction, k: int) -> None:
    """xi k (1 + 1/2 + ... + 1/k), or with 1 + log k in place of the sum for a large group."""
    claimed = step.value("xi")
    if xi == 0:
        require_at_least(claimed, Fraction(0), "xi")
        return
    if k > MOST_HARMONIC:
        raise NotChecked("the harmonic number of so large a group")

    def truth() -> arb:
        return ball(xi * k) * (arb(k + 1).digamma() + arb.const_euler())

    def at_most() -> arb:
        return ball(xi * k) * (1 + arb(k).log()) * (1 + ball(CLOSE))

    enough = compare(lambda: ball(claimed), truth)
    require_true(enough, "xi is below what the theorem gives")
    if compare(at_most, lambda: ball(claimed)) is not True:
        raise NotChecked("xi is not what the theorem gives, but more")


@rule("group_approx")
def group_approx(step: Step) -> None:
    """(k epsilon, delta (e^(k epsilon) - 1)/(e^epsilon - 1))."""
    step.gives("ApproxDP")
    source = step.inside("Grouped", "ApproxDP")
    k = int(step.about.number("size"))
    epsilon, delta = source.values["epsilon"], source.values["delta"]
    require_at_least(step.value("epsilon"), k * epsilon, "epsilon")

    def truth() -> arb:
        grown = ball(k * epsilon).expm1() / ball(epsilon).expm1() if epsilon else arb(k)
        return ball(delta) * grown

    require_at_least(step.value("delta"), truth, "delta")
