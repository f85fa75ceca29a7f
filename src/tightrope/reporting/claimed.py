"""One claim of a certificate for people: its question, its number, and where it is proved to lie.

Texts that a file gives for people are not repeated: a number is rounded from its exact value.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from tightrope._wire import shown, shown_down
from tightrope.certifying.claims import STRONGER
from tightrope.plan.meaning import percent_at_most
from tightrope.reporting.answered import between
from tightrope.reporting.curves import written
from tightrope.spec.query import read_query

Record = Mapping[str, Any]

ANSWERS = {"rdp": "epsilon", "tradeoff": "beta", "advantage": "delta", "tpr": "beta"}
"""Of a point of a curve, the number that answers the question."""


def asked(question: str) -> str:
    """The question for people.

    Examples:
        >>> asked("approx delta=1/1000000")
        '(ε, δ)-DP: ε at δ = 1e-6'
    """
    head, equals, point = question.partition("=")
    return read_query(f"{head}={written(Fraction(point))}" if equals else question, {}).title


def found(claim: Record) -> tuple[str, str]:
    """The answer, rounded to the safe side, and all its digits."""
    name, values = claim["question"].split()[0], numbers(claim["values"])
    if name == "advantage":
        return percent_at_most(values["delta"]), repr(values["delta"])
    if name == "tpr":
        power = float(1 - exact(claim["values"]["beta"]))
        return percent_at_most(power), repr(power)
    key = _answer(claim)
    if key:
        return _shown(key, values[key]), repr(values[key])
    told = {key: value for key, value in values.items() if value or key != "xi"}
    if len(told) == 1:
        ((key, value),) = told.items()
        return _shown(key, value), repr(value)
    text = ", ".join(f"{key} = {_shown(key, value)}" for key, value in told.items())
    return text, ", ".join(map(repr, told.values()))


def ends(claim: Record, step: Record) -> str:
    """Both proved ends of the answer, where the step has them."""
    interval = step.get("interval", {}).get(_answer(claim))
    if interval is None:
        return ""
    low, high = (float(exact(end)) for end in interval)
    return between(low, high, share=claim["question"] == "advantage")


def conclusion(notion: str, values: Mapping[str, str]) -> str:
    """``GDP(mu=1.284)``."""
    told = (f"{key}={_shown(key, value)}" for key, value in numbers(values).items())
    return f"{notion}({', '.join(told)})"


def numbers(values: Mapping[str, str]) -> dict[str, float]:
    """Exact values as floats."""
    return {key: float(exact(text)) for key, text in values.items()}


def exact(text: str) -> Fraction | float:
    """The number that a text denotes: a decimal, a fraction, a hexadecimal float, or ``inf``."""
    if "x" in text or text == "inf":
        return float.fromhex(text)
    return Fraction(text)


def _answer(claim: Record) -> str:
    """The number of a point that answers the question; empty if it is not about a point."""
    name, _, point = claim["question"].partition(" ")
    if name == "approx":
        return "epsilon" if point.startswith("delta") else "delta"
    return ANSWERS.get(name, "")


def _shown(key: str, value: float) -> str:
    return (shown_down if key in STRONGER else shown)(value)
