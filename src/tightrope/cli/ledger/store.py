"""The store and the book that a command is about, and how receipts are shown."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from cyclopts import Parameter

from tightrope._errors import InvalidArgument
from tightrope.cli.output import show, show_json

if TYPE_CHECKING:
    from tightrope.ledger import Book, Ledger, Receipt

REPEATED = {
    "charge": "it was already charged by this key; nothing was paid now",
    "reserve": "it was already reserved by this key; nothing was paid now",
    "commit": "it was already committed; nothing was written now",
    "release": "it was already released; nothing was given back now",
    "close": "it was already closed; nothing was written now",
}
"""What is told of an entry that stood there before."""

VARIABLE = "TIGHTROPE_STORE"

StoreName = Annotated[
    str | None,
    Parameter(
        name="--store",
        show_default=False,
        help=f"An SQLite file, or a URL of PostgreSQL (${VARIABLE}).",
    ),
]
"""The option that every command has."""

Key = Annotated[
    str | None, Parameter(show_default=False, help="Names it, so that a retry pays once.")
]

Note = Annotated[str, Parameter(name="--note", show_default=False, help="What it is, for people.")]


@contextmanager
def opened(store: str | None, *, new: bool = False) -> Iterator[Ledger]:
    """The store that was named; a file that is not there is made only for a new book."""
    from tightrope.ledger import Ledger
    from tightrope.ledger.store.address import address

    where = store or os.environ.get(VARIABLE)
    if not where:
        raise InvalidArgument(f"name the store by --store budget.db, or by the variable {VARIABLE}")
    url = address(where)
    if url.get_backend_name() == "sqlite" and not new and not Path(str(url.database)).exists():
        raise InvalidArgument(
            f"there is no store {where!r}; tightrope ledger create makes one, with its first book"
        )
    with Ledger(where) as found:
        yield found


@contextmanager
def book_of(store: str | None, name: str) -> Iterator[Book]:
    """The book of that name."""
    with opened(store) as found:
        yield found.open(name)


def show_receipt(command: str, receipt: Receipt, json_: bool) -> None:
    """Tell that an entry was written, with the anchor to keep."""
    if json_:
        show_json(f"ledger {command}", {"receipt": record(receipt)})
        return
    price = f": {receipt.price}" if receipt.amounts else ""
    show(f"{receipt.kind}, entry {receipt.seq} of {receipt.book}{price}")
    if receipt.repeated:
        show(REPEATED[receipt.kind])
    show_anchor(receipt.head)


def show_anchor(anchor: object) -> None:
    """The anchor on a line of its own, unbroken, so that it can be copied and cut out."""
    from tightrope._text import cleaned

    print(cleaned(f"anchor {anchor}"))


def record(receipt: Receipt) -> dict[str, Any]:
    """A receipt as plain data."""
    from tightrope.ledger.amounts import written
    from tightrope.ledger.keys import own

    return {
        "book": receipt.book,
        "number": receipt.seq,
        "kind": receipt.kind,
        "key": own(receipt.key),
        "time": receipt.time,
        "by": receipt.by,
        "note": receipt.note,
        "event": receipt.event,
        "amounts": list(map(written, receipt.amounts)),
        "price": receipt.price,
        "anchor": str(receipt.head),
    }
