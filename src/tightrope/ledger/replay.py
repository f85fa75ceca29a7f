"""Replaying a chain: every entry is checked against what the ones before it allow."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from tightrope.ledger import chain
from tightrope.ledger.amounts import Amounts, read
from tightrope.ledger.chain import GENESIS, digest
from tightrope.ledger.config import Config
from tightrope.ledger.errors import UNREADABLE
from tightrope.ledger.records import Anchor
from tightrope.ledger.state import Refused, State, apply
from tightrope.notions import ApproxDP

KEPT = frozenset(("reserve", "commit", "release", "share", "return"))
"""The kinds of entries on which later ones depend by more than the sums."""


class Broken(Exception):
    """What does not fit, in words."""


@dataclass
class Replay:
    """A book as its entries build it up, one after the other; only the sums are kept."""

    name: str
    anchors: Sequence[Anchor] = ()
    """All of them have to be met."""
    state: State | None = None
    shares: dict[str, Amounts] = field(default_factory=dict)
    """What was set aside for each share."""
    returns: dict[str, Amounts] = field(default_factory=dict)
    """What closed shares gave back."""
    _open: dict[int, tuple[Any, ...]] = field(default_factory=dict)

    @cached_property
    def _told(self) -> dict[int, list[str]]:
        """What the anchors say of entries, by number."""
        told: dict[int, list[str]] = {}
        for anchor in self.anchors:
            told.setdefault(anchor.seq, []).append(anchor.hash)
        return told

    @cached_property
    def latest(self) -> int:
        """The number of the last entry that an anchor knows."""
        return max((anchor.seq for anchor in self.anchors), default=0)

    @property
    def anchored(self) -> bool:
        """Whether there are anchors, and all were met: another hash breaks the replay."""
        return bool(self.anchors) and min(self._told) > 0 and self.latest <= self.seq

    @property
    def seq(self) -> int:
        """How many entries there were."""
        return 0 if self.state is None else self.state.seq

    @property
    def head(self) -> str:
        """The hash of the last one."""
        return GENESIS if self.state is None else self.state.head

    def take(self, seq: int, key: str, told: str, body: str) -> None:
        """Check the next entry, and let it act on the sums.

        Raises:
            Broken: it does not follow from what came before.
        """
        expected = self.seq + 1
        if seq != expected:
            raise Broken(f"after entry {self.seq} comes entry {seq}: entries are missing or moved")
        try:
            self._take(seq, key, told, body)
        except Broken:
            raise
        except Refused as refusal:
            raise Broken(f"entry {seq} is not admissible: {refusal}") from None
        except UNREADABLE as error:
            raise Broken(f"entry {seq} cannot be read: {error}") from None

    def _take(self, seq: int, key: str, told: str, body: str) -> None:
        found = digest(body)
        if found != told:
            raise Broken(f"entry {seq} was changed: its hash is not that of its text")
        content = chain.content(body)
        if (content["seq"], content["key"], content["book"]) != (seq, key, self.name):
            raise Broken(f"entry {seq} stands in a place that is not its own")
        if content["previous"] != self.head:
            raise Broken(f"entry {seq} does not follow the entry before it: the chain is broken")
        state = self.state or self._state(content)
        if content["kind"] in KEPT:
            self._keep(content)
        apply(state, content)
        state.seq, state.head = seq, found
        if seq in self._told:
            self._meet(seq, found)

    def _state(self, content: dict[str, Any]) -> State:
        if content["kind"] != "create":
            raise Broken("the first entry does not create the book")
        config = Config.of(content["config"])
        if not isinstance(config.budget, ApproxDP) and config.capacity != config.guard.capacity():
            raise Broken("the capacity in the first entry is not that of the budget")
        self.state = State(config)
        return self.state

    def _keep(self, content: dict[str, Any]) -> None:
        """Reservations end once, with the amounts that they were made for; shares are made once."""
        seq, kind = content["seq"], content["kind"]
        if kind in ("share", "return"):
            kept = self.shares if kind == "share" else self.returns
            if content["child"] in kept:
                raise Broken(f"entry {seq}: a second {kind} of one share")
            kept[content["child"]] = tuple(map(read, content["amounts"]))
            return
        about = (content["amounts"], content.get("account"), content.get("event"))
        if kind == "reserve":
            self._open[seq] = about
        elif self._open.pop(content["of"], None) != about:
            raise Broken(f"entry {seq} ends a reservation that is not open")

    def _meet(self, seq: int, found: str) -> None:
        if any(told != found for told in self._told[seq]):
            raise Broken(
                f"entry {seq} is not the one of the anchor: it, or one before it, was changed"
            )
