"""Reports: what an analysis promises, as a page for people who are no experts."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

from tightrope._calls import Spoken, spoken
from tightrope._check import OPEN_PROBABILITY, Real, validated
from tightrope._notebook import Form, Shown
from tightrope._wire import clipped
from tightrope.events import Event, require_event
from tightrope.reporting.files import by_ending, require_folder
from tightrope.reporting.record import Contents, in_words

if TYPE_CHECKING:
    from tightrope.spec.reader import Spec

SUFFIXES = {".html": "html", ".htm": "html", ".tex": "latex"}
"""Endings of file names, and what is written to such a file."""

WRITING = "The whole report: .write('report.html'), or .write('report.tex')."
"""What a notebook says below the plain words."""

LONGEST = 400
"""Most characters by which a report says what was run."""


@dataclass(frozen=True, eq=False, repr=False)
class Report(Shown, metaclass=Spoken):
    """A report as a plain record, with ways to print it.

    Notebooks show its plain words; the whole of it is what ``.write("report.html")`` writes.

    Attributes:
        contents: all that it says.
    """

    _instead: ClassVar[dict[str, str]] = dict.fromkeys(
        ("to_html", "to_latex"), "; a file is written by .write(path)"
    )

    contents: Contents

    def to_html(self) -> str:
        """One HTML page that needs no network and no scripts."""
        from tightrope.reporting.page import page

        return page(self.contents)

    def to_latex(self) -> str:
        """A LaTeX document, with pictures by pgfplots."""
        from tightrope.reporting.latex import document

        return document(self.contents)

    def write(self, path: str | PathLike[str]) -> None:
        """Write a page or a document, as the name of the file says.

        Args:
            path: a file that ends in .html, .htm or .tex.

        Raises:
            InvalidArgument: it ends otherwise.
            OSError: the file cannot be written.
        """
        made = self.to_html() if layout_of(path) == "html" else self.to_latex()
        Path(path).write_text(made, encoding="utf-8")

    def _page(self, form: Form) -> str:
        told = [
            form.statement(
                part.title,
                part.event,
                f"for neighbours that {part.neighbors}",
                *map(in_words, part.meaning),
            )
            for part in self.contents.parts
        ]
        return "\n".join([form.statement(self.contents.title, WRITING), *told])

    def __repr__(self) -> str:
        parts, numbers = self.contents.parts, sum(len(p.rows) for p in self.contents.parts)
        told = f"{numbers} answers about {len(parts)} part{'s' if len(parts) > 1 else ''}"
        return f"Report({clipped(self.contents.title, 40)!r}: {told})"


@spoken
def report(
    event: Event,
    path: str | PathLike[str] | None = None,
    *,
    delta: Real = 1e-6,
    title: str = "",
) -> Report:
    """A report about an event: what it means, its numbers with their proofs, and pictures.

    Args:
        event: what was run, or a guarantee.
        path: a file to write it to, ending in .html, .htm or .tex; by default it is not written.
        delta: where epsilon is told, strictly between 0 and 1.
        title: a name for people; by default the event itself.

    Raises:
        InvalidArgument: not an event, no such delta, a file of another kind, or in a folder
            that is not there.
        OSError: the file cannot be written.

    Examples:
        >>> import tightrope as tr
        >>> tr.report(tr.Gaussian(noise_scale=4.0) ** 12)
        Report('Gaussian(noise_scale=4.0) ** 12': 6 answers about 1 part)
    """
    require_event(event, "report: event")
    at = validated(delta, OPEN_PROBABILITY, "report: delta")
    if path is not None:
        layout_of(path)
        require_folder(path, "report")
    from tightrope.spec.account import spec_about

    spec = spec_about(event, clipped(repr(event), LONGEST), str(at).replace("e-0", "e-"))
    made = report_of(replace(spec, title=title or clipped(repr(event))))
    if path is not None:
        made.write(path)
    return made


def report_of(spec: Spec, step: Callable[[str], None] = lambda text: None) -> Report:
    """The report of a specification; ``step`` is told what is being worked on."""
    from tightrope.reporting.gather import contents

    return Report(contents(spec, step))


def report_of_certificate(data: bytes) -> tuple[Report, int]:
    """The report of a certificate, and 0 if it verifies, 1 if it is refuted, 4 if not checked.

    Raises:
        InvalidArgument: it cannot be read, or python-flint is not installed.
    """
    from tightrope.reporting.certified import contents_of

    told, outcome = contents_of(data)
    return Report(told), outcome.exit_code


def layout_of(path: str | PathLike[str]) -> str:
    """What a file of that name is to hold: ``html`` or ``latex``."""
    return by_ending(path, SUFFIXES, "report")
