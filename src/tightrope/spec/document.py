"""A TOML document as values that know where they stand, so that every mistake has a line."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from functools import cached_property
from typing import Any

from tightrope._check import Domain, Real, validated
from tightrope._errors import TightropeError
from tightrope._wire import clipped
from tightrope.spec import arithmetic, locate
from tightrope.spec.errors import SpecError, hint

LONGEST = 1_000_000
"""Most bytes of a document."""

LONGEST_PATH = 120
"""Most characters of a path that are shown."""

DEEPEST = 50
"""Most levels that analyses nest in one another."""

_AT = re.compile(r" \(at (?:line (\d+), column \d+|end of document)\)$")
_LONG_NUMBER = re.compile(r"\d{1000}")
_ADVICE = {
    "key part": "an inline table { ... } stands on one line, without a comma at its end",
    "Unclosed inline table": "separate keys by commas, and write fractions in quotes: '\"1/3\"'",
    "Expected newline": 'write fractions and expressions in quotes, as in "1/3"',
    "Invalid value": 'texts stand in quotes, as in mechanism = "gaussian"',
    "overwrite": "a key stands twice in one table",
}


@dataclass(frozen=True)
class Document:
    """A document's name and text."""

    name: str
    text: str

    @cached_property
    def lines(self) -> Mapping[locate.Path, int]:
        """The line of every key; empty if the document nests too deeply to tell."""
        try:
            return locate.lines(self.text)
        except RecursionError:
            return {}

    def error(self, path: locate.Path, problem: str) -> SpecError:
        """The error at ``path``, or at what is nearest to it in the text."""
        known = path
        while known and known not in self.lines:
            known = known[:-1]
        return SpecError(self.name, self.lines.get(known, 1), spelled(path), problem)

    def root(self) -> Place:
        """The whole document, read; numbers with a point keep their decimal text.

        Raises:
            SpecError: the text is not TOML.
        """
        text = self.text.replace("\r\n", "\n")
        try:
            return Place(self, (), tomllib.loads(text, parse_float=_decimal))
        except tomllib.TOMLDecodeError as error:
            raise self._syntax_error(str(error)) from None
        except RecursionError:
            line = locate.too_deep(text, DEEPEST)
            problem = f"brackets nest deeper than {DEEPEST} levels"
            raise SpecError(self.name, line, "", problem) from None
        except ValueError:  # Python refuses to read integers of thousands of digits
            found = _LONG_NUMBER.search(text)
            line = text.count("\n", 0, found.start()) + 1 if found else None
            raise SpecError(self.name, line, "", "a number has too many digits") from None

    def _syntax_error(self, message: str) -> SpecError:
        found = _AT.search(message)
        line = int(found[1]) if found and found[1] else self.text.rstrip().count("\n") + 1
        problem = _AT.sub("", message)
        bracket = locate.unclosed(self.text) if found and not found[1] else None
        if bracket is not None:
            problem = f"the {bracket.text!r} opened here is never closed"
            return SpecError(self.name, bracket.line, "", f"not valid TOML: {problem}")
        advice = next((words for part, words in _ADVICE.items() if part in message), "")
        told = f"not valid TOML: {problem[:1].lower()}{problem[1:]}"
        return SpecError(self.name, line, "", f"{told} ({advice})" if advice else told)


def _decimal(text: str) -> Decimal:
    return Decimal(text.replace("_", ""))


def spelled(path: locate.Path) -> str:
    """``release[2].variance`` for a path; items are counted from 1, as people do.

    Examples:
        >>> spelled(("release", 1, "variance"))
        'release[2].variance'
    """
    text = ""
    for key in path:
        text += f"[{key + 1}]" if isinstance(key, int) else f".{key}"
    text = text.removeprefix(".")
    return text if len(text) <= LONGEST_PATH else f"...{text[-LONGEST_PATH:]}"


