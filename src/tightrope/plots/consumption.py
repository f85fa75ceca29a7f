"""The budget of a book over time: what was consumed after every entry, beside the limit."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

from tightrope._calls import spoken
from tightrope._errors import InvalidArgument
from tightrope.plots.canvas import opened
from tightrope.plots.lines import legend, named_axes
from tightrope.plots.palette import faint, palette
from tightrope.plots.spending import tell_dates

if TYPE_CHECKING:
    from matplotlib.axes import Axes


class Moment(Protocol):
    """What was consumed after an entry, as a share of the budget."""

    @property
    def time(self) -> float:
        """Seconds since 1970."""

    @property
    def consumed(self) -> float:
        """Between 0 and 1."""

    @property
    def reserved(self) -> float:
        """The part of it that was reserved and not yet committed."""


class Consumed(Protocol):
    """What is drawn: the statement of a book."""

    @property
    def budget(self) -> Any:
        """What may be spent."""

    @property
    def scope(self) -> Any:
        """What it holds for, such as one window of time; None if for all times."""

    @property
    def counted(self) -> Sequence[str]:
        """What its filter sums up."""

    @property
    def moments(self) -> Sequence[Moment]:
        """The consumption over time."""


@spoken
def consumption_over_time(statement: Consumed, *, axes: Axes | None = None) -> Axes:
    """Draw what a book has consumed of its budget after every entry.

    It is consumption, which counts reservations, and no guarantee; what the book guarantees is the
    line at 100 %. Of several sums that a filter counts, the one that is nearest to its end is
    drawn.

    Args:
        statement: of a book: ``book.statement()``.
        axes: of matplotlib; by default new ones of pyplot.

    Returns:
        The axes.

    Raises:
        InvalidArgument: not a statement, one of a book of units, whose balances are not shown, or
            matplotlib is not installed.

    Examples:
        >>> import tempfile, tightrope as tr
        >>> from matplotlib.figure import Figure
        >>> store = tr.Ledger(tempfile.mkdtemp() + "/budget.db")
        >>> book = store.create("census", budget=tr.GDP(1.0))
        >>> receipt = book.charge(tr.Gaussian(noise_scale=2.0))
        >>> axes = tr.plots.consumption_over_time(book.statement(), axes=Figure().subplots())
        >>> axes.get_ylabel()
        '% of squared mu'
    """
    moments = _moments(statement)
    axes = opened(axes)
    times: Any = [datetime.fromtimestamp(moment.time, UTC) for moment in moments]
    consumed = 100 * np.array([moment.consumed for moment in moments])
    reserved = 100 * np.array([moment.reserved for moment in moments])
    colours = palette(axes)
    axes.step(times, consumed, where="post", label="consumed", color=colours[0])
    axes.plot(times[-1:], consumed[-1:], color=colours[0], marker="o", linestyle="none")
    if reserved.any():
        style: Any = {"color": colours[3], "linestyle": (0, (1.3, 1.3))}
        axes.step(times, reserved, where="post", label="of it reserved", **style)
    axes.axhline(
        100, color=faint(axes), linestyle="dashed", label=f"the budget: {_named(statement)}"
    )
    axes.set_ylim(0, 112)
    named_axes(axes, "", f"% of {_counted(statement.counted)}")
    tell_dates(axes, times)
    legend(axes, loc="best", fontsize="small")
    return axes


def _moments(statement: Any) -> Sequence[Moment]:
    found: Sequence[Moment] | None = getattr(statement, "moments", None)
    if found is None:
        raise InvalidArgument(
            "consumption_over_time: statement must be that of a book, book.statement(); you passed "
            f"{statement!r}"
        )
    if not found:
        raise InvalidArgument(
            "consumption_over_time: the balances of single units depend on their data, and are not "
            "shown"
        )
    return found


def _named(statement: Consumed) -> str:
    """The budget without its neighbours, which a legend has no room for, but what it is for."""
    name, cut, _ = repr(statement.budget).partition(", neighbors=")
    per = "" if statement.scope is None else f" per {statement.scope.per}"
    return f"{name}){per}" if cut else f"{name}{per}"


def _counted(counted: Sequence[str]) -> str:
    return counted[0] if len(counted) == 1 else "the sum nearest to its end"
