"""What the site takes from the code when it is built: tables, the graph, errors, the bibliography.

Every directive writes Markdown and lets the page's own parser read it, so that links and citations
in a table work as they do in the text.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import conversion_graph
import error_table
import linked_citations
import public_names
import registry_tables
import tradeoff_picture
from docutils import nodes
from docutils.parsers.rst import Directive


class FromCode(Directive):
    """A directive whose text is what ``write`` makes of its argument."""

    optional_arguments = 1
    final_argument_whitespace = True
    write: Callable[..., str]

    def run(self) -> list[nodes.Node]:
        """The nodes of the text."""
        box = nodes.Element()
        text = type(self).write(*self.arguments)
        self.state.nested_parse(text.splitlines(), self.content_offset, box)
        return box.children


DIRECTIVES: dict[str, Callable[..., str]] = {
    "theorems-of-kind": registry_tables.of_kind,
    "from-notion": registry_tables.from_notion,
    "into-notion": registry_tables.into_notion,
    "without-way": registry_tables.without_way,
    "grades": registry_tables.grades,
    "conversion-graph": conversion_graph.drawing,
    "error-classes": error_table.table,
    "public-names": public_names.entries,
    "trade-off": tradeoff_picture.drawing,
}


REFERENCE = re.compile(r"\||(?<=\w)_(?!\w)")
"""What reStructuredText takes for a part of a reference, and formulas mean literally."""


def write_bibliography(app: Any, config: Any) -> None:
    """Put the project's bibliography where the bibliography extension finds it, as BibTeX."""
    target = Path(app.doctreedir) / "refs.bib"
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_text(linked_citations.as_bibtex(), encoding="utf-8")
    config.bibtex_bibfiles = [str(target)]


def fresh_list_of_theorems(app: Any, docname: str, source: list[str]) -> None:
    """Make the page of all theorems from the registry, with its citations as links."""
    if docname == "theorems":
        import theorem_list

        source[0] = linked_citations.linked(theorem_list.page())


def without_marks_for_tests(app: Any, docname: str, source: list[str]) -> None:
    """Leave out what only the test of an example needs: the last empty line, marks of others."""
    source[0] = re.sub(r"\n\n```$", "\n```", source[0], flags=re.MULTILINE)
    source[0] = re.sub(r"^<BLANKLINE>$", "", source[0], flags=re.MULTILINE)


def formulas_as_text(*event: Any) -> None:
    """Docstrings are plain text: neither |x| nor I_ is a reference to something."""
    lines: list[str] = event[-1]
    for number, line in enumerate(lines):
        if not line.lstrip().startswith((">>>", "...")):
            parts = line.split("``")
            parts[::2] = [REFERENCE.sub(r"\\\g<0>", part) for part in parts[::2]]
            lines[number] = "``".join(parts)


def setup(app: Any) -> dict[str, bool]:
    """Tell Sphinx."""
    for name, write in DIRECTIVES.items():
        app.add_directive(name, type(name, (FromCode,), {"write": staticmethod(write)}))
    app.connect("config-inited", write_bibliography, priority=100)
    app.connect("source-read", fresh_list_of_theorems)
    app.connect("source-read", without_marks_for_tests)
    app.connect("autodoc-process-docstring", formulas_as_text)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
