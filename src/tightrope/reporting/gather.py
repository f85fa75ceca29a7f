"""From a specification to the contents of its report."""

from __future__ import annotations

from collections.abc import Callable

from tightrope._check import Real
from tightrope._version import __version__
from tightrope.events import Event
from tightrope.plan import remarks as remarks_on
from tightrope.reporting.answered import answered
from tightrope.reporting.curves import groups_picture, profile_picture, tradeoff_picture
from tightrope.reporting.folded import folded
from tightrope.reporting.library import Library
from tightrope.reporting.meaning import groups_table, meaning, not_promised, supposed
from tightrope.reporting.published import proved, remarked, reported
from tightrope.reporting.record import Contents, Part, Picture
from tightrope.spec.account import Account, account, columns_of
from tightrope.spec.reader import Spec

DELTA = 1e-6
"""Where groups are told of if no delta is asked about."""


def contents(spec: Spec, step: Callable[[str], None]) -> Contents:
    """All that is reported of a specification; ``step`` is told what is being worked on."""
    library, delta = Library(), _delta(spec)
    told = account(spec, step)
    events = dict(zip((c.title for c in told.columns), columns_of(spec.root).values(), strict=True))
    parts = []
    for position, (title, event) in enumerate(events.items()):
        step(f"the proofs about {title}")
        parts.append(_part(told, position, event, delta, library))
    known = proved(spec, library)
    step("the pictures")
    pictures: tuple[Picture | None, ...] = (
        profile_picture(events, delta, library),
        tradeoff_picture(events, library),
        groups_picture(parts, delta),
    )
    return Contents(
        title=told.title,
        about=tuple(filter(None, (told.about,))),
        neighbors="Two data sets are neighbours, and hard to tell apart, if one turns into the "
        f"other when {told.neighbors}.",
        invariants=told.invariants,
        ran=tuple((line.depth, _line(line.label, line.what)) for line in told.ran),
        parts=tuple(parts),
        reported=reported(known),
        remarks=tuple(remarked(told, known)),
        pictures=tuple(picture for picture in pictures if picture is not None),
        assumptions=supposed(spec.event),
        not_promised=not_promised(spec.event.neighbors),
        sources=tuple(library.sources.values()),
        made_by=f"tightrope {__version__}",
    )


def _part(told: Account, position: int, event: Event, delta: Real, library: Library) -> Part:
    column = told.columns[position]
    groups = groups_table(event, delta, library)
    return Part(
        title=column.title,
        event=column.event,
        neighbors=column.neighbors,
        meaning=meaning(event, groups, library),
        rows=folded(answered(event, r.query, library, r.answers[position]) for r in told.rows),
        groups=groups,
        notes=remarks_on(event),
    )


def _delta(spec: Spec) -> Real:
    """The first delta that is asked about."""
    return next((query.value for query in spec.report if query.key == "delta"), DELTA)


def _line(label: str, what: str) -> str:
    return f"{label}: {what}" if label else what