@dataclass(frozen=True)
class Place:
    """A value of the document and the path at which it stands."""

    document: Document
    path: locate.Path
    value: Any

    def child(self, key: str | int) -> Place:
        """The value below ``key``, which is there."""
        return Place(self.document, (*self.path, key), self.value[key])

    def get(self, key: str) -> Place | None:
        """The value below ``key``, if it is given."""
        return self.child(key) if key in self.value else None

    def error(self, problem: str) -> SpecError:
        """The error that something is wrong here."""
        return self.document.error(self.path, problem)

    @contextmanager
    def retold(self) -> Iterator[None]:
        """Tell the mistakes that a constructor finds with their place in the document."""
        try:
            yield
        except SpecError:
            raise
        except (TightropeError, OverflowError) as error:
            raise self.error(_in_toml(str(error))) from None

    # --- what a value must be ---------------------------------------------------------------

    def table(self, allowed: Iterable[str], what: str) -> Place:
        """This place, if it holds a table with no other keys than the allowed ones."""
        if not isinstance(self.value, dict):
            raise self.error(f"must be {what}, as a table of keys; {self._told()}")
        known = list(allowed)
        for key in self.value:
            if key not in known:
                raise self.child(key).error(f"unknown key in {what}{hint(key, known)}")
        return self

    def items(self, what: str) -> list[Place]:
        """The items of a list that is not empty."""
        if not isinstance(self.value, list):
            raise self.error(f"must be a list of {what}; {self._told()}")
        if not self.value:
            raise self.error(f"must be a list of {what}; it is empty")
        return [self.child(number) for number in range(len(self.value))]

    def text(self, what: str) -> str:
        """A text that is not blank."""
        if not isinstance(self.value, str) or not self.value.strip():
            raise self.error(f"must be {what}, in quotes; {self._told()}")
        return self.value

    def choice(self, what: str, known: Iterable[str]) -> str:
        """One of the known names."""
        name = self.text(what)
        if name not in (names := list(known)):
            raise self.error(f"unknown {what} {name!r}{hint(name, names)}")
        return name

    def flag(self) -> bool:
        """``true`` or ``false``."""
        if not isinstance(self.value, bool):
            raise self.error(f"must be true or false; {self._told()}")
        return self.value

    def number(self, constants: arithmetic.Constants, domain: Domain | None = None) -> Real:
        """An exact number, given as such or as an expression in quotes."""
        words = domain.words if domain else "a number"
        with self.retold():
            value = arithmetic.shortest(self._fraction(constants, words))
        if domain is None:
            return value
        try:
            return validated(value, domain, "")
        except TightropeError:
            raise self.error(f"must be {domain.words}; {self._told(value)}") from None

    def numbers(self, constants: arithmetic.Constants) -> list[Real]:
        """A list of exact numbers."""
        return [item.number(constants) for item in self.items("numbers")]

    def _fraction(self, constants: arithmetic.Constants, words: str) -> Fraction:
        if isinstance(self.value, str):
            return arithmetic.evaluate(self.value, constants)
        if isinstance(self.value, Decimal):
            return arithmetic.literal(self.value)
        if isinstance(self.value, int) and not isinstance(self.value, bool):
            return arithmetic.literal(Decimal(self.value))
        raise self.error(f"must be {words}, or an expression in quotes; {self._told()}")

    def written(self) -> str:
        """The value as it stands in the document, for people."""
        return self.value if isinstance(self.value, str) else _written(self.value)

    def _told(self, value: Real | None = None) -> str:
        shown = clipped(_written(self.value), 60)
        if value is None or not isinstance(self.value, str):
            return f"you wrote {shown}"
        return f"you wrote {shown}, which is {float(value):.6g}"


_TOML_FOR: Mapping[str, str] = {
    "event.restated(tr.replace_one)": 'restated = "replace_one"',
    "tr.jointly(a, b)": "jointly",
    "neighbors=tr.replace_one.of('person')": 'unit = "person"',
}
"""What stands in a document for what one would call in Python."""


def _in_toml(message: str) -> str:
    for python, toml in _TOML_FOR.items():
        message = message.replace(python, toml)
    return message


def _written(value: Any) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, str):
        return f'"{value}"'
    if isinstance(value, dict):
        return "a table"
    if isinstance(value, list):
        return "a list"
    return str(value).lower()
