"""What a name stands for: a notion, a mechanism, a theorem, or a claim that is false."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

from tightrope import _parse
from tightrope._errors import InvalidArgument
from tightrope.spec.vocabulary import Argument, Named, mechanisms, notions
from tightrope.theorems.false_claims import REFUTED, refuted
from tightrope.theorems.registry import Theorem, named, theorems

_NAME = re.compile(r"[A-Za-z][\w-]*")


@dataclass(frozen=True)
class Entry:
    """What is known about one name.

    Attributes:
        kind: ``notion``, ``mechanism``, ``theorem`` or ``false claim``.
        name: the name itself.
        title: a headline.
        told: what to say, by heading.
    """

    kind: str
    name: str
    title: str
    told: Mapping[str, str]


def entry(text: str) -> Entry | None:
    """The entry of a name; None if ``text`` is no single name.

    Raises:
        InvalidArgument: it is a name, and nothing is called so.

    Examples:
        >>> entry("zcdp").title
        'zCDP (notion)'
        >>> entry("zcdp:0.5") is None
        True
    """
    if not _NAME.fullmatch(text.strip()):
        return None
    for names, read in _SOURCES:
        known = {name.lower().replace("-", "_"): name for name in names()}
        found = known.get(text.strip().lower().replace("-", "_"))
        if found is not None:
            return read(found)
    everything = [name for names, _ in _SOURCES for name in names()]
    close = _parse.meant(text, everything)
    raise InvalidArgument(
        f"explain: nothing is called {text!r}{close}; give a notion, a mechanism, a theorem, a "
        "false claim, or an event such as zcdp:0.5"
    )


def _classes(known: Callable[[], Mapping[str, Named]]) -> dict[str, Named]:
    """Entries by their name in documents and by the name of their class."""
    return {**known(), **{entry.owner.__name__: entry for entry in known().values()}}


def _notion(name: str) -> Entry:
    return _class("notion", _classes(notions)[name])


def _mechanism(name: str) -> Entry:
    known = _classes(mechanisms)[name]
    found = _class("mechanism", known)
    facts: Iterable[Theorem] = getattr(known.owner, "facts", dict)().values()
    told = {
        f"its {getattr(fact.target, 'title', fact.target.__name__)}": (
            f"{fact.statement} [{fact.grade.value}] {fact.citation}"
        )
        for fact in facts
    }
    return Entry(found.kind, found.name, found.title, {**found.told, **told})


def _class(kind: str, known: Named) -> Entry:
    told = {"meaning": _first_words(known.owner)}
    told |= {argument.name: _argument(argument) for argument in known.arguments}
    return Entry(kind, known.name, f"{known.title} ({kind})", told)


def _argument(argument: Argument) -> str:
    told = [argument.about, argument.domain.words if argument.domain else ""]
    if not argument.required and argument.default is not None:
        told.append(f"by default {argument.default}")
    return "; ".join(part for part in told if part) or "see the constructor"


def _first_words(owner: type) -> str:
    """The docstring up to its lists and examples, as one line."""
    text = re.split(r"\n\s*(?:Args|Examples|Attributes|Raises):", inspect.getdoc(owner) or "")[0]
    return " ".join(text.replace("``", "").split())


def _theorem(name: str) -> Entry:
    known = named(name)
    told = {
        "statement": known.statement,
        "meaning": _first_words(known.function),  # type: ignore[arg-type]
        "grade": known.grade.value,
        "citation": f"{known.reference} {known.item}",
    }
    return Entry("theorem", name, f"{name} ({known.kind})", told)


def _false_claim(name: str) -> Entry:
    known = refuted(name)
    told = {
        "claim": known.claim,
        "truth": known.truth,
        "counterexample": known.counterexample,
        "use instead": known.use,
    }
    return Entry("false claim", name, f"{name} (a claim that circulates and is false)", told)


_SOURCES: tuple[tuple[Callable[[], list[str]], Callable[[str], Entry]], ...] = (
    (lambda: [claim.name for claim in REFUTED], _false_claim),
    (lambda: list(_classes(notions)), _notion),
    (lambda: list(_classes(mechanisms)), _mechanism),
    (lambda: [theorem.name for theorem in theorems()], _theorem),
)
"""Where names come from, in order of precedence."""
