"""The statement of a book of the ledger, as JSON, a page, a document, plain text and a certificate.

What it says stands in ``told``, once, as sections of plain blocks; each face prints these.
"""

from __future__ import annotations

from collections.abc import Callable
from os import PathLike
from pathlib import Path

from tightrope._check import OPEN_PROBABILITY, Real, validated
from tightrope._errors import InvalidArgument
from tightrope._notebook import Form
from tightrope.certifying import Certificate
from tightrope.certifying.books import certificate_of_book
from tightrope.ledger.statement import Statement
from tightrope.reporting.files import by_ending, require_folder
from tightrope.reporting.statements.document import as_latex
from tightrope.reporting.statements.page import as_html
from tightrope.reporting.statements.plain import as_text
from tightrope.reporting.statements.told import HEADLINE_NOTE, headline, sentences, title
from tightrope.reporting.statements.wire import as_json
from tightrope.reporting.statements.words import plainly

__all__ = ["as_html", "as_json", "as_latex", "as_text", "certified", "face", "notebook", "write"]

FACES: dict[str, Callable[[Statement], str]] = {
    ".html": as_html,
    ".htm": as_html,
    ".tex": as_latex,
    ".json": as_json,
    ".txt": as_text,
}
"""What is written to a file, by the ending of its name."""


def face(path: str | PathLike[str]) -> Callable[[Statement], str]:
    """What writes to a file of that name, whose folder must be there."""
    known = by_ending(path, FACES, "statement")
    require_folder(path, "statement")
    return known


def write(told: Statement, path: str | PathLike[str]) -> None:
    """See ``Statement.write``."""
    made = face(path)(told)
    Path(path).write_text(made, encoding="utf-8")


def certified(told: Statement, delta: Real) -> Certificate:
    """See ``Statement.certificate``."""
    at = validated(delta, OPEN_PROBABILITY, "certificate: delta")
    try:
        return certificate_of_book(told, at)
    except InvalidArgument as error:
        raise InvalidArgument(
            f"book {told.book!r} has no certificate: of its budget {plainly(told.guaranteed)} "
            f"nothing is proved step by step yet; its statement tells the budget itself ({error})"
        ) from None


def notebook(told: Statement, form: Form) -> str:
    """What a notebook shows: the headline, and what was spent last."""
    return form.statement(title(told), headline(told), *sentences(told), HEADLINE_NOTE)
