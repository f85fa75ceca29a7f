"""The JSON schema of specifications, made from the declared parameters of every class.

Editors use it to complete keys and to mark mistakes; the reader says more (lines, expressions,
what constructors refuse), and is what decides.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tightrope._check import COUNT, NONNEGATIVE, OPEN_PROBABILITY, RATE, Domain
from tightrope.spec import query
from tightrope.spec.reader import ANALYSES, ESTIMATES, METHODS
from tightrope.spec.scope import PARTS, RELATIONS
from tightrope.spec.vocabulary import Argument, Named, mechanisms, notions

DIALECT = "https://json-schema.org/draft/2020-12/schema"
PROBES = (0, 1, 2)
"""Where the lower end of a declared domain may lie."""

Schema = dict[str, Any]

_TEXT: Schema = {"type": "string", "minLength": 1}
_RELATION: Schema = {"enum": list(RELATIONS)}
_FACTS: Schema = {"type": "array", "items": _TEXT, "minItems": 1}


def schema() -> Schema:
    """The schema as plain data."""
    return {
        "$schema": DIALECT,
        "title": "tightrope specification",
        "description": "An analysis described by hand: what was run, for whom, and what to report.",
        "type": "object",
        "properties": _top(),
        "oneOf": [{"required": [key]} for key in ANALYSES],
        "additionalProperties": False,
        "$defs": {
            "node": {
                "type": "object",
                "oneOf": [{"$ref": f"#/$defs/{name}"} for name in _nodes()],
            },
            "nodes": {"type": "array", "items": {"$ref": "#/$defs/node"}, "minItems": 1},
            "published": _published(),
            **_common(),
            **_nodes(),
        },
    }


def _top() -> Schema:
    nodes = {"$ref": "#/$defs/nodes"}
    return {
        "title": _told(_TEXT, "what the analysis is called"),
        "about": _told(_TEXT, "a description in sentences"),
        **_scope(),
        "let": {
            "type": "object",
            "description": "exact constants; each may use those before it",
            "additionalProperties": _number(None),
        },
        "release": _told(nodes, "what was run on the same data, one after the other"),
        "parallel": _told(nodes, "what was run on disjoint parts of the data"),
        "jointly": _told(nodes, "what was run on different kinds of units"),
        "fixed_parts": _told({"type": "boolean"}, "replacing a unit never changes its part"),
        "report": {
            "type": "array",
            "minItems": 1,
            "items": {"type": "string", "pattern": f"^ *({'|'.join(query.known())})\\b"},
        },
        "estimates": {"type": "array", "minItems": 1, "items": {"enum": list(ESTIMATES)}},
        "published": {
            "type": "array",
            "minItems": 1,
            "items": {"$ref": "#/$defs/published"},
        },
    }


def _published() -> Schema:
    return {
        "type": "object",
        "required": ["epsilon", "delta"],
        "additionalProperties": False,
        "properties": {
            "part": _told(_TEXT, "the label of a part, or 'whole'"),
            "epsilon": _number(NONNEGATIVE),
            "delta": _number(OPEN_PROBABILITY),
            "method": {"enum": list(METHODS)},
            "source": _TEXT,
            "note": _TEXT,
        },
    }


def _nodes() -> dict[str, Schema]:
    """A definition for every way to say what was run."""
    leaves = {f"mechanism_{m.name}": _leaf("mechanism", m) for m in mechanisms().values()}
    leaves |= {f"notion_{n.name}": _leaf("notion", n) for n in notions().values()}
    known = "|".join(name for name, named in notions().items() if _has_numbers_only(named))
    short = {"type": "string", "pattern": f"^ *({known}) *:.+"}
    leaves["guarantee"] = _node({"guarantee": short}, ["guarantee"])
    for kind in PARTS:
        keys: Schema = {kind: {"$ref": "#/$defs/nodes"}}
        if kind == "parallel":
            keys["fixed_parts"] = {"type": "boolean"}
        leaves[kind] = _node(keys, [kind])
    return leaves


def _has_numbers_only(named: Named) -> bool:
    return all(argument.kind == "number" for argument in named.arguments)


def _leaf(kind: str, named: Named) -> Schema:
    keys: Schema = {kind: {"const": named.name, "description": named.title}}
    keys |= {argument.name: _argument(argument) for argument in named.arguments}
    return _node(keys, [kind, *(a.name for a in named.arguments if a.required)])


def _node(keys: Schema, required: list[str]) -> Schema:
    return {
        "type": "object",
        "required": required,
        "additionalProperties": False,
        "properties": {**keys, **{key: {"$ref": f"#/$defs/{key}"} for key in _common()}},
    }


def _common() -> Schema:
    """The keys that every node may have."""
    return {
        "label": _told(_TEXT, "a name for people"),
        "rate": _told(_number(RATE), "Poisson sampling: chance of a unit to be in the run"),
        "times": _told(_number(COUNT), "how often it was run, with fresh noise (and sample)"),
        "group": _told(_number(COUNT), "how many units change at once"),
        "restated": _told(_RELATION, "the relation to restate the guarantee for"),
        "then": _told(_TEXT, "what was published of it"),
        **_scope(),
    }


def _scope() -> Schema:
    return {
        "unit": _told(_TEXT, "who or what is protected: 'person', 'household', ..."),
        "neighbors": _told(_RELATION, "how neighbouring data sets differ"),
        "invariants": _told(_FACTS, "facts that were published exactly"),
    }


def _argument(argument: Argument) -> Schema:
    about = f"{argument.symbol}: {argument.about}" if argument.symbol else argument.about
    if argument.kind == "flag":
        found: Schema = {"type": "boolean"}
    elif argument.kind == "text":
        found = dict(_TEXT)
    elif argument.kind == "numbers":
        found = {"type": "array", "items": _number(None), "minItems": 1}
    else:
        found = _number(argument.domain)
    if not argument.required and argument.default is not None:
        found["default"] = argument.default
    return _told(found, about) if about else found


def _number(domain: Domain | None) -> Schema:
    """A number in its range, or an expression in quotes."""
    if domain is None:
        return {"type": ["number", "string"]}
    kind = "integer" if domain.integral else "number"
    return {"type": [kind, "string"], **_lower_end(domain), "description": domain.words}


def _lower_end(domain: Domain) -> Mapping[str, int]:
    """The lower end of a domain, found by trying."""
    for end in PROBES:
        if domain.contains(end):
            return {"minimum": end}
        if domain.contains(end + 2.0**-40):
            return {"exclusiveMinimum": end}
    return {}


def _told(found: Schema, about: str) -> Schema:
    words = found.get("description")
    return {**found, "description": f"{about}; {words}" if words else about}
