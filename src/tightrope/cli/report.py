"""``tightrope report``: what was promised, as a page for people or as a LaTeX document."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from tightrope._errors import InvalidArgument
from tightrope.cli.output import Json, plain, progress, show_json
from tightrope.cli.subject import asked_about

if TYPE_CHECKING:
    from tightrope.reporting import Report
    from tightrope.spec.reader import Spec

Layout = Literal["html", "latex"]


def report(
    analysis: str,
    /,
    *,
    out: str | None = None,
    format: Layout | None = None,
    delta: str | None = None,
    json_: Json = False,
) -> int:
    """Write a report: what the numbers mean, their proofs, pictures, and what is not promised.

    Parameters
    ----------
    analysis: str
        A specification (TOML), an event, or a certificate (JSON).
    out: str
        The file to write; without it, the report goes to stdout, if that is no terminal.
    format: str
        html or latex; by default what the file's name says, and html for stdout.
    delta: str
        For an event as text: the delta at which epsilon is reported (1e-6).
    """
    asked = _asked(analysis, delta)
    layout = _layout(out, format, json_)
    with progress() as step:
        made, code = _made(asked, step)
    if json_:
        show_json("report", {"exit_code": code, "report": plain(made.contents)})
        return code
    text = made.to_html() if layout == "html" else made.to_latex()
    if out is None:
        print(text, end="")
        return code
    Path(out).write_text(text, encoding="utf-8")
    print(f"the report is in {out}")
    if made.contents.origin and code:
        print(f"{made.contents.origin.verdict} {made.contents.origin.words}", file=sys.stderr)
    return code


def _asked(analysis: str, delta: str | None) -> Spec | bytes:
    """What the report is about: a specification, or the content of a certificate."""
    if not analysis.endswith(".json"):
        return asked_about(analysis, delta)
    if delta is not None:
        raise InvalidArgument("--delta is for events; a certificate has the numbers that it has")
    return Path(analysis).read_bytes()


def _made(asked: Spec | bytes, step: Callable[[str], None]) -> tuple[Report, int]:
    """The report, and the exit code, which of a certificate is that of ``verify``."""
    from tightrope.reporting import report_of, report_of_certificate

    if not isinstance(asked, bytes):
        return report_of(asked, step), 0
    step("deriving every step of the certificate again")
    return report_of_certificate(asked)


def _refuse_terminal(json_: bool) -> None:
    """Raise InvalidArgument rather than pour the source of a page over a terminal."""
    if sys.stdout.isatty() and not json_:
        raise InvalidArgument(
            "a report is a page for a browser or for LaTeX: give --out report.html or --out "
            "report.tex, or send it on to another program; 'tightrope account' and 'tightrope "
            "explain' print for a terminal"
        )


def _layout(out: str | None, format: Layout | None, json_: bool) -> str:
    """What is printed, or written to ``out``, whose folder must be there."""
    from tightrope.reporting import layout_of, require_folder

    if json_ and (out or format):
        raise InvalidArgument("--json prints the record itself; leave out --out and --format")
    if out is None:
        _refuse_terminal(json_)
        return format or "html"
    require_folder(out, "report")
    return format or layout_of(out)
