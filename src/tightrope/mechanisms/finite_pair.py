"""Any mechanism with finitely many results, given by its two laws."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any, ClassVar

from numpy.typing import ArrayLike

from tightrope._check import Real, require_flag
from tightrope._errors import InvalidArgument
from tightrope.loss.dominating import Dominating
from tightrope.loss.finite.lattice_cover import on_lattice
from tightrope.loss.finite.listed import ListedPair
from tightrope.mechanisms.columns import of_one_length, probabilities
from tightrope.mechanisms.mechanism import Mechanism, fact
from tightrope.neighbors import Neighbors, add_or_remove
from tightrope.notions import ZCDP, PureDP
from tightrope.notions.piecewise import PiecewiseCurve
from tightrope.notions.piecewise_products import LIMIT
from tightrope.num.rounding import up
from tightrope.theorems.into_zcdp import pure_to_zcdp
from tightrope.theorems.registry import Grade


@dataclass(frozen=True, repr=False, init=False)
class FinitePair(Mechanism):
    """A mechanism with finitely many results, by their probabilities on two neighbouring data sets.

    ``p`` and ``q`` must be the worst that neighbours can differ by: every other pair of
    neighbours has to be dominated by this one.

    Args:
        p: the probabilities of the results on one data set (with the unit, if directed); they
            add up to 1 within 1e-9 and are divided by their sum. At most 10,000; where more than
            64 have losses without a common step, those are moved up to a lattice to be composed.
        q: those of the same results on the other data set (without the unit).
        symmetric: False if p always belongs to the data set with the unit: then a composition is
            accounted for with the unit against without it in all of its releases, and the reverse
            in all. True if either data set may be the one with law p, in every release anew:
            then each release takes part with the least pair that covers both orders.
        neighbors: the relation; anything but adding or removing a unit needs ``symmetric=True``.

    Raises:
        InvalidArgument: p and q are no probabilities of one length, or the relation has no
            direction and ``symmetric`` is False.

    Source: Zhu, Dong and Wang (2022), Theorem 10 (dominating pairs compose).

    Examples:
        >>> import tightrope as tr
        >>> directed = tr.FinitePair([0.09919, 0.90081], [0.04591, 0.95409])
        >>> symmetric = tr.FinitePair([0.09919, 0.90081], [0.04591, 0.95409], symmetric=True)
        >>> round((directed**2).delta(0.7166), 5), round((symmetric**2).delta(0.7166), 5)
        (0.00552, 0.0144)
    """

    title: ClassVar[str] = "mechanism with listed results"

    p: tuple[Real, ...]
    q: tuple[Real, ...]
    symmetric: bool = False

    def __init__(
        self,
        p: Sequence[Real] | ArrayLike,
        q: Sequence[Real] | ArrayLike,
        symmetric: bool = False,
        *,
        neighbors: Neighbors = add_or_remove,
    ):
        name = type(self).__name__
        first, second = (probabilities(x, f"{name}: {n}") for n, x in (("p", p), ("q", q)))
        of_one_length(name, p=first, q=second)
        require_flag(symmetric, f"{name}: symmetric")
        for field, value in (
            ("p", first),
            ("q", second),
            ("symmetric", symmetric),
            ("neighbors", neighbors),
        ):
            object.__setattr__(self, field, value)
        self._check_neighbors()
        if not symmetric and neighbors.kind != "add_or_remove":
            raise InvalidArgument(
                f"{name}: p is the law with the unit, so the relation must be adding or removing "
                f"one; for neighbours that {neighbors}, pass symmetric=True"
            )

    @cached_property
    def pair(self) -> ListedPair:
        """The laws as they stand."""
        return ListedPair.of(self.p, self.q)

    @cached_property
    def cover(self) -> ListedPair:
        """The least pair that covers both orders."""
        return self.pair.both_orders()

    @property
    def has_exact_profile(self) -> bool:
        """Where its trade-off curve keeps all of its corners."""
        return len(self.p) <= LIMIT

    def strength(self) -> tuple[float, ...]:
        """The largest log-ratio of either sign."""
        return (up(max(map(abs, self.pair.weighed()[0])), 4),)

    def dominating(self) -> Dominating:
        """The reversed and the direct order; one pair that covers both, if symmetric."""
        if self.symmetric:
            return on_lattice(Dominating.symmetric(self.cover.loss(), attained=False))
        return on_lattice(*self.alternatives())

    def alternatives(self) -> tuple[Dominating, ...]:
        """Of one release, both orders, of which either may be the worse."""
        return (Dominating.of_orders([self.pair.reversed().loss(), self.pair.loss()]),)

    def piecewise(self) -> PiecewiseCurve:
        """The trade-off curve that holds for both orders."""
        return PiecewiseCurve.from_losses(*self.cover.weighed())

    def thinned(self, rate: Real) -> FinitePair | None:
        """Of a directed pair: the law q unless the unit is sampled."""
        if self.symmetric:
            return None
        with_, without = (
            [Fraction(mass, self.pair.total) for mass in law] for law in (self.pair.p, self.pair.q)
        )
        sampled = Fraction(rate)
        mixed = [sampled * a + (1 - sampled) * b for a, b in zip(with_, without, strict=True)]
        return FinitePair(mixed, without, neighbors=self.neighbors)

    @fact(PureDP, Grade.SHARP, "dwork2006", "Definition 1", "epsilon = the largest |log(p/q)|")
    @staticmethod
    def pure(epsilon: Any) -> Any:
        """Infinite where a result is impossible under one law only."""
        return epsilon

    @fact(
        ZCDP,
        Grade.LOOSE,
        "steinke2024",
        "Theorem 1",
        "rho = epsilon tanh(epsilon/2), epsilon the largest |log(p/q)|",
    )
    @staticmethod
    def zcdp(epsilon: Any) -> Any:
        """By the largest log-ratio alone."""
        return pure_to_zcdp(epsilon)
