"""Claims: whether a step proves them, and what they answer, rounded as it should be."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from tightrope.verify.background import in_words
from tightrope.verify.document import require_keys
from tightrope.verify.event import Node
from tightrope.verify.numbers import exact
from tightrope.verify.outcome import Claim, Place, Refuted
from tightrope.verify.step import PROTECTIVE
from tightrope.verify.steps import Steps, numbers_of
from tightrope.verify.words import cleaned, part_of

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

DUST = Fraction(1, 10**12)
"""Relative distance that rounding forgives."""

QUESTIONS = {
    "pure": "PureDP",
    "zcdp": "ZCDP",
    "gdp": "GDP",
    "tcdp": "TCDP",
    "br": "BoundedRange",
    "logistic": "LogisticDP",
    "approx": "ApproxDP",
    "advantage": "ApproxDP",
    "tpr": "TradeOff",
    "tradeoff": "TradeOff",
    "rdp": "RDP",
}

POINTS = {
    "approx": ("delta", "epsilon"),
    "rdp": ("order",),
    "tpr": ("fpr",),
    "tradeoff": ("alpha",),
}
"""Where questions about curves can be asked."""


class Claims:
    """The claims about an event and what is in it."""

    def __init__(self, steps: Steps, root: Node, place: Place):
        self.steps = steps
        self.root = root
        self.place = place
        self._inside = _inside(root)

    def check(self, records: list[Any]) -> tuple[Claim, ...]:
        """The claims in words, each of them proved by its step."""
        self.place.text = "the claims"
        if not records:
            raise Refuted("the certificate claims nothing")
        return tuple(map(self._check, records))

    def _check(self, record: Any) -> Claim:
        require_keys(record, CLAIM, "a claim")
        self.place.text = f"the claim {record['question'][:40]!r}"
        node, values = self.steps.events.named(record["about"]), numbers_of(record)
        if record["fingerprint"] != node.fingerprint:
            raise Refuted("its fingerprint is that of another event")
        if node.key not in self._inside:
            raise Refuted("it is about nothing that was run")
        proved = self.steps.judgements.get(record["step"])
        if proved is None or proved.about.key != node.key:
            raise Refuted("its step is about another event")
        if proved.notion != record["notion"] or dict(proved.values) != values:
            raise Refuted("its step proves something else")
        if record["neighbors"] != str(node.relation):
            raise Refuted("its neighbours are not those of the event")
        require_answer(record["question"], record["notion"], values)
        require_shown(record["shown"], values)
        told = ", ".join(f"{name} = {text}" for name, text in record["shown"].items())
        meaning = in_words(record["notion"], values)
        numbers, neighbors = f"{record['notion']}({told})", record["neighbors"]
        return Claim(*map(cleaned, (numbers, meaning, neighbors, part_of(self.root, node))))


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


def require_answer(question: str, notion: str, values: Mapping[str, Fraction]) -> None:
    """The claim answers its question, at the point that the question names."""
    name, _, point = question.partition(" ")
    if QUESTIONS.get(name) != notion:
        raise Refuted("it does not answer its question")
    if question == "advantage":
        asked, given = Fraction(0), values["epsilon"]
    elif point:
        key, _, text = point.partition("=")
        if key not in POINTS.get(name, ()) or question != f"{name} {key}={text}":
            raise Refuted("its question has no such point")
        given = values["alpha" if key == "fpr" else key]
        asked = exact(text, "the point of a question")
    elif name in POINTS or question != name:
        raise Refuted("its question names no point")
    else:
        return
    if abs(given - asked) > abs(asked) * DUST:
        raise Refuted("it answers its question at another point")


def require_shown(shown: Mapping[str, Any], values: Mapping[str, Fraction]) -> None:
    """The numbers for people have four digits, and are rounded to the side of the weaker claim."""
    if set(shown) != set(values):
        raise Refuted("the rounded numbers are not those of the claim")
    for name, text in shown.items():
        rounded, value = exact(text, f"rounded {name}"), values[name]
        if rounded == value:
            continue
        moved = (value - rounded) if name in PROTECTIVE else (rounded - value)
        unit, dust = _unit(value), value * DUST
        if (rounded / unit).denominator != 1 or not -dust <= moved < unit - dust:
            raise Refuted(f"the rounded {name} is on the unsafe side, or far off")


def _unit(value: Fraction) -> Fraction:
    """The unit of the fourth digit of a number above 0."""
    unit = Fraction(1, 1000)
    if value <= 0:
        return unit
    while value < 1000 * unit:
        unit /= 10
    while value >= 10000 * unit:
        unit *= 10
    return unit
