"""``tightrope ledger create``: a new book."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any, Literal

from cyclopts import Parameter

from tightrope._errors import InvalidArgument
from tightrope.cli.ledger.show import told_of
from tightrope.cli.ledger.store import Note, StoreName, opened, show_anchor
from tightrope.cli.output import Json, show, show_json
from tightrope.cli.subject import event_of, number_of

if TYPE_CHECKING:
    from tightrope.ledger.structure import Structure
    from tightrope.neighbors import Neighbors
    from tightrope.notions import Guarantee

Relation = Literal["add_or_remove", "replace_one"]
Filter = Literal["zcdp", "advanced"]


def create(  # noqa: PLR0913  (what a book promises is fixed when it is created)
    book: str,
    /,
    *,
    budget: str,
    unit: str = "unit",
    neighbors: Relation = "add_or_remove",
    filter: Annotated[Filter | None, Parameter(show_default=False)] = None,
    slack: str | None = None,
    part: Annotated[list[str] | None, Parameter(negative="", show_default=False)] = None,
    divided_by: str = "part",
    fixed_parts: Annotated[bool, Parameter(negative="", show_default=False)] = False,
    window: int | None = None,
    plan: Annotated[list[str] | None, Parameter(negative="", show_default=False)] = None,
    note: Note = "",
    store: StoreName = None,
    json_: Json = False,
) -> None:
    """Create a book.

    Parameters
    ----------
    book: str
        Its name in the store.
    budget: str
        A guarantee such as gdp:1, zcdp:0.5, pure:1 or approx:1,1e-6.
    unit: str
        Whom it protects, such as person.
    neighbors: str
        add_or_remove or replace_one.
    filter: str
        For approx: zcdp (the default) or advanced.
    slack: str
        For advanced: the part of delta that pays for it (half).
    part: str
        A disjoint part of the data; once for each.
    divided_by: str
        The column that divides the data into parts.
    fixed_parts: bool
        Replacing a unit never changes its part.
    window: int
        Seconds after which the budget is full again.
    plan: str
        An event; once for each that will ever be charged.
    """
    relation = _relation(neighbors)
    promised = _about(budget_of(budget), relation)
    with opened(store, new=True) as found:
        made = found.create(
            book,
            budget=promised,
            unit=unit,
            neighbors=relation,
            filter=filter,
            slack=None if slack is None else number_of(slack, "--slack"),
            structure=_structure(part, divided_by, fixed_parts, window),
            plan=None if plan is None else tuple(map(event_of, plan)),
            note=note,
        )
        told = told_of(made)
    if json_:
        show_json("ledger create", {"book": told})
        return
    from tightrope.reporting.statements.words import promised

    promise = promised(made.guarantee, made.scope)
    show(f"book {book}: {promise}, for neighbours that {told['neighbors']}")
    show_anchor(told["anchor"])


def budget_of(text: str) -> Guarantee:
    """The guarantee that --budget spells."""
    from tightrope.notions import Guarantee

    found = event_of(text)
    if not isinstance(found, Guarantee):
        raise InvalidArgument(f"--budget must be a guarantee such as gdp:1; you wrote {text!r}")
    return found


def _relation(name: str) -> Neighbors:
    from tightrope.neighbors import add_or_remove, replace_one

    return replace_one if name == "replace_one" else add_or_remove


def _about(budget: Guarantee, relation: Neighbors) -> Guarantee:
    """A budget in short form says no neighbours; those of --neighbors are meant."""
    from tightrope.neighbors import add_or_remove

    if budget.neighbors not in (add_or_remove, relation):
        raise InvalidArgument(
            f"--budget is about neighbours that {budget.neighbors}; give --neighbors that agree"
        )
    return budget


def _structure(
    parts: list[str] | None, divided_by: str, fixed: bool, window: int | None
) -> Structure | None:
    from tightrope.ledger import Partition, Windows

    if parts and window is not None:
        raise InvalidArgument("--part and --window exclude each other")
    if window is not None:
        return Windows(window)
    named: tuple[Any, ...] = tuple(parts or ())
    return Partition(divided_by, named, fixed) if named else None
