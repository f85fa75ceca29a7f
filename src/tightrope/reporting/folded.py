"""Derivations that share their inputs: these are told once, and referred to afterwards."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from tightrope.reporting.record import Branch, Row

FEW = 2
"""Inputs that are told again rather than referred to."""

Seen = dict[tuple[Branch, ...], str]
"""The question under which inputs stand."""


def folded(rows: Iterable[Row]) -> tuple[Row, ...]:
    """The rows; what rests on inputs that stand under an earlier question refers to it."""
    seen: Seen = {}
    return tuple(_row(row, seen) for row in rows)


def _row(row: Row, seen: Seen) -> Row:
    if row.derivation is None:
        return row
    return replace(row, derivation=_branch(row.derivation, row.question, seen))


def _branch(branch: Branch, question: str, seen: Seen) -> Branch:
    if len(branch.inputs) <= FEW:
        inputs = tuple(_branch(below, question, seen) for below in branch.inputs)
        return replace(branch, inputs=inputs)
    first = seen.setdefault(branch.inputs, question)
    return branch if first == question else replace(branch, inputs=(), more=0, same=first)
