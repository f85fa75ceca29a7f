"""The scores of a selection's candidates, and the factor that they get in its exponents."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tightrope._check import POSITIVE, Domain, Real, require_flag, validated
from tightrope._errors import InvalidArgument
from tightrope.grid import Column, read
from tightrope.noise.scores import COEFFICIENT

_WHOLE = 2**53
"""Up to this size every whole number is a double."""


def read_scores(scores: Any, caller: str) -> NDArray[np.float64]:
    """The scores of one selection, as doubles of exactly the same value.

    Raises:
        InvalidArgument: as for ``read_candidates``; or a score is a whole number beyond 2**53.
    """
    column = read_candidates(scores, caller)
    doubles = np.empty(column.flat.size)
    for part, block in column.blocks():
        if block.dtype.kind != "f":
            large = (block > _WHOLE) | (block < -_WHOLE)
            column.refuse(large.astype(bool), part.start, "a whole number beyond +-2^53")
        doubles[part] = block
    return doubles


def read_candidates(scores: Any, caller: str) -> Column:
    """The scores of one selection.

    Raises:
        InvalidArgument: a score is not finite; there is no candidate, or more than one selection.
    """
    column = read(scores, caller, "scores")
    if len(column.shape) != 1 or not column.flat.size:
        raise InvalidArgument(
            f"{caller}: scores must be a sequence of one or more numbers, one for each candidate; "
            f"you passed the shape {column.shape}; release several selections one by one, since "
            "each has its own cost"
        )
    column.require_finite("give every candidate a finite score")
    return column


def read_count(count: Any, scores: NDArray[np.float64], caller: str) -> int:
    """How many candidates to choose: from 1 to as many as there are."""
    most = len(scores)
    domain = Domain(
        f"a whole number from 1 to the number of candidates, {most}",
        lambda x: 1 <= x <= most,
        integral=True,
    )
    return int(validated(count, domain, f"{caller}: count"))


def coefficient(epsilon: Real, sensitivity: Any, monotone: Any, caller: str) -> Fraction:
    """epsilon/(2 sensitivity) exactly; without the 2 if all scores move in one direction.

    The log-weight of a candidate moves by at most ``coefficient * sensitivity`` either way, so
    log-weights range over twice that; over once that if all of them move one way.
    """
    require_flag(monotone, f"{caller}: monotone")
    size = Fraction(validated(sensitivity, POSITIVE, f"{caller}: sensitivity"))
    factor = Fraction(epsilon) / (size if monotone else 2 * size)
    words = "epsilon/sensitivity" if monotone else "epsilon/(2 sensitivity)"
    return Fraction(validated(factor, COEFFICIENT, f"{caller}: {words}"))
