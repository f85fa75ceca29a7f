"""Sentences, tables, pictures and derivations of a report as LaTeX; numbers are links."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from tightrope._latex import escaped
from tightrope._wire import clipped
from tightrope.reporting.record import (
    GIVEN,
    Axis,
    Branch,
    Number,
    Origin,
    Part,
    Picture,
    Piece,
    Row,
    Sentence,
    Source,
    Table,
)
from tightrope.reporting.words import NO_LOWER_END, PRINTED, REST_OF_PAGE, SAME

LINES = ("solid", "dashed", "dotted", "dashdotted", "densely dashdotdotted")
"""Lines of curves, told apart without colour."""

WORDS = 16
"""Most characters of a last column that is not broken into lines."""

BROKEN = r">{\raggedright\arraybackslash}p{5cm}"
"""A column of words."""

TALL = 20
"""Lines of text that a picture takes, with its title and what is said of it."""

LONGEST = 600
"""Most characters of an event that are printed."""


def paragraph(text: str) -> str:
    """A paragraph of words."""
    return f"{escaped(text)}\n"


def verdict(origin: Origin) -> str:
    """What became of a certificate; one that does not verify stands in a frame."""
    told = rf"\textbf{{{escaped(origin.verdict)}}} {escaped(origin.words)}"
    if origin.verified:
        return f"{told}\n"
    box = r"\fboxrule=2pt\fboxsep=8pt\noindent\fbox"
    return rf"{{{box}{{\parbox{{\dimexpr\linewidth-20pt}}{{\raggedright {told}}}}}}}" + "\n"


def items(texts: Iterable[str]) -> str:
    """A list of what is LaTeX already."""
    lines = (rf"\item {{}}{text}" for text in texts)
    return "\n".join([r"\begin{itemize}", *lines, r"\end{itemize}"])


def _number(told: Number) -> str:
    return rf"\hyperlink{{{bare(told.source)}}}{{\underline{{{escaped(told.shown)}}}}}"


def _piece(told: Piece) -> str:
    return _number(told) if isinstance(told, Number) else escaped(told)


def sentence(told: Sentence) -> str:
    """A sentence with its numbers as links."""
    return "".join(map(_piece, told))


# --- tables ---------------------------------------------------------------------------------


def cells(row: Row) -> tuple[str, ...]:
    """The cells of a question with its answer."""
    if row.number is None:
        reasons = escaped("; ".join(row.reasons))
        return escaped(row.question), "none", rf"\parbox[t]{{6cm}}{{\raggedright {reasons}\strut}}"
    ends = row.number.interval or NO_LOWER_END
    return escaped(row.question), _number(row.number), escaped(ends)


def table(caption: str, told: Table) -> str:
    """A small table below its caption."""
    rows = (tuple(map(_piece, row)) for row in told.rows)
    worded = any(isinstance(row[-1], str) and len(row[-1]) > WORDS for row in told.rows)
    kept = rf"\room{{{len(told.rows) + 4}}}"
    made = grid(told.heads, rows, BROKEN if worded else "r")
    return f"{kept}\n{paragraph(caption)}\\nopagebreak\n{made}"


def grid(heads: Iterable[str], rows: Iterable[tuple[str, ...]], last: str = "r") -> str:
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


def picture(told: Picture) -> Iterator[str]:
    """Curves by pgfplots, and their table."""
    yield rf"\room{{{TALL}}}\subsection*{{{escaped(told.title)}}}"
    yield paragraph(told.about)
    ends = f"xmin={told.x.low!r}, xmax={told.x.high!r}, ymin={told.y.low!r}"
    options = [
        f"{ends}, ymax={told.y.high!r}, width=12cm, height=7.5cm, grid=major",
        f"xlabel={{{escaped(told.x.label)}}}, ylabel={{{escaped(told.y.label)}}}",
        "legend pos=outer north east, legend cell align=left",
        *(["ymode=log"] if told.y.log else []),
        *_marks(told.x),
    ]
    yield rf"\begin{{tikzpicture}}\begin{{axis}}[{', '.join(options)}]"
    for row, one in enumerate(told.series):
        points = " ".join(f"({x:.8g},{y:.8g})" for x, y in one.points)
        mark = ", mark=*" if one.marked else ""
        style = f"black, thick, {LINES[row % len(LINES)]}{mark}"
        yield rf"\addplot[{style}] coordinates {{{points}}};"
        yield rf"\addlegendentry{{{escaped(one.label)}}}"
    yield "\\end{axis}\\end{tikzpicture}\n"
    yield table("The numbers of this picture", told.table)


def _marks(axis: Axis) -> Iterator[str]:
    """The marks of an axis that have texts of their own."""
    if axis.marks:
        yield f"xtick={{{','.join(f'{value!r}' for value, _ in axis.marks)}}}"
        yield f"xticklabels={{{','.join(f'{{{escaped(text)}}}' for _, text in axis.marks)}}}"


# --- proofs ---------------------------------------------------------------------------------


def derivations(part: Part) -> Iterator[str]:
    """What was run as a text, and how each answer about it is proved."""
    yield rf"{{\footnotesize\raggedright {escaped(clipped(part.event, LONGEST))}\par}}"
    for row in part.rows:
        if row.derivation is not None:
            yield rf"\room{{3}}\subsubsection*{{{escaped(row.question)}}}"
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


def theorem(source: Source) -> str:
    """The entry of a theorem, to which links lead."""
    name = "Given" if source.key == GIVEN else source.key
    place = rf"\room{{6}}\hypertarget{{{bare(source.key)}}}{{}}\textbf{{{escaped(name)}}}"
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
