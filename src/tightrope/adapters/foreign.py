"""What all readers share: names and attributes of foreign objects, and what they mean here."""

from __future__ import annotations

from typing import Any

from tightrope._check import POSITIVE, RATE, Real, validated
from tightrope._errors import InvalidArgument
from tightrope._text import named
from tightrope.events import Event, compose
from tightrope.mechanisms import Gaussian
from tightrope.neighbors import Neighbors, add_or_remove, replace_one
from tightrope.notions import PureDP

RELATIONS = {"ADD_OR_REMOVE_ONE": add_or_remove, "REPLACE_ONE": replace_one}
"""Relations by the names that dp_accounting and JAX-Privacy give them."""


def kind_of(source: Any) -> str:
    """The name of the object's class."""
    return type(source).__name__


def attribute(caller: str, source: Any, name: str) -> Any:
    """One attribute of a foreign object.

    Raises:
        InvalidArgument: the object has no such attribute.
    """
    try:
        return getattr(source, name)
    except AttributeError:
        raise InvalidArgument(
            f"{caller}: {named(kind_of(source))} must have the attribute {name!r}; this one has not"
        ) from None


def relation_of(caller: str, relation: Any) -> Neighbors:
    """A relation of ours, or a member of the enumeration that two of the libraries share.

    Raises:
        InvalidArgument: it is neither, or replaces a unit by a special one.
    """
    if isinstance(relation, Neighbors) and relation.kind in ("add_or_remove", "replace_one"):
        return relation
    name = getattr(relation, "name", None)
    if name in RELATIONS:
        return RELATIONS[name]
    if name == "REPLACE_SPECIAL":
        raise InvalidArgument(
            f"{caller}: under REPLACE_SPECIAL a unit is replaced by one that contributes nothing; "
            "if being absent means that here, pass neighbors=tr.add_or_remove"
        )
    raise InvalidArgument(
        f"{caller}: neighbors must be tr.add_or_remove or tr.replace_one; you passed {relation!r}"
    )


def noise(caller: str, value: Any, what: str) -> Real:
    """An amount of noise relative to a sensitivity; without noise nothing is private."""
    if value == 0:
        raise InvalidArgument(f"{caller}: {what} is 0, and without noise nothing is private")
    return validated(value, POSITIVE, f"{caller}: {what}")


def poisson_sampled(caller: str, event: Event, rate: Any) -> Event:
    """The event on a Poisson sample; at rate 1 that is the event itself."""
    admitted = validated(rate, RATE, f"{caller}: sampling rate")
    return event if admitted == 1 else event.sampled(admitted)


def dp_sgd_step(caller: str, noise_multiplier: Any, rate: Any) -> Event:
    """One step of DP-SGD: clipped sums have sensitivity 1, relative to the clipping norm."""
    admitted = noise(caller, noise_multiplier, "noise_multiplier")
    return poisson_sampled(caller, Gaussian(admitted), rate)


def composed(parts: list[Event], neighbors: Neighbors = add_or_remove) -> Event:
    """All of the parts; of none of them nothing is told, which is 0-DP."""
    return compose(*parts) if parts else PureDP(0, neighbors=neighbors)
