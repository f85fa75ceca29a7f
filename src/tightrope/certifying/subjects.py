"""What the inputs of a step are about, by the rule and by what the step itself is about."""

from __future__ import annotations

from typing import Self

from tightrope._errors import TightropeError
from tightrope.certifying.wire import Subject, Together
from tightrope.events import (
    Composed,
    Event,
    Grouped,
    Joint,
    Parallel,
    PostProcessed,
    Restated,
    TruncatedSample,
)
from tightrope.mechanisms.gaussian import Gaussian
from tightrope.mechanisms.mechanism import Mechanism
from tightrope.plan.derivation import Step
from tightrope.plan.portfolio.composition import in_order
from tightrope.plan.portfolio.structure import MOST_PAIRS
from tightrope.theorems.registry import Theorem


class NotCertified(TightropeError):
    """A derivation that cannot be laid down step by step; the message says why."""

    @classmethod
    def by(cls, theorem: Theorem) -> Self:
        """The refusal of a step by a theorem that no certificate has a form for."""
        return cls(unwritten(theorem))


def unwritten(theorem: Theorem) -> str:
    """Why an answer is left out, for people."""
    if theorem.name.startswith("renyi") or "rdp" in theorem.name:
        return "it follows from a whole Renyi curve, and certificates hold single numbers only"
    return f"its proof uses {theorem.name} ({theorem.citation}), which cannot be written down yet"


def subjects_of(step: Step, theorem: Theorem, subject: Subject) -> list[Subject]:
    """What the inputs of a step are about, one for each."""
    if theorem.kind == "conversion":
        return [subject]
    if theorem.kind == "composition":
        return _parts(step, subject)
    if theorem.name in _STRUCTURE:
        return _STRUCTURE[theorem.name](step, subject)
    inside = getattr(subject, "event", None)
    if isinstance(inside, Event) and len(step.sources) == 1:
        return [inside]
    raise NotCertified.by(theorem)


def _parts(step: Step, subject: Subject) -> list[Subject]:
    """The parts of a composition in the order of its step; Gaussians may be composed first."""
    if isinstance(subject, Grouped):
        return _parts(step, _pushed_down(subject))
    if isinstance(subject, Together):
        return [part for part, _ in subject.runs]
    if not isinstance(subject, Composed):
        raise NotCertified(f"{subject!r} is no composition")
    runs = in_order(subject)
    gaussians = [(part, count) for part, count in runs if isinstance(part, Gaussian)]
    composed_first = len(step.sources) == len(runs) - len(gaussians) + 1 and any(
        source.theorem is not None and source.theorem.kind == "composition"
        for _, source in step.inputs
    )
    if not gaussians or not composed_first:
        return [part for part, _ in runs]
    if len(step.sources) == 1:
        return [Together(tuple(gaussians), subject.neighbors)]
    alone = [part for part, _ in runs if not isinstance(part, Gaussian)]
    place = next(i for i, (part, _) in enumerate(runs) if isinstance(part, Gaussian))
    together: Subject = Together(tuple(gaussians), subject.neighbors)
    return [*alone[:place], together, *alone[place:]]


def _pushed_down(subject: Grouped) -> Subject:
    """A group that meets a composition meets every part of it."""
    inside = subject.event
    if not isinstance(inside, Composed):
        raise NotCertified("a group of units of several kinds is not certified yet")
    parts = [(part.group(subject.size), count) for part, count in inside.counts.items()]
    return Composed(tuple(part if n == 1 else part**n for part, n in parts))


# --- rules of structure ------------------------------------------------------------------------


def _published(_: Step, subject: Subject) -> list[Subject]:
    assert isinstance(subject, PostProcessed)
    return [subject.event]


def _greatest(step: Step, subject: Subject) -> list[Subject]:
    if isinstance(subject, PostProcessed):
        return _greatest(step, subject.event)
    assert isinstance(subject, Parallel)
    distinct = list(dict.fromkeys(subject.parts))
    return list(subject.parts if len(step.sources) == len(subject.parts) else distinct)


def _two_parts(_: Step, subject: Subject) -> list[Subject]:
    """Every two parts between which a unit may move, and every part in which it may stay."""
    if not isinstance(subject, Parallel):
        raise NotCertified("disjoint parts under a wider relation are not certified yet")
    parts = subject.parts
    distinct = list(dict.fromkeys(parts))
    if len(distinct) > MOST_PAIRS:
        raise NotCertified("so many disjoint parts are not certified pair by pair yet")
    pairs = [
        Together(((a, 1), (b, 1)) if a != b else ((a, 2),), subject.neighbors)
        for position, a in enumerate(distinct)
        for b in distinct[position:]
        if a != b or parts.count(a) > 1
    ]
    return [*pairs, *parts]


def _joint(_: Step, subject: Subject) -> list[Subject]:
    assert isinstance(subject, Joint)
    return [Together(tuple((part, 1) for part in subject.parts), subject.neighbors)]


def _removed_and_added(_: Step, subject: Subject) -> list[Subject]:
    assert isinstance(subject, Restated)
    return [subject.event.group(2)]


def _more_sensitive(_: Step, subject: Subject) -> list[Subject]:
    assert isinstance(subject, Grouped)
    assert isinstance(subject.event, Mechanism)
    wider = subject.event.grouped(subject.size)
    if wider is None:
        raise NotCertified("a larger sensitivity is not known")
    return [wider]


def _in_place_of_another(_: Step, subject: Subject) -> list[Subject]:
    assert isinstance(subject, TruncatedSample)
    return [subject.event.group(2)]


_STRUCTURE = {
    "post_processing": _published,
    "parallel_one_part": _greatest,
    "parallel_two_parts": _two_parts,
    "joint_units": _joint,
    "removal_and_addition": _removed_and_added,
    "greatest_sensitivity": _more_sensitive,
    "truncated_sample": _in_place_of_another,
}
