"""The sparse vector technique: which of many queries exceed a threshold."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from tightrope._check import COUNT, NONNEGATIVE, Real, declared, require_flag
from tightrope.mechanisms.mechanism import Mechanism, fact
from tightrope.notions import PureDP
from tightrope.num.rounding import float_up
from tightrope.theorems.registry import Grade


@dataclass(frozen=True, repr=False)
class SparseVector(Mechanism):
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

    def __post_init__(self) -> None:
        super().__post_init__()
        require_flag(self.monotone, "SparseVector: monotone")

    def strength(self) -> tuple[float, ...]:
        """epsilon itself."""
        return (float_up(self.epsilon),)

    @fact(PureDP, Grade.LOOSE, "lyu2017", "Theorem 4", "epsilon-DP in total")
    @staticmethod
    def pure(epsilon: Any) -> Any:
        """Pure DP for the whole stream of answers."""
        return epsilon
