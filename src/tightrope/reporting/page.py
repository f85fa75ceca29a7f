"""A report as one HTML page that needs nothing else: no network, no scripts, no fonts."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
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
    made = list(_sections(told))
    origin = (tag("p", told.checked, class_="checked"),) if told.checked else ()
    return whole_page(
        f"{told.title}: what is promised",
        told.made_by,
        [tag("h1", told.title), *paragraphs(told.about), *origin],
        {key: TITLES[key] for key, _ in made},
        (_section(*section) for section in made),
    )


def whole_page(
    name: str,
    made_by: str,
    header: Iterable[Markup],
    links: Mapping[str, str],
    sections: Iterable[Markup],
) -> str:
    """A page that needs nothing else, with a list of its sections, by their ids, at the top."""
    head = tag(
        "head",
        tag("meta", charset="utf-8"),
        tag("meta", name="viewport", content="width=device-width, initial-scale=1"),
        tag("meta", name="generator", content=made_by),
        tag("title", name),
        tag("style", style()),
    )
    entries = (tag("li", tag("a", title, href=f"#{key}")) for key, title in links.items())
    contents = tag("nav", tag("ul", *entries), aria_label="contents")
    main = tag("main", contents, *sections)
    footer = tag("footer", tag("p", f"Made by {made_by}."))
    body = tag("body", tag("header", *header), main, footer)
    return f"<!DOCTYPE html>\n{tag('html', head, body, lang='en')}\n"


def _section(key: str, inside: Iterable[Markup]) -> Markup:
    return tag("section", tag("h2", TITLES[key]), *inside, id=key)


def _sections(told: Contents) -> Iterator[tuple[str, Iterable[Markup]]]:
    yield "meaning", _meaning(told)
    yield "who", _who(told)
    yield "ran", _ran(told)
    yield "numbers", _numbers(told)
    if not told.checked:
        yield "groups", _groups(told)
    if told.reported is not None:
        yield "reported", _reported(told.reported, told.remarks)
    if told.pictures:
        yield "pictures", map(figure, told.pictures)
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
    if not told.doubtful:
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


def figure(picture: Picture) -> Markup:
    """A picture with what it shows in words, and its numbers."""
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
