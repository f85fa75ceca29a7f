"""What NIST SP 800-226 asks a claim to state, read off a book and the events charged to it."""

from __future__ import annotations

from typing import Any

from tightrope._parse import parse
from tightrope.certifying.statement import CONNECTORS, GUIDELINE, UNKNOWN, trust_model
from tightrope.certifying.wire import Table
from tightrope.ledger.statement import Statement


def fields(told: Statement) -> dict[str, Any]:
    """The fields, as a certificate has them."""
    kinds = _kinds(told)
    relation = told.guaranteed.neighbors
    return {
        "guideline": GUIDELINE,
        "variants": [type(told.budget).__name__],
        "units_of_privacy": [change.unit for change in relation.changes],
        "neighbors": [change.kind for change in relation.changes],
        "not_protected": list(relation.invariants),
        "trust_model": trust_model(kinds),
        "mechanisms": sorted(kinds - CONNECTORS),
        "not_stated": list(UNKNOWN),
    }


def _kinds(told: Statement) -> set[str]:
    """What was run, of which kinds, each event being read once."""
    table = Table()
    for text in dict.fromkeys(line.event for line in told.lines if line.event):
        table.add(parse(text))
    return {node["kind"] for node in table.nodes}
