"""Derivations as trees that fold, and the theorems that they name, as HTML."""

from __future__ import annotations

from collections.abc import Iterator

from tightrope.reporting.markup import Markup, joined, tag
from tightrope.reporting.record import GIVEN, Branch, Source
from tightrope.reporting.tables import anchor
from tightrope.reporting.words import PRINTED, REST, SAME

OPEN = 3
"""Levels of a tree that are unfolded at first."""


def tree(branch: Branch, question: str, proof: str) -> Markup:
    """The derivation of the answer to a question."""
    return tag("div", tag("h4", question), _branch(branch, 0), id=proof, class_="tree")


def _branch(branch: Branch, depth: int) -> Markup:
    if not branch.inputs and not branch.more and not branch.same:
        return tag("div", tag("p", _claim(branch)), _reason(branch), class_="leaf")
    unfolded = {"open": ""} if depth < OPEN else {}
    inside = _inputs(branch, depth + 1)
    return tag("details", tag("summary", _claim(branch)), _reason(branch), *inside, **unfolded)


def _inputs(branch: Branch, depth: int) -> Iterator[Markup]:
    """The inputs, of which paper has the first few, and what is to be said of all others."""
    for position, source in enumerate(branch.inputs):
        inside = _branch(source, depth)
        yield inside if position < PRINTED else tag("div", inside, class_="screen")
    if branch.same:
        yield _remark(SAME.format(question=branch.same))
    if branch.more:
        yield _remark(f"and {branch.more:,} more of the kind", "screen")
    rest = len(branch.inputs) + branch.more - PRINTED
    if rest > 0:
        yield _remark(REST.format(count=f"{rest:,}"), "paper")


def _remark(text: str, where: str = "") -> Markup:
    return tag("div", tag("p", text), class_=f"leaf {where}".strip())


def _claim(branch: Branch) -> Markup:
    times = f"{branch.times:,} × " if branch.times > 1 else ""
    return tag("span", f"{times}{branch.claim}", class_="claim")


def _reason(branch: Branch) -> Markup:
    named = tag("a", branch.source, href=f"#{anchor(branch.source)}")
    by = "" if branch.source == GIVEN else "by "
    note = f"; {branch.note}" if branch.note else ""
    return tag("p", by, named, note, class_="source")


def theorem(source: Source) -> Markup:
    """The entry of a theorem: what it says, how good it is, and where it is proved."""
    title = "Given" if source.key == GIVEN else source.key
    parts = [tag("h3", title), tag("p", source.statement), *_origin(source)]
    return tag("div", *parts, id=anchor(source.key), class_="theorem")


def _origin(source: Source) -> Iterator[Markup]:
    if source.citation:
        yield tag("p", tag("span", source.grade, class_="grade"), " ", source.citation)
        yield tag("p", joined(_paper(source)), class_="source")


def _paper(source: Source) -> Iterator[str]:
    yield source.paper
    if source.link:
        yield " "
        yield tag("a", source.link.removeprefix("https://"), href=source.link)
