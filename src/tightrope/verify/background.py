"""What stands beside the proofs of a certificate, in words for people."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from decimal import ROUND_CEILING, Context, Decimal
from fractions import Fraction
from typing import Any

from tightrope.verify.event import Events, Node
from tightrope.verify.outcome import Background, Part
from tightrope.verify.words import SEVERAL, headed, part_of

WHOLE = "the whole"

DUST = Fraction(1, 10**12)
"""Relative excess that rounding forgives."""


def background_of(content: Mapping[str, Any], events: Events, root: Node) -> Background:
    """Read off a certificate that was verified."""
    return Background(
        parts=parts_of(root),
        assumptions=tuple(given["text"] for given in content["assumptions"]),
        left_out=tuple(_left_out(content["left_out"], events, root)),
        title=content["title"],
        about=content["about"],
    )


def parts_of(root: Node) -> tuple[Part, ...]:
    """What was run, one by one of what stands side by side."""
    if root.kind not in SEVERAL:
        return (Part("", mechanisms_of(root)),)
    distinct = {part.key: part for part, _ in root.parts}.values()
    return tuple(Part(part_of(root, part), mechanisms_of(part)) for part in distinct)


def mechanisms_of(root: Node) -> tuple[str, ...]:
    """The leaves with their parameters and numbers of runs, and what lies around them."""
    found: Counter[str] = Counter()
    waiting = [(root, "", 1)]
    while waiting:
        node, around, times = waiting.pop()
        if not node.parts:
            found[headed(node) + around] += times
        outside = around if node.kind in ("Composed", "Joint") else f" in {headed(node)}{around}"
        waiting.extend((part, outside, times * count) for part, count in reversed(node.parts))
    return tuple(f"{n} x {text}" if n > 1 else text for text, n in found.items())


def _left_out(records: Iterable[Mapping[str, str]], events: Events, root: Node) -> Iterator[str]:
    """Each question once for every reason, with what it is asked about if that is not all."""
    abouts: dict[tuple[str, str], list[str]] = {}
    for record in records:
        name = part_of(root, events.named(record["about"])) or WHOLE
        abouts.setdefault((record["question"], record["reason"]), []).append(name)
    for (question, reason), names in abouts.items():
        about = "" if names == [WHOLE] else f" of {_enumerated(names)}"
        yield f"{question}{about}: {reason}"


def _enumerated(names: Sequence[str]) -> str:
    *others, last = names
    return f"{', '.join(others)} and {last}" if others else last


def in_words(notion: str, values: Mapping[str, Fraction]) -> str:
    """What a point of a curve means, where that is a plain sentence."""
    if notion == "ApproxDP" and values["epsilon"] == 0:
        return f"advantage over guessing of at most {_percent(values['delta'])}"
    if notion == "TradeOff":
        hits = _percent(1 - values["beta"])
        return f"at most {hits} hits at {_percent(values['alpha'])} false alarms"
    return ""


def _percent(share: Fraction) -> str:
    """Three digits, rounded up: to the side of the weaker claim."""
    digits = Context(prec=3, rounding=ROUND_CEILING)
    percent = 100 * share * (1 - DUST)
    told = digits.divide(Decimal(percent.numerator), Decimal(percent.denominator))
    return f"{told.normalize():f} %"
