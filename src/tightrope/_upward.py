"""The one place where lower floors call upper ones: verbs that the planner or a page answers.

Everything here imports inside a function body, so that the layers below stay free of the planner
at import time; the import contract lists these calls.
"""

from __future__ import annotations

from types import ModuleType


def planner() -> ModuleType:
    """The package that answers ``to``, ``epsilon``, ``delta``, ``tradeoff`` and ``why``."""
    from tightrope import plan

    return plan


def vocabulary() -> None:
    """Import every module that defines something a text or a repr can name."""
    from tightrope import events, mechanisms, notions  # noqa: F401


def statements() -> ModuleType:
    """The package that prints the statement of a book."""
    from tightrope.reporting import statements

    return statements
