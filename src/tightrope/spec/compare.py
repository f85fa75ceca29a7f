"""Beside what others have reported: the same by their method, the best proof, an estimate."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction

from tightrope import _wire, plan
from tightrope._check import Real
from tightrope._errors import NotReachable
from tightrope.events import Event
from tightrope.notions import ZCDP, ApproxDP
from tightrope.num.rounding import up
from tightrope.plan.checking import Outcome
from tightrope.spec.reader import WHOLE, Published, Spec

DECIMALS = 4
"""Decimal places in a comparison: enough to tell a rounded report from another number."""


@dataclass(frozen=True)
class Compared:
    """One reported number with ours beside it; None where there is no such number.

    Attributes:
        published: what was reported.
        reproduced: epsilon by the method of the report.
        formal_delta: the delta at which that epsilon formally holds.
        composed: epsilon if the rho of all parts are added first, and converted once.
        proved: the best provable epsilon at the reported delta.
        route: the notion and the theorem by which it is proved.
        outcome: whether the report holds: the outcome of ``plan.check``.
        least: no smaller epsilon holds at the reported delta, or none follows.
        estimate: epsilon with continuous noise, which is no guarantee.
    """

    published: Published
    reproduced: float | None
    formal_delta: float
    composed: float | None
    proved: float | None
    route: str
    outcome: Outcome
    least: float
    estimate: float | None


def compare(spec: Spec, step: Callable[[str], None]) -> tuple[Compared, ...]:
    """Every reported number of a specification, compared."""
    parts = {part.label: part.event for part in spec.root.parts}
    found = []
    for entry in spec.published:
        step(f"comparing the reported epsilon of {entry.part}")
        event = spec.event if entry.part == WHOLE else parts[entry.part]
        found.append(_compared(entry, event, [part.event for part in spec.root.parts], spec))
    return tuple(found)


def _compared(entry: Published, event: Event, parts: Sequence[Event], spec: Spec) -> Compared:
    added = entry.method == "sum"
    delta = Fraction(entry.delta)
    reproduced = None
    if entry.method:
        reproduced = _sum([_concentrated(part, delta) for part in (parts if added else [event])])
    proved, route = _best(event, delta)
    verdict = _verdict(entry, event)
    wants = "continuous" in spec.estimates
    return Compared(
        published=entry,
        reproduced=reproduced,
        formal_delta=float(delta * (len(parts) if added else 1)),
        composed=_concentrated(event, delta) if added else None,
        proved=proved,
        route=route,
        outcome=verdict.outcome,
        least=verdict.lower,
        estimate=continuous_epsilon(event, delta) if wants else None,
    )


def _verdict(entry: Published, event: Event) -> plan.Verdict:
    claim = ApproxDP(entry.epsilon, entry.delta, neighbors=event.neighbors)
    return plan.check(event, claim)


def continuous_epsilon(event: Event, delta: Real) -> float | None:
    """The estimate of epsilon with continuous noise; None if the event has no discrete noise."""
    twin = plan.as_continuous(event)
    return None if twin.subject == event else twin.epsilon(float(delta))


def _sum(values: Sequence[float | None]) -> float | None:
    known = [value for value in values if value is not None]
    return up(math.fsum(known)) if len(known) == len(values) else None


def _concentrated(event: Event, delta: Fraction) -> float | None:
    """The event's zCDP, and of that alone the best conversion."""
    try:
        return float(plan.to(plan.to(event, ZCDP), ApproxDP, delta=delta).epsilon)
    except NotReachable:
        return None


def _best(event: Event, delta: Fraction) -> tuple[float | None, str]:
    """The best provable epsilon, and through what it is proved."""
    try:
        found = plan.to(event, ApproxDP, delta=delta)
    except NotReachable:
        return None, ""
    step = plan.why(found).steps[0]
    theorem = step.theorem
    if theorem is None:
        return float(found.epsilon), ""
    source = getattr(theorem.source, "title", "the privacy loss itself")
    return float(found.epsilon), f"{source} ({theorem.citation})"


def shown(value: float) -> str:
    """An epsilon with a fixed number of decimals, rounded up."""
    return _wire.shown(value, _digits(value))


def _digits(value: float) -> int:
    return DECIMALS + (math.floor(math.log10(value)) + 1 if value >= 1 else 0)


Truth = tuple[str | Compared, ...]
"""A sentence in pieces, in which a compared report stands for the epsilon that is proved."""


def summary(compared: Sequence[Compared]) -> str:
    """The truths about reports as one text; empty if nothing was reported."""
    return " ".join("".join(map(_in_words, truth)) for truth in truths(compared))


def _in_words(piece: str | Compared) -> str:
    if isinstance(piece, str):
        return piece
    return "no epsilon" if piece.proved is None else f"epsilon = {shown(piece.proved)}"


def truths(compared: Sequence[Compared]) -> Iterator[Truth]:
    """What is true of every report that does not hold, and of that of the whole."""
    whole = next((row for row in compared if row.published.part == WHOLE), None)
    return (_told(row) for row in compared if row is whole or row.outcome != "holds")


def _told(row: Compared) -> Truth:
    """What is true of a report, in a sentence."""
    published = row.published
    about = "" if published.part == WHOLE else f" for {published.part}"
    reported = (
        f"epsilon = {published.epsilon_written} was reported{about} "
        f"at delta = {published.delta_written}"
    )
    if row.outcome == "holds":
        return f"In short: {reported}; for the same noise, ", row, " is proved here."
    if row.outcome == "false":
        return f"FALSE: {reported}. What was run leaks more: ", *_least(row), "."
    if row.outcome == "does not follow":
        follows = "It does not follow from what is stated here, from which "
        return f"NOT CONFIRMED: {reported}. {follows}", row, " does."
    return f"NOT CONFIRMED: {reported}. Here ", row, " is proved at this delta."


def _least(row: Compared) -> Truth:
    if math.isinf(row.least):
        return ("no epsilon holds there",)
    least = _wire.shown_down(row.least, _digits(row.least))
    return f"no epsilon below {least} holds there, and ", row, " is proved"


def remarks(compared: Sequence[Compared]) -> tuple[str, ...]:
    """Why the numbers differ, in sentences."""
    told = [*map(_on_sums, compared), *map(_on_proofs, compared), *map(_on_estimates, compared)]
    return tuple(dict.fromkeys(sentence for sentence in told if sentence))


def _on_sums(row: Compared) -> str:
    if row.composed is None:
        return ""
    return (
        f"The reported {row.published.epsilon_written} adds the epsilons of the parts. Each of "
        f"them may fail with its own delta, so the sum holds at delta = {row.formal_delta:g} "
        f"and not at {row.published.delta_written}; and it supposes that the worst case of "
        "every part happens at once. Adding the rho of the parts first and converting once "
        "gives less, at the reported delta and from the same noise."
    )


def _on_proofs(row: Compared) -> str:
    if row.reproduced is None or not row.route or row.proved == row.reproduced:
        return ""
    return (
        "Concentrated DP keeps one number of every mechanism, its rho, and so covers the worst "
        "mechanism with that rho. The best that is proved here keeps more of what is known "
        f"about the noise: it goes through {row.route}."
    )


def _on_estimates(row: Compared) -> str:
    if row.estimate is None or row.proved is None or row.estimate >= row.proved:
        return ""
    return (
        "The estimate takes the noise as continuous. Discrete noise of the same scale protects "
        "slightly less, so the estimate is near the truth, but below what is proved: it must "
        "not be quoted as a guarantee."
    )
