"""A report as one HTML page that needs nothing else: no network, no scripts, no fonts."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cache, singledispatch
from itertools import starmap

from tightrope.reporting.markup import Markup, joined, tag
from tightrope.reporting.record import Contents, Origin, Picture, Source
from tightrope.reporting.sections import (
    Answers,
    Block,
    Captioned,
    Heading,
    Items,
    Note,
    Outline,
    Proofs,
    Text,
    sections,
)
from tightrope.reporting.svg import svg
from tightrope.reporting.tables import paragraphs, rows_table, sentence, small_table
from tightrope.reporting.trees import theorem, tree
from tightrope.reporting.words import TITLES


@cache
def style() -> Markup:
    """The style sheet."""
    from importlib.resources import files

    return Markup(files("tightrope.reporting").joinpath("page.css").read_text(encoding="utf-8"))


def page(told: Contents) -> str:
    """The whole page."""
    said = tuple(sections(told))
    origin = () if told.origin is None else (_verdict(told.origin),)
    promised = "what is promised" if told.proved else "what is claimed, and does not verify"
    return whole_page(
        f"{told.title}: {promised}",
        told.made_by,
        [tag("h1", told.title), *origin, *paragraphs(told.about)],
        {key: TITLES[key] for key, _ in said},
        starmap(_section, said),
    )


def _verdict(origin: Origin) -> Markup:
    """What became of a certificate, above all else; one that does not verify raises an alarm."""
    lines = tag("strong", origin.verdict), " ", origin.words
    if origin.verified:
        return tag("p", *lines, class_="checked")
    return tag("p", *lines, class_="checked alarm", role="alert")


def whole_page(
    name: str,
    made_by: str,
    header: Iterable[Markup],
    links: Mapping[str, str],
    inside: Iterable[Markup],
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
    main = tag("main", contents, *inside)
    footer = tag("footer", tag("p", f"Made by {made_by}."))
    body = tag("body", tag("header", *header), main, footer)
    return f"<!DOCTYPE html>\n{tag('html', head, body, lang='en')}\n"


def _section(key: str, blocks: Iterable[Block]) -> Markup:
    return tag("section", tag("h2", TITLES[key]), *map(_block, blocks), id=key)


@singledispatch
def _block(block: Block) -> Markup:
    """A piece of a section."""
    raise TypeError(f"no page has a {type(block).__name__}")


@_block.register
def _(block: Text) -> Markup:
    return tag("p", sentence(block.sentence))


@_block.register
def _(block: Note) -> Markup:
    return tag("p", block.text, class_="soft")


@_block.register
def _(block: Heading) -> Markup:
    return tag("h3", block.text)


@_block.register
def _(block: Items) -> Markup:
    return tag("ul", *(tag("li", sentence(item)) for item in block.items))


@_block.register
def _(block: Outline) -> Markup:
    lines = (
        tag("li", text, style=f"margin-left: {1.2 * depth:g}em") for depth, text in block.lines
    )
    return tag("ul", *lines)


@_block.register
def _(block: Captioned) -> Markup:
    return small_table(block.caption, block.table)


@_block.register
def _(block: Answers) -> Markup:
    return rows_table(block.part, block.position, block.within)


@_block.register
def figure(block: Picture) -> Markup:
    """A picture with what it shows in words, and its numbers."""
    caption = tag("figcaption", block.about)
    numbers = small_table(f"The numbers of this picture: {block.title}", block.table)
    return tag("figure", tag("h3", block.title), caption, svg(block), numbers)


@_block.register
def _(block: Proofs) -> Markup:
    text = tag("p", tag("code", block.part.event), class_="soft")
    summary = tag("summary", "The event as a text that reads back")
    trees = (
        tree(row.derivation, row.question, f"proof-{block.position}-{place}")
        for place, row in enumerate(block.part.rows)
        if row.derivation is not None
    )
    return joined([tag("details", summary, text, class_="spelled"), *trees])


@_block.register
def _(block: Source) -> Markup:
    return theorem(block)
