"""``tightrope ledger create``: a new book."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any, Literal

from cyclopts import Parameter

from tightrope._errors import InvalidArgument
from tightrope.cli.ledger.show import told_of
from tightrope.cli.ledger.store import Note, StoreName, opened, show_anchor
from tightrope.cli.output import Json, show, show_json
from tightrope.cli.subject import event_of, names_file, number_of

if TYPE_CHECKING:
    from tightrope.ledger.structure import Structure
    from tightrope.neighbors import Neighbors
    from tightrope.notions import Guarantee

Relation = Literal["add_or_remove", "replace_one"]
Filter = Literal["zcdp", "advanced"]


def _option(help: str) -> Parameter:
    """An option that may be left out."""
    return Parameter(negative="", show_default=False, help=help)


@Parameter(name="*")
@dataclass(frozen=True)
class Shape:
    """Which persons an event touches, and when the budget is full again."""

    part: Annotated[list[str] | None, _option("A disjoint part of the data; once for each.")] = None
    divided_by: Annotated[str, Parameter(help="The column that divides the data into parts.")] = (
        "part"
    )
    fixed_parts: Annotated[bool, _option("Replacing a unit never changes its part.")] = False
    window: Annotated[
        str | None,
        _option("Seconds after which the budget is full again, such as 86400 for a day."),
    ] = None
    units: Annotated[bool, _option("Every unit of a stream has the budget; see admit.")] = False

    def structure(self) -> Structure | None:
        """What the ledger calls it.

        Raises:
            InvalidArgument: more than one structure was asked for.
        """
        from tightrope.ledger import Partition, Units, Windows

        if bool(self.part) + (self.window is not None) + self.units > 1:
            raise InvalidArgument("--part, --window and --units exclude each other")
        if self.window is not None:
            return Windows(_seconds(self.window))
        named: tuple[Any, ...] = tuple(self.part or ())
        parts = Partition(self.divided_by, named, self.fixed_parts) if named else None
        return Units() if self.units else parts


@Parameter(name="*")
@dataclass(frozen=True)
class Promised:
    """Whom a budget protects, and how it is guarded."""

    unit: Annotated[str, Parameter(help="Whom it protects, such as person.")] = "unit"
    neighbors: Annotated[Relation, Parameter(help="Which change it protects.")] = "add_or_remove"
    filter: Annotated[Filter | None, _option("For approx: zcdp (the default) or advanced.")] = None
    slack: Annotated[
        str | None, _option("For advanced: the part of delta that pays for it (half).")
    ] = None
    plan: Annotated[
        list[str] | None, _option("An event; once for each that will ever be charged.")
    ] = None

    def arguments(self) -> dict[str, Any]:
        """What ``Ledger.create`` takes for it."""
        return {
            "unit": self.unit,
            "neighbors": _relation(self.neighbors),
            "filter": self.filter,
            "slack": None if self.slack is None else number_of(self.slack, "--slack"),
            "plan": None if self.plan is None else tuple(map(event_of, self.plan)),
        }


USUAL, WHOLE = Promised(), Shape()


def create(  # noqa: PLR0913  (the options of the command)
    book: str,
    /,
    *,
    budget: str,
    promised: Promised = USUAL,
    shape: Shape = WHOLE,
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
    """
    arguments = promised.arguments()
    worth = _about(budget_of(budget), arguments["neighbors"])
    structure = shape.structure()
    with opened(store, new=True) as found:
        made = found.create(book, budget=worth, structure=structure, note=note, **arguments)
        told = told_of(made)
    if json_:
        show_json("ledger create", {"book": told})
        return
    from tightrope.reporting.statements.words import promised as in_words

    promise = in_words(made.guarantee, made.scope)
    show(f"book {book}: {promise}, for neighbours that {told['neighbors']}")
    show_anchor(told["anchor"])


def budget_of(text: str) -> Guarantee:
    """The guarantee that --budget spells."""
    from tightrope.notions import Guarantee

    found = None if _is_number(text) else event_of(text)
    if not isinstance(found, Guarantee):
        raise InvalidArgument(
            f"--budget must be a guarantee such as gdp:1, which says its notion; you wrote {text!r}"
        )
    return found


def _is_number(text: str) -> bool:
    """Whether the notion was forgotten."""
    if names_file(text):
        return False
    try:
        number_of(text, "--budget")
    except InvalidArgument:
        return False
    return True


def _seconds(text: str) -> int:
    """The length of a window."""
    try:
        return int(text)
    except ValueError:
        raise InvalidArgument(
            f"--window takes seconds, a whole number such as 86400 for a day; you wrote {text!r}"
        ) from None


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
