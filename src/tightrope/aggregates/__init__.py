"""Sums and means of records whose sensitivity is known because they are computed in integers."""

from tightrope.aggregates.means import BoundedMean, bounded_mean
from tightrope.aggregates.row_sums import BoundedRowSum, bounded_row_sum
from tightrope.aggregates.sums import BoundedSum, bounded_sum

__all__ = [
    "BoundedMean",
    "BoundedRowSum",
    "BoundedSum",
    "bounded_mean",
    "bounded_row_sum",
    "bounded_sum",
]
