"""Walking an event tree down to its leaves."""

from __future__ import annotations

from collections.abc import Iterator

from tightrope.events.event import Event
from tightrope.events.nodes import Composed, Joint, Parallel


def leaves(event: Event) -> Iterator[Event]:
    """The guarantees and mechanisms at the bottom of the tree, each distinct one once."""
    stack: list[Event] = [event]
    seen: set[Event] = set()
    while stack:
        node = stack.pop()
        if node in seen:
            continue
        seen.add(node)
        if isinstance(node, Composed):
            stack.extend(node.counts)
        elif isinstance(node, Parallel | Joint):
            stack.extend(node.parts)
        elif isinstance(inside := getattr(node, "event", None), Event):
            stack.append(inside)
        else:
            yield node
