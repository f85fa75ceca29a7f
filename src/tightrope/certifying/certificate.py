"""Certificates: what was run, what is claimed about it, and the proof, as one JSON document."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tightrope._calls import Spoken, spoken
from tightrope._check import OPEN_PROBABILITY, Real, validated
from tightrope._errors import InvalidArgument
from tightrope._version import __version__
from tightrope._wire import clipped
from tightrope.certifying.assumptions import assumptions
from tightrope.certifying.claims import claims
from tightrope.certifying.proof import Proof
from tightrope.certifying.registry import registry_entry
from tightrope.certifying.statement import statement
from tightrope.events import Event, Joint, Parallel, require_event

if TYPE_CHECKING:
    from tightrope.spec.query import Query
    from tightrope.spec.reader import Spec

SCHEMA = "tightrope-certificate/1"
"""The name and the version of the layout, which docs/certificate.schema.json describes."""


@dataclass(frozen=True, eq=False)
class Certificate(metaclass=Spoken):
    """A certificate as plain data, with ways to write it.

    Attributes:
        content: everything that it says, as ``docs/certificate.md`` describes it.
    """

    content: dict[str, Any]

    def to_json(self) -> str:
        """The document."""
        return json.dumps(self.content, indent=1, ensure_ascii=False, allow_nan=False) + "\n"

    def write(self, path: str | PathLike[str]) -> None:
        """Write the document to a file."""
        Path(path).write_text(self.to_json(), encoding="utf-8")

    def registry_entry(self) -> dict[str, Any]:
        """An entry for the public registry of deployments, in its layout; see ``registry``."""
        return registry_entry(self.content)

    def __repr__(self) -> str:
        title = clipped(self.content["title"], 40)
        told = (_counted(len(self.content[f"{what}s"]), what) for what in ("claim", "step"))
        return f"Certificate({title!r}: {', '.join(told)})"


def _counted(number: int, what: str) -> str:
    return f"{number} {what}" if number == 1 else f"{number} {what}s"


@spoken
def certificate(event: Event, *, delta: Real = 1e-6, title: str = "") -> Certificate:
    """A certificate about an event: claims in every notion, with all steps of their proofs.

    What cannot be proved step by step yet is left out, and listed with the reason.

    Args:
        event: what was run.
        delta: where epsilon is claimed, strictly between 0 and 1.
        title: a name for people; by default the event itself.

    Raises:
        InvalidArgument: not an event, no such delta, or nothing at all can be certified.

    Examples:
        >>> import tightrope as tr
        >>> tr.certificate(tr.Gaussian(noise_scale=4.0) ** 12)
        Certificate('Gaussian(noise_scale=4.0) ** 12': 5 claims, 10 steps)
    """
    if not isinstance(title, str):
        raise InvalidArgument(f"certificate: title must be a text; you passed {title!r}")
    return certificate_about(event, delta, title, "")


def certificate_about(event: Event, delta: Real, title: str, about: str) -> Certificate:
    """A certificate with the usual claims about an event, and a text that says what it is about."""
    require_event(event, "certificate: event")
    at = validated(delta, OPEN_PROBABILITY, "certificate: delta")
    from tightrope.spec.query import Query, read_query
    from tightrope.spec.reader import REPORT

    asked = [read_query(text, {}) for text in REPORT]
    queries = [Query(q.name, q.key, at, repr(at)) if q.name == "approx" else q for q in asked]
    return _certified(event, [event], queries, title or clipped(repr(event)), about)


def _require_unicode(text: str, what: str) -> None:
    """The text is one that a file can hold."""
    try:
        text.encode("utf-8")
    except UnicodeEncodeError as error:
        raise InvalidArgument(
            f"certificate: {what} must be a text of whole Unicode characters; you passed "
            f"{clipped(repr(text))} with {text[error.start]!r}, half of a pair: leave it out"
        ) from None


def certificate_of(spec: Spec) -> Certificate:
    """The certificate of a specification: what it asks about its parts and the whole."""
    whole = spec.event
    parts = whole.parts if isinstance(whole, Joint | Parallel) else ()
    return _certified(whole, [*dict.fromkeys(parts), whole], spec.report, spec.title, spec.about)


def _certified(
    event: Event, about: Sequence[Event], queries: Sequence[Query], title: str, text: str
) -> Certificate:
    _require_unicode(title, "title")
    proof = Proof()
    made, left_out = claims(proof, about, queries)
    if not made:
        reasons = "; ".join(dict.fromkeys(claim["reason"] for claim in left_out))
        raise InvalidArgument(f"certificate: nothing can be certified of this event: {reasons}")
    table, root = proof.table, proof.table.add(event)
    content = {
        "schema": SCHEMA,
        "tightrope": __version__,
        "title": title,
        "about": text,
        "event": root,
        "relations": table.relations,
        "nodes": table.nodes,
        "claims": made,
        "steps": proof.needed([claim["step"] for claim in made]),
        "assumptions": assumptions(table.nodes, table.relations),
        "statement": statement(table, root, made),
        "left_out": left_out,
    }
    names = json.dumps([content["relations"], content["nodes"], text], ensure_ascii=False)
    _require_unicode(names, "every name in the event")
    return Certificate(content | {"digest": digest(content)})


def digest(content: dict[str, Any]) -> str:
    """SHA-256 of everything else, which tells accidents from what was written; no signature."""
    told = {key: value for key, value in content.items() if key != "digest"}
    text = json.dumps(told, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return f"sha256:{hashlib.sha256(text.encode('utf-8')).hexdigest()}"
