"""``tightrope ledger export`` and ``import``: a book as a signed file."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from tightrope.cli.ledger.store import StoreName, book_of, opened, show_anchor
from tightrope.cli.output import Json, show, show_json


def export(
    book: str, file: str, /, *, key: str, store: StoreName = None, json_: Json = False
) -> None:
    """Write a book to a signed file.

    Parameters
    ----------
    book: str
        The name of the book.
    file: str
        The file to write; it must not be there yet.
    key: str
        A file with an Ed25519 private key (PEM).
    """
    secret = Path(key).read_bytes()
    with book_of(store, book) as found:
        anchor = found.export(file, secret)
    if json_:
        show_json("ledger export", {"file": file, "anchor": str(anchor)})
        return
    print(f"the book is in {file}")
    show_anchor(anchor)


def import_(
    file: str,
    /,
    *,
    public_key: Annotated[str, Parameter(name="--public-key")],
    store: StoreName = None,
    json_: Json = False,
) -> None:
    """Take over a book.

    Parameters
    ----------
    file: str
        The file that was exported.
    public_key: str
        A file with the public key of whoever signed it (PEM).
    """
    known = Path(public_key).read_bytes()
    with opened(store, new=True) as found:
        book = found.receive(file, public_key=known)
        anchor = book.head()
    if json_:
        show_json("ledger import", {"book": book.name, "anchor": str(anchor)})
        return
    show(f"book {book.name} was taken over")
    show_anchor(anchor)
