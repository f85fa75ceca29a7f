"""``tightrope check``: a second opinion on somebody else's number, for people and for CI."""

from __future__ import annotations

from typing import Annotated

from cyclopts import Parameter

from tightrope.cli.output import Json, plain, progress, show, show_json
from tightrope.cli.problems import in_options
from tightrope.cli.subject import event_of, stated_about

SEVERITY = (0, 4, 1)
"""Exit codes from good to bad: all hold, one is open, one is false."""


def check(
    event: str,
    /,
    *,
    claims: Annotated[list[str], Parameter(negative="")],
    json_: Json = False,
) -> int:
    """Check claims about what was run: proved, refuted, or neither.

    Exit code 0 if every claim holds, 1 if one is false, 4 if one does not follow from what was
    stated, or cannot be decided.

    Parameters
    ----------
    event: str
        What was run: an event as text, or a specification.
    claims: list[str]
        What is claimed, such as approx:3,1e-5; once for each.
    """
    from tightrope import plan
    from tightrope.events import spelled
    from tightrope.spec.convert import structured

    subject = event_of(event)
    claimed = [stated_about(text, subject, "--claims") for text in claims]
    verdicts = []
    with progress() as step:
        for text, claim in zip(claims, claimed, strict=True):
            step(f"checking {text}")
            verdicts.append(plan.check(subject, claim))
    code = max((verdict.exit_code for verdict in verdicts), key=SEVERITY.index)
    if json_:
        told = {"subject": spelled(subject), "neighbors": str(subject.neighbors), "exit_code": code}
        pairs = zip(claimed, verdicts, strict=True)
        records = [structured(claim) | plain(verdict) for claim, verdict in pairs]
        show_json("check", told | {"verdicts": records})
        return code
    lines = zip(claims, verdicts, strict=True)
    show(*(f"{text}: {in_options(verdict.sentence)}" for text, verdict in lines))
    return code
