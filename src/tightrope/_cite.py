"""Citations: every theorem names a key of ``refs.bib``, which is read once, on first use."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache

_ENTRY = re.compile(r"@\w+\{(?P<key>\w+), (?P<fields>.*)\}\s*$", re.MULTILINE)
_FIELD = re.compile(r"(\w+) = \{([^}]*)\}")


@dataclass(frozen=True)
class Reference:
    """One entry of the bibliography."""

    key: str
    author: str
    year: str
    title: str
    venue: str
    doi: str = ""
    arxiv: str = ""

    @property
    def link(self) -> str:
        """Where the paper is, for everybody if it is on arXiv; empty if that is not known."""
        if self.arxiv:
            return f"https://arxiv.org/abs/{self.arxiv}"
        return f"https://doi.org/{self.doi}" if self.doi else ""

    @property
    def short(self) -> str:
        """``Bun and Steinke (2016)``; the project's own proofs are named by their page."""
        return self.venue if self.key == "tightrope" else f"{self.author} ({self.year})"

    def __str__(self) -> str:
        return f"{self.author} ({self.year}). {self.title}. {self.venue}."


@cache
def bibliography() -> dict[str, Reference]:
    """Every reference by its key."""
    from importlib.resources import files  # 20 ms that most programs never need

    text = files("tightrope").joinpath("refs.bib").read_text(encoding="utf-8")
    found = {}
    for entry in _ENTRY.finditer(text):
        known = dict(_FIELD.findall(entry["fields"]))
        found[entry["key"]] = Reference(entry["key"], **known)
    return found


def reference(key: str) -> Reference:
    """The reference of that key; KeyError if the bibliography lacks it."""
    return bibliography()[key]
