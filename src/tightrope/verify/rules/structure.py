"""Rules about how events relate to the data: parts, units, neighbours, batches, repetitions."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction

from flint import arb

from tightrope.verify.event import Node
from tightrope.verify.numbers import ball, require_at_least
from tightrope.verify.outcome import NotChecked, Refuted
from tightrope.verify.rules.leaf import variance
from tightrope.verify.rules.samples import (
    amplified,
    hides,
    require_rate,
    require_same,
    require_thinned,
)
from tightrope.verify.step import NOTIONS, PROTECTIVE, Judgement, Step, rule

ADDITIVE = frozenset(("Gaussian", "Laplace", "Logistic", "DiscreteGaussian", "DiscreteLaplace"))
"""Mechanisms that add noise, which a group shifts by so many times the sensitivity."""

MOST_PARTS = 1000
"""Most disjoint parts that are gone through two by two."""


@rule("given")
def given(step: Step) -> None:
    """The node is a guarantee, and says just this."""
    if step.inputs or step.about.kind != step.says.notion:
        raise Refuted("what is given is not a guarantee of this notion")
    for name in NOTIONS[step.says.notion]:
        if step.about.number(name) != step.value(name):
            raise Refuted(f"{name} is not as it was given")


@rule("post_processing")
def post_processing(step: Step) -> None:
    """What is computed from the result alone costs nothing."""
    require_same(step, step.inside("PostProcessed", *NOTIONS))


@rule("joint_units")
def joint_units(step: Step) -> None:
    """The parts of a joint relation compose."""
    source = step.only(*NOTIONS)
    parts = Counter({part.key: count for part, count in step.about.parts})
    together = Counter({part.key: count for part, count in source.about.parts})
    if step.about.kind != "Joint" or source.about.kind != "Composed" or parts != together:
        raise Refuted("the input is not about all parts together")
    require_same(step, source)


@rule("removal_and_addition")
def removal_and_addition(step: Step) -> None:
    """Replacing is a group of two under add-or-remove."""
    source = step.only(*NOTIONS)
    if step.about.kind != "Restated":
        raise Refuted("the step is not about other neighbours")
    if source.about.key != step.events.grouped(step.about.inside, 2).key:
        raise Refuted("the input is not about a group of two")
    require_same(step, source)


@rule("greatest_sensitivity")
def greatest_sensitivity(step: Step) -> None:
    """A group shifts an additive mechanism by so many times its sensitivity."""
    source = step.only(*NOTIONS)
    node = step.about
    if node.kind != "Grouped" or node.inside.kind not in ADDITIVE:
        raise Refuted("the step is not about a group that noise is added to")
    size = node.number("size")
    if source.about.number("sensitivity") != size * node.inside.number("sensitivity"):
        raise Refuted("the sensitivity is not that of the group")
    same = source.about.kind == node.inside.kind and variance(source.about) == variance(node.inside)
    if not same or source.about.relation != node.relation:
        raise Refuted("the input is about other noise")
    require_same(step, source)


# --- disjoint parts ----------------------------------------------------------------------------


@rule("parallel_one_part")
def parallel_one_part(step: Step) -> None:
    """One unit touches one part: the greatest guarantee of the parts."""
    node = _parallel(step.about)
    fixed = node.parameters.get("fixed_parts") is True
    if not (fixed or node.relation.kind == "add_or_remove" or len(node.parts) == 1):
        raise Refuted("a unit may move from one part to another")
    require_covered(step, {part.key for part, _ in node.parts})


@rule("parallel_two_parts")
def parallel_two_parts(step: Step) -> None:
    """A unit may leave one part and enter another: the greatest pair of parts."""
    node = _parallel(step.about)
    counts = Counter(part.key for part, _ in node.parts)
    distinct = list({part.key: part for part, _ in node.parts}.values())
    if len(distinct) > MOST_PARTS:
        raise NotChecked("every two of so many disjoint parts")
    pairs: list[tuple[tuple[Node, int], ...]] = [((a, 2),) for a in distinct if counts[a.key] > 1]
    pairs += [((a, 1), (b, 1)) for n, a in enumerate(distinct) for b in distinct[n + 1 :]]
    made = (step.events.make("Composed", {}, pair, node.relation).key for pair in pairs)
    require_covered(step, {*counts, *made})


def _parallel(node: Node) -> Node:
    while node.kind == "PostProcessed":
        node = node.inside
    if node.kind != "Parallel":
        raise Refuted("the step is not about disjoint parts")
    return node


def require_covered(step: Step, needed: set[int]) -> None:
    """Every case has an input, and the step says no more than each of them."""
    if any(count != 1 for _, count in step.inputs):
        raise Refuted("the worst part counts once")
    if {judgement.about.key for judgement, _ in step.inputs} != needed:
        raise Refuted("the inputs do not cover every part that a unit may touch")
    sources = [judgement for judgement, _ in step.inputs]
    if any(source.notion != step.says.notion for source in sources):
        raise Refuted("the inputs are of another notion")
    if any(source.values.get("order") != step.says.values.get("order") for source in sources):
        raise Refuted("the inputs are of another order")
    for name, value in step.says.values.items():
        values = [source.values[name] for source in sources]
        if value != (min(values) if name in PROTECTIVE else max(values)):
            raise Refuted(f"{name} is not that of the worst part")


# --- batches, reports, repetitions -------------------------------------------------------------


@rule("fixed_size_sample")
def fixed_size_sample(step: Step) -> None:
    """On a batch of m of n units: as a Poisson sample of rate m/n, for a unit replaced in it."""
    source = step.inside("WithoutReplacement", *NOTIONS)
    rate = step.about.number("batch_size") / step.about.number("population")
    if rate == 1 and step.about.relation.kind == "add_or_remove":
        raise Refuted("without one of its units the data has no such batch")
    require_on_batch(step, source, rate)


@rule("truncated_sample")
def truncated_sample(step: Step) -> None:
    """In a full batch a unit takes the place of another: a group of two."""
    source = step.only(*NOTIONS)
    if step.about.kind != "TruncatedSample" or not hides(step.about):
        raise Refuted("the step is not about a truncated sample that hides a unit")
    if source.about.key != step.events.grouped(step.about.inside, 2).key:
        raise Refuted("the input is not about a group of two")
    if step.says.notion == "ApproxDP":
        raise NotChecked("profiles of truncated samples")
    require_on_batch(step, source, require_rate(step))


def require_on_batch(step: Step, source: Judgement, rate: Fraction) -> None:
    """Pure DP and profiles are amplified, all else is as it is, but for bounded range."""
    if not 0 < rate <= 1 or step.says.notion != source.notion:
        raise Refuted("a batch is not as large as that, or the notion changes")
    if source.notion == "BoundedRange":
        raise Refuted("mixing over batches loses bounded range")
    if source.notion == "PureDP":
        require_at_least(step.value("epsilon"), amplified(source.number, rate), "epsilon")
    elif source.notion == "ApproxDP":
        require_thinned(step, source, rate)
    else:
        require_same(step, source)


@rule("draws_with_replacement")
def draws_with_replacement(step: Step) -> None:
    """A chain of one step a draw: m log(1 + (e^epsilon - 1)/n)."""
    step.gives("PureDP")
    epsilon = step.inside("WithReplacement", "PureDP").number
    m, n = step.about.number("batch_size"), step.about.number("population")
    if n == 1 and step.about.relation.kind == "add_or_remove":
        raise Refuted("without its only unit the data has nothing to draw")
    one = amplified(epsilon, 1 / n)
    require_at_least(step.value("epsilon"), lambda: ball(m) * one(), "epsilon")


@rule("shuffled_reports")
def shuffled_reports(step: Step) -> None:
    """Who sent which report is lost; what one report guarantees still holds."""
    require_same(step, step.inside("Shuffled", *NOTIONS))


@rule("select_pure", "select_pure_poisson")
def select_pure(step: Step) -> None:
    """epsilon and the largest log-ratio of the law of the number of runs at two probabilities."""
    step.gives("PureDP")
    epsilon = step.inside("Repeated", "PureDP").number
    law = step.about.parameters.get("law")
    poisson = step.theorem == "select_pure_poisson"
    if law != ("PoissonRepetitions" if poisson else "NegativeBinomialRepetitions"):
        raise Refuted("the number of runs has another law")

    def by_poisson() -> arb:
        return ball(epsilon) + ball(step.about.number("mean")) * ball(epsilon / 2).tanh()

    def by_binomial() -> arb:
        gamma, eta = ball(step.about.number("gamma")), ball(step.about.number("eta"))
        grown = ball(epsilon).exp()
        return ball(epsilon) + (1 + eta) * ((grown + gamma) / (1 + gamma * grown)).log()

    require_at_least(step.value("epsilon"), by_poisson if poisson else by_binomial, "epsilon")
