"""``tightrope verify``: check certificates by derivations that share nothing with the rest."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import groupby
from operator import attrgetter
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tightrope._errors import InvalidArgument
from tightrope.cli.output import Json, heading, plain, progress, show, show_json
from tightrope.cli.pieces import bullet

if TYPE_CHECKING:
    from tightrope.verify.outcome import Background, Claim, Report

SHORT = 30
"""Most characters of the name of a part that stands in a heading."""


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
    with progress() as step:
        return [_report(file, step) for file in files]


def _report(file: str, step: Callable[[str], None]) -> Report:
    from tightrope.verify import verify_file
    from tightrope.verify.outcome import UNREADABLE, Report

    def tell(number: int, of: int) -> None:
        step(f"step {number} of {of} of {file}")

    step(file)
    try:
        if _describes(file):
            told = f"{file} is TOML, as descriptions of what was run are, and no certificate"
            return Report(UNREADABLE, "unreadable", "", f"{told}; {_how(file)}")
        return verify_file(file, tell=tell)
    except ModuleNotFoundError as error:
        raise InvalidArgument(str(error)) from None
    except FileNotFoundError:
        told = f"there is no file {file!r}; {_how()}"
    except (OSError, ValueError) as error:  # no name of a file may have a null in it
        told = f"{file!r} cannot be opened: {getattr(error, 'strerror', None) or error}"
    return Report(UNREADABLE, "unreadable", "", told)


def _describes(file: str) -> bool:
    """Whether a file is TOML, in which specifications are written."""
    import tomllib

    data = Path(file).read_bytes()
    try:
        return bool(tomllib.loads(data.decode("utf-8")))
    except ValueError:  # of the encoding, or of TOML
        return False


def _how(spec: str = "EVENT") -> str:
    return f"tightrope account {spec} --certificate certificate.json writes one"


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
    for scope, group in groupby(report.claims, key=attrgetter("scope")):
        claims = list(group)
        told = (bullet(claim.told) for claim in claims)
        show(heading(_title(claims[0], report)), f"{_capital(scope)}.", *told)
    if report.background is not None:
        _show_background(report.background)


def _title(claim: Claim, report: Report) -> str:
    """What claims are about, in a few words: a heading is one line, and cut where that ends."""
    if claim.part:
        return _capital(claim.part) if len(claim.part) <= SHORT else "A part only"
    return "The whole" if report.of_parts else "What is claimed"


def _show_background(told: Background) -> None:
    """What was run and supposed, what is left out, and words that nobody checked."""
    show(heading("What was run, as the certificate has it"))
    for part in told.parts:
        names = (f"{_capital(part.name)}:",) if part.name else ()
        show(*names, *map(bullet, part.mechanisms))
    _show_list("Assumptions, which no proof can show", told.assumptions)
    _show_list("Left out, with the reasons of the author", told.left_out)
    words = [text for text in (told.title, told.about) if text]
    _show_list("Title and description, which nobody checked", words)


def _show_list(title: str, texts: Sequence[str]) -> None:
    if texts:
        show(heading(title), *map(bullet, texts))


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]
