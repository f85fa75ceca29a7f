"""``tightrope ledger statement``: all that was spent, for people and for programs."""

from __future__ import annotations

import json

from tightrope._errors import InvalidArgument
from tightrope.cli.ledger.store import StoreName, book_of
from tightrope.cli.output import Json, progress, show_json, stdout
from tightrope.cli.subject import DELTA, delta_of


def statement(  # noqa: PLR0913  (the options of the command)
    book: str,
    /,
    *,
    out: str | None = None,
    certificate: str | None = None,
    delta: str = DELTA,
    store: StoreName = None,
    json_: Json = False,
) -> None:
    """State all that was spent.

    Parameters
    ----------
    book: str
        The name of the book.
    out: str
        A file that ends in .html, .tex, .json or .txt; without it, text goes to stdout.
    certificate: str
        A file for a certificate of what the book guarantees.
    delta: str
        The delta at which the certificate claims an epsilon.
    """
    from tightrope.reporting.statements import as_json, as_text, face

    if json_ and out is not None:
        raise InvalidArgument("--json prints the record itself; leave out --out")
    if out is not None:
        face(out)
    at = delta_of(delta)
    with progress() as step, book_of(store, book) as found:
        step("reading all entries")
        told = found.statement()
    if json_:
        show_json("ledger statement", {"statement": json.loads(as_json(told))})
    elif out is None:
        print(as_text(told, stdout().width), end="")
    else:
        told.write(out)
        print(f"the statement is in {out}")
    if certificate is not None:
        with progress() as step:
            step("the certificate")
            told.certificate(delta=at).write(certificate)
        if not json_:
            print(f"the certificate is in {certificate}")
