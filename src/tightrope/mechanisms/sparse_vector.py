"""The sparse vector technique: which of many queries exceed a threshold."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, ClassVar

from tightrope._check import COUNT, NONNEGATIVE, Domain, Real, declared, validated
from tightrope.mechanisms.crossings import Crossings
from tightrope.mechanisms.mechanism import fact
from tightrope.mechanisms.noise_law import LaplaceLaw, NoiseLaw
from tightrope.mechanisms.threshold_mechanism import NoisyThreshold
from tightrope.noise.entropy import Entropy
from tightrope.notions import PureDP
from tightrope.num.rounding import float_up
from tightrope.theorems.registry import Grade

_SHARE = Domain("at least 2^-28", lambda x: x >= 2**-28)


@dataclass(frozen=True, repr=False)
class SparseVector(NoisyThreshold):
    """Answers above or below a noisy threshold until ``cutoff`` answers were above.

    ``epsilon`` is the total for the threshold and all ``cutoff`` answers; the number of answers
    below is unlimited. Only yes and no are released, never the noisy value of the query.

    Args:
        epsilon: at least 0; the total.
        cutoff: number of answers above the threshold after which it stops, at least 1.
        monotone: whether one unit moves all queries in one direction.
        neighbors: the relation that the queries' sensitivity refers to.

    Source: Lyu, Su and Li (2017), Theorems 4 and 5 (their standard algorithm).

    Examples:
        >>> import tightrope as tr
        >>> tr.SparseVector(epsilon=1.0, cutoff=5).to(tr.ZCDP)
        ZCDP(rho=0.4622)
    """

    title: ClassVar[str] = "sparse vector technique"

    epsilon: Real = declared(  # type: ignore[assignment]  # the parameter, not the verb
        "ε", r"\varepsilon", NONNEGATIVE, (0.1, 5), "total pure DP parameter"
    )
    cutoff: Real = declared("c", "c", COUNT, (1, 100), "answers above before it stops", default=1)
    monotone: bool = False

    @property
    def most_above(self) -> int:
        """The cutoff."""
        return int(self.cutoff)

    def strength(self) -> tuple[float, ...]:
        """epsilon itself."""
        return (float_up(self.epsilon),)

    def release(
        self,
        queries: Any,
        threshold: Real,
        sensitivity: Real = 1.0,
        *,
        entropy: Entropy | None = None,
    ) -> Crossings:
        """Answer queries, above the threshold or not, until ``cutoff`` answers were above.

        The threshold gets Laplace noise once, and every query its own; epsilon is split between
        the two as 1 : (2 cutoff)^(2/3), as 1 : cutoff^(2/3) if the queries are ``monotone``, which
        makes the noise of a comparison least. Queries and threshold are rounded half to even to a
        grid of the sensitivity, the noise is that of integers, and covers what rounding adds (less
        than a 2^-24th).

        Args:
            queries: the true answers of the queries, of any integer or float type; or an iterator
                of them, from which no more are taken than are answered. What lies beyond 2^34
                sensitivities counts as that.
            threshold: a finite number, public.
            sensitivity: the most by which one unit can change any one query, above 0; if the
                mechanism says ``monotone``, all in one direction.
            entropy: where random bits come from, the operating system by default.

        Returns:
            ``value`` holds a boolean for each answered query, ``indices`` the numbers of those
            above, ``halted`` whether it stopped; ``event`` is this mechanism.

        Raises:
            InvalidArgument: a query is not finite (its place is told), an argument is not
                admissible, or epsilon/cutoff is below 2^-28.

        Examples:
            >>> import tightrope as tr
            >>> found = tr.SparseVector(epsilon=2.0).release([0, 3, 900, 1, 700], threshold=450)
            >>> found.value.tolist(), found.halted
            ([False, False, True], True)
        """
        return self._answered(queries, threshold, sensitivity, entropy)

    def laws(self, moved: int, caller: str) -> tuple[NoiseLaw, NoiseLaw]:
        """The noise of the threshold, and of a query, in steps of which a query moves so many."""
        epsilon, cutoff = Fraction(self.epsilon), int(self.cutoff)
        validated(epsilon / cutoff, _SHARE, f"{caller}: epsilon/cutoff")
        first, second = scales(epsilon, cutoff, moved, self.monotone)
        return LaplaceLaw(Fraction(first)), LaplaceLaw(Fraction(second))

    @fact(PureDP, Grade.LOOSE, "lyu2017", "Theorem 4", "epsilon-DP in total")
    @staticmethod
    def pure(epsilon: Any) -> Any:
        """Pure DP for the whole stream of answers."""
        return epsilon


def scales(epsilon: Fraction, cutoff: int, moved: int, monotone: bool) -> tuple[int, int]:
    """The scales of the threshold's and the queries' noise, in steps, for so large a move.

    What the first costs is taken off epsilon exactly, so only the split is approximate.
    """
    weight = cutoff if monotone else 2 * cutoff
    share = Fraction(1 / (1 + weight ** (2 / 3)))
    first = math.ceil(moved / (epsilon * share))
    rest = epsilon - Fraction(moved, first)
    return first, math.ceil(weight * moved / rest)
