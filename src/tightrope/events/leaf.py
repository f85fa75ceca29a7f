"""Leaves of the event tree: frozen values with declared parameters, under one relation."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from tightrope import _wire
from tightrope._check import validate_fields
from tightrope._errors import InvalidArgument
from tightrope.events.event import Event
from tightrope.neighbors import Neighbors, add_or_remove


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
        if not isinstance(self.neighbors, Neighbors):
            raise InvalidArgument(
                f"{type(self).__name__}: neighbors must be a relation such as tr.replace_one; "
                f"you passed {self.neighbors!r}"
            )
