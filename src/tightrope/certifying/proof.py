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
from tightrope.certifying.subjects import NotCertified, subjects_of
from tightrope.certifying.vertices import few_vertices
from tightrope.certifying.wire import Subject, Table, exact
from tightrope.mechanisms.discrete_gaussian import DiscreteGaussian
from tightrope.notions import GDP, Guarantee
from tightrope.plan.derivation import Conclusion, Step
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
        "vertices_to_gdp",
    )
)
"""Theorems with parameters as numbers that the checker does not derive again."""

MOST_SOURCES = 100_000
"""Most inputs of one step that are written down."""


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
        if isinstance(subject, DiscreteGaussian) and notion is GDP:
            _require_few_vertices(subject, float(values[0]))
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
        subjects = subjects_of(step, theorem, subject)
        if len(step.sources) > MOST_SOURCES:
            raise NotCertified(f"a step with {len(step.sources):,} inputs is too long")
        pairs = zip(step.inputs, subjects, strict=True)
        return [(self.prove(source, about), count) for (count, source), about in pairs]


def _require_few_vertices(noise: DiscreteGaussian, mu: float) -> None:
    if not few_vertices(noise, mu):
        raise NotCertified("mu of discrete noise this fine has too many vertices to be checked")


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
