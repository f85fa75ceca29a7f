"""``tightrope verify``: check a certificate by derivations that share nothing with the rest."""

from __future__ import annotations

from itertools import groupby
from operator import itemgetter

from tightrope._errors import InvalidArgument
from tightrope.cli.output import Json, plain, progress, show, show_json


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
        show(f"for neighbours: {neighbours}", *(f"  {claim}" for claim, _ in claims))
    return report.exit_code
