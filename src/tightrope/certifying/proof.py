"""From a derivation to a flat list of steps, each of which says about which event it speaks.

The planner's steps say which theorem leads from what to what. Here each of them is laid beside the
event that it is about, so that somebody who trusts nothing can check both: that the theorem gives
the number, and that the number is about this event and no other.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from tightrope._check import parameters
from tightrope._errors import TightropeError
from tightrope.certifying.wire import Subject, Table, Together, exact
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
from tightrope.notions import Guarantee
from tightrope.plan.derivation import Conclusion, Step
from tightrope.plan.portfolio.composition import in_order
from tightrope.plan.portfolio.structure import MOST_PAIRS
from tightrope.theorems.registry import Theorem

Input = tuple[str, int]
"""The id of a step, and how often it is used."""

UNCHECKED = frozenset(
    (
        "DiscreteGaussianVector.gdp",
        "FinitePair.pure",
        "FinitePair.zcdp",
        "GaussianSparseVector.profile",
        "exact_composition_ranges",
        "offset_zcdp_to_gdp",
        "rdp_to_pure",
        "rdp_to_zcdp",
        "slope_to_pure",
        "tight_mu_of_composition",
        "vertices_to_gdp",
    )
)
"""Theorems with parameters as numbers that the checker does not derive again."""

MOST_SOURCES = 100_000
"""Most inputs of one step that are written down."""


class NotCertified(TightropeError):
    """A derivation that cannot be laid down step by step; the message says why."""


@dataclass
class Proof:
    """The steps of a certificate, each of them once."""

    table: Table = field(default_factory=Table)
    steps: list[dict[str, Any]] = field(default_factory=list)
    _ids: dict[tuple[Any, ...], str] = field(default_factory=dict)

    def prove(self, step: Step, subject: Subject) -> str:
        """The id of the step that proves a conclusion about what it speaks of."""
        conclusion = step.claim
        if step.theorem is None or _states(subject, conclusion):
            return self._given(step, subject)
        if not isinstance(conclusion, Conclusion):
            raise NotCertified(f"the step by {step.theorem.name} is about a whole curve")
        inputs = self.inputs(step, step.theorem, subject)
        return self.enter(subject, step.theorem, inputs, conclusion.notion, conclusion.values)

    def enter(
        self,
        subject: Subject,
        theorem: Theorem | None,
        inputs: Sequence[Input],
        notion: type,
        values: Sequence[Any],
        **further: Any,
    ) -> str:
        """Write one step down, if it does not stand there already."""
        written = named_values(notion, values)
        return self.enter_named(subject, theorem, inputs, notion, written, **further)

    def enter_named(
        self,
        subject: Subject,
        theorem: Theorem | None,
        inputs: Sequence[Input],
        notion: type,
        written: dict[str, Any],
        **further: Any,
    ) -> str:
        """Write one step down with its numbers as texts."""
        if theorem is not None and theorem.name in UNCHECKED:
            raise NotCertified(f"{theorem.name} is not derived again by the checker")
        about = self.table.add(subject)
        name = theorem.name if theorem is not None else "given"
        key = (about, name, tuple(inputs), notion.__name__, tuple(written.items()))
        if key not in self._ids:
            self._ids[key] = f"s{len(self.steps)}"
            self.steps.append(
                {
                    "id": self._ids[key],
                    "about": about,
                    "theorem": name,
                    "citation": theorem.citation if theorem is not None else "",
                    "inputs": [list(pair) for pair in inputs],
                    "notion": notion.__name__,
                    "values": written,
                    **further,
                }
            )
        return self._ids[key]

    def needed(self, last: Sequence[str]) -> list[dict[str, Any]]:
        """The steps that these rest on, and these, in order."""
        wanted = set(last)
        for step in reversed(self.steps):
            if step["id"] in wanted:
                wanted.update(source for source, _ in step["inputs"])
        return [step for step in self.steps if step["id"] in wanted]

    def _given(self, step: Step, subject: Subject) -> str:
        if not isinstance(subject, Guarantee) or not subject.values:
            raise NotCertified(f"nothing was derived about {step.claim}")
        return self.enter(subject, None, (), type(subject), subject.values)

    def inputs(self, step: Step, theorem: Theorem, subject: Subject) -> list[Input]:
        """The steps that a step rests on, each proved about its own event."""
        if theorem.kind == "mechanism":
            return []
        subjects = self._subjects(step, theorem, subject)
        if len(step.sources) > MOST_SOURCES:
            raise NotCertified(f"a step with {len(step.sources):,} inputs is too long")
        pairs = zip(step.inputs, subjects, strict=True)
        return [(self.prove(source, about), count) for (count, source), about in pairs]

    def _subjects(self, step: Step, theorem: Theorem, subject: Subject) -> list[Subject]:
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
        raise NotCertified(f"no certificate can be written yet of {theorem.name}")


def _states(subject: Subject, conclusion: str | Conclusion) -> bool:
    """Whether the conclusion is the very guarantee that is the subject, however it was found."""
    if not isinstance(subject, Guarantee) or not isinstance(conclusion, Conclusion):
        return False
    own = tuple(float(value) for value in subject.values)
    return conclusion.notion is type(subject) and conclusion.values == own


def named_values(notion: type, values: Sequence[Any]) -> dict[str, Any]:
    """Parameters by their names, exactly."""
    names = [p.name for p in parameters(notion)]
    if not all(math.isfinite(value) for value in values):
        raise NotCertified(f"{notion.__name__} is known with an infinite parameter only")
    return dict(zip(names, map(exact, values), strict=True))


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
