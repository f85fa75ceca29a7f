"""The parameters of mechanisms, as they were given, and the exact numbers that follow from them."""

from __future__ import annotations

from fractions import Fraction

from tightrope.verify.event import Node
from tightrope.verify.outcome import Refuted


def positive(node: Node, name: str) -> Fraction:
    """A parameter that must be above 0."""
    value = node.number(name)
    if value <= 0:
        raise Refuted(f"{node.kind}: {name} must be above 0")
    return value


def nonnegative(node: Node, name: str) -> Fraction:
    """A parameter that must be at least 0."""
    value = node.number(name)
    if value < 0:
        raise Refuted(f"{node.kind}: {name} must be at least 0")
    return value


def variance(node: Node) -> Fraction:
    """The square of the scale, which may be given itself."""
    if "noise_scale" in node.parameters:
        return positive(node, "noise_scale") ** 2
    return positive(node, "variance")


def square_of_mu(node: Node) -> Fraction:
    """(sensitivity/scale)^2 of a normal law."""
    return nonnegative(node, "sensitivity") ** 2 / variance(node)


def ratio(node: Node) -> Fraction:
    """sensitivity/scale."""
    return nonnegative(node, "sensitivity") / positive(node, "noise_scale")


def shift(node: Node) -> int:
    """The sensitivity of a mechanism on the integers."""
    value = nonnegative(node, "sensitivity")
    if value.denominator != 1:
        raise Refuted(f"{node.kind}: sensitivity must be a whole number")
    return value.numerator
