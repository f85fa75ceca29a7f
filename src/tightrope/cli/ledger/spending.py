"""``tightrope ledger charge``, ``reserve``, ``commit`` and ``release``."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Annotated

from cyclopts import Parameter

from tightrope.cli.ledger.store import Key, Note, StoreName, book_of, show_receipt
from tightrope.cli.output import Json
from tightrope.cli.subject import event_of

Part = Annotated[
    str | None, Parameter(show_default=False, help="The part of the data that it is about.")
]
By = Annotated[
    str | None, Parameter(show_default=False, help="Who asks, if not the user of this machine.")
]


@Parameter(name="*")
@dataclass(frozen=True)
class Told:
    """What is told of an event beside itself."""

    note: Note = ""
    key: Key = None
    part: Part = None
    by: By = None


UNTOLD = Told()


def charge(
    book: str,
    event: str,
    /,
    *,
    told: Told = UNTOLD,
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
        receipt = found.charge(asked, **asdict(told))
    show_receipt("charge", receipt, json_)


def reserve(
    book: str,
    event: str,
    /,
    *,
    told: Told = UNTOLD,
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
        held = found.reserve(asked, **asdict(told))
        receipt = held.receipt
    show_receipt("reserve", receipt, json_)
    if not json_ and told.key is None:
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
