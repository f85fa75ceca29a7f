"""What a claim should state by NIST SP 800-226, derived again from the event and the claims."""

from __future__ import annotations

from typing import Any

from tightrope.verify.assumptions import CONNECTORS
from tightrope.verify.event import Events, Relation
from tightrope.verify.outcome import Refuted, Unreadable

UNKNOWN = [
    "access control and security of the data",
    "exposure when the data was collected",
    "side channels of the implementation",
    "utility and bias of the results",
]
"""What an account of an event says nothing about."""


def require_statement(
    record: dict[str, Any], events: Events, relation: Relation, notions: set[str]
) -> None:
    """The fields of the statement are those that the event and the claims have."""
    kinds = {node.kind for node in events.nodes.values()}
    mechanisms = sorted(kinds - set(CONNECTORS))
    wanted = {
        "guideline": "NIST SP 800-226",
        "variants": sorted(notions),
        "units_of_privacy": [unit for _, unit in relation.changes],
        "neighbors": [kind for kind, _ in relation.changes],
        "not_protected": list(relation.invariants),
        "trust_model": trust_model(kinds, mechanisms),
        "mechanisms": mechanisms,
        "not_stated": UNKNOWN,
    }
    for name, value in wanted.items():
        if record.get(name) != value:
            raise Refuted(f"the statement's {name} is not that of the event and the claims")
    if len(record) != len(wanted):
        raise Unreadable("the statement has a field that is not known")


def trust_model(kinds: set[str], mechanisms: list[str]) -> str:
    """Who sees what before noise is added, as far as the mechanisms tell."""
    if "Shuffled" in kinds:
        return "shuffle"
    if mechanisms == ["RandomizedResponse"]:
        return "local"
    return "central and local" if "RandomizedResponse" in kinds else "central"
