"""Walking an event tree."""

from __future__ import annotations

from collections.abc import Iterator

from tightrope.events.event import Event
from tightrope.events.nodes import Composed, Joint, Parallel


def nodes(event: Event) -> Iterator[Event]:
    """Every event in the tree, each distinct one once, those above first."""
    stack: list[Event] = [event]
    seen: set[Event] = set()
    while stack:
        node = stack.pop()
        if node not in seen:
            seen.add(node)
            stack.extend(_inside(node))
            yield node


def leaves(event: Event) -> Iterator[Event]:
    """The guarantees and mechanisms at the bottom of the tree, each distinct one once."""
    return (node for node in nodes(event) if not _inside(node))


def _inside(node: Event) -> tuple[Event, ...]:
    if isinstance(node, Composed):
        return tuple(node.counts)
    if isinstance(node, Parallel | Joint):
        return node.parts
    inside = getattr(node, "event", None)
    return (inside,) if isinstance(inside, Event) else ()
