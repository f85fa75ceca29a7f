"""How a check can end: refuted, not checked, or unreadable; and what a report says."""

from __future__ import annotations

from dataclasses import dataclass

VERIFIED, NOT_VERIFIED, UNREADABLE = 0, 1, 2
"""Exit codes."""


class Refuted(Exception):
    """Something in the certificate is false, or does not follow."""


class NotChecked(Exception):
    """A step that this program cannot derive again; nothing is known about it."""


class Unreadable(Exception):
    """The file is no certificate that can be read."""


def counted(number: int, what: str) -> str:
    """So many of something, in words."""
    return f"{number} {what}" if number == 1 else f"{number} {what}s"


@dataclass(frozen=True)
class Background:
    """What a certificate says about its claims, beside the proofs.

    Attributes:
        mechanisms: what was run, each mechanism and guarantee with its parameters.
        assumptions: what no proof can show.
        left_out: questions without an answer here, with the reasons that the author gives.
        title: words of the author that nobody checked.
        about: the same.
    """

    mechanisms: tuple[str, ...]
    assumptions: tuple[str, ...]
    left_out: tuple[str, ...]
    title: str
    about: str


@dataclass(frozen=True)
class Report:
    """What became of a certificate.

    Attributes:
        exit_code: 0 verified, 1 refuted or not checkable, 2 not readable.
        verdict: ``verified``, ``refuted``, ``not checked`` or ``unreadable``.
        where: the step, the claim or the part of the file that the problem is in; or nothing.
        reason: what is wrong, in a sentence; or nothing.
        claims: what was verified, for people.
        steps: how many steps were derived again.
        of_parts: how many of the claims are about a part of the event, and not about the whole.
        background: what was run and supposed, if all is verified.
    """

    exit_code: int
    verdict: str
    where: str = ""
    reason: str = ""
    claims: tuple[str, ...] = ()
    steps: int = 0
    of_parts: int = 0
    background: Background | None = None

    @property
    def sentence(self) -> str:
        """The outcome in one sentence."""
        if self.exit_code == VERIFIED:
            parts = f", {self.of_parts} of them about parts only," if self.of_parts else ""
            told = counted(len(self.claims), "claim"), counted(self.steps, "step")
            return f"verified: {told[0]}{parts} by {told[1]}"
        place = f" at {self.where}" if self.where else ""
        return f"{self.verdict}{place}: {self.reason}"
