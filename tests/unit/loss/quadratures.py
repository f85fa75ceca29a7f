"""Transforms to forty digits by ball arithmetic, and what an engine's claim means."""

from __future__ import annotations

import numpy as np
from flint import acb, arb, ctx

from tightrope.loss.loss import Line

ctx.prec = 260


def _integral(f, start: float, end: float, pieces: int) -> acb:
    total = acb(0)
    for i in range(pieces):
        left, right = (acb(start + (end - start) * j / pieces) for j in (i, i + 1))
        total += acb.integral(lambda x, _: f(x), left, right, rel_tol=arb(2) ** -120)
    return total


def spliced(mu: float, rate: float, z: complex) -> acb:
    """M of the cover: 1 + the integral over v > 0 of phi (r^(1 + z) - 1) (1 - r^(-z))."""
    mu, rate, at = arb(mu), arb(rate), acb(z.real, z.imag)

    def f(v: acb) -> acb:
        s = (1 + rate * ((mu * v).exp() - 1)).log()
        x = mu / 2 + v
        return (-(x * x) / 2).exp() * (((1 + at) * s).exp() - 1) * (1 - (-(at * s)).exp())

    end = (1 + z.real) * float(mu) + 18
    pieces = max(8, int(end), int(abs(z.imag) * float(mu) * end / 60))
    return 1 + _integral(f, 0.0, end, pieces) / (2 * arb.pi()).sqrt()


def sampled_laplace(epsilon: float, rate: float, with_unit: bool, z: complex) -> acb:
    """E_Q[r^(1 + z)] or E_Q[r^(-z)]."""
    e, rate, at = arb(epsilon), arb(rate), acb(z.real, z.imag)
    power = 1 + at if with_unit else -at

    def r(l: acb) -> acb:
        return 1 + rate * (l.exp() - 1)

    def f(x: acb) -> acb:
        return (-x).exp() / 2 * (power * r(2 * x - e).log()).exp()

    pieces = max(4, int(2 * epsilon), int(abs(z.imag) * epsilon / 20))
    ends = (power * r(acb(-e)).log()).exp() / 2 + (-e).exp() / 2 * (power * r(acb(e)).log()).exp()
    return ends + _integral(f, 0.0, epsilon, pieces)


def worst_slack(line: Line, truth, taus: list[float]) -> tuple[float, float]:
    """How much of the claimed error the true one takes at most, and the largest true one.

    The claim is |M - computed M| <= |computed M| (exp(error) - 1).
    """
    at = line.transform(np.array(taus))
    used = largest = 0.0
    for tau, value, error in zip(taus, at.value, at.error, strict=True):
        ratio = truth(complex(line.c, tau)) * (-acb(float(value.real), float(value.imag))).exp()
        true = float(abs(ratio - 1).upper())
        used, largest = max(used, true / np.expm1(error)), max(largest, true)
    return used, largest


def decay_holds(line: Line, taus: np.ndarray) -> bool:
    """Whether bounds on |M(c + it)|/M(c) hold at every point and at every later one."""
    logs = line.transform(np.append(0.0, taus)).value.real
    sizes = logs[1:] - logs[0]
    later = np.maximum.accumulate(sizes[::-1])[::-1]
    bounds, screens = line.decay(taus), line.screen(taus)
    falls = (np.diff(bounds) <= 1e-12).all()
    return bool((later <= bounds + 1e-9).all() and (sizes <= screens + 1e-9).all() and falls)
