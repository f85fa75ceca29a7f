"""The certificate of a book of the ledger: what it guarantees, with the proof of what that means.

A running sum is no guarantee, so none is certified. Where all events were declared before the
first release, their composition is what was run, and is certified as such. Otherwise the budget
stands as given: by the filter's theorem, and by the chain, which its anchor lets others check.
"""

from __future__ import annotations

from collections.abc import Iterator

from tightrope._check import Real
from tightrope._parse import parse
from tightrope.certifying.certificate import Certificate, certificate_about
from tightrope.events import Event, compose
from tightrope.ledger.statement import Statement


def certificate_of_book(told: Statement, delta: Real) -> Certificate:
    """See ``Statement.certificate``."""
    return certificate_about(_event(told), delta, f"Book {told.book}", " ".join(_about(told)))


def _event(told: Statement) -> Event:
    """What the book guarantees: all declared events if there is a list of them, or the budget."""
    return told.guaranteed if told.plan is None else compose(*map(parse, told.plan))


def _about(told: Statement) -> Iterator[str]:
    if told.about:
        yield f"{told.about.rstrip('.')}."
    where = f"after {len(told.lines)} entries, the last of {told.lines[-1].time}"
    yield f"All that the book {told.book!r} was charged, as it stood {where}:"
    if told.plan is None:
        rule = told.theorem
        yield (
            f"{len(told.spent_lines)} charges within the budget {told.guaranteed!r}, for "
            f"neighbours that {told.guaranteed.neighbors}. The budget is guaranteed, however the "
            f"charges were chosen, by the filter of {rule.citation}: {rule.statement}."
        )
        if told.scope is not None:
            yield f"It holds {told.scope}; the claims of this certificate are per {told.scope.per}."
    else:
        yield (
            f"its {len(told.plan)} events were all declared before the first release, and no "
            f"others can be charged. The protected unit is one {_unit(told)}."
        )
    yield f"The chain of entries ends with {told.head}."


def _unit(told: Statement) -> str:
    return told.budget.neighbors.changes[0].unit
