"""Questions that a report answers: a notion's parameter, a curve's value, an attacker's power."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

from tightrope import _wire, plan
from tightrope._check import (
    LARGEST,
    NONNEGATIVE,
    OPEN_PROBABILITY,
    ORDER,
    Domain,
    Parameter,
    Real,
    parameters,
    validated,
)
from tightrope._errors import InvalidArgument, NotReachable
from tightrope.events import Event
from tightrope.notions import RDP, ApproxDP, Guarantee
from tightrope.plan.meaning import percent
from tightrope.spec import arithmetic
from tightrope.spec.errors import hint
from tightrope.spec.vocabulary import notions

_FORM = re.compile(r"\s*(?P<name>\w+)(?:\s+(?:(?P<key>[a-z]+)\s*=)?\s*(?P<value>.+?))?\s*")
_POINTS: Mapping[str, Mapping[str, Domain]] = {
    "approx": {"delta": OPEN_PROBABILITY, "epsilon": NONNEGATIVE},
    "rdp": {"order": ORDER},
    "tpr": {"fpr": OPEN_PROBABILITY},
    "tradeoff": {"alpha": OPEN_PROBABILITY},
}
"""Questions about one point of a curve, with what may be asked."""


@dataclass(frozen=True)
class Query:
    """One question: a name, and for curves the point at which it is asked.

    Examples:
        >>> read_query("approx delta=1e-10", {}).title
        '(ε, δ)-DP: ε at δ = 1e-10'
    """

    name: str
    key: str = ""
    value: Real = 0
    written: str = ""

    @property
    def text(self) -> str:
        """The question as one writes it."""
        return f"{self.name} {self.key}={self.written}" if self.key else self.name

    @property
    def title(self) -> str:
        """The question for people."""
        if self.name == "advantage":
            return "largest advantage of an attacker"
        if self.name == "tpr":
            return f"attacker's hits at {100 * float(self.value):g} % false alarms"
        if self.name == "tradeoff":
            return f"least type II error at type I error {self.written}"
        if self.name == "approx":
            found, at = ("ε", "δ") if self.key == "delta" else ("δ", "ε")
            return f"(ε, δ)-DP: {found} at {at} = {self.written}"
        if self.name == "rdp":
            return f"Renyi DP: ε at order {self.written}"
        named = notions()[self.name]
        return f"{named.title}: {', '.join(a.symbol for a in named.arguments if a.required)}"


def known() -> tuple[str, ...]:
    """The names of all questions, as the documentation lists them."""
    plain = [name for name, named in notions().items() if named.arguments and _shown(named.owner)]
    return (*plain, *(name for name in _POINTS if name not in plain), "advantage")


def read_query(text: str, constants: arithmetic.Constants) -> Query:
    """The question that a text such as ``approx delta=1e-10`` asks.

    Raises:
        InvalidArgument: no such question, or not at such a point.
    """
    form = _FORM.fullmatch(text)
    name = form["name"] if form else text
    if form is None or name not in known():
        raise InvalidArgument(f"unknown question {name!r}{hint(name, known())}")
    points = _POINTS.get(name, {})
    if form["value"] is None and not points:
        return Query(name)
    if form["value"] is None or not points:
        wanted = " or ".join(f"'{name} {key}=...'" for key in points) or f"{name!r} alone"
        raise InvalidArgument(f"write {wanted}; you wrote {text!r}")
    key = form["key"] or next(iter(points))
    if key not in points:
        raise InvalidArgument(f"{name!r} has no {key!r}{hint(key, points)}")
    value = arithmetic.shortest(arithmetic.evaluate(form["value"], constants))
    return Query(name, key, validated(value, points[key], f"{name}: {key}"), form["value"])


@dataclass(frozen=True)
class Answer:
    """What can be proved: numbers by name, and their text; or the reasons why nothing can.

    Attributes:
        values: the numbers, with all digits.
        shown: the text for people, rounded to the safe side.
        reasons: why there is no answer; empty if there is one.
    """

    values: Mapping[str, float]
    shown: str
    reasons: tuple[str, ...] = ()


def answer(event: Event, query: Query, digits: int = 4) -> Answer:
    """The best provable answer about ``event``."""
    try:
        return _ANSWERS.get(query.name, _parameters)(event, query, digits)
    except NotReachable as error:
        told = error.reasons or ("no theorem leads there from what is known",)
        return Answer({}, "-", told)


def asks_guarantee(query: Query) -> bool:
    """Whether the answer is a guarantee, and not a point of a curve."""
    return query.name not in _ANSWERS or query.name == "approx"


def guarantee(event: Event, query: Query) -> Any:
    """The guarantee that a question asks for."""
    point = {query.key: query.value} if query.key else {}
    return plan.to(event, notions()[query.name].owner, **point)


def same_kind(event: Event, target: Guarantee) -> Any:
    """The best guarantee about ``event`` of the kind of ``target`` (and at its delta)."""
    point = {"delta": target.delta} if isinstance(target, ApproxDP) else {}
    return plan.to(event, type(target), **point)


def derivation(event: Event, query: Query) -> Any:
    """The derivation of the guarantee that a question asks for.

    Raises:
        InvalidArgument: the question asks for a number and not for a guarantee.
    """
    if not asks_guarantee(query):
        raise InvalidArgument(f"a derivation leads to a guarantee, and {query.name!r} is a number")
    point = {query.key: query.value} if query.key else {}
    return plan.why(event, notions()[query.name].owner, **point)


def _parameters(event: Event, query: Query, digits: int) -> Answer:
    owner: Any = notions()[query.name].owner
    found = guarantee(event, query)
    values = {p.name: float(getattr(found, p.name)) for p in parameters(owner)}
    told = [p for p in _shown(owner) if len(values) == 1 or values[p.name] or p is _shown(owner)[0]]
    texts = [_text(owner, p.name, values[p.name], digits) for p in told]
    if len(told) == 1:
        return Answer(values, texts[0])
    pairs = zip(told, texts, strict=True)
    return Answer(values, ", ".join(f"{p.symbol} = {text}" for p, text in pairs))


def _text(owner: Any, name: str, value: float, digits: int) -> str:
    """A parameter for people; the largest double stands for any number."""
    return "unbounded" if value >= LARGEST else str(owner.shown(name, value, digits))


def _approx(event: Event, query: Query, digits: int) -> Answer:
    found = guarantee(event, query)
    values = {"epsilon": float(found.epsilon), "delta": float(found.delta)}
    wanted = values["epsilon" if query.key == "delta" else "delta"]
    return Answer(values, _wire.shown(wanted, digits))


def _renyi(event: Event, query: Query, digits: int) -> Answer:
    bound = float(plan.to(event, RDP)(float(query.value)))
    if not math.isfinite(bound):
        return Answer({}, "-", ("nothing is known at this order",))
    return Answer({"epsilon": bound}, _wire.shown(bound, digits))


def _advantage(event: Event, _: Query, __: int) -> Answer:
    value = plan.advantage(event)
    return Answer({"advantage": value}, percent(value))


def _tpr(event: Event, query: Query, _: int) -> Answer:
    value = float(plan.tpr(event, float(query.value)))
    return Answer({"tpr": value}, percent(value))


def _tradeoff(event: Event, query: Query, digits: int) -> Answer:
    value = float(plan.tradeoff(event, float(query.value)))
    return Answer({"beta": value}, _wire.shown_down(value, digits))


_ANSWERS = {
    "approx": _approx,
    "rdp": _renyi,
    "advantage": _advantage,
    "tpr": _tpr,
    "tradeoff": _tradeoff,
}


@cache
def _shown(owner: type) -> tuple[Parameter, ...]:
    return parameters(owner) if owner is not ApproxDP else ()
