"""Leaves of a specification: a mechanism, a notion with its parameters, or a guarantee in short."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from tightrope._short import decimal_comma, short_name
from tightrope.events import Event
from tightrope.neighbors import Neighbors
from tightrope.spec.document import Place
from tightrope.spec.errors import SpecError
from tightrope.spec.scope import COMMON, Node, Scope, Told
from tightrope.spec.vocabulary import Argument, Named, mechanisms, notions


def mechanism(place: Place, scope: Scope) -> Node:
    """A node with the name of a mechanism."""
    return _constructed(place, scope, "mechanism", mechanisms())


def notion(place: Place, scope: Scope) -> Node:
    """A node with the name of a notion."""
    return _constructed(place, scope, "notion", notions())


def _constructed(place: Place, scope: Scope, kind: str, known: Mapping[str, Named]) -> Node:
    named = known[place.child(kind).choice(kind, known)]
    place.table((kind, *named.keys, *COMMON), f"{kind} {named.name!r}")
    given = [a for a in named.arguments if a.name in place.value]
    missing = [a.name for a in named.arguments if a.required and a.name not in place.value]
    if missing:
        raise place.error(
            f"{kind} {named.name!r} needs {' and '.join(missing)}; its parameters are "
            f"{', '.join(named.keys)}"
        )
    values = {a.name: _argument(place.child(a.name), a, scope) for a in given}
    event = named.owner(**values, neighbors=scope.relation)
    told = tuple(told_of(place.child(a.name), scope) for a in given)
    return Node("", named.title, told, (), event)


def told_of(place: Place, scope: Scope) -> Told:
    """A parameter as it was given."""
    key = str(place.path[-1])
    if key in ("restated", "then") or isinstance(place.value, bool | list):
        return Told(key, place.written())
    try:
        return Told(key, place.written(), place.number(scope.constants))
    except SpecError:  # a word, such as the law of the noise
        return Told(key, place.written())


def _argument(place: Place, argument: Argument, scope: Scope) -> Any:
    if argument.kind == "flag":
        return place.flag()
    if argument.kind == "text":
        return place.text(argument.about or argument.name)
    if argument.kind == "numbers":
        return place.numbers(scope.constants)
    return place.number(scope.constants, argument.domain)


def guarantee(place: Place, scope: Scope) -> Node:
    """A node with a guarantee in its short form."""
    place.table(("guarantee", *COMMON), "a node with a guarantee")
    short = place.child("guarantee")
    return Node("", "guarantee", (Told("", short.text("a guarantee")),), (), stated(short, scope))


def stated(place: Place, scope: Scope) -> Event:
    """The guarantee that a short text such as ``zcdp:0.5`` states, under the scope's relation."""
    prefix, colon, rest = place.text("a guarantee such as zcdp:0.5").partition(":")
    name = short_name(prefix.strip())
    named = notions()[replace(place, value=name).choice("notion", notions())]
    if not colon or any(argument.kind != "number" for argument in named.arguments):
        keys = ", ".join(f"{key} = ..." for key in named.keys)
        raise place.error(f"write {{ notion = {named.name!r}, {keys} }} or a text like zcdp:0.5")
    if comma := decimal_comma(named.name, rest):
        raise place.error(comma)
    numbers = [replace(place, value=part).number(scope.constants) for part in rest.split(",")]
    with place.retold():
        return _applied(place, named, numbers, scope.relation)


def _applied(place: Place, named: Named, numbers: list[Any], relation: Neighbors) -> Event:
    needed = sum(argument.required for argument in named.arguments)
    if not needed <= len(numbers) <= len(named.arguments):
        keys = ", ".join(named.keys)
        given = "1 number is" if len(numbers) == 1 else f"{len(numbers)} numbers are"
        raise place.error(f"{named.name!r} takes {keys}; {given} given")
    event: Event = named.owner(*numbers, neighbors=relation)
    return event
