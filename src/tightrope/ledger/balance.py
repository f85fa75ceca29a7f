"""The balance of a book: what was consumed by those whom an account is about, and what is left."""

from __future__ import annotations

from tightrope.ledger.amounts import Amounts, difference, nothing
from tightrope.ledger.config import Config
from tightrope.ledger.records import Spending
from tightrope.ledger.scope import scoped
from tightrope.ledger.state import RESERVED, State
from tightrope.notions import Guarantee


def consumed(state: State, account: str) -> Spending:
    """What was consumed so far, in amounts and in words."""
    config = state.config
    amounts = config.structure.consumed(state.sums, account, len(config.capacity))
    return Spending(amounts, reserved(state), config.counted, config.guard.consumption(amounts))


def reserved(state: State) -> Amounts:
    """What is reserved and not yet committed."""
    return state.sums.get(RESERVED, nothing(state.config.capacity))


def left(config: Config, spent: Spending) -> Guarantee:
    """The largest guarantee that fits beside what was consumed, rounded down."""
    single = config.guard.single(difference(config.capacity, spent.amounts))
    return scoped(single, config.scope)
