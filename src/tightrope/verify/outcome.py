"""How a check can end: refuted, not checked, or unreadable; and what a report says."""

from __future__ import annotations

from dataclasses import dataclass

VERIFIED, REFUTED, UNREADABLE, NOT_CHECKED = 0, 1, 2, 4
"""Exit codes."""

GRAVEST_FIRST = (REFUTED, UNREADABLE, NOT_CHECKED, VERIFIED)
"""Of several certificates the first of these that occurs is the exit code."""


class Refuted(Exception):
    """Something in the certificate is false, or does not follow."""


class NotChecked(Exception):
    """A step that this program cannot derive again; nothing is known about it."""


class Unreadable(Exception):
    """The file is no certificate that can be read."""


@dataclass
class Place:
    """The part of a file that is being checked, the step or the claim if it is one."""

    text: str = ""


def counted(number: int, what: str) -> str:
    """So many of something, in words."""
    return f"{number} {what}" if number == 1 else f"{number} {what}s"


@dataclass(frozen=True)
class Part:
    """A part of what was run, or all of it.

    Attributes:
        name: ``part 1 of 2``, as claims call it; nothing if it is all that was run.
        mechanisms: each mechanism and guarantee with its parameters and its number of runs.
    """

    name: str
    mechanisms: tuple[str, ...]


@dataclass(frozen=True)
class Background:
    """What a certificate says about its claims, beside the proofs.

    Attributes:
        parts: what was run, part by part where parts stand side by side.
        assumptions: what no proof can show.
        left_out: questions without an answer here, with the reasons that the author gives.
        title: words of the author that nobody checked.
        about: the same.
    """

    parts: tuple[Part, ...]
    assumptions: tuple[str, ...]
    left_out: tuple[str, ...]
    title: str
    about: str


@dataclass(frozen=True)
class Claim:
    """A claim that was verified, in words.

    Attributes:
        numbers: the notion with its parameters, rounded to the safe side.
        meaning: what a point of a curve means, where that is a plain sentence.
        neighbors: for which neighbours it holds.
        part: the part of the event that it is about, by its place among the parts where they stand
            side by side, else by what it is; nothing if it is about the whole.
    """

    numbers: str
    meaning: str
    neighbors: str
    part: str = ""

    @property
    def scope(self) -> str:
        """For which neighbours, and about which part if it is not about the whole."""
        about = f"about {self.part} only, " if self.part else ""
        return f"{about}for neighbours: {self.neighbors}"

    @property
    def told(self) -> str:
        """The numbers with their meaning."""
        return f"{self.numbers}, {self.meaning}" if self.meaning else self.numbers

    def __str__(self) -> str:
        return f"{self.told}{',' if self.meaning else ''} {self.scope}"


@dataclass(frozen=True)
class Report:
    """What became of a certificate.

    Attributes:
        exit_code: 0 verified, 1 refuted, 2 unreadable, 4 not checked.
        verdict: ``verified``, ``refuted``, ``not checked`` or ``unreadable``.
        where: the step, the claim or the part of the file that the problem is in; or nothing.
        reason: what is wrong, in a sentence; or nothing.
        claims: what was verified.
        steps: how many steps were derived again.
        background: what was run and supposed, if all is verified.
    """

    exit_code: int
    verdict: str
    where: str = ""
    reason: str = ""
    claims: tuple[Claim, ...] = ()
    steps: int = 0
    background: Background | None = None

    @property
    def of_parts(self) -> int:
        """How many of the claims are about a part of the event, and not about the whole."""
        return sum(bool(claim.part) for claim in self.claims)

    @property
    def sentence(self) -> str:
        """The outcome in one sentence."""
        if self.exit_code == VERIFIED:
            parts = f", {self.of_parts} of them about parts only," if self.of_parts else ""
            told = counted(len(self.claims), "claim"), counted(self.steps, "step")
            return f"verified: {told[0]}{parts} by {told[1]}"
        place = f" at {self.where}" if self.where else ""
        return f"{self.verdict}{place}: {self.reason}"
