"""A report as a plain record: texts, numbers and curves, which every page is printed from.

Every number in it carries the theorem that proves it, so that no page can print one without.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

GIVEN = "given"
"""The key of what was stated and not derived."""


@dataclass(frozen=True)
class Number:
    """A proved number.

    Attributes:
        shown: for people, rounded to the safe side.
        digits: with all its digits.
        source: the key of the theorem that gives it.
        interval: where it is proved to lie; empty if only the one end is known.
    """

    shown: str
    digits: str
    source: str
    interval: str = ""


Piece = str | Number
Sentence = tuple[Piece, ...]
"""Words and numbers, one after the other."""


def in_words(sentence: Sentence) -> str:
    """A sentence without the sources of its numbers."""
    return "".join(piece if isinstance(piece, str) else piece.shown for piece in sentence)


@dataclass(frozen=True)
class Source:
    """A theorem and its paper.

    Attributes:
        key: by which numbers refer to it.
        statement: what it says.
        grade: ``lossless``, ``sharp`` or ``loose``; empty for what was given.
        citation: the paper and the place in it.
        paper: the paper in full.
        link: where the paper is; empty if that is not known.
    """

    key: str
    statement: str
    grade: str = ""
    citation: str = ""
    paper: str = ""
    link: str = ""


@dataclass(frozen=True)
class Branch:
    """One step of a derivation with those that it rests on.

    Attributes:
        claim: what is proved.
        source: the key of the theorem by which it is.
        times: how often the step above uses it.
        note: what else is to be said of the step.
        inputs: what it rests on.
        more: how many more inputs of the kind are left out.
        same: the question under which the same inputs stand already, instead of them.
    """

    claim: str
    source: str
    times: int = 1
    note: str = ""
    inputs: tuple[Branch, ...] = ()
    more: int = 0
    same: str = ""

    def spoken(self, words: Callable[[str], str]) -> Branch:
        """The same in other words."""
        inputs = tuple(branch.spoken(words) for branch in self.inputs)
        return replace(self, claim=words(self.claim), inputs=inputs)


@dataclass(frozen=True)
class Row:
    """A question with its answer, or with the reasons why there is none."""

    question: str
    number: Number | None
    reasons: tuple[str, ...] = ()
    derivation: Branch | None = None


@dataclass(frozen=True)
class Table:
    """A small table whose first column heads its rows."""

    heads: tuple[str, ...]
    rows: tuple[tuple[Piece, ...], ...]


@dataclass(frozen=True)
class Part:
    """What is told about one part, or about the whole.

    Attributes:
        title: how people call it.
        event: what was run, as a text that reads back.
        neighbors: the relation that all of it refers to, in words.
        meaning: what the best attacker can do.
        rows: the questions with their answers.
        groups: what changes if several units change together; nothing where that is not known.
        notes: what to know about the numbers.
    """

    title: str
    event: str
    neighbors: str
    meaning: tuple[Sentence, ...]
    rows: tuple[Row, ...]
    groups: Table | None
    notes: tuple[str, ...] = ()


@dataclass(frozen=True)
class Axis:
    """An axis of a picture; of a logarithmic one both ends are above 0.

    ``marks`` are values with their texts, where these are no plain numbers.
    """

    label: str
    low: float
    high: float
    log: bool = False
    marks: tuple[tuple[float, str], ...] = ()


@dataclass(frozen=True)
class Series:
    """A curve; ``marked`` if its points are all that is known of it."""

    label: str
    points: tuple[tuple[float, float], ...]
    marked: bool = False


@dataclass(frozen=True)
class Picture:
    """Curves on two axes, with words and a table that say the same."""

    key: str
    title: str
    about: str
    x: Axis
    y: Axis
    series: tuple[Series, ...]
    table: Table


@dataclass(frozen=True)
class Origin:
    """The certificate that the numbers of a report are from.

    Attributes:
        verdict: what became of it when it was checked, in a short sentence.
        words: which one it is, and the outcome in full.
        verified: whether all of it was derived again.
    """

    verdict: str
    words: str
    verified: bool


@dataclass(frozen=True)
class Contents:
    """All that a report says.

    Attributes:
        title: of what was run.
        about: paragraphs that describe it.
        neighbors: who is protected, in a sentence.
        invariants: facts on which neighbours agree, since they were published exactly.
        ran: what was run: how deep a line stands, and its text.
        parts: the parts, and the whole.
        reported: numbers that others have reported beside those proved here, if there are any.
        remarks: why these differ.
        pictures: the curves.
        assumptions: what no proof can show.
        not_promised: what the numbers do not say.
        sources: the theorems, in the order of their first use.
        made_by: the program and its version.
        origin: the certificate that the numbers are from; None if they were computed for the
            report.
    """

    title: str
    about: tuple[str, ...]
    neighbors: str
    invariants: tuple[str, ...]
    ran: tuple[tuple[int, str], ...]
    parts: tuple[Part, ...]
    reported: Table | None
    remarks: tuple[Sentence, ...]
    pictures: tuple[Picture, ...]
    assumptions: tuple[str, ...]
    not_promised: tuple[str, ...]
    sources: tuple[Source, ...]
    made_by: str
    origin: Origin | None = None

    @property
    def proved(self) -> bool:
        """Whether the numbers can be relied on: only a certificate may fail to be verified."""
        return self.origin is None or self.origin.verified
