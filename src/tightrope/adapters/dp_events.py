"""Events of dp_accounting: the tree of what was run, read into the events of this library.

An event there leaves the relation open, and an accountant states it; here the reader is told.
Noise is relative to what one unit contributes at most, so replacing a unit moves a sum twice as
far as adding or removing it.
"""

from __future__ import annotations

from typing import Any

from tightrope._errors import InvalidArgument
from tightrope._text import named
from tightrope.adapters.foreign import kind_of, relation_of
from tightrope.adapters.leaf_events import LEAVES
from tightrope.adapters.node_events import NODES
from tightrope.adapters.reading import CALLER, Node, Part, Reading
from tightrope.events import Event
from tightrope.neighbors import Neighbors, add_or_remove
from tightrope.notions import PureDP


def from_dp_accounting(event: Any, neighbors: Neighbors = add_or_remove) -> Event:
    """The event that a ``DpEvent`` of dp_accounting describes.

    Args:
        event: a ``DpEvent``; trees may be deep.
        neighbors: the relation that the answer is about, ``tr.add_or_remove`` or
            ``tr.replace_one``. Randomised response and samples of a fixed size are only about
            replacing a unit, mixtures of Gaussians only about adding or removing one. Under
            ``tr.replace_one`` sensitivities double, and Poisson samples are read under
            add-or-remove and restated. Guarantees that are stated as such (zCDP, exponential
            mechanism, ...) are taken to be about this relation.

    Raises:
        InvalidArgument: the event, or one inside of it, is not private or not known here, lacks
            an attribute, or is not about this relation.

    Examples:
        >>> from collections import namedtuple
        >>> import tightrope as tr
        >>> GaussianDpEvent = namedtuple("GaussianDpEvent", "noise_multiplier")
        >>> from_dp_accounting(GaussianDpEvent(2.0), neighbors=tr.replace_one)
        Gaussian(noise_scale=2.0, sensitivity=2, neighbors=replace_one)
    """
    relation = relation_of(CALLER, neighbors)
    part = _read(event, Reading(relation, relation))
    return PureDP(0, neighbors=relation) if part is None else part


def _read(event: Any, reading: Reading) -> Part:
    """Children first, in a loop: ``None`` on the stack says that a node's children are done."""
    tasks: list[tuple[Any, Reading] | Node] = [(event, reading)]
    parts: list[Part] = []
    while tasks:
        task = tasks.pop()
        if isinstance(task, Node):
            count = len(task.inside)
            children = [parts.pop() for _ in range(count)][::-1]
            parts.append(task.build(children))
            continue
        found = _reader(task[0])(*task)
        if isinstance(found, Node):
            tasks.append(found)
            tasks.extend((child, found.reading) for child in reversed(found.inside))
        else:
            parts.append(found)
    return parts[0]


def _reader(event: Any) -> Any:
    """The reader for the event's class, or for the next class that it is derived from."""
    names = [owner.__name__ for owner in type(event).__mro__]
    readers = LEAVES | NODES
    for name in names:
        if name in readers:
            return readers[name]
    if "NonPrivateDpEvent" in names:
        raise InvalidArgument(f"{CALLER}: a NonPrivateDpEvent promises nothing, at any epsilon")
    raise InvalidArgument(
        f"{CALLER}: {named(kind_of(event))} is not supported; supported are "
        f"{', '.join(sorted(readers))}"
    )
