"""Keys of entries: what a caller calls an entry, behind what kind of entry it is."""

from __future__ import annotations

USE, END, SHARE, RETURN = "use:", "end:", "share:", "return:"
"""How the keys begin of charges and reservations, of their ends, of shares, of their returns."""

CREATING, CLOSING = "create:", "close:"
"""The keys of the entries that create and close a book."""


def used(key: str) -> str:
    """The key of the charge or the reservation that a caller calls ``key``."""
    return f"{USE}{key}"


def ended(key: str) -> str:
    """The key of what ends the reservation that a caller calls ``key``."""
    return f"{END}{key}"


def shared(child: str) -> str:
    """The key of what sets a share aside."""
    return f"{SHARE}{child}"


def returned(child: str) -> str:
    """The key of what a share gives back."""
    return f"{RETURN}{child}"


def own(key: str) -> str:
    """The caller's key of an entry's.

    >>> own(used("job 17: table 3"))
    'job 17: table 3'
    """
    return key.partition(":")[2]
