"""What an entry does to a book: the one place that decides whether a charge is within the budget.

Pure functions on sums. Writers apply them to the sums that the store keeps, a check to sums that it
builds up from nothing; both must agree.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from tightrope.ledger.amounts import EXACT, Amounts, negative, nothing, read, times, total, within
from tightrope.ledger.chain import GENESIS
from tightrope.ledger.config import Config
from tightrope.ledger.structure import WHOLE, Sums

RESERVED = "reserved"
"""The account that holds what is reserved and not yet committed."""

ONE = (EXACT.create_decimal(1),)
"""One charge of a declared event, as an amount."""


class Refused(Exception):
    """An entry does not fit; ``over`` if the budget is why."""

    def __init__(self, reason: str, *, over: bool = False):
        super().__init__(reason)
        self.over = over


@dataclass
class State:
    """A book as far as it was read."""

    config: Config
    seq: int = 0
    head: str = GENESIS
    closed: bool = False
    sums: Sums = field(default_factory=dict)

    def demand(self, account: str = WHOLE) -> Amounts:
        """The sums that must stay within the capacity, for whoever the account is about."""
        return self.config.structure.demand(self.sums, account, len(self.config.capacity))

    def fits(self, account: str) -> bool:
        """Whether they do."""
        return within(self.demand(account), self.config.capacity)


def accounts(config: Config, content: Mapping[str, Any]) -> tuple[str, ...] | None:
    """The accounts that an entry needs; None for all of the book's."""
    needed = [RESERVED]
    if config.plan is not None:
        needed.append(planned(content.get("event", "")))
    lowers = content["kind"] in ("release", "return")
    for account in content.get("units") or (content.get("account", WHOLE),):
        reads = config.structure.reads(account, lowers=lowers)
        if reads is None:
            return None
        needed.extend(reads)
    return tuple(dict.fromkeys(needed))


def planned(event: str) -> str:
    """The account that counts the charges of a declared event."""
    return f"planned:{hashlib.sha256(event.encode('utf-8', 'backslashreplace')).hexdigest()}"


def apply(state: State, content: Mapping[str, Any]) -> None:
    """Change the sums as an entry says.

    Raises:
        Refused: the entry is not admissible; the sums are then of no use any more.
    """
    kind = content["kind"]
    if state.closed and kind != "commit":
        raise Refused("the book is closed")
    _KINDS[kind](state, content, tuple(map(read, content["amounts"])))


def _charge(state: State, content: Mapping[str, Any], amounts: Amounts) -> None:
    _count(state, content, 1)
    for account in content.get("units", (content.get("account", WHOLE),)):
        _spend(state, account, amounts)


def _spend(state: State, account: str, amounts: Amounts) -> None:
    state.config.structure.post(state.sums, account, amounts)
    if not state.fits(account):
        raise Refused("the budget does not afford it", over=True)


def _count(state: State, content: Mapping[str, Any], by: int) -> None:
    """Count a declared event, where all were declared beforehand."""
    if state.config.plan is None:
        return
    event = content["event"]
    allowed = state.config.planned.get(event, 0)
    account = planned(event)
    counted = total(state.sums.get(account, nothing(ONE)), times(by, ONE))
    if counted[0] > allowed:
        raise Refused(
            "all events of this book were declared beforehand, and this is none of them"
            if not allowed
            else f"this event was declared {allowed} times, and was charged so often already"
        )
    state.sums[account] = counted


def _reserve(state: State, content: Mapping[str, Any], amounts: Amounts) -> None:
    _charge(state, content, amounts)
    _hold(state, amounts)


def _hold(state: State, amounts: Amounts) -> None:
    told = amounts[: len(state.config.capacity)]  # what follows is about units that move
    state.sums[RESERVED] = total(state.sums.get(RESERVED, nothing(told)), told)


def _commit(state: State, content: Mapping[str, Any], amounts: Amounts) -> None:
    _hold(state, negative(amounts))


def _release(state: State, content: Mapping[str, Any], amounts: Amounts) -> None:
    _hold(state, negative(amounts))
    _count(state, content, -1)
    account = content.get("account", WHOLE)
    state.config.structure.post(state.sums, account, negative(amounts))


def _return(state: State, content: Mapping[str, Any], amounts: Amounts) -> None:
    state.config.structure.post(state.sums, WHOLE, negative(amounts))


def _share(state: State, content: Mapping[str, Any], amounts: Amounts) -> None:
    _spend(state, WHOLE, amounts)


def _close(state: State, content: Mapping[str, Any], amounts: Amounts) -> None:
    state.closed = True


def _create(state: State, content: Mapping[str, Any], amounts: Amounts) -> None:
    if state.seq:
        raise Refused("the book exists already")


_KINDS = {
    "create": _create,
    "charge": _charge,
    "reserve": _reserve,
    "commit": _commit,
    "release": _release,
    "share": _share,
    "return": _return,
    "close": _close,
}
