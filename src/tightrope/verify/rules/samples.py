"""Poisson samples of notions whose parameters are numbers, and of points of profiles."""

from __future__ import annotations

from fractions import Fraction

from flint import arb

from tightrope.verify.event import Node
from tightrope.verify.numbers import Truth, ball, require_at_least
from tightrope.verify.outcome import NotChecked, Refuted
from tightrope.verify.step import Judgement, Step, rule

SAMPLED = {
    "sample_gdp": "GDP",
    "sample_zcdp": "ZCDP",
    "sample_logistic": "LogisticDP",
    "sample_tcdp": "TCDP",
}


def hides(node: Node) -> bool:
    """Whether leaving the sample hides a unit: neither under replace-one nor of local reports."""
    return node.relation.kind == "add_or_remove" and "RandomizedResponse" not in node.kinds


def amplified(epsilon: Fraction, rate: Fraction) -> Truth:
    """log(1 + rate (e^epsilon - 1))."""

    def truth() -> arb:
        return (ball(rate) * ball(epsilon).expm1()).log1p()

    return truth


def require_rate(step: Step) -> Fraction:
    """The rate of a Poisson sample, which is above 0."""
    rate = step.about.number("rate")
    if not 0 < rate <= 1:
        raise NotChecked("a sample that takes no unit at all")
    return rate


@rule("sample_pure")
def sample_pure(step: Step) -> None:
    """Amplified, where the sample hides a unit; else as it is."""
    step.gives("PureDP")
    epsilon = step.inside("Sampled", "PureDP").number
    rate = require_rate(step)
    truth = amplified(epsilon, rate) if hides(step.about) else epsilon
    require_at_least(step.value("epsilon"), truth, "epsilon")


@rule("sample_profile")
def sample_profile(step: Step) -> None:
    """(log(1 + rate (e^epsilon - 1)), rate delta), where the sample hides a unit."""
    step.gives("ApproxDP")
    source = step.inside("Sampled", "ApproxDP")
    if not hides(step.about):
        raise Refuted("the sample does not hide a unit")
    require_thinned(step, source, require_rate(step))


def require_thinned(step: Step, source: Judgement, rate: Fraction) -> None:
    """A point of a profile, carried over by a sample."""
    truth = amplified(source.values["epsilon"], rate)
    require_at_least(step.value("epsilon"), truth, "epsilon")
    require_at_least(step.value("delta"), rate * source.values["delta"], "delta")


@rule(*SAMPLED)
def unchanged(step: Step) -> None:
    """As of all the data, by joint convexity."""
    notion = SAMPLED[step.theorem]
    step.gives(notion)
    require_rate(step)
    require_same(step, step.inside("Sampled", notion))


def require_same(step: Step, source: Judgement) -> None:
    """The numbers of the input, as they are."""
    if step.says.notion != source.notion or dict(step.says.values) != dict(source.values):
        raise Refuted(f"{step.theorem} changes no number")
