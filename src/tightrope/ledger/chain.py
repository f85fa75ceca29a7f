"""The chain: every entry as canonical bytes that hold the hash of the entry before."""

from __future__ import annotations

import json
from collections.abc import Mapping
from hashlib import sha256
from typing import Any

from tightrope.ledger.amounts import read
from tightrope.ledger.errors import readable
from tightrope.ledger.records import Entry

GENESIS = "0" * 64
"""What stands before the first entry."""

_encode = json.JSONEncoder(
    ensure_ascii=True, sort_keys=True, separators=(",", ":"), allow_nan=False
).encode


def canonical(content: Mapping[str, Any]) -> str:
    """The one text of a record: sorted keys, no spaces, ASCII.

    >>> canonical({"b": 1, "a": ["é"]})
    '{"a":["\\\\u00e9"],"b":1}'
    """
    return _encode(content)


_decode = json.JSONDecoder().raw_decode


def content(body: str) -> Any:
    """What a body says: one JSON value, with nothing around it.

    Raises:
        ValueError: it is something else.
    """
    value, end = _decode(body)
    if end != len(body):
        raise ValueError("something stands behind the entry")
    return value


def digest(body: str) -> str:
    """SHA-256 of an entry's bytes, among which is the hash of the entry before."""
    return sha256(body.encode("ascii", "backslashreplace")).hexdigest()


def told(body: str) -> Any:
    """What an entry of the store says.

    Raises:
        TamperedBook: it is none that was written there.
    """
    with readable("an entry"):
        return content(body)


def entry(body: str) -> Entry:
    """The record of a body.

    Raises:
        TamperedBook: it is none that was written there.
    """
    with readable("an entry"):
        return _entry(body, content(body))


def _entry(body: str, known: Mapping[str, Any]) -> Entry:
    return Entry(
        seq=known["seq"],
        kind=known["kind"],
        key=known["key"],
        time=known["time"],
        by=known["by"],
        note=known["note"],
        event=known.get("event", ""),
        amounts=tuple(map(read, known["amounts"])),
        account=known.get("account", ""),
        hash=digest(body),
        previous=known["previous"],
        body=body,
    )
