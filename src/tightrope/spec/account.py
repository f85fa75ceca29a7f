"""The account of a specification: one plain record, from which every face prints.

Everything in it is text, numbers and tuples; nothing here knows how it will be shown.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from tightrope import _wire, plan
from tightrope.events import Event, Joint, Parallel, spelled
from tightrope.neighbors import Neighbors
from tightrope.spec.compare import Compared, compare, continuous_epsilon, remarks, summary
from tightrope.spec.outline import Line, distinct, outline
from tightrope.spec.query import Answer, Query, answer, read_query
from tightrope.spec.reader import REPORT, WHOLE, Spec
from tightrope.spec.scope import Node

MOST_PARTS = 4
"""Most parts that get columns of their own beside the whole."""

Step = Callable[[str], None]


@dataclass(frozen=True)
class Column:
    """What one column is about.

    Attributes:
        label: the part's label; ``whole`` for everything together.
        title: how people call it beside the other columns.
        neighbors: the relation that its guarantees refer to, in words.
        event: what was run, as a text that reads back.
        meaning: two plain sentences about the best attacker.
    """

    label: str
    title: str
    neighbors: str
    event: str
    meaning: tuple[str, ...]


@dataclass(frozen=True)
class Row:
    """One question with its answers, one a column."""

    query: Query
    answers: tuple[Answer, ...]


@dataclass(frozen=True)
class Account:
    """All that is reported about an analysis.

    Attributes:
        title: of the analysis.
        about: a description in sentences; may be empty.
        summary: what is true of what was reported, in sentences; may be empty.
        ran: what was run, line by line.
        neighbors: what may differ between neighbouring data sets, in words.
        invariants: facts on which neighbours agree, since they were published exactly.
        columns: what the answers are about.
        rows: the questions with their answers.
        notes: what to know about the answers, such as that a sample gains nothing.
        estimates: epsilons with continuous noise, which are never guarantees.
        compared: reported numbers with ours beside them.
        remarks: why these differ.
    """

    title: str
    about: str
    summary: str
    ran: tuple[Line, ...]
    neighbors: str
    invariants: tuple[str, ...]
    columns: tuple[Column, ...]
    rows: tuple[Row, ...]
    notes: tuple[str, ...]
    estimates: tuple[Row, ...]
    compared: tuple[Compared, ...]
    remarks: tuple[str, ...]


def _silent(_: str) -> None:
    """Report no progress."""


def account(spec: Spec, step: Step = _silent) -> Account:
    """The account of a specification.

    Args:
        spec: what was run, and what is asked.
        step: called with a few words before each piece of work.
    """
    events = columns_of(spec.root)
    heads = _heads(spec.root, tuple(events))
    columns = []
    for label, event in events.items():
        step(f"what is proved about {label}")
        columns.append(_column(label, heads[label], event))
    rows = []
    for query in spec.report:
        step(query.title)
        rows.append(Row(query, tuple(answer(event, query) for event in events.values())))
    compared = compare(spec, step)
    relation = spec.event.neighbors
    return Account(
        title=spec.title,
        about=spec.about,
        summary=summary(compared),
        ran=outline(spec.root),
        neighbors=_changes(relation),
        invariants=relation.invariants,
        columns=tuple(columns),
        rows=tuple(rows),
        notes=plan.remarks(spec.event),
        estimates=tuple(_estimates(spec, tuple(events.values()))),
        compared=compared,
        remarks=remarks(compared),
    )


def spec_about(event: Event, title: str, delta: str = "1e-6") -> Spec:
    """The specification that asks the usual questions about an event."""
    node = Node("", title, (), (), event)
    questions = (f"approx delta={delta}" if q.startswith("approx") else q for q in REPORT)
    report = tuple(read_query(text, {}) for text in questions)
    return Spec(title, title, "", node, report)


def columns_of(root: Node) -> dict[str, Event]:
    """The parts that are about units or parts of their own, and the whole."""
    if not isinstance(root.event, Joint | Parallel) or len(root.parts) > MOST_PARTS:
        return {WHOLE: root.event}
    labels = distinct(part.label or f"part {n}" for n, part in enumerate(root.parts, 1))
    parts = (part.event for part in root.parts)
    return dict(zip(labels, parts, strict=True)) | {WHOLE: root.event}


def _heads(root: Node, labels: Sequence[str]) -> dict[str, str]:
    """What every column is called."""
    title = _title(root, len(labels) - 1)
    heads = distinct(title if label == WHOLE else label for label in labels)
    return dict(zip(labels, heads, strict=True))


def _title(root: Node, parts: int) -> str:
    """What the column of the whole is called."""
    if parts == 0:
        return "everything"
    if isinstance(root.event, Parallel):
        return "all parts"
    return "both" if parts == 2 else "together"


def _changes(relation: Neighbors) -> str:
    """``one person is replaced and one housing unit is replaced``."""
    told = [change.passively("is") for change in relation.changes]
    return told[0] if len(told) == 1 else " and ".join(f"at most {text}" for text in told)


def _estimates(spec: Spec, events: Sequence[Event]) -> Iterator[Row]:
    if "continuous" not in spec.estimates:
        return
    for query in spec.report:
        if query.key == "delta":
            yield Row(query, tuple(_estimate(event, query) for event in events))


def _estimate(event: Event, query: Query) -> Answer:
    value = continuous_epsilon(event, query.value)
    if value is None:
        return Answer({}, "-", ("there is no discrete noise in it",))
    return Answer({"epsilon": value}, _wire.shown(value))


def _column(label: str, title: str, event: Event) -> Column:
    sentences = tuple(plan.meaning(event).splitlines())
    return Column(label, title, str(event.neighbors), spelled(event), sentences)
