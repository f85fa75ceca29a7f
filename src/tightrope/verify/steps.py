"""Going through the steps of a certificate: each by the rule of its theorem, from earlier ones."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from tightrope.verify.citations import CITATIONS
from tightrope.verify.document import require_keys
from tightrope.verify.event import Events
from tightrope.verify.numbers import exact
from tightrope.verify.outcome import NotChecked, Place, Refuted, Unreadable, counted
from tightrope.verify.rules import (  # noqa: F401  (they enter their rules)
    discrete_gaussian,
    divergences,
    exact_composition,
    profiles,
    renyi,
    samples,
    skellam,
    structure,
    tight_mu,
)
from tightrope.verify.step import NOTIONS, PROBABILITIES, RULES, Judgement, Step

STEP = {
    "id": str,
    "about": str,
    "theorem": str,
    "citation": str,
    "inputs": list,
    "notion": str,
    "values": dict,
    "method": str,
    "interval": dict,
}
MOST_SECONDS = 900
"""Of computing, after which no further step of a file is begun."""

Tell = Callable[[int, int], None]
"""Is told the number of the step that is derived now, and how many there are."""


@dataclass
class Steps:
    """What was proved by now."""

    events: Events
    place: Place
    judgements: dict[str, Judgement] = field(default_factory=dict)

    def check(self, records: list[Any], tell: Tell) -> None:
        """Derive every step again, in order."""
        start = time.process_time()
        for number, record in enumerate(records, start=1):
            tell(number, len(records))
            self._check(record)
            _require_quick(time.process_time() - start, len(records) - number)

    def _check(self, record: Any) -> None:
        require_keys(record, STEP, "a step", "method interval")
        name, theorem = record["id"], record["theorem"]
        self.place.text = f"step {name[:20]} ({theorem[:60]})"
        if name in self.judgements:
            raise Unreadable("two steps have one id")
        if theorem not in CITATIONS:
            raise Refuted("no theorem of this name is known")
        if record["citation"] != CITATIONS[theorem]:
            raise Refuted("the citation is not that of the theorem")
        about = self.events.named(record["about"])
        says = Judgement(about, record["notion"], numbers_of(record))
        step = Step(theorem, says, self._inputs(record), self.events, _interval(record))
        if theorem not in RULES:
            raise NotChecked(f"{theorem} is not derived again")
        RULES[theorem](step)
        if step.interval and not theorem.startswith("exact_composition"):
            raise Refuted("only composed numbers have an interval")
        self.judgements[name] = says

    def _inputs(self, record: Any) -> tuple[tuple[Judgement, int], ...]:
        found = []
        for pair in record["inputs"]:
            if not (isinstance(pair, list) and len(pair) == 2 and type(pair[1]) is int):
                raise Unreadable("an input is the id of a step and a count")
            if not isinstance(pair[0], str) or pair[0] not in self.judgements:
                raise Refuted(f"an input names {str(pair[0])[:20]!r}, which no earlier step is")
            found.append((self.judgements[pair[0]], pair[1]))
        return tuple(found)


def numbers_of(record: Mapping[str, Any]) -> dict[str, Fraction]:
    """The numbers of a step or of a claim: those of its notion, each within its range."""
    names, values = NOTIONS.get(record["notion"]), record["values"]
    if names is None or tuple(sorted(values)) != tuple(sorted(names)):
        raise Refuted("the numbers are not those of the notion")
    found = {name: exact(values[name], name) for name in names}
    for name, value in found.items():
        above = value > 1 if name == "omega" else value >= 0
        if not above or (name in PROBABILITIES and value > 1):
            raise Refuted(f"{name} lies outside of its range")
    return found


def _interval(record: Mapping[str, Any]) -> dict[str, tuple[Fraction, Fraction]]:
    found = {}
    for name, ends in record.get("interval", {}).items():
        if not (isinstance(ends, list) and len(ends) == 2):
            raise Unreadable("an interval has two ends")
        low, high = (exact(end, f"an end of {name[:20]}") for end in ends)
        if low > high:
            raise Refuted("the ends of an interval are the wrong way round")
        found[name] = (low, high)
    return found


def _require_quick(seconds: float, left: int) -> None:
    """No file is worked at for longer than so many seconds; each step has bounds of its own."""
    if seconds > MOST_SECONDS and left:
        rest = f"{counted(left, 'step')} {'is' if left == 1 else 'are'} left"
        raise NotChecked(f"{rest} after {MOST_SECONDS} seconds of computing, the most for one file")
