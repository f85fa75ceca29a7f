"""What the numbers mean to a person, and what they do not say."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from tightrope._check import Real
from tightrope._errors import TightropeError
from tightrope.certifying.assumptions import assumptions
from tightrope.certifying.statement import UNKNOWN
from tightrope.certifying.wire import Table as Nodes
from tightrope.events import Event
from tightrope.neighbors import Neighbors
from tightrope.reporting.curves import written
from tightrope.reporting.library import Library
from tightrope.reporting.points import advantage_number, epsilon_number, power_numbers
from tightrope.reporting.record import Number, Piece, Sentence, Table

RATES = (0.01, 0.001)
"""Rates of false alarms at which an attacker's hits are told."""

SIZES = (1, 2, 5)
"""Groups of units that are told of."""

TOLD = 5
"""The group that the sentences speak of."""


def meaning(event: Event, groups: Table | None, library: Library) -> tuple[Sentence, ...]:
    """Sentences about the best attacker, from the simplest on."""
    advantage = advantage_number(event, library)
    hits = zip(RATES, power_numbers(event, RATES, library), strict=True)
    return (*about_attackers(event.neighbors, advantage, hits), *_of_groups(groups))


def about_attackers(
    neighbors: Neighbors, advantage: Number | None, hits: Iterable[tuple[float, Number]]
) -> tuple[Sentence, ...]:
    """The advantage if it is known, and the hits at rates of false alarms, as sentences."""
    change = " and ".join(change.passively("was") for change in neighbors.changes)
    least: Sentence = (
        f"Whoever sees all results, and guesses whether {change}, beats blind guessing by an "
        "advantage of at most ",
        advantage or "",
        " (hits minus false alarms). 0 % would be a coin; 100 % would be certainty.",
    )
    powers = (
        (
            f"An attacker who may raise a false alarm in {100 * rate:g} % of the cases where "
            "nothing changed notices at most ",
            power,
            " of the cases where it did.",
        )
        for rate, power in hits
    )
    return (*((least,) if advantage else ()), *powers)


def _of_groups(groups: Table | None) -> Iterator[Sentence]:
    if groups is None:
        return
    for size, advantage, hits, *_ in groups.rows:
        if size == str(TOLD):
            yield (
                f"If {TOLD} units change together, the advantage is at most ",
                advantage,
                f", and hits at {100 * RATES[0]:g} % false alarms are at most ",
                hits,
                ".",
            )


def groups_table(event: Event, delta: Real, library: Library) -> Table | None:
    """What changes with the number of units that change together; None if that is not known."""
    try:
        rows = [_group(event if k == 1 else event.group(k), k, delta, library) for k in SIZES]
    except TightropeError:
        return None
    hits = (f"hits at {100 * rate:g} %" for rate in RATES)
    return Table(("units", "advantage", *hits, f"ε at δ = {written(delta)}"), tuple(rows))


def _group(event: Event, size: int, delta: Real, library: Library) -> tuple[Piece, ...]:
    hits = power_numbers(event, RATES, library)
    epsilon = epsilon_number(event, delta, library) or "-"
    return (str(size), advantage_number(event, library), *hits, epsilon)


def supposed(event: Event) -> tuple[str, ...]:
    """What the numbers suppose, and no proof can show."""
    nodes = Nodes()
    nodes.add(event)
    return tuple(known["text"] for known in assumptions(nodes.nodes, nodes.relations))


def not_promised(neighbors: Neighbors) -> tuple[str, ...]:
    """What nobody should read into the numbers."""
    return (
        *_published_exactly(neighbors),
        "That nothing can be learned about a person. What holds of a population can be learned "
        "from it, with or without that person in the data, and then be used against them.",
        "That a larger group is protected as one unit is: protection fades as more of the data "
        "changes together.",
        "Anything about results that are not in this account. What else is published about the "
        "same units adds up with it.",
        "That an attacker comes as far as the numbers allow: they are limits for the best "
        "attacker, not a forecast.",
        "That the results are accurate, or fair to every group.",
        *(f"Anything about {matter}." for matter in UNKNOWN[:3]),
    )


def _published_exactly(neighbors: Neighbors) -> Iterator[str]:
    if neighbors.invariants:
        yield f"Any secrecy of what was published exactly: {'; '.join(neighbors.invariants)}."
