"""From a certificate to the contents of its report: its own numbers, and whether they verify.

Nothing is computed anew: the checker says what became of the file, and the report repeats the
claims, rounded here from their exact values, with the steps that the file gives for them.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import Any

from tightrope._errors import InvalidArgument
from tightrope._version import __version__
from tightrope.neighbors import Change, Neighbors
from tightrope.reporting.claimed import asked, conclusion, ends, found
from tightrope.reporting.folded import folded
from tightrope.reporting.library import Library
from tightrope.reporting.meaning import about_attackers, not_promised
from tightrope.reporting.record import GIVEN, Branch, Contents, Number, Origin, Part, Row, Sentence
from tightrope.verify.event import Events, Node
from tightrope.verify.outcome import UNREADABLE, VERIFIED, Refuted, Report, Unreadable
from tightrope.verify.reading import read_events
from tightrope.verify.words import described, part_of

MOST_INPUTS = 12
"""Inputs of one step that are told; the rest is counted."""

DEEPEST = 12
"""Levels of a derivation that are told."""

LIMITS = (
    "A certificate has no curves to draw, and says nothing about groups of units; the report of "
    "the analysis itself has both."
)

UNKNOWN = "The certificate does not verify: what it says about attackers is not known to be true."

SILENT = "The certificate claims nothing about attackers; its numbers stand below."

HOLDS = "The certificate verifies."
FAILS = "THE CERTIFICATE DOES NOT VERIFY."

UNCHECKED = "Its title and its description are words of its author, which nobody checked."

Record = Mapping[str, Any]
Sentences = tuple[Sentence, ...]


def contents_of(data: bytes) -> tuple[Contents, Report]:
    """All that is reported of a certificate, and what became of it when it was checked.

    Raises:
        InvalidArgument: it cannot be read, or python-flint is not installed.
    """
    from tightrope.verify import verify

    try:
        outcome = verify(data)
    except ModuleNotFoundError as error:
        raise InvalidArgument(str(error)) from None
    if outcome.exit_code == UNREADABLE:
        raise InvalidArgument(f"the certificate is {outcome.sentence}")
    content = json.loads(data)
    try:
        return _Reader(content, read_events(content), outcome).contents(), outcome
    except (Refuted, Unreadable, KeyError, TypeError, ValueError, ArithmeticError) as error:
        raise InvalidArgument(
            f"the certificate is {outcome.sentence}; it has no report, as it does not make sense: "
            f"{error}"
        ) from None


def _origin(content: Record, outcome: Report) -> Origin:
    verified = outcome.exit_code == VERIFIED
    told = (
        "Every step was derived again for this report, by code that shares nothing with what made "
        f"the certificate; it is {outcome.sentence}."
        if verified
        else f"It is {outcome.sentence}. Do not rely on the numbers below, which are repeated as "
        "they stand in the file."
    )
    made = f"made by tightrope {content['tightrope']}, {content['digest']}"
    words = f"{told} The numbers are those of a certificate ({made}). {UNCHECKED}"
    return Origin(HOLDS if verified else FAILS, words, verified)


class _Reader:
    """A certificate whose nodes are read, on its way to a report."""

    def __init__(self, content: Record, events: Events, outcome: Report):
        self.content, self.events, self.library = content, events, Library()
        self.origin = _origin(content, outcome)
        self.steps = {step["id"]: step for step in content["steps"]}

    def contents(self) -> Contents:
        """The report."""
        root = self.events.nodes[self.content["event"]]
        abouts = dict.fromkeys(claim["about"] for claim in self.content["claims"])
        parts = tuple(self.part(name, len(abouts) > 1) for name in abouts)
        relation = _neighbors(root)
        return Contents(
            title=self.content["title"],
            about=tuple(filter(None, (self.content["about"], LIMITS))),
            neighbors=f"Two data sets are neighbours, and hard to tell apart, by this: {relation}.",
            invariants=relation.invariants,
            ran=tuple(_ran(root)),
            parts=parts,
            reported=None,
            remarks=(),
            pictures=(),
            assumptions=tuple(known["text"] for known in self.content["assumptions"]),
            not_promised=not_promised(relation),
            sources=tuple(self.library.sources.values()),
            made_by=f"tightrope {__version__}",
            origin=self.origin,
        )

    def part(self, name: str, several: bool) -> Part:
        """What is claimed about one node."""
        node = self.events.nodes[name]
        relation = _neighbors(node)
        units = " and ".join(change.unit for change in relation.changes)
        place = part_of(self.events.nodes[self.content["event"]], node)
        claims = [claim for claim in self.content["claims"] if claim["about"] == name]
        rows = (*map(self.row, claims), *self.unanswered(name))
        answers = {claim["question"]: row.number for claim, row in zip(claims, rows, strict=False)}
        return Part(
            title=f"{place}: one {units}" if place else "everything",
            event=described(node),
            neighbors=str(relation),
            meaning=self.meaning(relation, answers),
            rows=folded(rows) if several else rows,
            groups=None,
        )

    def meaning(self, relation: Neighbors, answers: Mapping[str, Number | None]) -> Sentences:
        """What the claims about attackers say, if they are known to be true."""
        if not self.origin.verified:
            return ((UNKNOWN,),)
        told = about_attackers(relation, answers.get("advantage"), _hits(answers))
        return told or ((SILENT,),)

    def row(self, claim: Record) -> Row:
        """A claim as the answer to its question."""
        step = self.steps[claim["step"]]
        shown, digits = found(claim)
        number = Number(shown, digits, self.source(step), ends(claim, step))
        return Row(asked(claim["question"]), number, (), self.branch(step))

    def unanswered(self, name: str) -> Iterator[Row]:
        """The questions that the certificate leaves out."""
        for record in self.content["left_out"]:
            if record["about"] == name:
                yield Row(asked(record["question"]), None, (record["reason"],))

    def source(self, step: Record) -> str:
        """The key of the theorem of a step."""
        return self.library.cite_by_name(step["theorem"], step["citation"])

    def branch(self, step: Record, times: int = 1, depth: int = 0) -> Branch:
        """A step with those that it rests on; a first one rests on what was run."""
        known = step["inputs"][: MOST_INPUTS if depth < DEEPEST else 0]
        inputs = tuple(self.branch(self.steps[name], count, depth + 1) for name, count in known)
        return Branch(
            claim=conclusion(step["notion"], step["values"]),
            source=self.source(step),
            times=times,
            note=step.get("method", ""),
            inputs=inputs or (self.given(step["about"]),),
            more=len(step["inputs"]) - len(known),
        )

    def given(self, name: str) -> Branch:
        """What was run, as it stands."""
        self.library.cite(None)
        return Branch(described(self.events.nodes[name]), GIVEN)


def _hits(answers: Mapping[str, Number | None]) -> list[tuple[float, Number]]:
    """The rates of false alarms that were asked about, with the answers."""
    return [
        (float(Fraction(question.partition("=")[2])), number)
        for question, number in answers.items()
        if question.startswith("tpr") and number is not None
    ]


def _neighbors(node: Node) -> Neighbors:
    changes = tuple(Change(kind, unit) for kind, unit in node.relation.changes)
    return Neighbors(changes, node.relation.invariants)


def _ran(root: Node) -> Iterator[tuple[int, str]]:
    """The event in a few lines: what it is, and its parts."""
    if not root.parts:
        yield 0, described(root)
        return
    yield 0, f"{root.kind} of {sum(count for _, count in root.parts):,} parts"
    for part, count in root.parts[:MOST_INPUTS]:
        yield 1, f"{count:,} × {described(part)}" if count > 1 else described(part)
    if len(root.parts) > MOST_INPUTS:
        yield 1, f"and {len(root.parts) - MOST_INPUTS:,} more"
