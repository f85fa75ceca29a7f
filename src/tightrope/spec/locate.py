"""The line on which every key of a TOML document stands.

Python's ``tomllib`` gives values without their places. Given a document that it accepts, this
finds the place of each key and each list item, inline tables included, so that a mistake in
what was meant can be answered with its line.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass, field

Path = tuple[str | int, ...]

_TOKEN = re.compile(
    r"""
    (?P<skip>[ \t\r]+|\#[^\n]*)
  | (?P<line>\n)
  | (?P<text>\"\"\"(?:[^\\]|\\.)*?\"{3,5} | '''.*?'{3,5} | "(?:[^"\\\n]|\\.)*" | '[^'\n]*')
  | (?P<mark>[\[\]{},=.])
  | (?P<bare>[^\s\[\]{},=.#"']+ | ["'])
    """,
    re.VERBOSE | re.DOTALL,
)


@dataclass(frozen=True)
class Token:
    """A piece of the document: its kind, its text and its line."""

    kind: str
    text: str
    line: int


def tokens(document: str) -> Iterator[Token]:
    """Every token but blanks and comments; total on any text, valid TOML or not."""
    line = 1
    for match in _TOKEN.finditer(document):
        kind, text = str(match.lastgroup), match.group()
        if kind != "skip":
            yield Token(kind, text, line)
        line += text.count("\n")


def too_deep(document: str, most: int) -> int | None:
    """The line on which brackets nest deeper than ``most``; None if they nowhere do."""
    depth = 0
    for token in tokens(document):
        if token.kind == "mark":
            depth += (token.text in "[{") - (token.text in "]}")
            if depth > most:
                return token.line
    return None


def unclosed(document: str) -> Token | None:
    """The last bracket that is opened and never closed, if there is one."""
    opened: list[Token] = []
    for token in tokens(document):
        if token.kind == "mark" and token.text in "[{":
            opened.append(token)
        elif token.kind == "mark" and token.text in "]}" and opened:
            opened.pop()
    return opened[-1] if opened else None


def lines(document: str) -> dict[Path, int]:
    """The line of every key path of a valid document; list items are counted from 0.

    Examples:
        >>> lines("a = 1\\n[[b]]\\nc = [{d = 2},\\n{d = 3}]")[("b", 0, "c", 1, "d")]
        4
    """
    reader = _Reader(list(tokens(document)))
    reader.document()
    return reader.found


@dataclass
class _Reader:
    """Walks the tokens once; ``at`` is the position of the next one."""

    stream: list[Token]
    at: int = 0
    found: dict[Path, int] = field(default_factory=dict)
    last: dict[Path, int] = field(default_factory=dict)
    """The number of the last item of every ``[[list of tables]]``."""

    def document(self) -> None:
        where: Path = ()
        while self._more():
            if self._next_is("line"):
                self.at += 1
            elif self._next_is("mark", "["):
                where = self._header()
            else:
                self._pair(where)

    def _header(self) -> Path:
        line = self.stream[self.at].line
        items = self._next_is("mark", "[", ahead=1)
        self.at += 2 if items else 1
        keys = self._keys("]")
        self.at += 2 if items else 1
        where = (*self._resolved(keys[:-1], line), keys[-1])
        if items:
            self.last[where] = self.last.get(where, -1) + 1
            self.found.setdefault(where, line)
        if where in self.last:
            where += (self.last[where],)
        self.found[where] = line
        return where

    def _resolved(self, keys: list[str], line: int) -> Path:
        """A header's path, in which the name of a list of tables means its last item."""
        where: Path = ()
        for key in keys:
            where += (key,)
            self.found.setdefault(where, line)
            if where in self.last:
                where += (self.last[where],)
        return where

    def _pair(self, where: Path) -> None:
        line = self.stream[self.at].line
        for key in self._keys("="):
            where += (key,)
            self.found.setdefault(where, line)
        self.at += 1
        self._value(where)

    def _keys(self, end: str) -> list[str]:
        found = []
        while not self._next_is("mark", end):
            token = self.stream[self.at]
            if token.kind in ("bare", "text"):
                found.append(_key(token))
            self.at += 1
        return found

    def _value(self, where: Path) -> None:
        if self._next_is("mark", "["):
            self._list(where)
        elif self._next_is("mark", "{"):
            self._inline_table(where)
        else:
            while self._more() and not self._at_end_of_scalar():
                self.at += 1

    def _list(self, where: Path) -> None:
        self.at += 1
        number = 0
        while not self._next_is("mark", "]"):
            if self._next_is("line") or self._next_is("mark", ","):
                self.at += 1
                continue
            item: Path = (*where, number)
            self.found[item] = self.stream[self.at].line
            self._value(item)
            number += 1
        self.at += 1

    def _inline_table(self, where: Path) -> None:
        self.at += 1
        while not self._next_is("mark", "}"):
            if self._next_is("line") or self._next_is("mark", ","):
                self.at += 1
            else:
                self._pair(where)
        self.at += 1

    def _at_end_of_scalar(self) -> bool:
        token = self.stream[self.at]
        return token.kind == "line" or (token.kind == "mark" and token.text in ",]}")

    def _more(self) -> bool:
        return self.at < len(self.stream)

    def _next_is(self, kind: str, text: str | None = None, ahead: int = 0) -> bool:
        position = self.at + ahead
        if position >= len(self.stream):
            return False
        token = self.stream[position]
        return token.kind == kind and text in (None, token.text)


def _key(token: Token) -> str:
    if token.kind == "bare":
        return token.text
    return str(tomllib.loads(f"key = {token.text}")["key"])
