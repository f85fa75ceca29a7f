"""The tight Gaussian-DP parameter of discrete Gaussian noise.

Z has law N_Z(0, sigma^2), the neighbour shifts it by an integer D > 0. The likelihood ratio is
increasing in z, so the trade-off curve is piecewise linear with the vertices
(P(Z >= k), P(Z < k - D)), and since G_mu is convex, mu-GDP holds if and only if it does at every
vertex:

    mu = sup over k of a(k) - a(k - D),   a(k) = -Phi^-1(P(Z >= k)).

The increments are symmetric about k = (D + 1)/2, so only larger k are looked at, and of those
finitely many, because the tail has a bound of its own.

Tail. N_Z(0, sigma^2) under a shift D is rho-zCDP with rho = D^2/(2 sigma^2) (Canonne, Kamath and
Steinke, 2020, Theorem 4). So a test with type I error alpha = exp(-s^2/2), s > D/sigma, has power
at most exp(-(s - D/sigma)^2/2): take the order s sigma/D in `power^(order/(order - 1)) <= alpha
exp(order rho)`, the data-processing bound. With N(s) = -Phi^-1(exp(-s^2/2)) this reads

    a(k) - a(k - D) <= N(s) - N(s - D/sigma).

The right side decreases in s as soon as N(s - D/sigma) >= 1.4, hence covers all smaller alpha:
N' = s R(N), with R the Mills ratio, and N'' = R (1 - s^2 (1 - N R)) < 0, since
1 - N R > 1/(N^2 + 3) and s^2 = -2 log Phi(-N) = N^2 + log(2 pi) - 2 log R(N) >= N^2 + 3 as soon as
R(N) <= sqrt(2 pi) exp(-3/2) = 0.5593. Last, P(Z >= k) <= exp(-k^2/(2 sigma^2)), for
E exp(tZ) <= exp(t^2 sigma^2/2): a shifted lattice sum of f is at most the centred one. So every
k >= sigma s lies in the tail.

Wide noise. The scan looks at about 10 sigma^2 vertices. For larger sigma: let Y be N(0, s^2) with
s^2 = sigma^2 - tau^2, and round Y to the integer j with probability proportional to
exp(-(Y - j)^2/(2 tau^2)). Rounding commutes with integer shifts, so the rounded J is still
(D/s)-GDP. Were the normalising sum C(Y) constant, J would have the law N_Z(0, sigma^2); by Poisson
summation it is constant up to a factor in [1 - kappa, 1 + kappa],
kappa = 2 sum over n >= 1 of exp(-2 pi^2 tau^2 n^2), so the two laws, normalised, differ by a factor
within exp(+-eta), eta = log((1 + kappa)/(1 - kappa)). Changing log p and log(1 - p) by at most eta
moves Phi^-1(p) by at most sqrt(pi/2) (-log(2 - exp(eta))): the density of the normal law is at
least sqrt(2/pi) times the smaller of p and 1 - p, and the worst case crosses p = 1/2. Both ends of
the increment move, so

    mu <= D / sqrt(sigma^2 - tau^2) - sqrt(2 pi) log(2 - exp(eta)).
"""

import math
from collections.abc import Callable
from functools import lru_cache

import numpy as np

from tightrope.num.elementwise import FloatArray
from tightrope.num.normal import quantile_of_log
from tightrope.num.rounding import EPS, up
from tightrope.theorems.discrete_gaussian.law import score

__all__ = ["central_mu", "largest_increment", "mu", "near_gaussian_cost"]

_SCAN_VARIANCE = 1e4
_SCAN_SHIFT = 100_000
_SCORE_ULPS = 8  # twice the relative error of a score, and the subtraction
_START = 2.5  # N(2.5) = 1.707 > 1.4, where the tail bound becomes monotone


