"""What was run, in lines that people read: long lists of one mechanism become one line."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import count

from tightrope import _wire
from tightrope.spec.scope import Node, Told

MOST_LISTED = 4
"""Most leaves of one node that are listed one by one."""

_WORDS: Mapping[str, str] = {
    "rate": "on a sample at rate {}",
    "times": "run {} times",
    "group": "seen by groups of {}",
    "restated": "restated for {}",
    "then": "published: {}",
}
"""How modifiers read."""


COUNTS = ("times", "group", "cutoff", "categories")
"""Parameters that are whole numbers, and told with all their digits."""


@dataclass(frozen=True)
class Line:
    """One line: how deep it stands, its label, and what was run."""

    depth: int
    label: str
    what: str


def distinct(names: Iterable[str]) -> tuple[str, ...]:
    """The names in order, those that occur repeatedly with a number.

    Examples:
        >>> distinct(["north", "north", "both"])
        ('north', 'north (2)', 'both')
    """
    found: dict[str, None] = {}
    for name in names:
        tries = (name if n == 1 else f"{name} ({n})" for n in count(1))
        found[next(text for text in tries if text not in found)] = None
    return tuple(found)


def outline(node: Node) -> tuple[Line, ...]:
    """The lines for a node and all below it."""
    return tuple(_lines(node, 0))


def _lines(node: Node, depth: int) -> Iterator[Line]:
    if not node.parts:
        yield Line(depth, node.label, _described([node]))
    elif len(node.parts) == 1 and not (node.label or node.told):
        yield from _lines(node.parts[0], depth)
    elif len(node.parts) > MOST_LISTED and not any(part.parts for part in node.parts):
        yield Line(depth, node.label, _joined(_summary(node), node.told))
    else:
        yield Line(depth, node.label, _joined(_counted(node), node.told))
        for part in node.parts:
            yield from _lines(part, depth + 1)


def _counted(node: Node) -> str:
    """``65 releases in 6 groups``, for a composition of compositions."""
    leaves, groups = _leaves(node), len(node.parts)
    if node.kind != "composition":
        return f"{leaves} releases in {groups} {node.kind}"
    return f"{leaves} releases in {groups} groups" if leaves > groups else f"{leaves} releases"


def _leaves(node: Node) -> int:
    return sum(_leaves(part) for part in node.parts) if node.parts else 1


def _summary(node: Node) -> str:
    kinds = dict.fromkeys(part.kind for part in node.parts)
    alike = [[part for part in node.parts if part.kind == kind] for kind in kinds]
    told = "; ".join(f"{len(leaves)} × {_described(leaves)}" for leaves in alike)
    return told if node.kind == "composition" else f"{told}, in {len(node.parts)} {node.kind}"


def _described(leaves: Sequence[Node]) -> str:
    """``discrete Gaussian mechanism, noise scale 1.2 to 9.8, run 2 times each``."""
    told = [item for leaf in leaves for item in leaf.told]
    keys = dict.fromkeys(item.key for item in told)
    ranges = [_range(key, [item for item in told if item.key == key]) for key in keys]
    if "times" in keys and len(leaves) > 1:
        ranges[list(keys).index("times")] += " each"
    return ", ".join([leaves[0].kind.removesuffix(" mechanism"), *ranges])


def _joined(what: str, told: Sequence[Told]) -> str:
    return ", ".join([what, *(_range(item.key, [item]) for item in told)])


def _range(key: str, told: Sequence[Told]) -> str:
    values = [item.value for item in told if item.value is not None]
    if not values:
        texts = list(dict.fromkeys(item.written for item in told))
        return _worded(key, ", ".join(texts[:3]) + (", ..." if len(texts) > 3 else ""))
    numbers = sorted(map(float, values))
    if key == "variance":
        key, numbers = "noise_scale", [math.sqrt(number) for number in numbers]
    if key in COUNTS:
        return _worded(key, " to ".join(f"{n:,.0f}" for n in sorted({numbers[0], numbers[-1]})))
    if numbers[0] == numbers[-1]:
        text = f"{numbers[0]:.4g}"
        return _worded(key, text if float(text) == numbers[0] else f"about {text}")
    return _worded(key, f"{_wire.shown_down(numbers[0], 3)} to {_wire.shown(numbers[-1], 3)}")


def _worded(key: str, value: str) -> str:
    return _WORDS.get(key, f"{key.replace('_', ' ')} {{}}").format(value).strip()
