"""Gauss-Legendre quadrature over straight pieces of the complex plane, with proved errors.

Let f be analytic inside an ellipse with foci a and b and half axes h (R + 1/R)/2 and
h (R - 1/R)/2, where h = |b - a|/2 and R > 1, and let |f| <= B there. The Chebyshev series of f
shows that some polynomial of degree m is within 2 B R^-m/(R - 1) of f on the piece; the rule with
n points integrates all polynomials up to degree 2 n - 1, and its weights add up to 2 h, so it errs
by at most 8 h B R^(1 - 2 n)/(R - 1) (Trefethen, 2008, "Is Gauss quadrature better than
Clenshaw-Curtis?", Section 4). Pieces are halved until this bound is small enough.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import NamedTuple

import numpy as np

from tightrope.num.arrays import Complexes, Floats

POINTS = 20
"""Points of the rule on one panel."""

MOST_PANELS = 1 << 14

_RADII = np.array([3.0, 5.0, 9.0])[:, None]
"""Ellipses that are tried; the best bound counts."""

_GAIN = np.log(8) + (1 - 2 * POINTS) * np.log(_RADII) - np.log(_RADII - 1)


class Boxes(NamedTuple):
    """Rectangles of the complex plane."""

    left: Floats
    right: Floats
    low: Floats
    high: Floats


class Rule(NamedTuple):
    """Nodes and weights, and how far the sum may be from the integral, rounding apart."""

    nodes: Complexes
    weights: Complexes
    error: float


LogSup = Callable[[Boxes], Floats]
"""log of a bound on |f| in boxes; infinite where f may be singular."""


def rule(start: Complexes, end: Complexes, log_sup: LogSup, target: float) -> Rule:
    """Nodes for the integral of f over pieces, each halved until the error is within target.

    Args:
        start: where the pieces begin.
        end: where they end.
        log_sup: log of a bound on |f| in boxes.
        target: the error that is wanted, shared among the panels; the rule states its own.
    """
    with np.errstate(all="ignore"):  # bounds may overflow where nothing matters
        return _refined(start, end, log_sup, float(np.log(target / 64)))


def _refined(start: Complexes, end: Complexes, log_sup: LogSup, share: float) -> Rule:
    kept: list[tuple[Complexes, Complexes]] = []
    error, many = 0.0, 0
    while len(start):
        log_sizes = log_sup(_boxes(start, end)) + np.log(np.abs(end - start))
        nothing = log_sizes < share
        error += float(np.exp(log_sizes[nothing]).sum())
        start, end = start[~nothing], end[~nothing]
        log_errors = _log_errors(start, end, log_sup)
        many += len(start)
        fine = (log_errors < share) | (many > MOST_PANELS)
        error += float(np.exp(np.minimum(log_errors[fine], 700.0)).sum())
        kept.append((start[fine], end[fine]))
        start, end = _halves(start[~fine], end[~fine])
    first, last = (np.concatenate(side) for side in zip(*kept, strict=True))
    return _nodes(first, last, error)


def _halves(start: Complexes, end: Complexes) -> tuple[Complexes, Complexes]:
    middle = (start + end) / 2
    return np.append(start, middle), np.append(middle, end)


def _nodes(start: Complexes, end: Complexes, error: float) -> Rule:
    points, weights = legendre()
    half, middle = (end - start)[:, None] / 2, (end + start)[:, None] / 2
    return Rule((middle + half * points).ravel(), (half * weights).ravel(), error)


def _log_errors(start: Complexes, end: Complexes, log_sup: LogSup) -> Floats:
    """log of the bound by the best of several ellipses."""
    half = (end - start) / 2
    long, short = (_RADII + 1 / _RADII) / 2, (_RADII - 1 / _RADII) / 2
    wide = np.hypot(long * half.real, short * half.imag)
    tall = np.hypot(long * half.imag, short * half.real)
    middle = (end + start) / 2
    left, right = middle.real - wide, middle.real + wide
    low, high = middle.imag - tall, middle.imag + tall
    bounds = log_sup(Boxes(*(side.ravel() for side in (left, right, low, high))))
    return np.asarray((bounds.reshape(wide.shape) + _GAIN).min(axis=0) + np.log(np.abs(half)))


def _boxes(start: Complexes, end: Complexes) -> Boxes:
    """The boxes around the pieces themselves."""
    return Boxes(
        np.minimum(start.real, end.real),
        np.maximum(start.real, end.real),
        np.minimum(start.imag, end.imag),
        np.maximum(start.imag, end.imag),
    )


@cache
def legendre() -> tuple[Floats, Floats]:
    """Points and weights of the rule on [-1, 1]."""
    points, weights = np.polynomial.legendre.leggauss(POINTS)
    return points, weights
