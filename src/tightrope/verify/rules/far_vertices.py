"""Vertices of discrete Gaussian noise far out, in ordinary numbers with room for all their errors.

For x >= 8 two neighbouring levels of the continued fraction of Mills' ratio m = Q/phi lie on either
side of it, and log Q falls at least as steeply as x. So from a guess x of a score, with both values
of log Q there, the score is known to their distance from log P(Z >= k), which itself is known to
about 1e-14 of its size. An increment that is not clearly below mu is left to balls.
"""

from __future__ import annotations

import math
from collections.abc import Iterator

NEAREST = 8.0
LEVELS, FEWER = 10, 4
MIDDLE = 40.0
"""Where fewer levels do."""

ROUNDING = 1e-14
SLACK = 1e-12
HALF_LOG_TURN = math.log(2 * math.pi) / 2


def doubtful(v: float, whole: int, mu: float, first: int, last: int) -> list[int]:
    """The k from first to last of which a(k) - a(k - D) <= mu is not clear."""
    scores = list(_scores(v, first - whole, last))
    return [
        first + n
        for n, (low, high) in enumerate(zip(scores, scores[whole:], strict=False))
        if not high[1] - low[0] < mu * (1 - SLACK)
    ]


def _scores(v: float, first: int, last: int) -> Iterator[tuple[float, float]]:
    """A lower and an upper bound on the score of P(Z >= k), k from first to last."""
    step = 1 / math.sqrt(v)
    x = first * step
    for log_tail in _log_tails(v, first, last):
        levels = LEVELS if x < MIDDLE else FEWER
        mills = _mills(x, levels)
        x += (_log_q(x, mills) - log_tail) * mills
        misses = (_log_q(x, _mills(x, n)) - log_tail for n in (levels, levels + 1))
        error = max(map(abs, misses)) + ROUNDING * (10 - 2 * log_tail)
        room = error / (x - 1)
        yield (x - room, x + room) if x - room >= NEAREST else (-math.inf, math.inf)
        x += step


def _log_q(x: float, mills: float) -> float:
    return -x * x / 2 - HALF_LOG_TURN + math.log(mills)


def _mills(x: float, levels: int) -> float:
    """1/(x + 1/(x + 2/(x + 3/(x + ...)))), which lies below Q/phi or above it."""
    rest = x
    for n in range(levels, 0, -1):
        rest = x + n / rest
    return 1 / rest


def _log_tails(v: float, first: int, last: int) -> list[float]:
    """log P(Z >= k), k from first to last: by the ratio of P(Z >= k) to P(Z = k), from far out."""
    far = math.ceil(13 * math.sqrt(v) + 13)
    whole = math.log(1 + 2 * math.fsum(math.exp(-x * x / (2 * v)) for x in range(1, far)))
    ratio, found = 1.0, []
    for k in range(last + far, first - 1, -1):
        ratio = 1 + math.exp(-(2 * k + 1) / (2 * v)) * ratio
        if k <= last:
            found.append(math.log(ratio) - k * k / (2 * v) - whole)
    return found[::-1]
