"""The words of a statement that stand on every page, whatever it is printed as."""

from __future__ import annotations

import math
from datetime import UTC, datetime
from functools import singledispatch

from tightrope._check import parameters
from tightrope._wire import clipped, shown_down, told_neighbors
from tightrope.ledger.partition import Partition
from tightrope.ledger.scope import Scope
from tightrope.ledger.statement import PartSpending
from tightrope.ledger.structure import Structure, Units, Windows
from tightrope.neighbors import Neighbors
from tightrope.notions import Guarantee

MOST_LINES = 1000
"""Most charges that a page lists."""

LONGEST = 160
"""Most characters of an event that a page shows."""

CONSUMPTION = (
    "What is consumed is a sum of prices, each rounded up. It says what may still be spent. It is "
    "no guarantee of its own: the prices may have been chosen by earlier results, and then nothing "
    "better than the budget is promised."
)
HIDDEN = (
    "Every unit has a budget of its own. What single units have consumed depends on their data, so "
    "it is not told."
)
RESERVED = (
    "What is reserved counts as spent until it is given back, which is allowed only if nothing was "
    "drawn. Whoever knows what became of the release commits it or gives it back, by its key."
)
ORPHANS = (
    "The book is closed, and shares of it are open: they may still spend what was set aside for "
    "them, which the budget covers, and what they leave does not come back."
)
STATED = "The fields that NIST asks a claim of differential privacy to state."
ANCHORED = (
    "Every entry holds the hash of the one before, so the line below stands for all of them. Keep "
    "it outside of the store. The command tightrope ledger verify, with --anchor and this line, "
    "finds any entry that was changed, left out, moved or made anew since."
)
SHOWN_LINES = "Of {all:,} charges the last {shown:,} are listed; the statement as JSON has all."

NOT_PROMISED = (
    "That what was consumed is a guarantee, or may be converted to another notion. The budget may.",
    "That nothing can be learned about a person. What holds of a population can be learned from "
    "it, with or without that person in the data.",
    "Anything about what was released past this book. Other books, and releases that nobody "
    "charged, add up with it.",
    "That what was charged is what was run. The book knows what programs told it.",
    "That the results are accurate, or fair to every group.",
)


@singledispatch
def about_structure(structure: Structure, neighbors: Neighbors) -> tuple[str, ...]:
    """What the structure of a book means for its budget."""
    return ()


@about_structure.register
def _about_windows(structure: Windows, neighbors: Neighbors) -> tuple[str, ...]:
    return (
        "The budget is full again when the next window begins; consumed and remaining are what "
        "this window has.",
    )


@about_structure.register
def _about_units(structure: Units, neighbors: Neighbors) -> tuple[str, ...]:
    return ("A unit whose budget does not suffice is left out of an event.",)


@about_structure.register
def _about_parts(structure: Partition, neighbors: Neighbors) -> tuple[str, ...]:
    unit = neighbors.changes[0].unit
    told = (
        f"The data are divided into {len(structure.parts)} disjoint parts{structure.divided}; a "
        f"charge on one part costs only those in it. Consumed is what counts for the {unit} that "
        "was used most."
    )
    if not structure.moves(neighbors):
        return (told,)
    return (f"{told} As a {unit} may leave one part and enter another, the two greatest count.",)


def about_part(part: PartSpending) -> str:
    """What was consumed in one part, and what remains for the persons in it."""
    return f"{part.part}: {part.spending.words} consumed, {rounded_down(part.remaining)} remains"


def about_scope(scope: Scope | None) -> tuple[str, ...]:
    """That the budget holds for a stretch of time only, and what several of these come to."""
    if scope is None:
        return ()
    return (
        f"All of this is a promise per {scope.per}, about what that one releases. Over "
        f"{scope.over}: for whoever is in k of them it grows without end.",
    )


def promised(guarantee: Guarantee, scope: Scope | None) -> str:
    """A guarantee without its neighbours, and what it holds for if that is not everything.

    Examples:
        >>> import tightrope as tr
        >>> promised(tr.GDP(1.0), Scope("window of 9 seconds", "k windows up to mu = 1 sqrt(k)"))
        'GDP(mu=1.0) per window of 9 seconds; over k windows up to mu = 1 sqrt(k)'
    """
    return plainly(guarantee) if scope is None else f"{plainly(guarantee)} {scope}"


def plainly(guarantee: Guarantee) -> str:
    """A guarantee without its neighbours, which the page names once.

    Examples:
        >>> import tightrope as tr
        >>> plainly(tr.GDP(1.0, neighbors=tr.replace_one.of("person")))
        'GDP(mu=1.0)'
    """
    text = repr(guarantee)
    for neighbors in told_neighbors(guarantee):
        text = text.replace(f", {neighbors}", "")
    return text


def rounded_down(guarantee: Guarantee) -> str:
    """The same with few digits, so that what remains is never told too large.

    Examples:
        >>> import tightrope as tr
        >>> rounded_down(tr.GDP(0.8681877677092669)), rounded_down(tr.ZCDP(0.25))
        ('GDP(mu=0.8681)', 'ZCDP(rho=0.25)')
    """
    named = zip(parameters(type(guarantee)), guarantee.values, strict=False)
    told = [f"{p.name}={shown_down(v)}" for at, (p, v) in enumerate(named) if v or not at]
    return f"{type(guarantee).__name__}({', '.join(told)})" if told else plainly(guarantee)


def second(time: str) -> str:
    """A time to the second, in UTC.

    Examples:
        >>> second("2030-04-01T12:00:05.123456+00:00")
        '2030-04-01 12:00:05'
    """
    return f"{datetime.fromisoformat(time).astimezone(UTC):%Y-%m-%d %H:%M:%S}"


def dated(time: str) -> str:
    """The same where no heading says that it is in UTC."""
    return f"{second(time)} UTC"


def percent(share: float) -> str:
    """A share of a whole, rounded up to a tenth of a percent.

    Examples:
        >>> percent(0.25), percent(0.3331), percent(1e-9), percent(0.99999)
        ('25 %', '33.4 %', '0.1 %', '100 %')
    """
    return f"{math.ceil(round(1000 * share, 9)) / 10:g} %"


def short(event: str) -> str:
    """An event that is not longer than a page bears."""
    return clipped(event, LONGEST)
