"""The exponential mechanism by Gumbel noise, as if with infinitely many digits.

Candidate i gets the key c score_i - log(-log U_i), U_i uniform, and the largest keys win: the
first with probability proportional to exp(c score_i), each further one likewise among those left.
A key is never rounded.  32 bits of U_i give an interval that holds the key; where the intervals of
those that count overlap, `gumbel.contest` reads more bits and computes in integers until they do
not.
"""

from __future__ import annotations

from typing import TypeVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from tightrope._check import Domain, Real, validated
from tightrope.noise.entropy import Entropy, SystemEntropy
from tightrope.noise.gumbel import contest
from tightrope.noise.scores import Gaps, read_multiplicities, read_scores
from tightrope.num.arrays import Floats

__all__ = ["exponential_choice", "exponential_top"]

Kind = TypeVar("Kind", bound=np.generic)

_TOGETHER = 1 << 17
"""Candidates that are worked on at once, in whole rows."""

_RELATIVE = 2.0**-50
"""Bound on the relative error of a float gap."""

_ROUNDING = 2.0**-40
"""Bound on the error of a float -log(-log(U)/many), whose size is below 67: two logarithms,
relatively correct to 2**-49, move it by less than 2**-42; and on that of the last subtraction."""


def exponential_choice(
    scores: ArrayLike,
    coefficient: Real,
    *,
    multiplicities: ArrayLike | None = None,
    entropy: Entropy | None = None,
) -> NDArray[np.int64]:
    """Choose candidate i with probability proportional to exp(coefficient score_i), exactly.

    Args:
        scores: float64, or integers within 2**53; the last axis runs over the candidates.
        coefficient: epsilon/(2 sensitivity) for epsilon-bounded range, taken as precisely the
            number that it is; 0, or from 2**-900 to 2**900.
        multiplicities: how many candidates of its score each entry stands for, from 1 to 2**62; the
            probability is in proportion to that number, too.
        entropy: the source of random bits; the operating system by default.

    Returns:
        The candidate's number for each selection; the shape is that of the scores without the last
        axis.

    Raises:
        InvalidArgument: scores or coefficient are not admissible.

    Source: McSherry and Talwar (2007); by Gumbel noise, Durfee and Rogers (2019), Lemma 4.2.

    >>> int(exponential_choice([0.0, 5000.0, 1.0], 1))
    1
    """
    gaps = read_scores(scores, coefficient, "exponential_choice")
    if multiplicities is not None:
        gaps = read_multiplicities(multiplicities, gaps, "exponential_choice")
    return _all_rows(gaps, 1, entropy).reshape(np.shape(scores)[:-1])


def exponential_top(
    scores: ArrayLike, coefficient: Real, count: int, *, entropy: Entropy | None = None
) -> NDArray[np.int64]:
    """Choose `count` candidates one after the other without putting back, exactly.

    Each is chosen among those left with probability proportional to exp(coefficient score).

    Args:
        scores: as for `exponential_choice`.
        coefficient: as for `exponential_choice`; each of the choices has its own guarantee.
        count: from 1 to the number of candidates.
        entropy: the source of random bits; the operating system by default.

    Returns:
        The candidates' numbers in the order of choice, along a last axis of length `count`.

    Raises:
        InvalidArgument: scores, coefficient or count are not admissible.

    Source: Durfee and Rogers (2019), Lemma 4.2: peeling is one vector of Gumbel noise, sorted.

    >>> exponential_top([0.0, 9000.0, 4000.0], 1, 2).tolist()
    [1, 2]
    """
    gaps = read_scores(scores, coefficient, "exponential_top")
    columns = gaps.scores.shape[1]
    domain = Domain(f"from 1 to {columns}", lambda x: 1 <= x <= columns, integral=True)
    chosen = int(validated(count, domain, "exponential_top: count"))
    return _all_rows(gaps, chosen, entropy).reshape(*np.shape(scores)[:-1], chosen)


def _all_rows(gaps: Gaps, count: int, entropy: Entropy | None) -> NDArray[np.int64]:
    rows, columns = gaps.scores.shape
    source = entropy or SystemEntropy()
    step = max(1, _TOGETHER // columns)
    winners = np.empty((rows, count), dtype=np.int64)
    for start in range(0, rows, step):
        part = slice(start, start + step)
        winners[part] = _some_rows(gaps.rows(part), count, source)
    return winners


def _some_rows(gaps: Gaps, count: int, entropy: Entropy) -> NDArray[np.int64]:
    """Winners by intervals; rows in which these overlap go to a contest."""
    shape = gaps.scores.shape
    floats = gaps.floats()
    words = entropy.words(gaps.scores.size, np.uint32).reshape(shape)
    units = words.astype(np.float64)
    many = np.ones(1) if gaps.multiplicities is None else gaps.multiplicities.astype(np.float64)
    upper = _keys(floats, units + 1, many, _RELATIVE) + _ROUNDING
    kept = min(count + 1, shape[1])
    finalists = np.argpartition(upper, shape[1] - kept, axis=1)[:, shape[1] - kept :]
    many = np.broadcast_to(many, shape)
    gap, unit, number = (_pick(each, finalists) for each in (floats, units, many))
    lower = _keys(gap, unit, number, -_RELATIVE) - _ROUNDING
    order = np.argsort(-lower, axis=1)
    finalists, lower = _pick(finalists, order), _pick(lower, order)
    clear = _separated(lower, _pick(upper, finalists), count)
    winners = finalists[:, :count]
    for row in np.flatnonzero(~clear).tolist():
        able = np.flatnonzero(upper[row] >= lower[row, count - 1]).tolist()
        entrants = [(i, gaps.exact(row, i), gaps.many(row, i), int(words[row, i])) for i in able]
        winners[row] = contest(entrants, 32, count, entropy)
    return winners


def _pick(values: NDArray[Kind], columns: NDArray[np.int64]) -> NDArray[Kind]:
    return np.take_along_axis(values, columns, axis=1)


def _keys(gaps: Floats, units: Floats, many: Floats, relative: float) -> Floats:
    """-gap (1 - relative) - log(-log(units/2**32)/many), infinite where U is 0 or 1."""
    with np.errstate(divide="ignore", over="ignore"):
        keys = np.log(-np.log(units * 2.0**-32) / many)
        return gaps * (relative - 1) - keys


def _separated(lower: Floats, upper: Floats, count: int) -> NDArray[np.bool_]:
    """Whether each of the first `count` keys is certainly above all that follow it in its row.

    Those that are no finalists have upper ends no higher than any finalist's.
    """
    highest = np.maximum.accumulate(upper[:, ::-1], axis=1)[:, ::-1]
    following = highest[:, 1 : count + 1]
    ahead = lower[:, : following.shape[1]] >= following
    return np.asarray(ahead.all(axis=1))
