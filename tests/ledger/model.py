"""What a ledger should do, in a few lines of exact fractions: no store, no filter, no rounding."""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction


@dataclass
class Held:
    """A reservation."""

    account: str
    amount: Fraction
    end: str = ""


@dataclass
class ModelBook:
    """Sums of accounts under one capacity; ``kind`` says which sums count together."""

    kind: str
    capacity: Fraction
    sums: dict[str, Fraction] = field(default_factory=dict)
    keys: dict[str, tuple[str, str, Fraction]] = field(default_factory=dict)
    held: dict[str, Held] = field(default_factory=dict)
    shares: dict[str, ModelBook] = field(default_factory=dict)
    closed: bool = False

    def spent(self, account: str = "") -> Fraction:
        """What counts for whoever the account is about."""
        if self.kind == "parts":
            parts = [amount for name, amount in self.sums.items() if name]
            return self.sums.get("", Fraction()) + max(parts, default=Fraction())
        return self.sums.get(account, Fraction())

    @property
    def reserved(self) -> Fraction:
        return sum((held.amount for held in self.held.values() if not held.end), Fraction())

    def add(self, account: str, amount: Fraction) -> bool:
        """Spend, if it fits."""
        old = self.sums.get(account, Fraction())
        self.sums[account] = old + amount
        if not self.closed and self.spent(account) <= self.capacity:
            return True
        self.sums[account] = old
        return False

    def repeats(self, key: str, asked: tuple[str, str, Fraction]) -> bool:
        """Whether a key that was used may ask again; what has ended is not reserved anew."""
        return self.keys[key] == asked and not (asked[0] == "reserve" and self.held[key].end)

    def end(self, key: str, how: str) -> str:
        """Commit or release: what happens, as ``done``, ``reused`` or ``closed``."""
        held = self.held[key]
        if held.end:
            return "done" if held.end == how else "reused"
        if self.closed and how == "release":
            return "closed"
        held.end = how
        if how == "release":
            self.sums[held.account] -= held.amount
        return "done"

    def admit(self, units: set[str], amount: Fraction) -> set[str]:
        """Who can still afford it, and pays."""
        return {unit for unit in sorted(units) if self.add(unit, amount)}

    def close_share(self, name: str) -> None:
        """What the share has not spent comes back."""
        child = self.shares[name]
        if not child.closed and not self.closed:
            self.sums[""] -= child.capacity - child.spent()
        child.closed = True
