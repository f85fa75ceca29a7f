"""``tightrope verify``: check a certificate by derivations that share nothing with the rest."""

from __future__ import annotations

from itertools import groupby
from operator import itemgetter
from typing import TYPE_CHECKING

from tightrope._errors import InvalidArgument
from tightrope.cli.output import Json, plain, progress, show, show_json

if TYPE_CHECKING:
    from tightrope.verify.outcome import Background


def verify(certificate: str, /, *, json_: Json = False) -> int:
    """Derive every step of a certificate again, in ball arithmetic.

    Exit code 0 if all of it is verified, 1 if something is refuted or cannot be checked, 2 if the
    file cannot be read.

    Parameters
    ----------
    certificate: str
        A file that ``tightrope account --certificate`` or ``tr.certificate`` wrote.
    """
    from tightrope.verify import verify_file

    try:
        with progress() as step:
            step("deriving every step again")
            report = verify_file(certificate)
    except ModuleNotFoundError as error:
        raise InvalidArgument(str(error)) from None
    if json_:
        show_json("verify", plain(report))
        return report.exit_code
    show(report.sentence)
    told = (claim.partition(" for neighbours: ")[::2] for claim in report.claims)
    for neighbours, claims in groupby(told, key=itemgetter(1)):
        show(f"for neighbours: {neighbours}", *(f"  {claim.rstrip(',')}" for claim, _ in claims))
    if report.background is not None:
        _show_background(report.background)
    return report.exit_code


def _show_background(told: Background) -> None:
    """What was run and supposed, what is left out, and words that nobody checked."""
    show("what was run, as the certificate has it:", *(f"  {text}" for text in told.mechanisms))
    show("assumptions, which no proof can show:", *(f"  {text}" for text in told.assumptions))
    if told.left_out:
        show("left out, for reasons of the author:", *(f"  {text}" for text in told.left_out))
    words = [text for text in (told.title, told.about) if text]
    if words:
        show("title and description, which nobody checked:", *(f"  {text}" for text in words))
