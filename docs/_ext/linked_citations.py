"""Citations as links: to the bibliography, or to the page of the project's own proofs."""

from __future__ import annotations

import re

from tightrope._cite import Reference, bibliography
from tightrope.theorems.registry import Theorem

VENUE = {"article": "journal", "inproceedings": "booktitle", "incollection": "booktitle"}


def as_bibtex() -> str:
    """The project's bibliography in the form that BibTeX has for names and venues."""
    from importlib.resources import files

    text = files("tightrope").joinpath("refs.bib").read_text(encoding="utf-8")
    kind_of = {key: kind for kind, key in re.findall(r"@(\w+)\{(\w+)", text)}
    return "\n".join(
        entry(reference, kind_of[reference.key])
        for reference in bibliography().values()
        if reference.key != "tightrope"
    )


def entry(reference: Reference, kind: str) -> str:
    """One entry; names are family names only, and the title keeps its capitals."""
    authors = reference.author.replace(" et al.", " and others").replace(", ", " and ")
    venue = VENUE.get(kind, "howpublished")
    return (
        f"@{kind}{{{reference.key}, author = {{{authors}}}, year = {{{reference.year}}}, "
        f"title = {{{{{reference.title}}}}}, {venue} = {{{{{reference.venue}}}}}}}"
    )


def citation(theorem: Theorem) -> str:
    """The source of a theorem, one click away."""
    if theorem.cite == "tightrope":
        return f"[{theorem.item}](/theory.md#{slug(theorem.item)})"
    return f"{{cite:t}}`{theorem.cite}`, {theorem.item}"


def slug(heading: str) -> str:
    """The anchor of a heading."""
    return re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")


def linked(page: str) -> str:
    """A page of theorems with its citations as links, and without its own list of references."""
    body = page.partition("## References")[0]
    ours = re.compile(r"\| docs/theory\.md, ([^|]*?) \|")
    body = ours.sub(lambda m: f"| [{m[1]}](theory.md#{slug(m[1])}) |", body)
    for reference in bibliography().values():
        body = body.replace(f"| {reference.short}, ", f"| {{cite:t}}`{reference.key}`, ")
    return body + "The sources are in the [bibliography](reference/bibliography.md).\n"
