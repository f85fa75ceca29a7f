"""Markdown for texts in which nothing that somebody wrote is markup."""

from __future__ import annotations

import re
from collections.abc import Iterable
from html import escape

from tightrope._text import cleaned

__all__ = ["item", "listed", "preformatted", "statement"]


def statement(text: str, *notes: str) -> str:
    """A text that stands out, with notes below it.

    Examples:
        >>> print(statement("GDP(mu=1)", "for *all*"))
        `GDP(mu=1)`\\
        for \\*all\\*
    """
    return "\\\n".join([_code(text), *(_plain(note) for note in notes if note)])


def preformatted(text: str, *notes: str) -> str:
    """A text whose lines stay as they are, with notes below it."""
    fence = "`" * max(3, _longest_run(text) + 1)
    below = "".join(f"\n\n{_plain(note)}" for note in notes if note)
    return f"{fence}text\n{cleaned(text)}\n{fence}{below}"


def item(text: str, note: str, inside: str = "") -> str:
    """An entry of a list, with what belongs to it."""
    lines = [*statement(text, note).split("\n"), *inside.split("\n")]
    return "\n".join(["* " + lines[0], *("  " + line for line in lines[1:] if line)]) + "\n"


def listed(items: Iterable[str]) -> str:
    """Entries, one below the other; nothing if there are none."""
    return "".join(items)


def _code(text: str) -> str:
    """On one line, between more backticks than stand side by side in it."""
    fence = "`" * (_longest_run(text) + 1)
    room = " " if "`" in text else ""
    return f"{fence}{room}{' '.join(cleaned(text).split())}{room}{fence}"


def _longest_run(text: str) -> int:
    return max(map(len, re.findall("`+", text)), default=0)


def _plain(text: str) -> str:
    line = " ".join(cleaned(text).split())
    return escape(re.sub(r"([\\`*_{}\[\]()#+\-.!|~$:])", r"\\\1", line), quote=False)
