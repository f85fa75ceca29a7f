"""The arrows of the picture of conversions: for every pair of notions, its best direct theorem."""

from __future__ import annotations

from typing import NamedTuple

from tightrope.theorems.registry import Grade, Theorem, theorems

__all__ = ["CONDITIONAL", "MEANINGS", "WRITTEN", "Arrow", "arrows", "conditions"]

CONDITIONAL = "conditional"
"""The kind of an arrow whose theorem says something in special cases only."""

MEANINGS = {
    Grade.LOSSLESS.value: "there is a way back",
    Grade.SHARP.value: "the best for the whole class",
    Grade.LOOSE.value: "valid, and known not to be the best",
    CONDITIONAL: "in special cases only",
}
"""The kinds of arrows, the best first, with what they mean."""

WRITTEN = {
    "PureDP": "pure DP",
    "BoundedRange": "bounded range",
    "LogisticDP": "logistic DP",
    "ZCDP": "zCDP",
    "TCDP": "tCDP",
    "TradeOff": "f-DP",
    "Profile": "δ(ε)",
    "ApproxDP": "(ε, δ)-DP",
}
"""How a notion is written; its name in the code where nothing else stands here."""


class Arrow(NamedTuple):
    """That one notion implies another."""

    source: str
    target: str
    theorem: Theorem

    @property
    def kind(self) -> str:
        """A key of ``MEANINGS``: the grade, unless there is a condition."""
        return CONDITIONAL if self.theorem.condition else self.theorem.grade.value


def arrows() -> tuple[Arrow, ...]:
    """One arrow for every pair of notions that some conversion joins.

    What holds always goes before what holds in special cases, whatever their grades.
    """
    best: dict[tuple[str, str], Arrow] = {}
    for theorem in theorems("conversion"):
        pair = theorem.source.__name__, theorem.target.__name__
        arrow = Arrow(*pair, theorem)
        if pair not in best or _rank(arrow) < _rank(best[pair]):
            best[pair] = arrow
    return tuple(best.values())


def conditions() -> tuple[str, ...]:
    """What the conditional arrows hang on: ``zCDP to pure DP only if rho = 0``."""
    return tuple(
        f"{_written(a.source)} to {_written(a.target)} {a.theorem.condition}"
        for a in arrows()
        if a.theorem.condition
    )


def _rank(arrow: Arrow) -> int:
    return list(MEANINGS).index(arrow.kind)


def _written(name: str) -> str:
    return WRITTEN.get(name, name)
