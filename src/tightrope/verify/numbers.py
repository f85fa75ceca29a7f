"""Numbers of a certificate: texts that denote one rational number, and comparisons in balls.

A ball (python-flint's ``arb``) holds the true value for certain, so a comparison of balls is a
proof. Where balls overlap they are computed again with more digits.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from fractions import Fraction

from flint import arb, ctx, fmpq

from tightrope.verify.outcome import NotChecked, Refuted, Unreadable

LONGEST = 2500
"""Most characters of one number: exact fractions of doubles with tiny exponents are long."""

LARGEST_EXPONENT = 1100
PRECISIONS = (128, 256, 512, 1024)
CLOSE = Fraction(1, 10**9)
"""Relative distance from the truth beyond which a number is not what the theorem gives."""

TINY = Fraction(1, 10**290)

_FRACTION = re.compile(r"-?\d+(/[1-9]\d*)?", re.ASCII)
_DECIMAL = re.compile(r"-?\d+(\.\d*)?(e[+-]?\d{1,4})?", re.ASCII)
_HEX = re.compile(r"-?0x[01]\.[0-9a-f]{1,13}p[+-]\d{1,4}", re.ASCII)

Truth = Callable[[], arb]

Bounds = tuple[arb, arb]
"""A lower and an upper bound of one number."""


def exact(text: object, what: str) -> Fraction:
    """The number that a text denotes."""
    if not isinstance(text, str) or len(text) > LONGEST:
        raise Unreadable(f"{what} must be a number as a text of at most {LONGEST} characters")
    if _FRACTION.fullmatch(text):
        return Fraction(text)
    if _DECIMAL.fullmatch(text) and abs(int(text.partition("e")[2] or 0)) <= LARGEST_EXPONENT:
        return Fraction(text)
    if _HEX.fullmatch(text) and abs(int(text.partition("p")[2])) <= LARGEST_EXPONENT:
        return Fraction(float.fromhex(text))
    raise Unreadable(f"{what} is no number: {text[:40]!r}")


def ball(value: Fraction | int) -> arb:
    """A rational number as a ball at the current precision."""
    return arb(fmpq(value.numerator, value.denominator))


def decided(test: Callable[[], bool | None], precisions: Sequence[int] = PRECISIONS) -> bool | None:
    """The answer to a question at the first precision that decides it; None if none does."""
    for precision in precisions:
        with ctx.workprec(precision):
            answer = test()
        if answer is not None:
            return answer
    return None


def compare(left: Truth, right: Truth) -> bool | None:
    """Whether left >= right, for certain; None if even many digits do not tell."""

    def test() -> bool | None:
        difference = left() - right()
        if difference >= 0:
            return True
        return False if difference < 0 else None

    return decided(test)


def require_true(answer: bool | None, wrong: str) -> None:
    """A claim is refuted only if it is false for certain; what stays open is not checked."""
    if answer is False:
        raise Refuted(wrong)
    if answer is None:
        raise NotChecked(f"{PRECISIONS[-1]} bits leave open whether {wrong}")


def require_at_least(value: Fraction, truth: Truth | Fraction, what: str) -> None:
    """The value is an upper bound of the truth, and next to it."""
    goal = _truth(truth)
    below = value - value * CLOSE - TINY
    if isinstance(truth, Fraction):
        enough: bool | None = value >= truth
    else:
        enough = compare(lambda: ball(value), goal)
    require_true(enough, f"{what} is below what the theorem gives")
    if compare(goal, lambda: ball(below)) is not True:
        raise NotChecked(f"{what} is not what the theorem gives, but more")


def require_at_most(value: Fraction, truth: Truth | Fraction, what: str) -> None:
    """The value is a lower bound of the truth, and next to it."""
    goal = _truth(truth)
    if isinstance(truth, Fraction):
        low: bool | None = value <= truth
    else:
        low = compare(goal, lambda: ball(value))
    require_true(low, f"{what} is above what the theorem gives")
    above = value + abs(value) * CLOSE + TINY
    if compare(lambda: ball(above), goal) is not True:
        raise NotChecked(f"{what} is not what the theorem gives, but less")


def require_solution(
    value: Fraction, rising: Callable[[arb], arb], target: Truth, what: str
) -> None:
    """The value is an upper bound, and next to it, of where a rising function meets the target."""
    if value == 0:
        require_true(compare(lambda: arb(0), target), f"{what} is 0 without a reason")
        return
    enough = compare(lambda: rising(ball(value)), target)
    require_true(enough, f"{what} is below what the theorem gives")
    below = value * (1 - CLOSE)
    if compare(target, lambda: rising(ball(below))) is not True:
        raise NotChecked(f"{what} is not what the theorem gives, but more")


def _truth(truth: Truth | Fraction) -> Truth:
    if isinstance(truth, Fraction):
        known = truth
        return lambda: ball(known)
    return truth
