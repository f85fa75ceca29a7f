"""Checking a certificate from the top: the file, the event, every step, the claims."""

from __future__ import annotations

from typing import Any

from tightrope.verify.assumptions import require_assumptions
from tightrope.verify.background import background_of
from tightrope.verify.claims import Claims
from tightrope.verify.document import read, require_digest, require_keys
from tightrope.verify.event import Events, Node
from tightrope.verify.outcome import (
    NOT_CHECKED,
    REFUTED,
    UNREADABLE,
    VERIFIED,
    Background,
    Claim,
    NotChecked,
    Place,
    Refuted,
    Report,
    Unreadable,
)
from tightrope.verify.reading import read_events
from tightrope.verify.statement import require_statement
from tightrope.verify.steps import Steps, Tell
from tightrope.verify.words import cleaned

MALFORMED = (AttributeError, LookupError, RecursionError, TypeError, ValueError)
"""What a record of the wrong shape may raise where nobody expected it."""


class Checker:
    """The state of one check; ``place`` is where it is, for the report."""

    def __init__(self, content: dict[str, Any]):
        self.content = content
        self.events = Events()
        self.place = Place()
        self.steps = 0

    def run(self, tell: Tell) -> tuple[Claim, ...]:
        """All checks in order; the claims that were verified, in words."""
        content = self.content
        require_digest(content)
        self.place.text = "the event"
        self.events = read_events(content)
        root = self._root()
        if root.is_loose:
            raise Refuted("the event is runs about several units, which are not joined")
        steps = Steps(self.events, self.place)
        steps.check(content["steps"], tell)
        self.steps = len(steps.judgements)
        claims = Claims(steps, root, self.place).check(content["claims"])
        self.place.text = "the assumptions"
        require_assumptions(content["assumptions"], self.events)
        self.place.text = "the statement"
        notions = {record["notion"] for record in content["claims"]}
        require_statement(content["statement"], self.events, root.relation, notions)
        self.place.text = "what is left out"
        for record in content["left_out"]:
            require_keys(record, {"about": str, "question": str, "reason": str}, "what is left out")
            self.events.named(record["about"])
        return claims

    def background(self) -> Background:
        """What stands beside the proofs, after they were checked."""
        return background_of(self.content, self.events, self._root())

    def _root(self) -> Node:
        return self.events.named(self.content["event"])


def verify(data: bytes, tell: Tell) -> Report:
    """What becomes of a certificate when every step of it is derived again."""
    checker: Checker | None = None
    try:
        checker = Checker(read(data))
        claims = checker.run(tell)
        background = checker.background()
    except (Refuted, NotChecked, Unreadable, ArithmeticError, *MALFORMED) as problem:
        return _failed(checker.place.text if checker else "", problem)
    return Report(VERIFIED, "verified", claims=claims, steps=checker.steps, background=background)


def _failed(place: str, problem: Exception) -> Report:
    place, reason = cleaned(place), cleaned(str(problem))
    if isinstance(problem, Refuted):
        return Report(REFUTED, "refuted", place, reason)
    if isinstance(problem, ArithmeticError):  # a quotient by 0, or a number beyond all doubles
        reason = "its numbers are beyond what the checker computes with"
    if isinstance(problem, NotChecked | ArithmeticError):
        return Report(NOT_CHECKED, "not checked", place, reason)
    reason = reason if isinstance(problem, Unreadable) else "a part is not of its shape"
    return Report(UNREADABLE, "unreadable", place, reason)
