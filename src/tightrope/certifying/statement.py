"""What a claim should state by NIST SP 800-226, read off what was run.

NIST, Guidelines for Evaluating Differential Privacy Guarantees (2025), puts the parameters on top
of a pyramid: the unit of privacy, the trust model, the algorithms, and what no mathematics tells.
"""

from __future__ import annotations

from typing import Any

from tightrope.certifying.wire import Table

GUIDELINE = "NIST SP 800-226"

UNKNOWN = (
    "access control and security of the data",
    "exposure when the data was collected",
    "side channels of the implementation",
    "utility and bias of the results",
)
"""Layers of the pyramid of which an account of an event says nothing."""

LOCAL = "RandomizedResponse"
CONNECTORS = frozenset(
    (
        "Composed",
        "Grouped",
        "Joint",
        "Parallel",
        "PostProcessed",
        "Repeated",
        "Restated",
        "Sampled",
        "Shuffled",
        "TruncatedSample",
        "WithReplacement",
        "WithoutReplacement",
    )
)
"""Nodes that are no mechanism and no guarantee."""


def statement(table: Table, event: str, claims: list[dict[str, Any]]) -> dict[str, Any]:
    """The fields, each derived from the nodes and the claims."""
    kinds = {node["kind"] for node in table.nodes}
    relations = {relation["id"]: relation for relation in table.relations}
    nodes = {node["id"]: node for node in table.nodes}
    relation = relations[nodes[event]["neighbors"]]
    return {
        "guideline": GUIDELINE,
        "variants": sorted({claim["notion"] for claim in claims}),
        "units_of_privacy": [change["unit"] for change in relation["changes"]],
        "neighbors": [change["kind"] for change in relation["changes"]],
        "not_protected": relation["invariants"],
        "trust_model": trust_model(kinds),
        "mechanisms": sorted(kinds - CONNECTORS),
        "not_stated": list(UNKNOWN),
    }


def trust_model(kinds: set[str]) -> str:
    """Who sees what before noise is added, as far as the mechanisms tell."""
    if "Shuffled" in kinds:
        return "shuffle"
    if LOCAL in kinds:
        return "local" if kinds - CONNECTORS == {LOCAL} else "central and local"
    return "central"
