"""A statement as JSON: every entry, with all digits, as ``docs/statement.schema.json`` says."""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import Any

from tightrope._text import cleaned
from tightrope._version import __version__
from tightrope.events import spelled
from tightrope.ledger.amounts import Amounts, written
from tightrope.ledger.records import Spending
from tightrope.ledger.statement import Line, Statement
from tightrope.reporting.statements.nist import fields

SCHEMA = "tightrope-statement/1"
"""The name and the version of the layout."""


def as_json(told: Statement) -> str:
    """The document; characters that control what shows it stand in it as escapes."""
    text = json.dumps(plain(told), indent=1, ensure_ascii=False, allow_nan=False)
    for character in {c for c in set(text) if c != cleaned(c)}:
        text = text.replace(character, json.dumps(character)[1:-1])
    return text + "\n"


def plain(told: Statement) -> dict[str, Any]:
    """The statement as plain values."""
    return {
        "schema": SCHEMA,
        "tightrope": __version__,
        "book": told.book,
        "about": told.about,
        "created": told.created,
        "read": told.read,
        "closed": told.closed,
        "parent": told.parent,
        "guaranteed": _budget(told),
        "filter": _filter(told),
        "structure": told.structure.described(),
        "plan": None if told.plan is None else list(told.plan),
        "consumed": None if told.spending is None else _spending(told.spending),
        "remaining": None if told.remaining is None else spelled(told.remaining),
        "until_now": _until_now(told),
        "parts": [
            {"part": p.part, "remaining": spelled(p.remaining), **_spending(p.spending)}
            for p in told.parts
        ],
        "entries": list(map(_line, told.lines)),
        "open_reservations": [line.seq for line in told.open_reservations],
        "open_shares": list(told.open_shares),
        "anchor": str(told.head),
        "statement": fields(told),
    }


def _budget(told: Statement) -> dict[str, Any]:
    """What holds at any time, whatever was chosen adaptively."""
    budget = told.guaranteed
    return {
        "budget": spelled(budget),
        "notion": type(budget).__name__,
        "neighbors": str(budget.neighbors),
        "unit": budget.neighbors.changes[0].unit,
        "scope": None if told.scope is None else asdict(told.scope),
    }


def _filter(told: Statement) -> dict[str, Any]:
    rule = told.theorem
    return {
        "name": told.filter,
        "theorem": rule.name,
        "statement": rule.statement,
        "citation": rule.citation,
        "paper": str(rule.reference),
        "link": rule.reference.link,
        "counted": list(told.counted),
        "capacity": _amounts(told.capacity),
    }


def _spending(spending: Spending) -> dict[str, Any]:
    return {
        "amounts": _amounts(spending.amounts),
        "reserved": _amounts(spending.reserved),
        "words": spending.words,
    }


def _until_now(told: Statement) -> dict[str, Any] | None:
    if told.odometer is None:
        return None
    known = told.odometer.guarantee
    return {"guarantee": None if known is None else spelled(known), "why": told.odometer.why}


def _line(line: Line) -> dict[str, Any]:
    return {
        "number": line.seq,
        "kind": line.kind,
        "status": line.status,
        "time": line.time,
        "by": line.by,
        "note": line.note,
        "event": line.event,
        "about": line.about,
        "amounts": _amounts(line.amounts),
        "price": line.price,
        "key": line.key,
        "hash": line.hash,
    }


def _amounts(amounts: Amounts) -> list[str]:
    return list(map(written, amounts))
