"""Leaves of the event tree: frozen values with declared parameters, under one relation."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from tightrope import _wire
from tightrope._check import validate_fields
from tightrope.events.event import Event
from tightrope.neighbors import Neighbors, add_or_remove, require_neighbors


@dataclass(frozen=True, repr=False)
class Leaf(Event):
    """Base of guarantees and mechanisms: checked on construction, and nameable in texts."""

    neighbors: Neighbors = field(default=add_or_remove, kw_only=True)

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        if "title" in cls.__dict__:  # a class of its own, not a common base
            _wire.register(cls)

    def __post_init__(self) -> None:
        self._check_neighbors()
        validate_fields(self)

    def _check_neighbors(self) -> None:
        require_neighbors(self.neighbors, f"{type(self).__name__}: neighbors")
