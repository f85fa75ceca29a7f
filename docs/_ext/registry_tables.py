"""Tables of theorems, made from the registry."""

from __future__ import annotations

from collections.abc import Iterable

from linked_citations import citation

import tightrope.plan  # noqa: F401  (registers every theorem and every mechanism's facts)
from tightrope.theorems.arrows import WRITTEN, arrows
from tightrope.theorems.registry import Grade, Theorem, impossibilities, theorems

NOTIONS = (
    "PureDP",
    "BoundedRange",
    "LogisticDP",
    "ZCDP",
    "TCDP",
    "RDP",
    "GDP",
    "TradeOff",
    "Profile",
    "ApproxDP",
)
"""The notions, strongest first."""

PAGES = {
    "PureDP": "pure",
    "BoundedRange": "bounded-range",
    "LogisticDP": "logistic",
    "ZCDP": "zcdp",
    "TCDP": "tcdp",
    "RDP": "rdp",
    "GDP": "gdp",
    "TradeOff": "f-dp",
    "Profile": "approximate",
    "ApproxDP": "approximate",
}

ORDER = {Grade.LOSSLESS: 0, Grade.SHARP: 1, Grade.LOOSE: 2}


def rows(found: Iterable[Theorem]) -> str:
    """A table of theorems."""
    head = ["| from | to | statement | grade | source |", "| - | - | - | - | - |"]
    return "\n".join(head + [row(theorem) for theorem in found])


def row(theorem: Theorem) -> str:
    """One theorem as a row, its source as a link."""
    ends = f"{theorem.source.__name__} | {theorem.target.__name__}"
    statement = theorem.statement.replace("|", "\\|")
    return f"| {ends} | {statement} | {theorem.graded} | {citation(theorem)} |"


def of_kind(kind: str) -> str:
    """All theorems of one kind."""
    return rows(theorems(kind))


def from_notion(name: str) -> str:
    """What a notion implies."""
    found = [t for t in theorems("conversion") if t.source.__name__ == name]
    return rows(sorted(found, key=lambda t: (NOTIONS.index(t.target.__name__), ORDER[t.grade])))


def into_notion(name: str) -> str:
    """What implies a notion: other notions, and mechanisms."""
    found = (*theorems("conversion"), *theorems("mechanism"))
    return rows(t for t in found if t.target.__name__ == name)


def without_way(name: str) -> str:
    """Where no theorem can lead from a notion, and why."""
    lines = [
        f"| {i.target.__name__} | {i.reason} |"
        for i in impossibilities()
        if i.source.__name__ == name
    ]
    return "\n".join(["| to | there is no way, because |", "| - | - |", *lines])


def grades() -> str:
    """The grade of the best direct theorem from every notion (a row) to every other (a column)."""
    known = {(arrow.source, arrow.target): arrow.kind for arrow in arrows()}
    never = {(i.source.__name__, i.target.__name__) for i in impossibilities()}
    lines = [
        "| from \\ to | "
        + " | ".join(f"[{WRITTEN.get(n, n)}]({PAGES[n]}.md)" for n in NOTIONS)
        + " |",
        "| - " * (len(NOTIONS) + 1) + "|",
    ]
    for source in NOTIONS:
        cells = [grade(source, target, known, never) for target in NOTIONS]
        lines.append(f"| **{WRITTEN.get(source, source)}** | " + " | ".join(cells) + " |")
    return "\n".join(lines)


def grade(
    source: str,
    target: str,
    known: dict[tuple[str, str], str],
    never: set[tuple[str, str]],
) -> str:
    """One cell of the table of grades."""
    if source == target:
        return "="
    if (source, target) in known:
        return known[source, target]
    return "none" if (source, target) in never else "·"
