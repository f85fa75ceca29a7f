"""The normal law in balls: its distribution, tests between two of them, and their profile."""

from __future__ import annotations

from flint import arb

FIRST_SCORE = 1.4
"""Scores fall with s, as ``end_of_rates`` needs it, from where they are this large."""


def upper_tail(x: arb) -> arb:
    """P(N > x)."""
    return (x / arb(2).sqrt()).erfc() / 2


def profile(epsilon: arb, mu: arb) -> arb:
    """delta of mu-GDP at epsilon, for mu above 0."""
    return upper_tail(epsilon / mu - mu / 2) - epsilon.exp() * upper_tail(epsilon / mu + mu / 2)


def half_odds(mu: arb) -> arb:
    """The log-odds of Phi(mu/2): the t with mu = 2 Phi^-1(1/(1 + exp(-t)))."""
    return (upper_tail(-mu / 2) / upper_tail(mu / 2)).log()


def score(tail: arb) -> arb:
    """The x with P(N > x) = tail."""
    return arb(2).sqrt() * (2 * tail).erfcinv()


def of_rate(s: arb) -> arb:
    """The score of a type I error exp(-s^2/2)."""
    return score((-s * s / 2).exp())


def end_of_rates(unit: arb, mu: arb, farthest: float) -> float | None:
    """An s from which on tests of rho-zCDP, unit^2 = 2 rho, are worth no more than mu.

    A type I error exp(-s^2/2) leaves a type II error of at least 1 - exp(-(s - unit)^2/2), and what
    such tests are worth falls with s. None if there is no such s up to ``farthest``.
    """
    s = max(2.5, float(unit.upper()) + 2.5)
    while True:
        near = of_rate(arb(s) - unit)
        if near >= FIRST_SCORE and of_rate(arb(s)) - near <= mu:
            return s
        s *= 1.05
        if s > farthest:
            return None
