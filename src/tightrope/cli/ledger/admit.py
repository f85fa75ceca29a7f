"""``tightrope ledger admit``: which units of a stream can still afford an event."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TextIO

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
    names = _names(Path(units))
    with book_of(store, book) as found, _opened(Path(out), again=key is not None) as file:
        admission = found.admit(asked, names, note=note, key=key)
        file.write("".join(f"{name}\n" for name in names if name in admission))
    show_receipt("admit", admission.receipt, json_)


def _names(path: Path) -> list[str]:
    """Every line's name, each once; a line ends where a terminal ends it, and nowhere else."""
    try:
        text = path.read_bytes().decode("utf-8-sig")
    except UnicodeDecodeError:
        raise InvalidArgument(f"--units {str(path)!r} is not a text in UTF-8") from None
    lines = (line.removesuffix("\r") for line in text.split("\n"))
    return list(dict.fromkeys(line for line in lines if line.strip()))


@contextmanager
def _opened(path: Path, *, again: bool) -> Iterator[TextIO]:
    """A file made before anything is charged: afterwards it would be too late.

    What stands in a file is replaced only by a retry, which is told the same names again.
    """
    try:
        file = path.open("w" if again else "x", encoding="utf-8")
    except FileExistsError:
        raise InvalidArgument(f"--out {str(path)!r} exists already; choose another") from None
    except OSError as error:
        raise InvalidArgument(f"--out {str(path)!r} cannot be written: {error.strerror}") from None
    with file:
        try:
            yield file
        except BaseException:
            path.unlink()
            raise
