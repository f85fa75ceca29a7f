"""The sections of a report in order, each a list of plain pieces that every layout prints.

What a report says is decided here alone; HTML and LaTeX decide how each kind of piece looks.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from tightrope.reporting.record import Contents, Part, Picture, Piece, Sentence, Source, Table
from tightrope.reporting.words import (
    AGREED,
    CLAIMED,
    GRADES,
    INTERVAL,
    NO_GROUPS,
    NOT_PROMISED,
    ON_GROUPS,
    REPORTED,
    SAFE,
    STEPS,
    SUPPOSED,
    UNPROVED,
)


@dataclass(frozen=True)
class Text:
    """A paragraph."""

    sentence: Sentence


@dataclass(frozen=True)
class Note:
    """A paragraph in small print."""

    text: str


@dataclass(frozen=True)
class Heading:
    """A heading below that of the section."""

    text: str


@dataclass(frozen=True)
class Items:
    """A list."""

    items: tuple[Sentence, ...]


@dataclass(frozen=True)
class Outline:
    """Lines, each with how deep it stands."""

    lines: tuple[tuple[int, str], ...]


@dataclass(frozen=True)
class Captioned:
    """A table with its caption."""

    caption: str
    table: Table


@dataclass(frozen=True)
class Answers:
    """The questions about the part at a position, with their answers.

    ``within`` heads the column of the ends between which they lie.
    """

    part: Part
    position: int
    within: str


@dataclass(frozen=True)
class Proofs:
    """What was run as a text, and the derivations of the answers about it."""

    part: Part
    position: int


Block = Text | Note | Heading | Items | Outline | Captioned | Answers | Proofs | Picture | Source
"""A piece of a section."""

Section = tuple[str, tuple[Block, ...]]
"""The key of a section, and what stands in it."""


def sections(told: Contents) -> Iterator[Section]:
    """What a report says, section by section."""
    yield "meaning", tuple(_meaning(told))
    yield "who", tuple(_who(told))
    yield "ran", (Outline(told.ran),)
    yield "numbers", tuple(_numbers(told))
    if told.origin is None:
        yield "groups", (Text((ON_GROUPS,)), *map(_groups, told.parts))
    if told.reported is not None:
        yield "reported", (Captioned(REPORTED, told.reported), *map(Text, told.remarks))
    if told.pictures:
        yield "pictures", told.pictures
    yield "promised-not", (Text((NOT_PROMISED,)), _items(told.not_promised))
    yield "assumed", (Text((SUPPOSED,)), _items(told.assumptions))
    yield "proofs", (Text((STEPS,)), *_proofs(told))
    yield "theorems", (Note(GRADES), *told.sources)


def _items(texts: Iterable[Piece]) -> Items:
    return Items(tuple((text,) for text in texts))


def _titled(told: Contents, part: Part) -> Iterator[Block]:
    """A heading, where there are several parts."""
    if len(told.parts) > 1:
        yield Heading(part.title)


def _meaning(told: Contents) -> Iterator[Block]:
    for part in told.parts:
        yield from _titled(told, part)
        yield Items(part.meaning)


def _who(told: Contents) -> Iterator[Block]:
    yield Text((told.neighbors,))
    if told.invariants:
        yield Text((AGREED,))
        yield _items(told.invariants)


def _numbers(told: Contents) -> Iterator[Block]:
    yield Note(SAFE if told.proved else UNPROVED)
    within = INTERVAL if told.proved else CLAIMED
    for position, part in enumerate(told.parts):
        yield from _titled(told, part)
        yield Answers(part, position, within)
        yield from (Text((f"{note}.",)) for note in part.notes)


def _groups(part: Part) -> Block:
    if part.groups is None:
        return Text((NO_GROUPS.format(part=part.title),))
    return Captioned(f"Groups of units: {part.title}", part.groups)


def _proofs(told: Contents) -> Iterator[Block]:
    for position, part in enumerate(told.parts):
        yield Heading(part.title)
        yield Proofs(part, position)
