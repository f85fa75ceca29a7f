"""Export and import: a book as a file of lines, signed, that another store can take over.

The first line says what follows, then comes every entry as the bytes that were hashed, and the last
line is an Ed25519 signature of all bytes before it.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tightrope._errors import InvalidArgument
from tightrope.ledger import signing
from tightrope.ledger.chain import canonical, digest
from tightrope.ledger.errors import UNREADABLE, StoreUnavailable, TamperedExport
from tightrope.ledger.records import Anchor
from tightrope.ledger.replay import Broken, Replay
from tightrope.ledger.store import rows
from tightrope.ledger.store.store import Store

if TYPE_CHECKING:
    from tightrope.ledger.book import Book

FORMAT = "tightrope ledger 1"

PAGE = 5000
"""Entries that are written to a store at once."""


def export(book: Book, path: Any, private_key: Any) -> Anchor:
    """See ``Book.export``."""
    key = signing.private(private_key)
    seen = hashlib.sha512()
    head = book.head()
    with _opened(path, "xb") as file:
        for line in _lines(book, head):
            file.write(line)
            seen.update(line)
        file.write(_line({"signature": key.sign(seen.digest()).hex()}))
    return head


def _lines(book: Book, head: Anchor) -> Iterator[bytes]:
    yield _line({"format": FORMAT, "book": head.book, "seq": head.seq, "head": head.hash})
    for entry in book.entries():
        if entry.seq > head.seq:
            return
        yield f"{entry.body}\n".encode()


def _line(content: dict[str, Any]) -> bytes:
    return f"{canonical(content)}\n".encode()


def receive(store: Store, path: Any, public_key: Any) -> str:
    """Take a book over; nothing is written unless the signature and all entries hold.

    Raises:
        TamperedExport: the file is not what was signed by the owner of that key.
    """
    header = _signed(path, signing.public(public_key))
    name = str(header["book"])
    replay = Replay(name, [Anchor(name, header["seq"], header["head"])])
    with store.writing((name,)) as connection:
        if rows.book_row(connection, name) is not None:
            raise InvalidArgument(f"receive: the store has a book {name!r} already")
        try:
            for page in _pages(path, replay):
                rows.append(connection, name, page)
        except Broken as broken:
            raise TamperedExport(f"receive: {broken}") from None
        state = replay.state
        if state is None or not replay.anchored:
            raise TamperedExport("receive: the file ends before the head that it names")
        config = canonical(state.config.described())
        rows.add_book(connection, rows.BookRow(name, config, state.seq, state.head, state.closed))
        rows.save_sums(connection, name, state.sums)
    return name


def _signed(path: Any, key: Any) -> dict[str, Any]:
    """The first line, if the last one signs everything before it."""
    from cryptography.exceptions import InvalidSignature

    seen, first, last = hashlib.sha512(), b"", b""
    with _opened(path, "rb") as file:
        for line in file:
            seen.update(last)
            first, last = first or line, line
    try:
        key.verify(bytes.fromhex(json.loads(last)["signature"]), seen.digest())
        header: dict[str, Any] = json.loads(first)
    except (InvalidSignature, *UNREADABLE):
        raise TamperedExport("receive: the file is not what the owner of this key signed") from None
    if header.get("format") != FORMAT:
        raise TamperedExport(f"receive: the file is of the format {header.get('format')!r}")
    return header


def _pages(path: Any, replay: Replay) -> Iterator[list[dict[str, Any]]]:
    page: list[dict[str, Any]] = []
    with _opened(path, "rb") as file:
        lines = iter(file)
        next(lines)
        for line in lines:
            if replay.anchored:
                break
            body = line.decode().rstrip("\n")
            content = json.loads(body)
            row = {"seq": content["seq"], "key": content["key"], "hash": digest(body), "body": body}
            replay.take(*row.values())
            page.append(row)
            if len(page) == PAGE:
                yield page
                page = []
    if page:
        yield page


def _opened(path: Any, mode: str) -> Any:
    try:
        return Path(path).open(mode)
    except FileExistsError:
        raise InvalidArgument(f"export: {str(path)!r} exists already") from None
    except OSError as error:
        raise StoreUnavailable(f"{str(path)!r} cannot be opened: {error.strerror}") from None
