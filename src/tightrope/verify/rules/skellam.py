"""Skellam noise under zCDP, by a line above the bound on its Renyi divergences.

At whole orders a the bound is A a + B, with A = D2/(2 v) + D2/(2 v^2) and B = (6 D1 - D2)/(4 v^2),
or with A = D2/(2 v) and B = 3 D1/(2 v); D2 is the squared L2 norm of the shift and D1 its L1 norm.
Between whole orders (a - 1) D(a) is convex, so its chords hold: they lie at most A/4 above
(a - 1) (A a + B). On (1, 2] D(2) = 2 A + B holds. So rho = A and xi = A + max(B, 0) hold.
"""

from __future__ import annotations

import math
from fractions import Fraction

from tightrope.verify.event import Node
from tightrope.verify.numbers import require_at_least
from tightrope.verify.outcome import Refuted
from tightrope.verify.rules.leaf import shift, variance
from tightrope.verify.rules.mechanisms import require_leaf
from tightrope.verify.step import Step, rule


@rule("Skellam.zcdp", "SkellamVector.zcdp")
def skellam_zcdp(step: Step) -> None:
    """The line of the theorem that is meant: both hold."""
    step.gives("ZCDP")
    node = require_leaf(step)
    claimed = step.value("rho")
    rho, xi = min(_lines(node), key=lambda line: abs(line[0] - claimed))
    require_at_least(claimed, rho, "rho")
    require_at_least(step.value("xi"), xi, "xi")


def _lines(node: Node) -> list[tuple[Fraction, Fraction]]:
    v, square, l1 = variance(node), Fraction(shift(node) ** 2), _l1(node)
    fine, coarse = square / (2 * v) * (1 + 1 / v), square / (2 * v)
    rest = max(6 * l1 - square, Fraction(0)) / (4 * v**2)
    return [(fine, fine + rest), (coarse, coarse + 3 * l1 / (2 * v))]


def _l1(node: Node) -> Fraction:
    """The L1 norm: of a vector on the integers at most the squared L2 norm, and root d times it."""
    whole = shift(node)
    if node.kind == "Skellam":
        return Fraction(whole)
    dimension = node.number("dimension")
    if dimension.denominator != 1 or dimension < 1:
        raise Refuted("a vector has a whole number of entries")
    most = min(whole**2, math.isqrt(whole**2 * int(dimension)))
    given = node.number("l1_sensitivity")
    if given.denominator != 1 or given < 0:
        raise Refuted("l1_sensitivity must be a whole number")
    return Fraction(min(most, int(given)))
