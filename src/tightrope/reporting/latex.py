"""A report as a LaTeX document; numbers are links to their theorems, pictures need pgfplots."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import singledispatch

from tightrope._latex import escaped
from tightrope.reporting.record import Contents, Picture, Source
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
from tightrope.reporting.typeset import (
    TALL,
    cells,
    derivations,
    grid,
    items,
    paragraph,
    picture,
    sentence,
    table,
    theorem,
    verdict,
)
from tightrope.reporting.words import TITLES

PREAMBLE = r"""% lualatex and xelatex print names in every script; pdflatex suffices for Latin ones.
\documentclass[11pt,a4paper]{article}
\usepackage[margin=25mm]{geometry}
\usepackage{amsmath,amssymb,array,booktabs,longtable,iftex}
\ifPDFTeX\usepackage[utf8]{inputenc}\usepackage[T1]{fontenc}\fi
\usepackage{pgfplots}
\pgfplotsset{compat=1.16}
\usepackage[hidelinks]{hyperref}
\setlength{\parindent}{0pt}\setlength{\parskip}{0.5em}
\emergencystretch=3em
\makeatletter % \room{n} begins a new page unless n lines fit on this one, but not below a heading
\newcommand{\room}[1]{\par\if@nobreak\else\begingroup\dimen0=#1\baselineskip
  \vskip0pt plus\dimen0\penalty-100\vskip0pt plus-\dimen0
  \vskip\dimen0\penalty9999\vskip-\dimen0\vskip0pt\endgroup\fi}
\makeatother
"""


def document(told: Contents) -> str:
    """The whole document."""
    return whole_document(told.title, _body(told))


def whole_document(title: str, body: Iterable[str]) -> str:
    """A document of that title."""
    head = f"{PREAMBLE}\\title{{{escaped(title)}}}\n\\date{{}}\n\\author{{}}\n"
    return "\n".join([f"{head}\\begin{{document}}\n\\maketitle", *body, r"\end{document}", ""])


def _body(told: Contents) -> Iterator[str]:
    if told.origin:
        yield verdict(told.origin)
    yield from map(paragraph, told.about)
    for key, blocks in sections(told):
        yield rf"\room{{{TALL + 3 if key == 'pictures' else 6}}}\section*{{{TITLES[key]}}}"
        yield from map(_block, blocks)
    yield paragraph(f"Made by {told.made_by}.")


@singledispatch
def _block(block: Block) -> str:
    """A piece of a section."""
    raise TypeError(f"no document has a {type(block).__name__}")


@_block.register
def _(block: Text) -> str:
    return f"{sentence(block.sentence)}\n"


@_block.register
def _(block: Note) -> str:
    return paragraph(block.text)


@_block.register
def _(block: Heading) -> str:
    return rf"\subsection*{{{escaped(block.text)}}}"


@_block.register
def _(block: Items) -> str:
    if not block.items:
        return ""
    return items(map(sentence, block.items))


@_block.register
def _(block: Outline) -> str:
    lines = (rf"\hspace*{{{1.5 * depth:g}em}}{escaped(line)}\par" for depth, line in block.lines)
    return "\n".join(lines)


@_block.register
def _(block: Captioned) -> str:
    return table(block.caption, block.table)


@_block.register
def _(block: Answers) -> str:
    rows = grid(("question", "answer", block.within), map(cells, block.part.rows))
    about = paragraph(f"For neighbours: {block.part.neighbors}.")
    return f"\\room{{{len(block.part.rows) + 6}}}\n{about}\\nopagebreak\n{rows}"


@_block.register
def _(block: Picture) -> str:
    return "\n".join(picture(block))


@_block.register
def _(block: Proofs) -> str:
    return "\n".join(derivations(block.part))


@_block.register
def _(block: Source) -> str:
    return theorem(block)
