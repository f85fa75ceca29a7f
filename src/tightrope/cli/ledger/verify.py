"""``tightrope ledger verify``: whether the entries of books hold together."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

from cyclopts import Parameter

from tightrope.cli.ledger.store import StoreName, opened, show_anchor
from tightrope.cli.output import Json, progress, show, show_json

if TYPE_CHECKING:
    from tightrope.ledger import Verification

CONTRADICTED = 1


def verify(
    book: str | None = None,
    /,
    *,
    anchor: Annotated[list[str] | None, Parameter(negative="", show_default=False)] = None,
    store: StoreName = None,
    json_: Json = False,
) -> int:
    """Check the chain of a book, or of all.

    Parameters
    ----------
    book: str
        Its name; without one, all books are checked.
    anchor: str
        A head that was kept: book:number:hash; any number of them.
    """
    from tightrope.ledger import Anchor

    kept = [Anchor.read(text.strip().removeprefix("anchor ")) for text in anchor or ()]
    with progress() as step, opened(store) as found:
        step("checking all entries")
        results = found.verify(kept) if book is None else (found.verify_book(book, kept),)
    if json_:
        show_json("ledger verify", {"books": [_record(one) for one in results]})
    else:
        for one in results:
            show(str(one))
            if one.ok and one.head is not None:
                show_anchor(one.head)
    return 0 if all(one.ok for one in results) else CONTRADICTED


def _record(one: Verification) -> dict[str, Any]:
    return {
        "book": one.book,
        "ok": one.ok,
        "problem": one.problem,
        "entries": one.entries,
        "anchored": one.anchored,
        "cannot_exclude": one.cannot_exclude,
        "anchor": None if one.head is None else str(one.head),
        "sentence": str(one),
    }
