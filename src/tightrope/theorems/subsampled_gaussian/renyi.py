"""Renyi divergences of one release of the Poisson-subsampled Gaussian, at every order.

For whole orders there is a finite sum (Mironov, Talwar and Zhang, 2019, Section 3.3),

    exp(psi(a)) = sum over j of C(a, j) (1-rate)^(a-j) rate^j exp(j (j-1) mu^2/2),

psi(a) = (a - 1) D_a(mixture || base); the binomial law sums to 1 by itself, so
`exp(psi) - 1` is a sum of positive terms. This order of the pair has the larger divergences (the
same, Theorem 5). Between whole orders psi, a logarithm of moments, is convex, and lies below its
chords. Nowhere does sampling make D_a larger than the `a mu^2/2` of the Gaussian itself.
"""

import math
from decimal import Decimal, localcontext
from functools import lru_cache

import numpy as np

from tightrope.num.elementwise import FloatArray, ScalarOrArray, elementwise
from tightrope.num.logspace import log1mexp, softplus
from tightrope.num.rounding import EPS, up
from tightrope.theorems.subsampled_gaussian.profile import check_pair

__all__ = ["renyi", "renyi_integer"]


_LARGEST_ORDER = 65536
_LARGEST_MU = 1e100
_QUANTUM, _EXACT = 2.0**-30, 2.0**22


def renyi_integer(mu: float, rate: float, orders: ScalarOrArray) -> ScalarOrArray:
    """Return D_a(mixture || base) at whole orders, rounded up.

    Args:
        mu: sensitivity over noise scale, at least 0.
        rate: the probability of being sampled, in [0, 1].
        orders: whole numbers from 2 to 65536, as floats.

    Returns:
        A bound above the divergence, by a relative 1e-14 for orders below 100 and at most 2e-13
        up to order 2000.

    Raises:
        ValueError: an argument is outside its range.

    >>> f"{renyi_integer(0.5, 0.01, 8.0):.12g}"
    '0.00011575614793'
    """
    check_pair(mu, rate)

    def bound(a: FloatArray) -> FloatArray:
        if not np.all((a >= 2) & (a <= _LARGEST_ORDER) & (a == np.floor(a))):
            raise ValueError(f"renyi_integer: orders must be whole, from 2 to {_LARGEST_ORDER}")
        return _capped(mu, rate, a, _log_moments(mu, rate, a) / (a - 1))

    return elementwise(bound)(orders)


def renyi(mu: float, rate: float, order: ScalarOrArray) -> ScalarOrArray:
    """Return a proved upper bound on D_a(mixture || base) at real orders `a >= 1`.

    Exact at whole orders; between them a chord of the convex (a - 1) D_a, from the value 0 at order
    1. Beyond order 65536 it is that of the Gaussian without sampling.

    Args:
        mu: sensitivity over noise scale, at least 0.
        rate: the probability of being sampled, in [0, 1].
        order: at least 1; may be infinite.

    Raises:
        ValueError: an argument is outside its range.

    >>> f"{renyi(0.5, 0.01, 8.5):.12g}"
    '0.000123694901162'
    """
    check_pair(mu, rate)

    def bound(a: FloatArray) -> FloatArray:
        if not np.all(a >= 1):
            raise ValueError("renyi: orders must be at least 1")
        below = np.clip(np.floor(a), 1, _LARGEST_ORDER - 1)
        share = np.minimum(a, _LARGEST_ORDER) - below
        left, right = _log_moments(mu, rate, np.stack([below, below + 1]))
        chord = left * ((1 - share) / (a - 1)) + right * (share / (a - 1))
        first = right / np.maximum(below, 1)  # below order 2 the chord from 0 is D_2 everywhere
        value = np.where(a < 2, first, np.where(a > _LARGEST_ORDER, np.inf, chord))
        return _capped(mu, rate, a, value)

    return elementwise(bound)(order)


def _capped(mu: float, rate: float, orders: FloatArray, value: FloatArray) -> FloatArray:
    """Round up, and keep below the Gaussian without sampling."""
    if mu == 0 or rate == 0:
        return np.zeros(orders.shape)
    return up(np.fmin(value, mu * mu / 2 * orders), 6)


def _log_moments(mu: float, rate: float, orders: FloatArray) -> FloatArray:
    """psi at whole orders, rounded up; 0 at order 1. Each distinct order is summed once."""
    if not (0 < mu < _LARGEST_MU and 0 < rate < 1):
        return np.full(orders.shape, np.inf)  # the Gaussian's own divergence is the better bound
    distinct, index = np.unique(orders, return_inverse=True)
    terms = _Terms(mu, rate, int(distinct[-1]))
    sums = np.array([terms.log_sum(int(a)) if a > 1 else -np.inf for a in distinct])
    return np.asarray(softplus(sums))[index.reshape(orders.shape)]


class _Terms:
    """The logarithms of the summands, j >= 2, up to a largest order.

    Log-factorials, powers of the rate and Gaussian exponents are large and cancel. Each is split
    into a multiple of 2^-30, of which sums are exact up to 2^22, and a small rest.
    """

    def __init__(self, mu: float, rate: float, last: int) -> None:
        j = np.arange(2.0, last + 1)
        with localcontext(prec=60):
            miss = (1 - Decimal(rate)).ln()
            self.miss, odds = _split(miss), _split(Decimal(rate).ln() - miss)
            half_square = _split(Decimal(mu) ** 2 / 2)
        self.factorial = _log_factorials(1 << (last - 1).bit_length())
        pairs = j * (j - 1)
        growth = [pairs * part for part in half_square]
        heads, rests = (part[2 : last + 1] for part in self.factorial)
        self.head = growth[0] + (j * odds[0] - heads)
        self.rest = growth[1] + (j * odds[1] - rests) + np.asarray(log1mexp(sum(growth)))
        self.size = growth[0] + np.abs(j * odds[0])

    def log_sum(self, a: int) -> float:
        """log(exp(psi(a)) - 1), moved up by what was rounded in making the largest term."""
        (head, rest), n = self.factorial, a - 1
        terms = self.head[:n] + (head[a] + a * self.miss[0]) - head[a - 2 :: -1]
        terms += self.rest[:n] + (rest[a] + a * self.miss[1]) - rest[a - 2 :: -1]
        largest = int(terms.argmax())
        top, size = float(terms[largest]), float(self.size[largest])
        error = abs(top) + math.sqrt(largest + 2) * math.log(a) + 8 + 2 * size * (size > _EXACT)
        return top + math.log(np.exp(terms - top).sum()) + EPS * error


def _split(x: Decimal) -> tuple[float, float]:
    head = round(float(x) / _QUANTUM) * _QUANTUM
    return head, float(x - Decimal(head))


@lru_cache(maxsize=4)
def _log_factorials(last: int) -> tuple[FloatArray, FloatArray]:
    """log(0!), ..., log(last!), each in two parts."""
    logs = np.log(np.maximum(np.arange(last + 1.0), 1.0))
    head = np.round(logs / _QUANTUM) * _QUANTUM
    return np.cumsum(head), np.cumsum(logs - head)
