"""``tightrope ledger admit``: which units of a stream can still afford an event."""

from __future__ import annotations

from pathlib import Path

from tightrope._errors import InvalidArgument
from tightrope.cli.ledger.store import Key, Note, StoreName, book_of, show_receipt
from tightrope.cli.output import Json
from tightrope.cli.subject import event_of


def admit(  # noqa: PLR0913  (the options of the command)
    book: str,
    event: str,
    /,
    *,
    units: str,
    out: str,
    note: Note = "",
    key: Key = None,
    store: StoreName = None,
    json_: Json = False,
) -> None:
    """Charge the units that can afford an event.

    Parameters
    ----------
    book: str
        The name of the book.
    event: str
        An event or a guarantee as text, or a specification.
    units: str
        A file with the name of a unit on each line.
    out: str
        The file for the names of those admitted, which depend on data.
    """
    asked = event_of(event)
    names = [line for line in Path(units).read_text("utf-8").splitlines() if line.strip()]
    file = Path(out)
    if not file.parent.is_dir():
        raise InvalidArgument(f"there is no folder {str(file.parent)!r} for --out; make it first")
    with book_of(store, book) as found:
        admission = found.admit(asked, names, note=note, key=key)
    admitted = (name for name in names if name in admission)
    file.write_text("".join(f"{name}\n" for name in admitted), "utf-8")
    show_receipt("admit", admission.receipt, json_)
