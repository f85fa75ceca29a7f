"""Reading nodes and relations of a certificate, each of which may name earlier ones only."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tightrope.verify.document import require_keys
from tightrope.verify.event import UNSTATED, Events, Node, Relation, agree
from tightrope.verify.outcome import Refuted, Unreadable
from tightrope.verify.parameters import require_parameters


def read_events(content: Mapping[str, Any]) -> Events:
    """The nodes of a certificate; each may name earlier ones only."""
    relations = _relations(content["relations"])
    events = Events()
    kinds = {"id": str, "kind": str, "parameters": dict, "parts": list, "neighbors": str}
    for record in content["nodes"]:
        require_keys(record, kinds, "a node", "parameters parts")
        if record["neighbors"] not in relations:
            raise Unreadable(f"node {record['id'][:20]!r} names an unknown relation")
        parts = tuple(_part(events, part) for part in record.get("parts", []))
        relation = relations[record["neighbors"]]
        node = events.make(record["kind"], record.get("parameters", {}), parts, relation)
        if record["id"] in events.nodes:
            raise Unreadable(f"two nodes have the id {record['id'][:20]!r}")
        require_parameters(node.kind, node.parameters, len(node.parts))
        _require_flat(node, record["id"])
        _require_related(node, record["id"])
        events.nodes[record["id"]] = node
    return events


def _require_flat(node: Node, name: str) -> None:
    """Compositions nest at most twice, so that they stay small when taken apart."""
    if node.kind != "Composed":
        if any(count != 1 for _, count in node.parts):
            raise Refuted(
                f"node {name[:20]!r} has a part more than once, which is for compositions"
            )
        return
    for part, _ in node.parts:
        if part.kind == "Composed" and any(inner.kind == "Composed" for inner, _ in part.parts):
            raise Unreadable(f"node {name[:20]!r} nests compositions")


def _part(events: Events, part: Any) -> tuple[Node, int]:
    if not (isinstance(part, list) and len(part) == 2 and isinstance(part[0], str)):
        raise Unreadable("a part must be the id of a node and a count")
    if part[0] not in events.nodes or type(part[1]) is not int:
        raise Unreadable(f"a part names {part[0][:20]!r}, which no earlier node is")
    return events.nodes[part[0]], part[1]


def _relations(records: list[Any]) -> dict[str, Relation]:
    found: dict[str, Relation] = {}
    for record in records:
        require_keys(record, {"id": str, "changes": list, "invariants": list}, "a relation")
        for change in record["changes"]:
            require_keys(change, {"kind": str, "unit": str}, "a change")
            if change["kind"] not in ("add_or_remove", "replace_one"):
                raise Unreadable(f"an unknown change {change['kind'][:20]!r}")
        if not record["changes"] or not all(isinstance(text, str) for text in record["invariants"]):
            raise Unreadable("a relation has changes, and invariants as texts")
        changes = tuple((change["kind"], change["unit"]) for change in record["changes"])
        if record["id"] in found:
            raise Unreadable(f"two relations have the id {record['id'][:20]!r}")
        found[record["id"]] = Relation(changes, tuple(record["invariants"]))
    return found


# --- whether the parts speak of the same neighbours --------------------------------------------


def _require_related(node: Node, name: str) -> None:
    """The relation of a node is the one that follows from those of its parts."""
    inner = [part.relation for part, _ in node.parts]
    if not inner:
        return
    if any(part.is_loose for part, _ in node.parts):
        raise Refuted(f"node {name[:20]!r} has runs about several units inside")
    named = {fact for relation in inner for fact in relation.invariants}
    if not _follows(node, inner) or set(node.relation.invariants) != named:
        raise Refuted(f"node {name[:20]!r}: its neighbours are not those of its parts")


def _follows(node: Node, inner: list[Relation]) -> bool:
    if node.kind == "Joint" or node.is_loose:
        joined = tuple(change for relation in inner for change in relation.changes)
        units = {unit for _, unit in joined}
        return joined == node.relation.changes and len(units) == len(joined)
    if node.kind == "Restated":
        kinds = (inner[0].kind, node.relation.kind)
        return kinds == ("add_or_remove", "replace_one") and _same_unit(inner[0], node.relation)
    if node.kind in ("WithoutReplacement", "WithReplacement"):
        return inner[0].kind == "replace_one" and _same_unit(inner[0], node.relation)
    if node.kind == "Parallel" and node.relation.kind == "joint":
        return False
    return all(agree(one, node.relation) for one in inner)


def _same_unit(inner: Relation, outer: Relation) -> bool:
    if len(inner.changes) != 1 or len(outer.changes) != 1:
        return False
    return inner.changes[0][1] in (UNSTATED, outer.changes[0][1])
