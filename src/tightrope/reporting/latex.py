"""A report as a LaTeX document; numbers are links to their theorems, pictures need pgfplots."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from tightrope._latex import escaped
from tightrope._wire import clipped
from tightrope.reporting.record import (
    GIVEN,
    Branch,
    Contents,
    Number,
    Part,
    Picture,
    Piece,
    Row,
    Sentence,
    Source,
    Table,
)
from tightrope.reporting.words import (
    AGREED,
    GRADES,
    INTERVAL,
    NO_LOWER_END,
    NOT_PROMISED,
    PRINTED,
    REST_OF_PAGE,
    SAFE,
    SAME,
    SUPPOSED,
    TITLES,
)

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
"""

LINES = ("solid", "dashed", "dotted", "dashdotted", "densely dashdotdotted")
"""Lines of curves, told apart without colour."""

WORDS = 16
"""Most characters of a last column that is not broken into lines."""

BROKEN = r">{\raggedright\arraybackslash}p{5cm}"
"""A column of words."""

LONGEST = 600
"""Most characters of an event that are printed."""


def document(told: Contents) -> str:
    """The whole document."""
    head = f"{PREAMBLE}\\title{{{escaped(told.title)}}}\n\\date{{}}\n\\author{{}}\n"
    return "\n".join(
        [f"{head}\\begin{{document}}\n\\maketitle", *_body(told), r"\end{document}", ""]
    )


def _body(told: Contents) -> Iterator[str]:
    yield from map(_paragraph, told.about)
    if told.origin:
        yield _paragraph(told.origin.words)
    yield _section("meaning")
    for part in told.parts:
        yield _heading(told, part)
        yield _items(map(_sentence, part.meaning))
    yield _section("who")
    yield _paragraph(told.neighbors)
    if told.invariants:
        yield AGREED
        yield _items(map(escaped, told.invariants))
    yield _section("ran")
    yield from (rf"\hspace*{{{1.5 * depth:g}em}}{escaped(line)}\par" for depth, line in told.ran)
    yield _section("numbers")
    if told.proved:
        yield _paragraph(SAFE)
    yield from (text for part in told.parts for text in _numbers(told, part))
    if told.origin is None:
        yield _section("groups")
        yield from (_table(part.title, part.groups) for part in told.parts if part.groups)
    if told.reported is not None:
        yield _section("reported")
        yield _table("Reported, and proved here at the same delta", told.reported)
        yield from (f"{_sentence(remark)}\n" for remark in told.remarks)
    if told.pictures:
        yield _section("pictures")
    yield from (text for picture in told.pictures for text in _picture(picture))
    yield _section("promised-not")
    yield NOT_PROMISED
    yield _items(map(escaped, told.not_promised))
    yield _section("assumed")
    yield SUPPOSED
    yield _items(map(escaped, told.assumptions))
    yield _section("proofs")
    yield from (text for part in told.parts for text in _proofs(part))
    yield _section("theorems")
    yield _paragraph(GRADES)
    yield from map(_theorem, told.sources)
    yield _paragraph(f"Made by {told.made_by}.")


def _section(key: str) -> str:
    return rf"\section*{{{TITLES[key]}}}"


def _paragraph(text: str) -> str:
    return f"{escaped(text)}\n"


def _heading(told: Contents, part: Part) -> str:
    return rf"\subsection*{{{escaped(part.title)}}}" if len(told.parts) > 1 else ""


def _items(items: Iterable[str]) -> str:
    lines = (rf"\item {{}}{item}" for item in items)
    return "\n".join([r"\begin{itemize}", *lines, r"\end{itemize}"])


def _number(told: Number) -> str:
    return rf"\hyperlink{{{bare(told.source)}}}{{\underline{{{escaped(told.shown)}}}}}"


def _piece(told: Piece) -> str:
    return _number(told) if isinstance(told, Number) else escaped(told)


def _sentence(told: Sentence) -> str:
    return "".join(map(_piece, told))


# --- tables ---------------------------------------------------------------------------------


def _numbers(told: Contents, part: Part) -> Iterator[str]:
    yield _heading(told, part)
    yield _paragraph(f"For neighbours: {part.neighbors}.")
    yield _grid(("question", "answer", INTERVAL), map(_cells, part.rows))
    yield from (_paragraph(f"{note}.") for note in part.notes)


def _cells(row: Row) -> tuple[str, ...]:
    if row.number is None:
        reasons = escaped("; ".join(row.reasons))
        return escaped(row.question), "none", rf"\parbox[t]{{6cm}}{{\raggedright {reasons}}}"
    ends = row.number.interval or NO_LOWER_END
    return escaped(row.question), _number(row.number), escaped(ends)


