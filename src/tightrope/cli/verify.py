"""``tightrope verify``: check certificates by derivations that share nothing with the rest."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby
from operator import attrgetter
from typing import TYPE_CHECKING, Any

from tightrope._errors import InvalidArgument
from tightrope.cli.output import Json, plain, progress, show, show_json

if TYPE_CHECKING:
    from tightrope.verify.outcome import Background, Report


def verify(certificate: str, /, *others: str, json_: Json = False) -> int:
    """Derive every step of certificates again, in ball arithmetic.

    Exit code 0 if all of it is verified, 1 if something is refuted, 2 if a file cannot be read, 4
    if a step cannot be derived again; of several files the gravest, in the order 1, 2, 4, 0.

    Parameters
    ----------
    certificate: str
        A file that ``tightrope account --certificate`` or ``tr.certificate`` wrote.
    others: str
        More such files.
    """
    files = (certificate, *others)
    reports = _reports(files)
    code = _gravest(reports)
    if json_:
        show_json("verify", _record(files, reports, code))
        return code
    for file, report in zip(files, reports, strict=True):
        _show(report, file if others else "")
    return code


def _reports(files: Sequence[str]) -> list[Report]:
    """One for each file; what cannot be opened is unreadable."""
    from tightrope.verify import verify_file
    from tightrope.verify.outcome import UNREADABLE, Report

    found = []
    with progress() as step:
        for file in files:
            step(f"deriving every step of {file} again")
            try:
                found.append(verify_file(file))
            except ModuleNotFoundError as error:
                raise InvalidArgument(str(error)) from None
            except OSError as error:
                told = (error.strerror or str(error)).lower()
                found.append(Report(UNREADABLE, "unreadable", "", f"the file, {told}"))
    return found


def _gravest(reports: Sequence[Report]) -> int:
    from tightrope.verify.outcome import GRAVEST_FIRST

    codes = {report.exit_code for report in reports}
    return next(code for code in GRAVEST_FIRST if code in codes)


def _record(files: Sequence[str], reports: Sequence[Report], code: int) -> dict[str, Any]:
    """One report as it is, several as a list beside the exit code of them all."""
    told = [
        {"file": file, "sentence": report.sentence, **plain(report)}
        for file, report in zip(files, reports, strict=True)
    ]
    return told[0] if len(told) == 1 else {"exit_code": code, "certificates": told}


def _show(report: Report, file: str) -> None:
    """The outcome, then the claims by what they are about, then what stands beside them."""
    show(f"{file}: {report.sentence}" if file else report.sentence)
    for scope, claims in groupby(report.claims, key=attrgetter("scope")):
        show(scope, *(f"  {claim.told}" for claim in claims))
    if report.background is not None:
        _show_background(report.background)


def _show_background(told: Background) -> None:
    """What was run and supposed, what is left out, and words that nobody checked."""
    show("what was run, as the certificate has it:", *(f"  {text}" for text in told.mechanisms))
    show("assumptions, which no proof can show:", *(f"  {text}" for text in told.assumptions))
    if told.left_out:
        show("left out, for reasons of the author:", *(f"  {text}" for text in told.left_out))
    words = [text for text in (told.title, told.about) if text]
    if words:
        show("title and description, which nobody checked:", *(f"  {text}" for text in words))
