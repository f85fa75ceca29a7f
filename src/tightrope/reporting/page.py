"""A report as one HTML page that needs nothing else: no network, no scripts, no fonts."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cache

from tightrope.reporting.markup import Markup, joined, tag
from tightrope.reporting.record import Contents, Part, Picture, Sentence, Table
from tightrope.reporting.svg import svg
from tightrope.reporting.tables import bullets, paragraphs, rows_table, sentence, small_table
from tightrope.reporting.trees import theorem, tree
from tightrope.reporting.words import AGREED, GRADES, NOT_PROMISED, SAFE, SUPPOSED, TITLES


@cache
def style() -> Markup:
    """The style sheet."""
    from importlib.resources import files

    return Markup(files("tightrope.reporting").joinpath("page.css").read_text(encoding="utf-8"))


def page(told: Contents) -> str:
    """The whole page."""
    sections = list(_sections(told))
    links = (tag("li", tag("a", TITLES[key], href=f"#{key}")) for key, _ in sections)
    head = tag(
        "head",
        tag("meta", charset="utf-8"),
        tag("meta", name="viewport", content="width=device-width, initial-scale=1"),
        tag("meta", name="generator", content=told.made_by),
        tag("title", f"{told.title}: what is promised"),
        tag("style", style()),
    )
    origin = (tag("p", told.origin.words, class_="checked"),) if told.origin else ()
    header = tag("header", tag("h1", told.title), *paragraphs(told.about), *origin)
    contents = tag("nav", tag("ul", *links), aria_label="contents")
    main = tag("main", contents, *(_section(*section) for section in sections))
    footer = tag("footer", tag("p", f"Made by {told.made_by}."))
    body = tag("body", header, main, footer)
    return f"<!DOCTYPE html>\n{tag('html', head, body, lang='en')}\n"


def _section(key: str, inside: Iterable[Markup]) -> Markup:
    return tag("section", tag("h2", TITLES[key]), *inside, id=key)


def _sections(told: Contents) -> Iterator[tuple[str, Iterable[Markup]]]:
    yield "meaning", _meaning(told)
    yield "who", _who(told)
    yield "ran", _ran(told)
    yield "numbers", _numbers(told)
    if told.origin is None:
        yield "groups", _groups(told)
    if told.reported is not None:
        yield "reported", _reported(told.reported, told.remarks)
    if told.pictures:
        yield "pictures", map(_picture, told.pictures)
    yield "promised-not", _not_promised(told)
    yield "assumed", _assumed(told)
    yield "proofs", _proofs(told)
    yield "theorems", _theorems(told)


def _titled(told: Contents, part: Part) -> Iterator[Markup]:
    """A heading, where there are several parts."""
    if len(told.parts) > 1:
        yield tag("h3", part.title)


def _meaning(told: Contents) -> Iterator[Markup]:
    for part in told.parts:
        yield from _titled(told, part)
        yield bullets(map(sentence, part.meaning), class_="meaning")


def _who(told: Contents) -> Iterator[Markup]:
    yield tag("p", told.neighbors)
    if told.invariants:
        yield tag("p", AGREED)
        yield bullets(told.invariants)


def _ran(told: Contents) -> Iterator[Markup]:
    lines = (tag("li", text, style=f"margin-left: {1.2 * depth:g}em") for depth, text in told.ran)
    yield tag("ul", *lines)


def _numbers(told: Contents) -> Iterator[Markup]:
    if told.proved:
        yield tag("p", SAFE, class_="soft")
    for position, part in enumerate(told.parts):
        yield from _titled(told, part)
        yield rows_table(part, position)
        yield from paragraphs(f"{note}." for note in part.notes)


def _groups(told: Contents) -> Iterator[Markup]:
    yield tag(
        "p",
        "The promise is about one unit. Where several change together, such as a family or all "
        "records of one person, it is weaker. Hits are told at 1 % and 0.1 % false alarms.",
    )
    for part in told.parts:
        if part.groups is None:
            yield tag("p", f"{part.title}: nothing is known about groups.")
        else:
            yield small_table(f"Groups of units: {part.title}", part.groups)


def _reported(reported: Table, remarks: Iterable[Sentence]) -> Iterator[Markup]:
    yield small_table("Reported numbers, and what is proved here at the same delta", reported)
    yield from paragraphs(map(sentence, remarks))


def _picture(picture: Picture) -> Markup:
    caption = tag("figcaption", picture.about)
    numbers = small_table(f"The numbers of this picture: {picture.title}", picture.table)
    return tag("figure", tag("h3", picture.title), caption, svg(picture), numbers)


def _not_promised(told: Contents) -> Iterator[Markup]:
    yield tag("p", NOT_PROMISED)
    yield bullets(told.not_promised)


def _assumed(told: Contents) -> Iterator[Markup]:
    yield tag("p", SUPPOSED)
    yield bullets(told.assumptions)


def _proofs(told: Contents) -> Iterator[Markup]:
    yield tag("p", "Below each number stand the theorem that gives it, and what that rests on.")
    for position, part in enumerate(told.parts):
        yield tag("h3", part.title)
        text = tag("p", tag("code", part.event), class_="soft")
        summary = tag("summary", "The event as a text that reads back")
        yield tag("details", summary, text, class_="spelled")
        for place, row in enumerate(part.rows):
            if row.derivation is not None:
                yield tree(row.derivation, row.question, f"proof-{position}-{place}")


def _theorems(told: Contents) -> Iterator[Markup]:
    yield tag("p", GRADES, class_="soft")
    yield joined(map(theorem, told.sources))
