"""``tightrope report``: what was promised, as a page for people or as a LaTeX document."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

from tightrope._errors import InvalidArgument
from tightrope.cli.output import Json, plain, progress, show_json
from tightrope.cli.subject import asked_about

Layout = Literal["html", "latex"]


def report(
    analysis: str,
    /,
    *,
    out: str | None = None,
    format: Layout | None = None,
    delta: str | None = None,
    json_: Json = False,
) -> None:
    """Write a report: what the numbers mean, their proofs, pictures, and what is not promised.

    Parameters
    ----------
    analysis: str
        A specification (a TOML file), or an event or a guarantee as text.
    out: str
        The file to write; without it, the report goes to stdout.
    format: str
        html or latex; by default what the file's name says, and html for stdout.
    delta: str
        For an event as text: the delta at which epsilon is reported (1e-6).
    """
    from tightrope.reporting import report_of

    asked = asked_about(analysis, delta)
    layout = _layout(out, format, json_)
    with progress() as step:
        made = report_of(asked, step)
    if json_:
        show_json("report", {"report": plain(made.contents)})
        return
    text = made.to_html() if layout == "html" else made.to_latex()
    if out is None:
        print(text, end="")
        return
    Path(out).write_text(text, encoding="utf-8")
    print(f"the report is in {out}")


def _layout(out: str | None, format: Layout | None, json_: bool) -> str:
    """What is printed, or written to ``out``, whose folder must be there."""
    from tightrope.reporting import layout_of, require_folder

    if json_ and (out or format):
        raise InvalidArgument("--json prints the record itself; leave out --out and --format")
    if out is None:
        return format or "html"
    require_folder(out)
    return format or layout_of(out)
