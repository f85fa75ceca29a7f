"""The normal law in balls: its distribution, tests between two of them, and their profile."""

from __future__ import annotations

from flint import arb


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
