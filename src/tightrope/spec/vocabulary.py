"""The mechanisms and notions that a specification can name, with their parameters.

Everything is read off the classes: names and defaults from their constructors, ranges and
meanings from their declared parameters. The reader, the JSON schema and the documentation use
this one list, so a new mechanism appears in all of them by itself.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Mapping
from dataclasses import dataclass, is_dataclass
from functools import cache
from typing import Any, Literal

from tightrope import _upward, _wire
from tightrope._check import Domain, parameters
from tightrope.mechanisms import Mechanism
from tightrope.notions import Guarantee

Kind = Literal["number", "numbers", "flag", "text"]

_KINDS: tuple[tuple[str, Kind], ...] = (
    ("ArrayLike", "numbers"),
    ("bool", "flag"),
    ("str", "text"),
)
"""Parts of an annotation and the kind of value that they stand for; the rest is numbers."""

_CAPITAL = re.compile(r"(?<!^)(?=[A-Z])")


@dataclass(frozen=True)
class Argument:
    """One parameter of a mechanism or a notion.

    Attributes:
        name: the key in the document.
        kind: what its value is.
        required: whether it has no default.
        domain: the admissible numbers, if they are declared.
        symbol: the letter of the literature, or nothing.
        about: what it is.
        default: its value if it is not given.
    """

    name: str
    kind: Kind
    required: bool
    domain: Domain | None
    symbol: str
    about: str
    default: Any


@dataclass(frozen=True)
class Named:
    """A mechanism or a notion by its name in documents."""

    name: str
    owner: type
    title: str
    arguments: tuple[Argument, ...]

    @property
    def keys(self) -> tuple[str, ...]:
        """The names of its parameters."""
        return tuple(argument.name for argument in self.arguments)


@cache
def mechanisms() -> Mapping[str, Named]:
    """Every mechanism by its snake-case name."""
    return _named(Mechanism)


@cache
def notions() -> Mapping[str, Named]:
    """Every notion by its short name."""
    return _named(Guarantee)


def _named(base: type) -> Mapping[str, Named]:
    _upward.vocabulary()
    owners = [
        value
        for value in _wire.constructors.values()
        if isinstance(value, type) and issubclass(value, base) and hasattr(value, "title")
    ]
    return {name: _entry(name, owner) for name, owner in sorted((_name(o), o) for o in owners)}


def _name(owner: type) -> str:
    """``discrete_gaussian`` for DiscreteGaussian, ``zcdp`` for ZCDP."""
    return getattr(owner, "short", "") or _CAPITAL.sub("_", owner.__name__).lower()


def _entry(name: str, owner: Any) -> Named:
    declared = {p.name: p for p in parameters(owner)} if is_dataclass(owner) else {}
    arguments = []
    for parameter in inspect.signature(owner).parameters.values():
        if parameter.name == "neighbors":
            continue
        known = declared.get(parameter.name)
        required = parameter.default is inspect.Parameter.empty
        arguments.append(
            Argument(
                parameter.name,
                "number" if known else _kind(str(parameter.annotation)),
                required,
                known.domain if known else None,
                known.symbol if known else "",
                known.about if known else "",
                None if required else parameter.default,
            )
        )
    return Named(name, owner, owner.title, tuple(arguments))


def _kind(annotation: str) -> Kind:
    return next((kind for part, kind in _KINDS if part in annotation), "number")
