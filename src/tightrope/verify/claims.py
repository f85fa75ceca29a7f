"""Claims: whether the numbers answer the question, and are rounded as they should be."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from tightrope.verify.numbers import exact
from tightrope.verify.outcome import Refuted
from tightrope.verify.step import PROTECTIVE

DUST = Fraction(1, 10**12)
"""Relative distance that rounding forgives."""

QUESTIONS = {
    "pure": "PureDP",
    "zcdp": "ZCDP",
    "gdp": "GDP",
    "tcdp": "TCDP",
    "br": "BoundedRange",
    "logistic": "LogisticDP",
    "approx": "ApproxDP",
    "advantage": "ApproxDP",
    "tpr": "TradeOff",
    "tradeoff": "TradeOff",
    "rdp": "RDP",
}


POINTS = {
    "approx": ("delta", "epsilon"),
    "rdp": ("order",),
    "tpr": ("fpr",),
    "tradeoff": ("alpha",),
}
"""Where questions about curves can be asked."""


def require_answer(question: str, notion: str, values: Mapping[str, Fraction]) -> None:
    """The claim answers its question, at the point that the question names."""
    name, _, point = question.partition(" ")
    if QUESTIONS.get(name) != notion:
        raise Refuted("it does not answer its question")
    if question == "advantage":
        asked, given = Fraction(0), values["epsilon"]
    elif point:
        key, _, text = point.partition("=")
        if key not in POINTS.get(name, ()) or question != f"{name} {key}={text}":
            raise Refuted("its question has no such point")
        given = values["alpha" if key == "fpr" else key]
        asked = exact(text, "the point of a question")
    elif name in POINTS or question != name:
        raise Refuted("its question names no point")
    else:
        return
    if abs(given - asked) > abs(asked) * DUST:
        raise Refuted("it answers its question at another point")


def require_shown(shown: Mapping[str, Any], values: Mapping[str, Fraction]) -> None:
    """The numbers for people have four digits, and are rounded to the side of the weaker claim."""
    if set(shown) != set(values):
        raise Refuted("the rounded numbers are not those of the claim")
    for name, text in shown.items():
        rounded, value = exact(text, f"rounded {name}"), values[name]
        if rounded == value:
            continue
        moved = (value - rounded) if name in PROTECTIVE else (rounded - value)
        unit, dust = _unit(value), value * DUST
        if (rounded / unit).denominator != 1 or not -dust <= moved < unit - dust:
            raise Refuted(f"the rounded {name} is on the unsafe side, or far off")


def _unit(value: Fraction) -> Fraction:
    """The unit of the fourth digit of a number above 0."""
    unit = Fraction(1, 1000)
    if value <= 0:
        return unit
    while value < 1000 * unit:
        unit /= 10
    while value >= 10000 * unit:
        unit *= 10
    return unit