def central_mu(variance: float, shift: int) -> float:
    """Return the increment at the central vertex, a lower bound on the tight mu.

    For shift 1 it is `2 Phi^-1((1 + P(Z = 0))/2)`; in all cases that were ever scanned it is the
    tight value itself. Relative error below 2e-15.

    >>> f"{central_mu(1.0, 1):.12g}"
    '1.04576011952'
    """
    return score(variance, float((shift + 2) // 2)) + score(variance, float((shift + 1) // 2))


@lru_cache(maxsize=1024)
def mu(variance: float, shift: int) -> float:
    """Return a proved upper bound on the tight mu of N_Z(0, variance) under an integer shift.

    Up to variance 10,000 and shift 100,000 it is the tight value, within 4e-15. For wider noise
    the relative excess is about `log(400 sigma^3 / shift) / (40 sigma^2)`, 5e-5 at sigma = 100 and
    1e-8 at 10,000; for larger shifts it is that of splitting the shift into equal parts.

    Raises:
        ValueError: the variance is not positive, or the shift is negative.

    >>> f"{mu(4.0, 1):.12g}"
    '0.505325436469'
    """
    if not (0 < variance < math.inf and shift >= 0):
        raise ValueError(f"mu(variance, shift): got ({variance!r}, {shift!r})")
    if shift == 0:
        return 0.0
    if variance > _SCAN_VARIANCE:
        return _smoothed(variance, shift)
    if shift > _SCAN_SHIFT:
        return _grouped(variance, shift)
    centre = central_mu(variance, shift)
    return largest_increment(lambda k: score(variance, k), variance, shift, centre)


def _grouped(variance: float, shift: int) -> float:
    """Shifts in a row add (group privacy; Dong, Roth and Su, 2022, Theorem 2.14)."""
    whole, rest = divmod(shift, _SCAN_SHIFT)
    return up(whole * mu(variance, _SCAN_SHIFT) + mu(variance, rest), 4)


def largest_increment(
    scores: Callable[[FloatArray], FloatArray], variance: float, shift: int, centre: float
) -> float:
    """Return the supremum of `scores(k) - scores(k - shift)`, rounded up, by scan and tail bound.

    Args:
        scores: normal scores `-Phi^-1(P(S >= k))` of a symmetric law S on the integers, to a
            relative error of 1.5e-15, where S shifted is `shift^2/(2 variance)`-zCDP and
            `P(S >= k) <= exp(-k^2/(2 variance))`.
        variance, shift: the parameters in these two properties.
        centre: the increment at the central vertex.
    """
    first = (shift + 2) // 2
    last = math.ceil(_tail_start(variance, shift, centre) * math.sqrt(variance))
    a = scores(np.arange(float(first - shift), last + 1.0))
    upper, lower = a[shift:], a[: a.size - shift]
    increments = upper - lower + _SCORE_ULPS * EPS * (np.abs(upper) + np.abs(lower))
    return up(float(increments.max()), 1)


def _tail_start(variance: float, shift: int, centre: float) -> float:
    """The first s of a geometric sequence at which the tail bound has fallen below the centre."""
    step = shift / math.sqrt(variance)
    s = _START * 1.05 ** np.arange(500)
    tail = quantile_of_log(-np.square(s) / 2) - quantile_of_log(-np.square(s + step) / 2)
    closed = tail <= step + 0.9 * (centre - step)  # a tenth of the gap is room for rounding
    return float(s[np.argmax(closed)]) + step


def _smoothed(variance: float, shift: int) -> float:
    """The bound by continuous noise and equivariant rounding, at its best tau."""
    sigma = math.sqrt(variance)
    fit = math.log(16 * math.pi**2 * math.sqrt(2 * math.pi) * sigma * (variance / shift))
    tau_squared = max(fit / (2 * math.pi**2), 1.0)
    kappa = 2.01 * math.exp(-2 * math.pi**2 * tau_squared)  # all n > 1 add less than 1e-25 of it
    eta = math.log1p(2 * kappa / (1 - kappa))
    return up(shift / math.sqrt(variance - tau_squared) + near_gaussian_cost(eta), 4)


def near_gaussian_cost(eta: float) -> float:
    """Return how much mu can grow when both laws change by a factor within `exp(+-eta)`.

    >>> near_gaussian_cost(0.0)
    0.0
    """
    return -math.sqrt(2 * math.pi) * math.log1p(-math.expm1(eta))
