"""``tightrope ledger share`` and ``close``."""

from __future__ import annotations

from tightrope.cli.ledger.create import budget_of
from tightrope.cli.ledger.show import left_open, told_of
from tightrope.cli.ledger.store import Note, StoreName, book_of, record, show_anchor, show_receipt
from tightrope.cli.output import Json, show, show_json


def share(  # noqa: PLR0913  (the options of the command)
    book: str,
    name: str,
    /,
    *,
    budget: str,
    note: Note = "",
    store: StoreName = None,
    json_: Json = False,
) -> None:
    """Set a part of the budget aside.

    Parameters
    ----------
    book: str
        The book from which it is taken.
    name: str
        The name of the new book.
    budget: str
        A guarantee in the notion of the book.
    """
    promised = budget_of(budget)
    with book_of(store, book) as found:
        made = found.share(name, promised, note=note)
        told = told_of(made)
    if json_:
        show_json("ledger share", {"book": told})
        return
    from tightrope.reporting.statements.words import plainly

    show(f"book {name}: {plainly(made.budget)}, a share of {book}")
    show_anchor(told["anchor"])


def close(book: str, /, *, note: Note = "", store: StoreName = None, json_: Json = False) -> None:
    """Close a book; a share gives back what it did not spend.

    Parameters
    ----------
    book: str
        The name of the book.
    """
    with book_of(store, book) as found:
        receipt = found.close(note=note)
        told = told_of(found)
    if json_:
        left = {name: told[name] for name in ("open_reservations", "open_shares")}
        show_json("ledger close", {"receipt": record(receipt), **left})
        return
    show_receipt("close", receipt, json_)
    if told["open_reservations"]:
        show("What is reserved stays spent: it can be committed, and no more be released.")
    if told["open_shares"]:
        show("Open shares go on with what was set aside for them, and give nothing back.")
    for line in left_open(told):
        show(line)
