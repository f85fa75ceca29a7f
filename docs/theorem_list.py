"""The list of theorems, docs/theorems.md, made from the registry.

`python docs/theorem_list.py` brings it up to date; a test keeps them equal.
"""

from __future__ import annotations

from pathlib import Path

import tightrope.plan  # noqa: F401  (registers every theorem and every mechanism's facts)
from tightrope._cite import bibliography
from tightrope.theorems.false_claims import REFUTED
from tightrope.theorems.registry import Theorem, impossibilities, theorems

TITLES = {
    "conversion": "Conversions",
    "composition": "Composition",
    "filter": "Privacy filters",
    "odometer": "Privacy odometers",
    "group": "Group privacy",
    "sampling": "Poisson sampling",
    "selection": "Private selection",
    "structure": "Structure of the data",
    "mechanism": "Mechanisms",
}

TARGET = Path(__file__).parent / "theorems.md"


def table(kind: str) -> str:
    """The theorems of one kind, one row each."""
    rows = [row(theorem) for theorem in theorems(kind)]
    return "\n".join(["| from | to | statement | grade | source |", "| - | - | - | - | - |", *rows])


def row(theorem: Theorem) -> str:
    """One theorem as a row of its table."""
    cells = (
        theorem.source.__name__,
        theorem.target.__name__,
        theorem.statement.replace("|", "\\|"),
        theorem.graded,
        theorem.citation,
    )
    return f"| {' | '.join(cells)} |"


def page() -> str:
    """The whole page."""
    parts = [
        "# Every theorem",
        "Written by `docs/theorem_list.py` from the registry. *Lossless*: source and target say "
        "the same. *Sharp*: the best for the whole class, attained. *Loose*: valid, and known not "
        "to be the best possible. Our own proofs are in [theory.md](theory.md).",
    ]
    for kind, title in TITLES.items():
        parts += [f"## {title}", table(kind)]
    parts += ["## What cannot be", "| from | to | because |\n| - | - | - |"]
    parts[-1] += "".join(
        f"\n| {i.source.__name__} | {i.target.__name__} | {i.reason} |" for i in impossibilities()
    )
    parts.append("## Claims that circulate and are false")
    parts += [
        f"### {c.name}\n\n*{c.claim}* {c.truth}\n\nCounterexample: {c.counterexample}\n\n"
        f"Use instead: {c.use}"
        for c in REFUTED
    ]
    parts.append("## References")
    parts.append("\n".join(f"* {r}" for r in bibliography().values() if r.key != "tightrope"))
    return "\n\n".join(parts) + "\n"


if __name__ == "__main__":
    TARGET.write_text(page(), encoding="utf-8")
