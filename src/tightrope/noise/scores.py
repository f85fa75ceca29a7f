"""Scores of candidates: checked, exact, and how far each lies below the best of its row."""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from tightrope._check import Domain, Real, validated
from tightrope._errors import InvalidArgument

__all__ = ["COEFFICIENT", "Gaps", "read_multiplicities", "read_scores"]

COEFFICIENT = Domain(
    "0, or a number from 2^-900 to 2^900", lambda x: x == 0 or 2**-900 <= x <= 2**900
)
_LARGEST = np.finfo(np.float64).max


@dataclass(frozen=True)
class Gaps:
    """How much less the candidates' logarithmic weights are than the best one's in their row.

    Args:
        scores: float64, one row a selection.
        coefficient: what the scores are multiplied by.
        multiplicities: int64, how many candidates of that score an entry stands for; None for one.
    """

    scores: NDArray[np.float64]
    coefficient: Fraction
    multiplicities: NDArray[np.int64] | None = None

    def rows(self, part: slice) -> Gaps:
        """Some of the selections."""
        many = self.multiplicities
        return Gaps(self.scores[part], self.coefficient, None if many is None else many[part])

    def many(self, row: int, candidate: int) -> int:
        """How many candidates an entry stands for."""
        return 1 if self.multiplicities is None else int(self.multiplicities[row, candidate])

    def exact(self, row: int, candidate: int) -> Fraction:
        """coefficient * (best score - score)."""
        best = self.scores[row].max()
        return self.coefficient * (Fraction(best) - Fraction(self.scores[row, candidate]))

    def floats(self) -> NDArray[np.float64]:
        """All of them, to a relative error of 2**-51, saturated at the largest double."""
        with np.errstate(over="ignore"):
            gaps: NDArray[np.float64] = self.scores.max(axis=1, keepdims=True) - self.scores
            np.minimum(gaps, _LARGEST, out=gaps)
            gaps *= float(self.coefficient)
            return np.minimum(gaps, _LARGEST, out=gaps)


def read_scores(scores: ArrayLike, coefficient: Real, caller: str) -> Gaps:
    """The scores as rows of doubles of the same value, and the coefficient as a fraction.

    Raises:
        InvalidArgument: a score is not finite, or is an integer that no double equals; there is no
            candidate; the coefficient is not admissible.
    """
    array = np.asarray(scores)
    if array.ndim == 0 or array.shape[-1] == 0:
        raise InvalidArgument(f"{caller}: scores must hold at least one candidate")
    exact = Fraction(validated(coefficient, COEFFICIENT, f"{caller}: coefficient"))
    return Gaps(_doubles(array, caller).reshape(-1, array.shape[-1]), exact)


def read_multiplicities(counts: ArrayLike, gaps: Gaps, caller: str) -> Gaps:
    """The same scores, each standing for so many candidates.

    Raises:
        InvalidArgument: these are no whole numbers from 1 to 2^62, one for each score.
    """
    array = np.asarray(counts)
    whole = array.dtype.kind in "iu" and array.size == gaps.scores.size
    if not whole or array.min() < 1 or array.max() > 2**62:
        raise InvalidArgument(
            f"{caller}: multiplicities must be whole numbers from 1 to 2^62, one for each score"
        )
    return replace(gaps, multiplicities=array.astype(np.int64).reshape(gaps.scores.shape))


def _doubles(array: NDArray[Any], caller: str) -> NDArray[np.float64]:
    if array.dtype.kind not in "iuf":
        raise InvalidArgument(f"{caller}: scores must be numbers; you passed {array.dtype}")
    if array.dtype.kind in "iu" and array.size and max(-int(array.min()), int(array.max())) > 2**53:
        raise InvalidArgument(f"{caller}: integer scores must lie within +-2^53")
    if array.dtype.itemsize > 8:
        raise InvalidArgument(f"{caller}: scores must be of at most 64 bits")
    doubles = array.astype(np.float64)
    if not np.isfinite(doubles).all():
        raise InvalidArgument(f"{caller}: scores must be finite")
    return doubles
