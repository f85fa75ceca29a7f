"""The theorems that a report refers to, collected while it is written."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from tightrope.plan.derivation import MOST_INPUTS, Step
from tightrope.reporting.record import GIVEN, Branch, Source
from tightrope.theorems.registry import Theorem

NOTHING_DERIVED = Source(
    GIVEN, "Stated by whoever described the analysis, and taken as it stands; nothing was derived."
)

DEEPEST = 12
"""Levels of a derivation that are printed."""

PASSED_ON = ("post_processing", "parallel_one_part")
"""Theorems that give the number of what they are about, unchanged."""


@dataclass
class Library:
    """The sources by their keys, each entered when something first refers to it."""

    sources: dict[str, Source] = field(default_factory=dict)

    def cite(self, theorem: Theorem | None) -> str:
        """The key of a theorem, or of what was given."""
        source = NOTHING_DERIVED if theorem is None else _source(theorem)
        return self.sources.setdefault(source.key, source).key

    def cite_by_name(self, name: str, citation: str) -> str:
        """The key of the theorem of that name; of one that is not known, with its citation."""
        from tightrope.theorems.registry import named

        try:
            return self.cite(named(name))
        except KeyError:
            return self.sources.setdefault(name, Source(name, name, "", citation)).key

    def cite_last(self, step: Step) -> str:
        """The key of the theorem that tells where the conclusion of a step comes from."""
        return self.cite(telling(step).theorem)

    def tree(self, step: Step, times: int = 1, depth: int = 0) -> Branch:
        """A derivation, of which long lists and great depths are cut short."""
        first = replace(step, sources=step.sources[: MOST_INPUTS if depth < DEEPEST else 0])
        inputs = tuple(self.tree(source, count, depth + 1) for count, source in first.inputs)
        more = len(step.sources) - len(inputs)
        return Branch(str(step.claim), self.cite(step.theorem), times, step.note, inputs, more)


def telling(step: Step) -> Step:
    """The step below those that only pass a number on, from the one thing that they are about."""
    while step.theorem is not None and step.theorem.name in PASSED_ON and len(step.sources) == 1:
        ((_, step),) = step.inputs
    return step


def _source(theorem: Theorem) -> Source:
    paper = theorem.reference
    return Source(
        key=theorem.name,
        statement=theorem.statement,
        grade=theorem.grade.value,
        citation=theorem.citation,
        paper=str(paper),
        link=paper.link,
    )
