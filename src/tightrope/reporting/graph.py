"""The graph of conversions, read off the registry: notions, theorems between them, and gaps."""

from __future__ import annotations

from dataclasses import dataclass

from tightrope.theorems.registry import Theorem, impossibilities, theorems


@dataclass(frozen=True)
class Edge:
    """A conversion."""

    source: str
    target: str
    theorem: str
    grade: str
    statement: str
    citation: str
    condition: str


@dataclass(frozen=True)
class Gap:
    """Two notions between which no theorem can lead, with the reason."""

    source: str
    target: str
    reason: str


@dataclass(frozen=True)
class Graph:
    """All notions by their titles, all conversions, and all proofs that there is none."""

    notions: dict[str, str]
    edges: tuple[Edge, ...]
    gaps: tuple[Gap, ...]


def graph() -> Graph:
    """The graph as it is registered.

    Examples:
        >>> [edge.target for edge in graph().edges if edge.theorem == "zcdp_to_gdp"]
        ['GDP']
    """
    import tightrope.plan  # noqa: F401  (registers every theorem)

    known = theorems("conversion")
    classes = dict.fromkeys(notion for t in known for notion in (t.source, t.target))
    return Graph(
        notions={c.__name__: getattr(c, "title", c.__name__) for c in classes},
        edges=tuple(map(_edge, known)),
        gaps=tuple(Gap(g.source.__name__, g.target.__name__, g.reason) for g in impossibilities()),
    )


def _edge(theorem: Theorem) -> Edge:
    return Edge(
        source=theorem.source.__name__,
        target=theorem.target.__name__,
        theorem=theorem.name,
        grade=theorem.grade.value,
        statement=theorem.statement,
        citation=theorem.citation,
        condition=theorem.condition,
    )
