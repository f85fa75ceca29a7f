"""Texts of a file in a report: without what controls a terminal, and parts in a few words."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence

from tightrope.verify.event import Node

REPLACEMENT = "\N{REPLACEMENT CHARACTER}"
CONTROLS = ("Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp")
"""Categories of characters that control a terminal, the lines or the direction of reading."""

LONGEST = 60
"""Most characters of a text, or of a number, that a part is described by."""

MOST = 3
"""Most parts inside of a part that are named, and most levels."""

SEVERAL = frozenset(("Joint", "Parallel"))
"""Events whose parts stand side by side, each with a number."""


def cleaned(text: str) -> str:
    """The text on one line, without characters that control anything."""
    return "".join(REPLACEMENT if unicodedata.category(c) in CONTROLS else c for c in text)


def part_of(root: Node, node: Node) -> str:
    """What a part of the event is called: by its place, or by what it is; nothing for the whole."""
    if node.key == root.key:
        return ""
    if root.kind in SEVERAL:
        for place, (part, _) in enumerate(root.parts, start=1):
            if part.key == node.key:
                return f"part {place} of {len(root.parts)}"
    return described(node)


def headed(node: Node) -> str:
    """The kind of a node with its parameters."""
    return _called(node, ())


def described(node: Node, levels: int = MOST) -> str:
    """What a node is: its kind, its parameters and its parts, as far as a line has room."""
    inside = node.parts[:MOST] if levels else ()
    told = [described(part, levels - 1) + _times(count) for part, count in inside]
    rest = len(node.parts) - len(inside)
    return _called(node, [*told, f"{rest} more parts"] if rest else told)


def _called(node: Node, parts: Sequence[str]) -> str:
    given = [f"{name} = {_short(value)}" for name, value in node.parameters.items()]
    return f"{_clipped(node.kind)}({', '.join([*given, *parts])})"


def _times(count: int) -> str:
    return f" * {count}" if count > 1 else ""


def _short(value: object) -> str:
    """A parameter; what is no number stands in quotation marks."""
    text = str(value)
    if text.startswith("0x"):
        return repr(float.fromhex(text))
    short = _clipped(text)
    plain = short.replace(".", "").replace("/", "").replace("-", "").isalnum()
    return short if plain else repr(short)


def _clipped(text: str) -> str:
    return text if len(text) <= LONGEST else f"{text[: LONGEST - 3]}..."
