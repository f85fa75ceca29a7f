"""``tightrope ledger show``: what a book guarantees, what is consumed, what remains."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from tightrope.cli.ledger.store import StoreName, book_of, opened, show_anchor
from tightrope.cli.output import Json, show, show_json

if TYPE_CHECKING:
    from tightrope.ledger import Book, Reservation, Spending
    from tightrope.ledger.statement import PartSpending
    from tightrope.notions import Guarantee


def show_(book: str | None = None, /, *, store: StoreName = None, json_: Json = False) -> None:
    """Show a book, or the names of all.

    Parameters
    ----------
    book: str
        Its name; without one, all books are listed.
    """
    if book is None:
        _list(store, json_)
        return
    from tightrope.ledger.divided import parts

    with book_of(store, book) as found:
        told = told_of(found)
        left = None if told["remaining"] is None else found.remaining()
        divided = parts(found)
    if json_:
        show_json("ledger show", {"book": told})
        return
    show(*_lines(told, found, left), *_parts(divided), *left_open(told))
    show_anchor(told["anchor"])


def _list(store: str | None, json_: bool) -> None:
    with opened(store) as found:
        names = found.books()
    if json_:
        show_json("ledger show", {"books": names})
        return
    show(*names)


def told_of(book: Book) -> dict[str, Any]:
    """What is told of a book, as plain data."""
    from tightrope.events import spelled
    from tightrope.ledger.divided import parts

    hidden = not book.structure.public_sums
    return {
        "name": book.name,
        "guaranteed": spelled(book.guarantee),
        "neighbors": str(book.guarantee.neighbors),
        "unit": book.guarantee.neighbors.changes[0].unit,
        "scope": book.scope,
        "filter": book.filter,
        "structure": book.structure.described(),
        "plan": book.plan,
        "parent": book.parent,
        "closed": book.closed,
        "consumed": None if hidden else _spending(book.spent()),
        "remaining": None if hidden else spelled(book.remaining()),
        "parts": [
            {"part": p.part, "remaining": spelled(p.remaining), **_spending(p.spending)}
            for p in parts(book)
        ],
        "open_reservations": list(map(_held, book.open_reservations())),
        "open_shares": book.open_shares(),
        "anchor": str(book.head()),
    }


def _held(reservation: Reservation) -> dict[str, Any]:
    """An open reservation; who knows what became of it ends it by its key."""
    receipt = reservation.receipt
    return {
        "key": reservation.key,
        "time": receipt.time,
        "by": receipt.by,
        "note": receipt.note,
        "event": receipt.event,
        "price": receipt.price,
    }


def _spending(spending: Spending) -> dict[str, Any]:
    from tightrope.ledger.amounts import written

    return {
        "counted": spending.counted,
        "amounts": list(map(written, spending.amounts)),
        "reserved": list(map(written, spending.reserved)),
        "words": spending.words,
    }


def _lines(told: dict[str, Any], book: Book, left: Guarantee | None) -> Iterator[str]:
    from tightrope.reporting.statements.words import promised, rounded_down

    now = "" if book.scope is None else f" in this {book.scope.per}"
    promise = promised(book.guarantee, book.scope)
    yield f"book {told['name']}{', closed' if told['closed'] else ''}"
    yield f"guaranteed  {promise}, at any time, for neighbours that {told['neighbors']}"
    if left is not None:
        reserved = ", reservations among it" if _any(told["consumed"]["reserved"]) else ""
        yield f"consumed    {told['consumed']['words']}{now}{reserved}; no guarantee"
        yield f"remaining   {rounded_down(left)}{now}"
    if told["parent"] is not None:
        yield f"a share of  {told['parent']}"


def _parts(divided: tuple[PartSpending, ...]) -> Iterator[str]:
    """A line for each part; what everybody consumed counts in every one."""
    from tightrope.reporting.statements.words import about_part

    for part in divided:
        yield f"part        {about_part(part)}"


def left_open(told: dict[str, Any]) -> Iterator[str]:
    """What was reserved or set aside, and has no end yet."""
    for held in told["open_reservations"]:
        note = f", {held['note']}" if held["note"] else ""
        yield f"reserved    by key {held['key']}: {held['price']}{note}"
    for share in told["open_shares"]:
        yield f"open share  {share}"


def _any(amounts: list[str]) -> bool:
    return any(amount != "0" for amount in amounts)
