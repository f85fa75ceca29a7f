"""Derivations: the tree of theorems behind a number, down to what was given."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Any

from tightrope._check import parameters
from tightrope._notebook import Form, Shown
from tightrope.theorems.registry import Theorem

Origin = Callable[[int], "Step"]
"""The last step of the derivation of entry i of a column; built only when somebody asks."""

PROFILE = "its privacy profile"
TRADEOFF = "its trade-off curve"

MOST_INPUTS = 12
"""Most inputs of one step that are printed; the rest is counted."""


@dataclass(frozen=True)
class Conclusion:
    """A guarantee that a step proves: a notion and its parameters, with all their digits."""

    notion: type
    values: tuple[float, ...]

    def __str__(self) -> str:
        """``GDP(mu=1.284)``: the parameters rounded up for people."""
        owner: Any = self.notion
        named = [
            f"{p.name}={owner.shown(p.name, value)}"
            for p, value in zip(parameters(self.notion), self.values, strict=False)
            if not (p.name == "xi" and value == 0)
        ]
        return f"{owner.__name__}({', '.join(named)})"


@dataclass(frozen=True)
class Step:
    """One conclusion, the theorem that gives it, and the steps that it rests on.

    A source may be a function that builds its step when somebody looks: a composition of ten
    thousand parts is derived in no time, and printed by its first few.
    """

    claim: str | Conclusion
    theorem: Theorem | None = None
    sources: tuple[tuple[int, Step | Callable[[], Step]], ...] = ()
    note: str = ""

    @property
    def inputs(self) -> tuple[tuple[int, Step], ...]:
        """The steps that this one rests on, each with its number of uses."""
        return tuple((count, _resolved(source)) for count, source in self.sources)

    @property
    def reason(self) -> str:
        """The theorem's statement, grade and source; or that the claim was given."""
        if self.theorem is None:
            return self.note or "given"
        text = f"{self.theorem.statement} [{self.theorem.grade.value}] {self.theorem.citation}"
        return f"{text}; {self.note}" if self.note else text

    def noted(self, note: str) -> Step:
        """The same step with a further note, if there is one."""
        return replace(self, note="; ".join(filter(None, (self.note, note))))

    def to_dict(self) -> dict[str, Any]:
        """The tree as plain data."""
        told: dict[str, Any] = {"claim": str(self.claim), "reason": self.reason}
        if self.theorem is not None:
            told |= {
                "theorem": self.theorem.name,
                "grade": self.theorem.grade.value,
                "citation": str(self.theorem.reference),
                "item": self.theorem.item,
            }
        if self.sources:
            told["inputs"] = [{"times": n, **step.to_dict()} for n, step in self.inputs]
        return told

    def entry(self, form: Form, times: int = 1) -> str:
        """The tree as an entry of a list, with its inputs as a list inside."""
        count = f"{times} × " if times > 1 else ""
        inside = [_resolved(source).entry(form, n) for n, source in self.sources[:MOST_INPUTS]]
        if len(self.sources) > MOST_INPUTS:
            inside.append(
                form.item("...", f"and {len(self.sources) - MOST_INPUTS:,} more of the kind")
            )
        by = "by " if self.theorem else ""
        return form.item(f"{count}{self.claim}", f"{by}{self.reason}", form.listed(inside))

    def lines(self, times: int = 1) -> Iterator[str]:
        """The tree as text: a claim, below it the theorem, below that its inputs."""
        yield f"{times} x {self.claim}" if times > 1 else str(self.claim)
        yield f"   by {self.reason}" if self.theorem else f"   {self.reason}"
        for position, (count, source) in enumerate(self.sources[:MOST_INPUTS]):
            last = position == len(self.sources) - 1
            branch, trunk = ("└─ ", "   ") if last else ("├─ ", "│  ")
            for number, line in enumerate(_resolved(source).lines(count)):
                yield (branch if number == 0 else trunk) + line
        if len(self.sources) > MOST_INPUTS:
            yield f"└─ ... and {len(self.sources) - MOST_INPUTS:,} more of the kind"


def _resolved(source: Step | Callable[[], Step]) -> Step:
    return source if isinstance(source, Step) else source()


@dataclass(frozen=True, repr=False)
class Derivation(Shown):
    """One or more derived statements about an event, with the neighbours they refer to.

    Remarks say what to know about the numbers, such as that a sample gains nothing; the hint what
    else could be asked.
    """

    steps: tuple[Step, ...]
    neighbors: str
    remarks: tuple[str, ...] = ()
    hint: str = ""

    def to_dict(self) -> dict[str, Any]:
        """The derivation as plain data, for JSON."""
        return {
            "neighbors": self.neighbors,
            "steps": [step.to_dict() for step in self.steps],
            "remarks": list(self.remarks),
        }

    def _page(self, form: Form) -> str:
        notes = [f"{remark}." for remark in (*self.remarks, self.hint) if remark]
        trees = form.listed(step.entry(form) for step in self.steps)
        return f"{trees}\n{form.statement(f'for neighbours: {self.neighbors}', *notes)}"

    def __repr__(self) -> str:
        lines = [line for step in self.steps for line in (*step.lines(), "")]
        told = [f"{remark}." for remark in (*self.remarks, self.hint) if remark]
        return "\n".join([*lines, f"for neighbours: {self.neighbors}", *told])


def after(origin: Origin, theorem: Theorem, words: str | Conclusion, note: str = "") -> Origin:
    """The origin that adds one theorem to another origin, with the conclusion or its name."""
    return lambda i: Step(words, theorem, ((1, origin(i)),), note)


def claim(notion: type, values: tuple[Any, ...]) -> Conclusion:
    """The conclusion that an event satisfies a notion with the given parameters."""
    return Conclusion(notion, tuple(float(value) for value in values))