def _table(caption: str, table: Table) -> str:
    rows = (tuple(map(_piece, row)) for row in table.rows)
    worded = any(isinstance(row[-1], str) and len(row[-1]) > WORDS for row in table.rows)
    return f"{_paragraph(caption)}\n{_grid(table.heads, rows, BROKEN if worded else 'r')}"


def _grid(heads: Iterable[str], rows: Iterable[tuple[str, ...]], last: str = "r") -> str:
    """A table of numbers below heads; ``last`` says how the last column is set."""
    named = tuple(map(escaped, heads))
    lines = [" & ".join(row) + r" \\" for row in rows]
    return "\n".join(
        [
            rf"\begin{{longtable}}[l]{{@{{}}l{'r' * (len(named) - 2)}{last}@{{}}}}",
            rf"\toprule {' & '.join(named)} \\ \midrule \endhead",
            *lines,
            r"\bottomrule",
            r"\end{longtable}",
        ]
    )


# --- pictures -------------------------------------------------------------------------------


def _picture(picture: Picture) -> Iterator[str]:
    yield rf"\subsection*{{{escaped(picture.title)}}}"
    yield _paragraph(picture.about)
    ends = f"xmin={picture.x.low!r}, xmax={picture.x.high!r}, ymin={picture.y.low!r}"
    options = [
        f"{ends}, ymax={picture.y.high!r}, width=12cm, height=7.5cm, grid=major",
        f"xlabel={{{escaped(picture.x.label)}}}, ylabel={{{escaped(picture.y.label)}}}",
        "legend pos=outer north east, legend cell align=left",
        *(["ymode=log"] if picture.y.log else []),
    ]
    yield rf"\begin{{tikzpicture}}\begin{{axis}}[{', '.join(options)}]"
    for row, one in enumerate(picture.series):
        points = " ".join(f"({x:.8g},{y:.8g})" for x, y in one.points)
        mark = ", mark=*" if one.marked else ""
        style = f"black, thick, {LINES[row % len(LINES)]}{mark}"
        yield rf"\addplot[{style}] coordinates {{{points}}};"
        yield rf"\addlegendentry{{{escaped(one.label)}}}"
    yield "\\end{axis}\\end{tikzpicture}\n"
    yield _table("The numbers of this picture", picture.table)


# --- proofs ---------------------------------------------------------------------------------


def _proofs(part: Part) -> Iterator[str]:
    yield rf"\subsection*{{{escaped(part.title)}}}"
    yield rf"{{\footnotesize\raggedright {escaped(clipped(part.event, LONGEST))}\par}}"
    for row in part.rows:
        if row.derivation is not None:
            yield rf"\paragraph{{{escaped(row.question)}}}\leavevmode\par"
            yield from _steps(row.derivation, 0)


def _steps(branch: Branch, depth: int) -> Iterator[str]:
    """A step on a line of its own, shifted by its depth, and below it what it rests on."""
    times = f"{branch.times:,} × " if branch.times > 1 else ""
    words = GIVEN if branch.source == GIVEN else f"by {branch.source}"
    link = rf"\hyperlink{{{bare(branch.source)}}}{{\underline{{{escaped(words)}}}}}"
    note = f"; {branch.note}" if branch.note else ""
    shift = 1.2 * min(depth, 8)
    yield (
        rf"\begin{{list}}{{}}{{\leftmargin={shift:g}em \topsep=0pt \parsep=0pt \itemsep=0pt}}\item "
        rf"{{}}\raggedright {escaped(times + branch.claim)} ({link}{escaped(note)})\end{{list}}"
    )
    for source in branch.inputs[:PRINTED]:
        yield from _steps(source, depth + 1)
    for words in _left_out(branch):
        yield rf"\hspace*{{{shift + 1.2:g}em}}{escaped(words)}\par"


def _left_out(branch: Branch) -> Iterator[str]:
    rest = len(branch.inputs) + branch.more - PRINTED
    if rest > 0:
        yield REST_OF_PAGE.format(count=f"{rest:,}")
    if branch.same:
        yield SAME.format(question=branch.same)


def _theorem(source: Source) -> str:
    name = "Given" if source.key == GIVEN else source.key
    place = rf"\hypertarget{{{bare(source.key)}}}{{}}\textbf{{{escaped(name)}}}"
    told = [place, escaped(source.statement)]
    if source.citation:
        told.append(rf"\emph{{{escaped(source.grade)}}}. {escaped(source.citation)}")
        told.append(escaped(source.paper))
    if source.link:
        told.append(rf"\url{{{source.link}}}")
    return "\\\\\n".join(told) + "\n\n"


def bare(key: str) -> str:
    """The name of a link: letters, digits and dashes."""
    return re.sub(r"[^A-Za-z0-9]", "-", key)
