"""The dominating pairs of an event: one total for every way in which its neighbours can differ.

Neighbours that differ in a group of k units differ by i removals and k - i additions, the same i
in every release; so each i is composed apart, and the largest is taken at the end. For most
losses all of these are alike, and one total stands for them. Under replace-one every release has
one symmetric pair.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from tightrope.loss.loss import Loss
from tightrope.loss.total import Total


@dataclass(frozen=True)
class Dominating:
    """Losses by the number of removals, from 0 to k; or one, if the pair is symmetric.

    The loss with i removals is that of the data with the units against the data without; exchanging
    the two data sets turns i into k - i.

    Attributes:
        orders: the total of each order, all removals last.
        attained: whether some mechanism that fits the description has this very pair, so that
            no smaller number can be proved; a pair may also only cover it.
    """

    orders: tuple[Total, ...]
    attained: bool = True

    @property
    def ordinary(self) -> bool:
        """Whether contours tell all of its losses well."""
        return all(loss.ordinary for total in self.orders for loss in total.losses)

    def raised(self) -> Dominating:
        """A cover without losses that are too small to be ordinary."""
        orders = (Total.of((loss.raised(), 1) for loss in one.losses) for one in self.orders)
        return Dominating(tuple(orders), attained=False)

    @classmethod
    def symmetric(cls, loss: Loss, *, attained: bool = True) -> Dominating:
        """One release whose two orders are alike."""
        return cls((Total.single(loss),), attained)

    @classmethod
    def of_orders(cls, losses: Iterable[Loss], *, attained: bool = True) -> Dominating:
        """One release, its losses by the number of removals (additions only first)."""
        return cls(tuple(Total.single(loss) for loss in losses), attained)


def compose(runs: Iterable[tuple[Dominating, int]]) -> Dominating | None:
    """All the runs together; None if they speak of groups of different sizes."""
    runs = list(runs)
    sizes = {len(pair.orders) for pair, _ in runs} - {1}
    if len(sizes) > 1:
        return None
    width = max(sizes, default=1)
    return Dominating(
        tuple(
            Total.of(
                (loss, count)
                for pair, count in runs
                for loss in pair.orders[i if len(pair.orders) > 1 else 0].losses
            )
            for i in range(width)
        ),
        all(pair.attained for pair, _ in runs),
    )
