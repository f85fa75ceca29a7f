"""Admission: who can still afford an event of a stream, when every unit has a budget of its own.

An individual filter charges a unit only for events that it takes part in, and leaves it out once
its budget does not suffice (Feldman and Zrnic, 2021; Koskela, Tobaben and Honkela, 2023). Its
decision about a unit rests on that unit's own history, so that the whole protects every unit by the
budget; but the decisions are data, and are never published.
"""

from __future__ import annotations

import hashlib
import json
import uuid
from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from tightrope._errors import InvalidArgument
from tightrope.events import Event, spelled
from tightrope.ledger import keys, pricing, texts
from tightrope.ledger.amounts import read, total, within, written
from tightrope.ledger.asks import Ask
from tightrope.ledger.chain import canonical
from tightrope.ledger.records import Receipt
from tightrope.ledger.state import State
from tightrope.ledger.structure import UNIT, Units

if TYPE_CHECKING:
    from tightrope.ledger.book import Book


@dataclass(frozen=True, repr=False)
class Admission:
    """Who may take part in an event; for the mechanism that runs it, and for nobody else.

    Attributes:
        receipt: that those admitted were charged.
        units: who was admitted. Depends on data: not to be published.
    """

    receipt: Receipt
    units: frozenset[str]

    def __contains__(self, unit: object) -> bool:
        return unit in self.units

    def __repr__(self) -> str:
        return f"Admission(number {self.receipt.seq} of {self.receipt.book!r})"


def admission(
    book: Book, event: Event, units: Iterable[str], note: str, key: str | None
) -> Admission:
    """See ``Book.admit``."""
    config = book._config
    if not isinstance(config.structure, Units):
        raise InvalidArgument("admit: only a book that was created with structure=Units() admits")
    names = sorted({texts.unit(unit, "admit: a unit") for unit in _several(units)})
    amounts = pricing.price(config, event, None)
    told: dict[str, Any] = {
        "kind": "charge",
        "event": spelled(event),
        "amounts": list(map(written, amounts)),
        "units": [config.structure.account(name, 0) for name in names],
        "asked": hashlib.sha256(canonical({"units": names}).encode()).hexdigest(),
        "note": texts.note(note, "admit: note"),
    }
    name = uuid.uuid4().hex if key is None else texts.name(key, "admit: key")
    ask = Ask(keys.used(name), told, select=_who_fits)
    entry = book._writer().write(ask)
    return Admission(book._receipt(entry, repeated=ask.known), admitted(entry.body))


def _several(units: Iterable[str]) -> Iterable[str]:
    if isinstance(units, str):
        raise InvalidArgument(f"admit: units must be several names; you passed {units!r}")
    return units


def _who_fits(state: State, content: dict[str, Any]) -> dict[str, Any]:
    amounts = tuple(map(read, content["amounts"]))
    fits = [
        account
        for account in content["units"]
        if within(total(state.demand(account), amounts), state.config.capacity)
    ]
    return {**content, "units": fits}


def admitted(body: str) -> frozenset[str]:
    """The names in an entry's list of units."""
    return frozenset(unit.removeprefix(UNIT) for unit in json.loads(body)["units"])
