"""Checking a certificate from the top: the file, the event, every step, the claims."""

from __future__ import annotations

import time
from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from tightrope.verify.assumptions import require_assumptions, require_statement
from tightrope.verify.background import background_of, in_words
from tightrope.verify.citations import CITATIONS
from tightrope.verify.claims import require_answer, require_shown
from tightrope.verify.document import read, require_digest, require_keys
from tightrope.verify.event import Events, Node
from tightrope.verify.numbers import exact
from tightrope.verify.outcome import (
    NOT_CHECKED,
    REFUTED,
    UNREADABLE,
    VERIFIED,
    Background,
    Claim,
    NotChecked,
    Refuted,
    Report,
    Unreadable,
    counted,
)
from tightrope.verify.reading import read_events
from tightrope.verify.rules import (  # noqa: F401  (they enter their rules)
    discrete_gaussian,
    divergences,
    exact_composition,
    profiles,
    renyi,
    skellam,
    structure,
    tight_mu,
)
from tightrope.verify.step import (
    NOTIONS,
    PROBABILITIES,
    RULES,
    Judgement,
    Step,
)
from tightrope.verify.words import cleaned, described

STEP = {
    "id": str,
    "about": str,
    "theorem": str,
    "citation": str,
    "inputs": list,
    "notion": str,
    "values": dict,
    "method": str,
    "interval": dict,
}
MOST_SECONDS = 900
"""Of computing, after which no further step of a file is begun."""

CLAIM = {
    "about": str,
    "fingerprint": str,
    "question": str,
    "neighbors": str,
    "notion": str,
    "values": dict,
    "shown": dict,
    "step": str,
}


class Checker:
    """The state of one check; ``place`` is where it is, for the report."""

    def __init__(self, content: dict[str, Any]):
        self.content = content
        self.place = ""
        self.events = Events()
        self.judgements: dict[str, Judgement] = {}
        self.inside: set[int] = set()

    def run(self) -> tuple[Claim, ...]:
        """All checks in order; the claims that were verified, in words."""
        require_digest(self.content)
        self.place = "the event"
        self.events = read_events(self.content)
        root = self._node(self.content["event"])
        if root.is_loose:
            raise Refuted("the event is runs about several units, which are not joined")
        start = time.process_time()
        for number, record in enumerate(self.content["steps"]):
            self._check_step(record)
            _require_quick(time.process_time() - start, len(self.content["steps"]) - number - 1)
        if not self.content["claims"]:
            raise Refuted("the certificate claims nothing")
        self.inside = _inside(root)
        claims = tuple(self._check_claim(record, root) for record in self.content["claims"])
        self.place = "the assumptions"
        require_assumptions(self.content["assumptions"], self.events)
        self.place = "the statement"
        notions = {record["notion"] for record in self.content["claims"]}
        require_statement(self.content["statement"], self.events, root.relation, notions)
        self.place = "what is left out"
        self._check_left_out()
        return claims

    def background(self) -> Background:
        """What stands beside the proofs, after they were checked."""
        return background_of(self.content, self._node(self.content["event"]))

    def _node(self, name: Any) -> Node:
        if not isinstance(name, str) or name not in self.events.nodes:
            raise Unreadable(f"there is no node {str(name)[:20]!r}")
        return self.events.nodes[name]

    # --- steps -----------------------------------------------------------------------------

    def _check_step(self, record: Any) -> None:
        require_keys(record, STEP, "a step", "method interval")
        name, theorem = record["id"], record["theorem"]
        self.place = f"step {name[:20]} ({theorem[:60]})"
        if name in self.judgements:
            raise Unreadable("two steps have one id")
        if theorem not in CITATIONS:
            raise Refuted("no theorem of this name is known")
        if record["citation"] != CITATIONS[theorem]:
            raise Refuted("the citation is not that of the theorem")
        says = Judgement(
            self._node(record["about"]), record["notion"], self._values(record, record["values"])
        )
        step = Step(theorem, says, self._inputs(record), self.events, _interval(record))
        if theorem not in RULES:
            raise NotChecked(f"{theorem} is not derived again")
        RULES[theorem](step)
        if step.interval and not theorem.startswith("exact_composition"):
            raise Refuted("only composed numbers have an interval")
        self.judgements[name] = says

    def _inputs(self, record: Any) -> tuple[tuple[Judgement, int], ...]:
        found = []
        for pair in record["inputs"]:
            if not (isinstance(pair, list) and len(pair) == 2 and type(pair[1]) is int):
                raise Unreadable("an input is the id of a step and a count")
            if not isinstance(pair[0], str) or pair[0] not in self.judgements:
                raise Refuted(f"an input names {str(pair[0])[:20]!r}, which no earlier step is")
            found.append((self.judgements[pair[0]], pair[1]))
        return tuple(found)

    def _values(self, record: Any, values: Any) -> dict[str, Fraction]:
        names = NOTIONS.get(record["notion"])
        if names is None or tuple(sorted(values)) != tuple(sorted(names)):
            raise Refuted("the numbers are not those of the notion")
        found = {name: exact(values[name], name) for name in names}
        for name, value in found.items():
            above = value > 1 if name == "omega" else value >= 0
            if not above or (name in PROBABILITIES and value > 1):
                raise Refuted(f"{name} lies outside of its range")
        return found

    # --- claims ----------------------------------------------------------------------------

    def _check_claim(self, record: Any, root: Node) -> Claim:
        require_keys(record, CLAIM, "a claim")
        self.place = f"the claim {record['question'][:40]!r}"
        node = self._node(record["about"])
        values = self._values(record, record["values"])
        if record["fingerprint"] != node.fingerprint:
            raise Refuted("its fingerprint is that of another event")
        if node.key not in self.inside:
            raise Refuted("it is about nothing that was run")
        proved = self.judgements.get(record["step"])
        if proved is None or proved.about.key != node.key:
            raise Refuted("its step is about another event")
        if proved.notion != record["notion"] or dict(proved.values) != values:
            raise Refuted("its step proves something else")
        if record["neighbors"] != str(node.relation):
            raise Refuted("its neighbours are not those of the event")
        require_answer(record["question"], record["notion"], values)
        require_shown(record["shown"], values)
        part = "" if node.key == root.key else f"{record['about'][:20]}: {described(node)}"
        return Claim(*map(cleaned, (*_in_words(record), record["neighbors"], part)))

    def _check_left_out(self) -> None:
        for record in self.content["left_out"]:
            require_keys(record, {"about": str, "question": str, "reason": str}, "what is left out")
            self._node(record["about"])


