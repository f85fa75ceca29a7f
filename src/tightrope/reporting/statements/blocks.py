"""What a statement consists of, whatever it is printed as: sections of a few plain blocks."""

from __future__ import annotations

from dataclasses import dataclass

from tightrope.reporting.record import Picture


@dataclass(frozen=True)
class Paragraph:
    """A few sentences; ``soft`` if they only explain."""

    text: str
    soft: bool = False


@dataclass(frozen=True)
class Bullets:
    """Sentences, each for itself."""

    items: tuple[str, ...]
    stressed: bool = False


@dataclass(frozen=True)
class Facts:
    """Names with what they stand for."""

    caption: str
    rows: tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class Grid:
    """A table; the first column heads the rows."""

    caption: str
    heads: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


@dataclass(frozen=True)
class Code:
    """A text for programs, which must not be changed by a character."""

    text: str


@dataclass(frozen=True)
class Paper:
    """A paper, and where it is."""

    text: str
    link: str


Block = Paragraph | Bullets | Facts | Grid | Code | Paper | Picture


@dataclass(frozen=True)
class Section:
    """Blocks below a title."""

    key: str
    title: str
    blocks: tuple[Block, ...]
