"""Reading a file that somebody may have written to do harm: plain JSON, within limits."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Mapping
from typing import Any

from tightrope.verify.outcome import Refuted, Unreadable

LARGEST = 64 * 2**20
"""Most bytes of a certificate."""

DEEPEST = 12
"""Most levels of brackets; a certificate has 5."""

LARGEST_COUNT = 10**18
_BRACKETS = re.compile(r'"(?:[^"\\]|\\.)*"|[][{}]', re.DOTALL)
"""Texts, and the brackets outside of them."""

SCHEMA = "tightrope-certificate/1"
TOP: dict[str, type] = {
    "schema": str,
    "tightrope": str,
    "title": str,
    "about": str,
    "event": str,
    "relations": list,
    "nodes": list,
    "claims": list,
    "steps": list,
    "assumptions": list,
    "statement": dict,
    "left_out": list,
    "digest": str,
}


def read(data: bytes) -> dict[str, Any]:
    """The document, with its keys, their kinds and its digest checked."""
    if len(data) > LARGEST:
        raise Unreadable(f"the file has more than {LARGEST} bytes")
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError:
        raise Unreadable("the file is no text in UTF-8") from None
    _require_shallow(text)
    try:
        content = json.loads(
            text,
            object_pairs_hook=_without_duplicates,
            parse_float=_no_number,
            parse_int=_count,
            parse_constant=_no_number,
        )
    except (ValueError, RecursionError) as error:
        raise Unreadable(f"the file is no JSON: {error}") from None
    if not isinstance(content, dict) or content.get("schema") != SCHEMA:
        raise Unreadable(f"the file is no certificate of the layout {SCHEMA}")
    require_keys(content, TOP, "the certificate")
    return content


def require_keys(record: Any, kinds: Mapping[str, type], what: str, further: str = "") -> None:
    """A record has exactly these keys, and values of these kinds; ``further`` keys may be there."""
    if not isinstance(record, dict):
        raise Unreadable(f"{what} must be an object")
    for key in record:
        if key not in kinds:
            raise Unreadable(f"{what} has an unknown field {key[:40]!r}")
    for key, kind in kinds.items():
        if key not in record:
            if key in further.split():
                continue
            raise Unreadable(f"{what} has no field {key!r}")
        if type(record[key]) is not kind:
            raise Unreadable(f"{what}: {key!r} must be of the kind {kind.__name__}")


def require_digest(content: dict[str, Any]) -> None:
    """The digest is that of everything else."""
    told = {key: value for key, value in content.items() if key != "digest"}
    text = json.dumps(told, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    try:
        data = text.encode("utf-8")
    except UnicodeEncodeError:
        raise Unreadable("the file has a text that is no Unicode") from None
    if content["digest"] != f"sha256:{hashlib.sha256(data).hexdigest()}":
        raise Refuted("the digest is not that of the content: the file was changed")


def _require_shallow(text: str) -> None:
    depth = 0
    for found in _BRACKETS.finditer(text):
        letter = found[0]
        if letter in "[{":
            depth += 1
            if depth > DEEPEST:
                raise Unreadable(f"the file nests more than {DEEPEST} levels")
        elif letter in "]}":
            depth -= 1


def _without_duplicates(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    record = dict(pairs)
    if len(record) < len(pairs):
        raise Unreadable("the file says something twice: a key stands twice in one object")
    return record


def _no_number(text: str) -> Any:
    raise Unreadable(f"the file has a bare number {text[:20]!r}; numbers are texts")


def _count(text: str) -> int:
    if len(text) > 19 or not 1 <= int(text) <= LARGEST_COUNT:
        raise Unreadable(f"the file has a count {text[:20]!r} out of range")
    return int(text)
