"""Texts of a file in a report: without what controls a terminal, and parts in a few words."""

from __future__ import annotations

import unicodedata

from tightrope.verify.event import Node

REPLACEMENT = "\N{REPLACEMENT CHARACTER}"
CONTROLS = ("Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp")
"""Categories of characters that control a terminal, the lines or the direction of reading."""

LONGEST = 60
"""Most characters of a text, or of a number, that a part is described by."""

MOST = 3
"""Most parts inside of a part that are named, and most levels."""


def cleaned(text: str) -> str:
    """The text on one line, without characters that control anything."""
    return "".join(REPLACEMENT if unicodedata.category(c) in CONTROLS else c for c in text)


def described(node: Node, levels: int = MOST) -> str:
    """What a node is: its kind, its parameters and its parts, as far as a line has room."""
    told = [f"{name} = {_short(value)}" for name, value in node.parameters.items()]
    if node.parts:
        inside = node.parts[:MOST] if levels else ()
        told += [described(part, levels - 1) + _times(count) for part, count in inside]
        rest = len(node.parts) - len(inside)
        told += [f"{rest} more parts"] if rest else []
    return f"{_short(node.kind, quoted=False)}({', '.join(told)})"


def _times(count: int) -> str:
    return f" * {count}" if count > 1 else ""


def _short(value: object, *, quoted: bool = True) -> str:
    """A parameter or a name; what is no number stands in quotation marks."""
    text = str(value)
    short = text if len(text) <= LONGEST else f"{text[: LONGEST - 3]}..."
    plain = short.replace(".", "").replace("/", "").replace("-", "").isalnum()
    return short if plain or not quoted else repr(short)
