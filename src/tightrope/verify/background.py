"""What stands beside the proofs of a certificate, in words for people."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from decimal import ROUND_CEILING, Context, Decimal
from fractions import Fraction
from typing import Any

from tightrope.verify.event import Node
from tightrope.verify.outcome import Background


def background_of(content: Mapping[str, Any], root: Node) -> Background:
    """Read off a certificate that was verified."""
    return Background(
        mechanisms=mechanisms_of(root),
        assumptions=tuple(given["text"] for given in content["assumptions"]),
        left_out=tuple(f"{left['question']}: {left['reason']}" for left in content["left_out"]),
        title=content["title"],
        about=content["about"],
    )


def mechanisms_of(root: Node) -> tuple[str, ...]:
    """The leaves with their parameters and numbers of runs, and what lies around them."""
    found: Counter[str] = Counter()
    waiting = [(root, "", 1)]
    while waiting:
        node, around, times = waiting.pop()
        if not node.parts:
            found[_told(node) + around] += times
        outside = around if node.kind in ("Composed", "Joint") else f" in {_told(node)}{around}"
        waiting.extend((part, outside, times * count) for part, count in reversed(node.parts))
    return tuple(f"{n} x {text}" if n > 1 else text for text, n in found.items())


def in_words(notion: str, values: Mapping[str, Fraction]) -> str:
    """What a point of a curve means, where that is a plain sentence."""
    if notion == "ApproxDP" and values["epsilon"] == 0:
        return f"advantage over guessing of at most {_percent(values['delta'])}"
    if notion == "TradeOff":
        hits = _percent(1 - values["beta"])
        return f"at most {hits} hits at {_percent(values['alpha'])} false alarms"
    return ""


def _percent(share: Fraction) -> str:
    """Four digits, rounded up: to the side of the weaker claim."""
    digits = Context(prec=4, rounding=ROUND_CEILING)
    told = digits.divide(Decimal(100 * share.numerator), Decimal(share.denominator))
    return f"{told.normalize():f} %"


def _told(node: Node) -> str:
    given = ", ".join(f"{name} = {_short(value)}" for name, value in node.parameters.items())
    return f"{node.kind}({given})"


def _short(value: Any) -> str:
    text = str(value)
    if text.startswith("0x"):
        return repr(float.fromhex(text))
    return text if len(text) <= 40 else f"{text[:40]}..."
