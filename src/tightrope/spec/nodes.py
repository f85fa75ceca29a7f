"""Nodes of a specification: each table describes one event, and holds tables of its parts.

A node says in one way what was run (a mechanism, a guarantee, or parts put together), and how
often and on whom by modifiers, which apply in one fixed order: ``rate``, ``times``, ``group``,
``restated``, ``then``.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial

from tightrope._check import COUNT, RATE
from tightrope.events import Event, compose, jointly, parallel
from tightrope.spec.document import DEEPEST, Place
from tightrope.spec.leaves import guarantee, mechanism, notion, told_of
from tightrope.spec.scope import COMMON, KINDS, MODIFIERS, Node, Scope, Told, relation_of
from tightrope.spec.vocabulary import mechanisms, notions


def read_node(place: Place, scope: Scope) -> Node:
    """The node that a table describes.

    Raises:
        SpecError: the table does not describe an event.
    """
    if scope.depth > DEEPEST:
        raise place.error(f"analyses nest deeper than {DEEPEST} levels")
    kind = _kind(place)
    label = place.get("label")
    inner = scope.inside(place)
    with place.retold():
        node = _READERS[kind](place, inner)
    event = _modified(node.event, place, inner)
    told = tuple(told_of(place.child(key), inner) for key in MODIFIERS if key in place.value)
    name = label.text("a label") if label else ""
    return replace(node, label=name, event=event, told=node.told + told)


def read_root(place: Place, scope: Scope, kind: str) -> Node:
    """The analysis at the top of a document: ``release``, ``parallel`` or ``jointly``."""
    with place.child(kind).retold():
        return _READERS[kind](place, scope)


def _kind(place: Place) -> str:
    if not isinstance(place.value, dict):
        place.table((), "a node, which says what was run")
    given = [kind for kind in KINDS if kind in place.value]
    if len(given) == 1:
        return given[0]
    if given:
        both = " and ".join(given)
        raise place.child(given[1]).error(f"a node says in one way what was run; it has {both}")
    place.table((*KINDS, *COMMON, *_all_parameters()), "a node")
    raise place.error(f"a node needs one of the keys {', '.join(KINDS)}")


def _all_parameters() -> list[str]:
    return [key for named in (*mechanisms().values(), *notions().values()) for key in named.keys]


# --- nodes with parts -----------------------------------------------------------------------


def _composed(place: Place, scope: Scope, kind: str = "compose") -> Node:
    parts = _parts(place, kind, scope)
    return Node("", "composition", (), parts, compose(*(part.event for part in parts)))


def _parallel(place: Place, scope: Scope) -> Node:
    parts = _parts(place, "parallel", scope, "fixed_parts")
    declared = place.get("fixed_parts")
    fixed = declared.flag() if declared else False
    event = parallel(*(part.event for part in parts), fixed_parts=fixed)
    told = (Told("fixed_parts", "true"),) if fixed else ()
    return Node("", "parallel parts", told, parts, event)


def _joint(place: Place, scope: Scope) -> Node:
    parts = _parts(place, "jointly", scope)
    return Node(
        "", "parts about different units", (), parts, jointly(*(part.event for part in parts))
    )


def _parts(place: Place, kind: str, scope: Scope, *more: str) -> tuple[Node, ...]:
    place.table((kind, *more, *COMMON), f"a node with {kind}")
    items = place.child(kind).items("nodes")
    nodes = tuple(read_node(item, scope) for item in items)
    if kind != "jointly":
        _require_one_relation(items, nodes)
    return nodes


def _require_one_relation(items: Sequence[Place], nodes: Sequence[Node]) -> None:
    """Tell the first item that speaks of other neighbours than those before it."""
    relation = nodes[0].event.neighbors
    for item, node in zip(items, nodes, strict=True):
        with item.retold():
            relation = relation.merged(node.event.neighbors)


_READERS: Mapping[str, Callable[[Place, Scope], Node]] = {
    "mechanism": mechanism,
    "guarantee": guarantee,
    "notion": notion,
    "compose": _composed,
    "release": partial(_composed, kind="release"),
    "parallel": _parallel,
    "jointly": _joint,
}


# --- modifiers ------------------------------------------------------------------------------


def _modified(event: Event, place: Place, scope: Scope) -> Event:
    """The event after all modifiers, in their one order."""
    for key in MODIFIERS:
        if given := place.get(key):
            with given.retold():
                event = _MODIFY[key](event, given, scope)
    return event


_MODIFY: Mapping[str, Callable[[Event, Place, Scope], Event]] = {
    "rate": lambda event, place, scope: event.sampled(place.number(scope.constants, RATE)),
    "times": lambda event, place, scope: event ** int(place.number(scope.constants, COUNT)),
    "group": lambda event, place, scope: event.group(int(place.number(scope.constants, COUNT))),
    "restated": lambda event, place, _: event.restated(relation_of(place)),
    "then": lambda event, place, _: event.then(place.text("what was published")),
}
