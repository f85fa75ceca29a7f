"""``tightrope ledger charge``, ``reserve``, ``commit`` and ``release``."""

from __future__ import annotations

from typing import Annotated

from cyclopts import Parameter

from tightrope.cli.ledger.store import Note, StoreName, book_of, show_receipt
from tightrope.cli.output import Json
from tightrope.cli.subject import event_of

Key = Annotated[
    str | None,
    Parameter(name="--key", show_default=False, help="Names it, so that a retry pays once."),
]
Part = Annotated[
    str | None,
    Parameter(name="--part", show_default=False, help="The part of the data that it is about."),
]
By = Annotated[
    str | None,
    Parameter(name="--by", show_default=False, help="Who asks, if not the user of this machine."),
]


def charge(  # noqa: PLR0913  (the options of the command)
    book: str,
    event: str,
    /,
    *,
    note: Note = "",
    key: Key = None,
    part: Part = None,
    by: By = None,
    store: StoreName = None,
    json_: Json = False,
) -> None:
    """Spend what an event costs.

    Parameters
    ----------
    book: str
        The name of the book.
    event: str
        An event or a guarantee as text, or a specification.
    """
    asked = event_of(event)
    with book_of(store, book) as found:
        receipt = found.charge(asked, note=note, key=key, part=part, by=by)
    show_receipt("charge", receipt, json_)


def reserve(  # noqa: PLR0913
    book: str,
    event: str,
    /,
    *,
    note: Note = "",
    key: Key = None,
    part: Part = None,
    by: By = None,
    store: StoreName = None,
    json_: Json = False,
) -> None:
    """Set aside what an event costs.

    Parameters
    ----------
    book: str
        The name of the book.
    event: str
        An event or a guarantee as text, or a specification.
    """
    asked = event_of(event)
    with book_of(store, book) as found:
        held = found.reserve(asked, note=note, key=key, part=part, by=by)
        receipt = held.receipt
    show_receipt("reserve", receipt, json_)
    if not json_ and key is None:
        print(f"key {held.key}")


def commit(
    book: str, key: str, /, *, note: Note = "", store: StoreName = None, json_: Json = False
) -> None:
    """Spend a reservation for good.

    Parameters
    ----------
    book: str
        The name of the book.
    key: str
        The key of the reservation.
    """
    with book_of(store, book) as found:
        receipt = found.reservation(key).commit(note=note)
    show_receipt("commit", receipt, json_)


def release(
    book: str, key: str, /, *, note: Note = "", store: StoreName = None, json_: Json = False
) -> None:
    """Give a reservation back.

    Parameters
    ----------
    book: str
        The name of the book.
    key: str
        The key of the reservation.
    """
    with book_of(store, book) as found:
        receipt = found.reservation(key).release(note=note)
    show_receipt("release", receipt, json_)