def _in_words(record: Mapping[str, Any]) -> tuple[str, str]:
    """The numbers of a claim as people read them, and what they mean."""
    shown, notion = record["shown"], record["notion"]
    told = ", ".join(f"{name} = {text}" for name, text in shown.items())
    rounded = {name: exact(text, name) for name, text in shown.items()}
    return f"{notion}({told})", in_words(notion, rounded)


def _require_quick(seconds: float, left: int) -> None:
    """No file is worked at for longer than so many seconds; each step has bounds of its own."""
    if seconds > MOST_SECONDS and left:
        rest = f"{counted(left, 'step')} {'is' if left == 1 else 'are'} left"
        raise NotChecked(f"{rest} after {MOST_SECONDS} seconds of computing, the most for one file")


def _inside(root: Node) -> set[int]:
    """The keys of the event and of all that is in it."""
    found: set[int] = set()
    waiting = [root]
    while waiting:
        node = waiting.pop()
        if node.key not in found:
            found.add(node.key)
            waiting.extend(part for part, _ in node.parts)
    return found


def _interval(record: Mapping[str, Any]) -> dict[str, tuple[Fraction, Fraction]]:
    found = {}
    for name, ends in record.get("interval", {}).items():
        if not (isinstance(ends, list) and len(ends) == 2):
            raise Unreadable("an interval has two ends")
        low, high = (exact(end, f"an end of {name[:20]}") for end in ends)
        if low > high:
            raise Refuted("the ends of an interval are the wrong way round")
        found[name] = (low, high)
    return found


MALFORMED = (AttributeError, LookupError, RecursionError, TypeError, ValueError)
"""What a record of the wrong shape may raise where nobody expected it."""


def verify(data: bytes) -> Report:
    """What becomes of a certificate when every step of it is derived again."""
    checker: Checker | None = None
    try:
        checker = Checker(read(data))
        claims = checker.run()
        background = checker.background()
    except (Refuted, NotChecked, Unreadable, ArithmeticError, *MALFORMED) as problem:
        return _failed(checker.place if checker else "", problem)
    return Report(
        VERIFIED,
        "verified",
        claims=claims,
        steps=len(checker.judgements),
        background=background,
    )


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
