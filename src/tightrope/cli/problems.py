"""What went wrong: one sentence for people, one object of JSON for programs, and an exit code."""

from __future__ import annotations

import re
import sys
from collections.abc import Mapping, Sequence
from difflib import get_close_matches
from pathlib import Path
from typing import Any

from cyclopts import CycloptsError

from tightrope._errors import TightropeError
from tightrope.cli.output import show_json

REFUTED = 1
MISUSE = 2
EXCEEDED = 3
INTERNAL = 70

_OPTIONS: Mapping[str, str] = {
    "pass integer=True": "give --integer",
    "or integer=True": "or --integer",
    "Give bounds= within": "Give --low and --high within",
    "calibrate: bounds must": "calibrate: --low and --high must",
    "lies within bounds=": "lies between --low and --high, ",
    "calibrate: target must": "calibrate: --target must",
    "audit: entropy is": "audit: --seed is",
    "InsecureEntropy: seed must": "audit: --seed must",
    "needs neighbors=,": "needs --neighbors,",
    "needs claim=, such as tr.PureDP(1.0)": "needs --claim, such as pure:1",
    "with claim=": "with --claim",
    "audit: neighbors must": "audit: --neighbors must",
    "audit: law is": "audit: --law is",
    "audit: law must": "audit: --law must",
    "audit: trials must": "audit: --trials must",
    "audit: confidence must": "audit: --confidence must",
    "create: filter must": "create: --filter must",
    "create: slack must": "create: --slack must",
    "part= must be": "--part must be",
}
"""What one gives on the command line for what one would pass in Python."""


def in_options(sentence: str) -> str:
    """A sentence of the library as the command line says it.

    Examples:
        >>> in_options("calibrate: pass integer=True, and a target such as tr.GDP(0.5)")
        'calibrate: give --integer, and a target such as GDP(0.5)'
    """
    for python, option in _OPTIONS.items():
        sentence = sentence.replace(python, option)
    sentence = re.sub(r"write \{ notion = [^}]*\} or", "write", sentence)
    return re.sub(r"\btr\.(?=[A-Za-z])", "", sentence)


_CODES: Mapping[str, int] = {
    "BudgetExceeded": EXCEEDED,
    "TamperedExport": REFUTED,
    "TamperedBook": REFUTED,
}
"""Exit codes of errors of the ledger, by name: its classes are not loaded for other commands."""

SECRET = re.compile(r"(?<=://)[^@\s]*(?=@)")
"""User and password in a URL."""


def explained(error: Exception) -> tuple[str, int]:
    """What is wrong in words, and the exit code."""
    if isinstance(error, CycloptsError):
        from tightrope.cli.misuse import sentence

        return sentence(error), MISUSE
    if isinstance(error, TightropeError):
        return in_options(str(error)), _CODES.get(type(error).__name__, MISUSE)
    if isinstance(error, OSError):
        return _on_file(error), MISUSE
    if isinstance(error, RecursionError | MemoryError | OverflowError):
        return "what was asked is too large to compute", MISUSE
    told = f"{type(error).__name__}: {error}"
    return f"this is a mistake in tightrope, please report it: {told}", INTERNAL


def complain(error: Exception, arguments: Sequence[str]) -> int:
    """Tell what is wrong: on stdout in JSON if that was asked for, else on stderr."""
    problem, code = explained(error)
    problem = SECRET.sub("***", " ".join(problem.split()))
    if "--json" in arguments:
        show_json(_command(arguments), {"exit_code": code, "error": problem, **_afforded(error)})
    else:
        print(f"tightrope: {problem}", file=sys.stderr)
    return code


def _command(arguments: Sequence[str]) -> str | None:
    """The command that was meant, in two words if it is one of the ledger's."""
    words = [word for word in arguments[:2] if not word.startswith("-")]
    return " ".join(words if words[:1] == ["ledger"] else words[:1]) or None


def _afforded(error: Exception) -> dict[str, str | None]:
    """What would have been within the budget."""
    if type(error).__name__ != "BudgetExceeded":
        return {}
    known: Any = error
    affordable = known.affordable
    return {
        "requested": known.requested,
        "remaining": repr(known.remaining),
        "affordable": None if affordable is None else repr(affordable),
    }


def _on_file(error: OSError) -> str:
    reason = error.strerror or str(error)
    if not error.filename:
        return reason
    near = _near(error.filename) if isinstance(error, FileNotFoundError) else ""
    return f"{error.filename}: {reason}{near}"


def _near(name: str) -> str:
    """The file that was meant: one of a similar name in the same place."""
    missing = Path(name)
    try:
        there = [path.name for path in missing.parent.iterdir()]
    except OSError:
        return ""
    close = get_close_matches(missing.name, there, n=1)
    return f"; did you mean '{missing.with_name(close[0])}'?" if close else ""
