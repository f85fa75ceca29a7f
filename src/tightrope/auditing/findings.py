"""What an audit found: each test by itself, and the verdict on all."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from tightrope._calls import Spoken
from tightrope._check import parameters
from tightrope._notebook import Form, Shown
from tightrope._wire import clipped, shown_down
from tightrope.notions import LowerBound

if TYPE_CHECKING:
    from rich.console import Console, ConsoleOptions, RenderResult

__all__ = ["Audit", "Finding"]


@dataclass(frozen=True)
class Finding(metaclass=Spoken):
    """One test of an audit.

    Attributes:
        name: of the test.
        tried: what it tried, in words.
        statistic: what was seen, in words.
        p_value: how likely it is at most to see that, or more, if the claim is true.
        refuted: whether this test alone refutes the claim, at its share of the false alarms.
        samples: how many outputs were counted.
        bounds: lower bounds on the loss that were shown; no guarantees.
        claimed: what was claimed, in one number.
        detectable: the least excess that would have been refuted nine times in ten, about.
        assumes: what the test takes for granted beyond independent samples.
    """

    name: str
    tried: str
    statistic: str
    p_value: float
    refuted: bool
    samples: int
    bounds: tuple[LowerBound, ...] = ()
    claimed: str = ""
    detectable: str = ""
    assumes: str = ""

    def to_dict(self) -> dict[str, Any]:
        """The finding as texts and numbers; bounds by their notion's name."""
        told = {f: getattr(self, f) for f in self.__dataclass_fields__ if f != "bounds"}
        return told | {"lower_bounds": [_bound(bound) for bound in self.bounds]}


@dataclass(frozen=True)
class Audit(Shown, metaclass=Spoken):
    """The outcome of an audit: what was tried, and whether the claim survived it.

    "Not refuted" is no guarantee: it says that these attacks with so many samples saw nothing.

    Attributes:
        subject: what was audited.
        claim: what was claimed.
        neighbors: the two inputs.
        findings: the tests that were run.
        confidence: the chance that no true claim is refuted, and that all bounds hold, is at
            least this.
        samples: how many outputs were drawn.
        secure: False if the randomness came from a fixed seed.
    """

    subject: str
    claim: str
    neighbors: tuple[str, str]
    findings: tuple[Finding, ...]
    confidence: float
    samples: int
    secure: bool = field(default=True, kw_only=True)

    @property
    def refuted(self) -> bool:
        """Whether some test refutes the claim."""
        return any(finding.refuted for finding in self.findings)

    @property
    def verdict(self) -> str:
        """``refuted`` or ``not refuted``."""
        return "refuted" if self.refuted else "not refuted"

    @property
    def p_value(self) -> float:
        """The least of the tests' p-values, times their number."""
        return min(1.0, len(self.findings) * min(finding.p_value for finding in self.findings))

    @property
    def exit_code(self) -> int:
        """0 if the claim is not refuted, 1 if it is."""
        return int(self.refuted)

    @property
    def lower_bounds(self) -> tuple[LowerBound, ...]:
        """The largest lower bound in each notion that a test gave one in."""
        best: dict[type, LowerBound] = {}
        for bound in (bound for finding in self.findings for bound in finding.bounds):
            notion = type(bound.subject)
            if notion not in best or _size(bound) > _size(best[notion]):
                best[notion] = bound
        return tuple(best.values())

    @property
    def sentence(self) -> str:
        """The verdict in words."""
        shown = ", ".join(map(_words, self.lower_bounds))
        found = f" ({shown})" if shown else ""
        if self.refuted:
            return f"refuted, p = {self.p_value:.2g}{found}"
        return f"not refuted by {self.samples:,} outputs{found}"

    def _page(self, form: Form) -> str:
        first, second = self.neighbors
        tried = ", ".join(dict.fromkeys(finding.name for finding in self.findings))
        return form.statement(
            self.sentence,
            f"claimed: {self.claim} of {self.subject}",
            f"neighbours: {first} and {second}",
            f"tried: {tried}",
            f"All of it holds with probability {self.confidence:g}. Not refuted is no guarantee.",
            "" if self.secure else "drawn from a fixed seed: the same audit each time",
        )

    def to_dict(self) -> dict[str, Any]:
        """The audit as texts, numbers and lists."""
        return {
            "subject": self.subject,
            "claim": self.claim,
            "inputs": list(self.neighbors),
            "outcome": self.verdict,
            "sentence": self.sentence,
            "p_value": self.p_value,
            "confidence": self.confidence,
            "samples": self.samples,
            "secure": self.secure,
            "lower_bounds": [_bound(bound) for bound in self.lower_bounds],
            "findings": [finding.to_dict() for finding in self.findings],
        }

    def to_json(self) -> str:
        """The audit as JSON, with all digits."""
        return json.dumps(self.to_dict(), indent=2, ensure_ascii=False, allow_nan=False)

    def __repr__(self) -> str:
        return f"Audit({clipped(self.claim, 60)} of {clipped(self.subject, 60)}: {self.sentence})"

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        from tightrope.auditing.page import page

        yield from page(self)


def _bound(bound: LowerBound) -> dict[str, Any]:
    subject: Any = bound.subject
    numbers = {p.name: float(getattr(subject, p.name)) for p in parameters(subject)}
    return {"notion": type(subject).short, "at_least": numbers, "reason": bound.reason}


def _size(bound: LowerBound) -> float:
    subject: Any = bound.subject
    return float(subject.values[0])


def _words(bound: LowerBound) -> str:
    """What is bounded, and from below by what."""
    subject: Any = bound.subject
    first, *rest = subject.values
    name = parameters(subject)[0].name
    at = f" at delta {rest[0]:g}" if rest else ""
    return f"{name}{at} at least {shown_down(float(first))}"
