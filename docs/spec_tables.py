"""The tables of mechanisms and notions in ``docs/spec.md``, made from the classes themselves.

`python docs/spec_tables.py` brings them up to date; a test keeps them equal.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from tightrope.spec.vocabulary import Argument, Named, mechanisms, notions

TARGET = Path(__file__).parent / "spec.md"
BEGIN, END = "<!-- {}: begin -->\n", "<!-- {}: end -->"


def with_tables(document: str) -> str:
    """A document whose marked tables are brought up to date."""
    for name, table in (
        ("mechanisms", _table("mechanism", mechanisms())),
        ("notions", _table("notion", notions())),
    ):
        begin, end = BEGIN.format(name), END.format(name)
        before, _, rest = document.partition(begin)
        document = f"{before}{begin}{table}{end}{rest.partition(end)[2]}"
    return document


def _table(kind: str, known: Mapping[str, Named]) -> str:
    rows = [f"| {kind} | what | parameters |", "| --- | --- | --- |"]
    for named in known.values():
        parameters = "<br>".join(map(_parameter, named.arguments))
        rows.append(f"| `{named.name}` | {named.title} | {parameters} |")
    return "\n".join(rows) + "\n"


def _parameter(argument: Argument) -> str:
    words = argument.domain.words if argument.domain else _KINDS[argument.kind]
    told = [f"{argument.about} ({argument.symbol})" if argument.about else "", words]
    if not argument.required and argument.default is not None:
        told.append(f"default `{_default(argument)}`")
    return f"`{argument.name}`: {'; '.join(part for part in told if part)}"


def _default(argument: Argument) -> str:
    value = argument.default
    return str(value).lower() if isinstance(value, bool) else repr(value).replace("'", '"')


_KINDS: Mapping[str, str] = {
    "number": "a number",
    "numbers": "a list of numbers",
    "flag": "true or false",
    "text": "a text",
}


if __name__ == "__main__":
    TARGET.write_text(with_tables(TARGET.read_text(encoding="utf-8")), encoding="utf-8")
